import AuditCore

/// An input's entries as a tree of bounded size.
///
/// Small inputs keep every entry. Beyond `limit` nodes the deepest files are folded into their
/// directories, level by level, and when no file is left the deepest directories into theirs.
/// What is kept depends on the input alone, for entries come in the report's order.
struct FoldedTree {
  /// How many entries of one directory are kept before they are folded.
  static let directoryLimit = 500

  /// An entry, or a directory with what was folded into it.
  struct Node {
    var parent: Int
    var depth: Int
    var name: [UInt8]
    /// The entry; nil for a directory.
    var entry: Entry?
    /// Regular files that were folded into the directory, and their bytes.
    var files = Tally()
    var bytes = Tally()
  }

  /// What is shown of an entry.
  struct Entry {
    var kind: EntryKind
    var size: Int64
    var verdict: Verdict
    var reason: Reason
  }

  private(set) var nodes = [Node(parent: 0, depth: 0, name: [], entry: nil)]
  /// Whether anything was folded.
  private(set) var isFolded = false
  private let limit: Int
  private var fileDepth = Int.max
  private var directoryDepth = Int.max
  /// The nodes from the root to the current directory, and where each one's path ends.
  private var chain: [(node: Int, end: Int)] = [(0, 0)]
  private var path: [UInt8] = []

  init(limit: Int) { self.limit = limit }

  /// Adds the entries of one slice.
  mutating func add(_ slice: ClassifiedSlice) {
    enter(slice.directory.path)
    let target = chain[chain.count - 1]
    let isWhole = target.end == slice.directory.path.count
    let depth = nodes[target.node].depth + 1
    if isWhole, depth < fileDepth, slice.range.count <= Self.directoryLimit {
      for (index, record) in slice.range.enumerated() {
        let record = slice.directory.records[record]
        nodes.append(
          Node(
            parent: target.node, depth: depth, name: Array(slice.directory.name(record)),
            entry: Entry(
              kind: record.kind, size: record.size, verdict: slice.verdicts[index],
              reason: slice.reasons[index])))
      }
      while nodes.count > limit, fold() {}
      return
    }
    isFolded = true
    var files = Tally()
    var bytes = Tally()
    for (index, record) in slice.range.enumerated() {
      let record = slice.directory.records + record
      guard record.pointee.kind == .file else { continue }
      files[slice.verdicts[index]] += 1
      bytes[slice.verdicts[index]] += Int(max(record.pointee.size, 0))
    }
    nodes[target.node].files += files
    nodes[target.node].bytes += bytes
  }

  /// Moves the chain to a directory, adding the directories on the way.
  private mutating func enter(_ new: [UInt8]) {
    var common = 0
    while common < min(path.count, new.count), path[common] == new[common] { common += 1 }
    while let last = chain.last, last.end > 0 {
      let isAbove = last.end == new.count || (last.end < new.count && new[last.end] == 0x2F)
      if last.end <= common, isAbove { break }
      chain.removeLast()
    }
    path = new
    while chain[chain.count - 1].end < new.count {
      let last = chain[chain.count - 1]
      let depth = nodes[last.node].depth + 1
      guard depth <= directoryDepth else { break }
      let start = last.end == 0 ? 0 : last.end + 1
      let end = new[start...].firstIndex(of: 0x2F) ?? new.count
      nodes.append(
        Node(parent: last.node, depth: depth, name: Array(new[start..<end]), entry: nil))
      chain.append((nodes.count - 1, end))
    }
    while nodes.count > limit, fold() {}
  }

  /// Folds one level; false if only the root is left.
  private mutating func fold() -> Bool {
    if let deepest = nodes.lazy.filter({ $0.entry != nil }).map(\.depth).max() {
      fileDepth = deepest
      remove { $0.entry != nil && $0.depth >= deepest }
      return true
    }
    guard let deepest = nodes.lazy.map(\.depth).max(), deepest > 0 else { return false }
    directoryDepth = deepest - 1
    remove { $0.depth >= deepest }
    return true
  }

  /// Removes nodes without children, adding what they hold to their parents.
  private mutating func remove(_ isRemoved: (Node) -> Bool) {
    isFolded = true
    var kept: [Node] = []
    var moved: [Int] = []
    moved.reserveCapacity(nodes.count)
    for node in nodes {
      let parent = moved.isEmpty ? 0 : moved[node.parent]
      guard isRemoved(node) else {
        moved.append(kept.count)
        kept.append(node)
        kept[kept.count - 1].parent = parent
        continue
      }
      moved.append(parent)
      if let entry = node.entry {
        if entry.kind == .file {
          kept[parent].files[entry.verdict] += 1
          kept[parent].bytes[entry.verdict] += Int(max(entry.size, 0))
        }
      } else {
        kept[parent].files += node.files
        kept[parent].bytes += node.bytes
      }
    }
    chain.removeAll { isRemoved(nodes[$0.node]) }
    for index in chain.indices { chain[index].node = moved[chain[index].node] }
    nodes = kept
  }

  /// Whether a node has nothing of its own to show: a directory that nothing was folded into.
  func isBare(_ index: Int) -> Bool {
    nodes[index].entry == nil && nodes[index].files.total == 0
  }

  /// The path of a node relative to the input; empty for the root.
  func path(of index: Int) -> [UInt8] {
    guard index > 0 else { return [] }
    let parent = path(of: nodes[index].parent)
    return parent.isEmpty ? nodes[index].name : parent + [0x2F] + nodes[index].name
  }
}
