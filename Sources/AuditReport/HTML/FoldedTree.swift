import AuditCore

/// An input's entries as a tree of bounded size.
///
/// Small inputs keep every entry. Beyond `limit` nodes the smallest leaves are folded into their
/// directories, files and directories alike, so that what weighs most stays to be seen. What is
/// kept depends on the input alone, for entries come in the report's order.
struct FoldedTree {
  /// How many levels of directories are kept apart.
  static let depthLimit = 40

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
  /// Files up to this size are folded at once, for files like them have been folded before.
  private var floor = -1
  /// The nodes from the root to the current directory, and where each one's path ends.
  private var chain: [(node: Int, end: Int)] = [(0, 0)]
  private var path: [UInt8] = []

  init(limit: Int) { self.limit = limit }

  /// Adds the entries of one slice.
  mutating func add(_ slice: ClassifiedSlice) {
    enter(slice.directory.path)
    let isWhole = chain[chain.count - 1].end == slice.directory.path.count
    let depth = nodes[chain[chain.count - 1].node].depth + 1
    var files = Tally()
    var bytes = Tally()
    for (index, record) in slice.range.enumerated() {
      let record = slice.directory.records + record
      let size = Int(max(record.pointee.size, 0))
      let isFile = record.pointee.kind == .file
      if isWhole, isFile ? size > floor : floor < 0 {
        nodes.append(
          Node(
            parent: chain[chain.count - 1].node, depth: depth,
            name: Array(slice.directory.name(record.pointee)),
            entry: Entry(
              kind: record.pointee.kind, size: record.pointee.size,
              verdict: slice.verdicts[index], reason: slice.reasons[index])))
        if nodes.count > limit { fold() }
      } else if isFile {
        files[slice.verdicts[index]] += 1
        bytes[slice.verdicts[index]] = Tally.sum(bytes[slice.verdicts[index]], size)
      }
    }
    guard files.total > 0 else { return }
    isFolded = true
    nodes[chain[chain.count - 1].node].files += files
    nodes[chain[chain.count - 1].node].bytes += bytes
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
      guard depth <= Self.depthLimit else { break }
      let start = last.end == 0 ? 0 : last.end + 1
      let end = new[start...].firstIndex(of: 0x2F) ?? new.count
      nodes.append(
        Node(parent: last.node, depth: depth, name: Array(new[start..<end]), entry: nil))
      chain.append((nodes.count - 1, end))
    }
    if nodes.count > limit { fold() }
  }

  /// Folds the smallest leaves until a quarter of the room is free.
  private mutating func fold() {
    isFolded = true
    let goal = limit * 3 / 4
    while nodes.count > goal {
      var isHeld = [Bool](repeating: false, count: nodes.count)
      for node in nodes.dropFirst() { isHeld[node.parent] = true }
      // The current directories still grow.
      for link in chain { isHeld[link.node] = true }
      var leaves = nodes.indices.filter { !isHeld[$0] }
      guard !leaves.isEmpty else { return }
      leaves.sort { (weight($0), -nodes[$0].depth, $0) < (weight($1), -nodes[$1].depth, $1) }
      var isRemoved = [Bool](repeating: false, count: nodes.count)
      for leaf in leaves.prefix(nodes.count - goal) {
        isRemoved[leaf] = true
        if let entry = nodes[leaf].entry, entry.kind == .file {
          floor = max(floor, Int(entry.size))
        }
        floor = max(floor, 0)
      }
      remove(isRemoved)
    }
  }

  /// What a leaf weighs against others: its bytes, and its files where no size is known.
  private func weight(_ index: Int) -> Int {
    let node = nodes[index]
    return node.entry.map { Int(max($0.size, 0)) } ?? Tally.sum(node.bytes.total, node.files.total)
  }

  /// Removes leaves, adding what they hold to their parents.
  private mutating func remove(_ isRemoved: [Bool]) {
    var kept: [Node] = []
    var moved: [Int] = []
    moved.reserveCapacity(nodes.count)
    for (index, node) in nodes.enumerated() {
      let parent = index == 0 ? 0 : moved[node.parent]
      moved.append(isRemoved[index] ? parent : kept.count)
      guard isRemoved[index] else {
        kept.append(node)
        kept[kept.count - 1].parent = parent
        continue
      }
      if let entry = node.entry {
        guard entry.kind == .file else { continue }
        kept[parent].files[entry.verdict] += 1
        kept[parent].bytes[entry.verdict] = Tally.sum(
          kept[parent].bytes[entry.verdict], Int(max(entry.size, 0)))
      } else {
        kept[parent].files += node.files
        kept[parent].bytes += node.bytes
      }
    }
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
