import AuditCore

/// All members of an archive as a tree of compact nodes, in whatever order they come.
///
/// A node is one record and its parent's number; names lie in one arena; a hash table finds a
/// name in a directory. Nothing is allocated per member.
struct MemberTable {
  /// A member or a directory that exists by its members' names only.
  struct Node {
    var record = EntryRecord()
    var parent: UInt32 = 0
    /// Whether a member of the archive said so, or only a longer path.
    var isMember = false
    /// Whether it belongs to the carrier, not to what it carries.
    var isHidden = false
  }

  /// What became of a path.
  enum Place {
    /// A node; `isAbsolute` if the path began with a slash.
    case node(Int, isAbsolute: Bool)
    /// It has `..` in it.
    case escapes
    /// It is longer or deeper than can be.
    case tooLong
  }

  /// The root, which is every archive's first node.
  static let root = 0

  private(set) var nodes: ContiguousArray<Node> = []
  /// Details of single nodes, found through `record.detail`.
  var details: [EntryDetail] = []
  /// Nodes that were a file and then had members below them.
  private(set) var turnedDirectory: [Int] = []
  private var names: ContiguousArray<UInt8> = []
  /// Open addressing; zero is free, the root is never looked up.
  private var slots: ContiguousArray<UInt32> = ContiguousArray(repeating: 0, count: 1024)
  /// Random, so that nobody can choose names that fall into one slot.
  private let seed = UInt64.random(in: 1...UInt64.max)
  /// The directory of the last path, which is usually the next one's too.
  private var lastDirectory: ContiguousArray<UInt8> = []
  private var lastDirectoryNode = MemberTable.root
  private let depthLimit: Int

  init(depthLimit: Int) {
    self.depthLimit = depthLimit
    var root = Node()
    root.record.kind = .directory
    nodes.append(root)
  }

  var nameBytes: Int { names.count }

  /// The bytes of a node's name, valid while the closure runs.
  func withName<R>(of node: Int, _ body: (UnsafeBufferPointer<UInt8>) -> R) -> R {
    let record = nodes[node].record
    return names.withUnsafeBufferPointer {
      let start = Int(record.nameOffset)
      return body(UnsafeBufferPointer(rebasing: $0[start..<(start + Int(record.nameLength))]))
    }
  }

  /// What is known of a node beyond its record.
  func detail(of node: Int) -> EntryDetail? {
    let at = Int(nodes[node].record.detail)
    return at >= 0 ? details[at] : nil
  }

  /// A node's path from the root, `/`-separated.
  func path(of node: Int) -> [UInt8] {
    var chain: [Int] = []
    var at = node
    while at != Self.root {
      chain.append(at)
      at = Int(nodes[at].parent)
    }
    var path: [UInt8] = []
    for at in chain.reversed() {
      if !path.isEmpty { path.append(0x2F) }
      withName(of: at) { path.append(contentsOf: $0) }
    }
    return path
  }

  /// Changes a node's record in place.
  mutating func update<R>(_ node: Int, _ change: (inout EntryRecord) -> R) -> R {
    change(&nodes[node].record)
  }

  /// Says that a member of the archive stands for a node; whether one did before.
  mutating func claim(_ node: Int) -> Bool {
    let before = nodes[node].isMember
    nodes[node].isMember = true
    return before
  }

  /// Takes a node out of the result: it belongs to the carrier.
  mutating func hide(_ node: Int) {
    nodes[node].isHidden = true
  }

  /// Forgets what an earlier member of the same path said.
  mutating func reset(_ node: Int) {
    nodes[node].record.mark = .absent
    nodes[node].record.attributes = []
    nodes[node].record.detail = -1
  }

  /// Sets a node's kind. A directory stays one: members may lie below it.
  mutating func setKind(_ kind: EntryKind, of node: Int, isNew: Bool) {
    if !isNew, nodes[node].record.kind == .directory, kind != .directory {
      turnedDirectory.append(node)
    } else {
      nodes[node].record.kind = kind
    }
  }

  /// Changes a node's mark, flags and detail together.
  mutating func merge(_ summary: AttributeSummary, into node: Int, isWhole: Bool = false) {
    var summary = summary
    if summary.mark.state != .absent { summary.flags.insert(.carried) }
    guard !summary.isEmpty else { return }
    changeDetail(of: node) { record, detail in
      summary.merge(
        into: &record.mark, flags: &record.attributes, detail: &detail, isWhole: isWhole)
    }
  }

  /// Says why a node's mark is unknown; a mark that was found stands.
  mutating func doubt(_ node: Int, _ problem: InputProblem) {
    changeDetail(of: node) { record, detail in
      var changed = detail ?? EntryDetail()
      if changed.problem == nil { changed.problem = problem }
      detail = changed
      if record.mark.state != .marked { record.mark = .unknown }
    }
  }

  /// Adds a remark, unless there is one.
  mutating func remark(_ text: String, on node: Int) {
    changeDetail(of: node) { _, detail in
      var changed = detail ?? EntryDetail()
      if changed.remark == nil { changed.remark = text }
      detail = changed
    }
  }

  private mutating func changeDetail(
    of node: Int, _ change: (inout EntryRecord, inout EntryDetail?) -> Void
  ) {
    let at = Int(nodes[node].record.detail)
    var detail = at >= 0 ? details[at] : nil
    change(&nodes[node].record, &detail)
    guard let detail else { return }
    if at >= 0 {
      details[at] = detail
    } else {
      nodes[node].record.detail = Int32(details.count)
      details.append(detail)
    }
  }

  // MARK: - Paths

  /// Finds or makes the node of a member's path. Empty components and `.` count for nothing.
  mutating func insert(_ path: UnsafeBufferPointer<UInt8>) -> Place {
    let isAbsolute = path.first == 0x2F
    var end = path.count
    while end > 0, path[end - 1] == 0x2F { end -= 1 }
    var cut = end
    while cut > 0, path[cut - 1] != 0x2F { cut -= 1 }
    // path[..<cut] is the directory, path[cut..<end] the name.
    var at = Self.root
    if cut > 0 {
      if lastDirectory.count == cut, lastDirectory.elementsEqual(path[..<cut]) {
        at = lastDirectoryNode
      } else {
        switch descend(UnsafeBufferPointer(rebasing: path[..<cut])) {
        case .node(let node, _): at = node
        case let failed: return failed
        }
        lastDirectory.removeAll(keepingCapacity: true)
        lastDirectory.append(contentsOf: path[..<cut])
        lastDirectoryNode = at
      }
    }
    switch step(from: at, UnsafeBufferPointer(rebasing: path[cut..<end])) {
    case .node(let node, _): return .node(node, isAbsolute: isAbsolute)
    case let failed: return failed
    }
  }

  private mutating func descend(_ path: UnsafeBufferPointer<UInt8>) -> Place {
    var at = Self.root
    var start = 0
    var depth = 0
    for index in 0...path.count where index == path.count || path[index] == 0x2F {
      if index > start {
        depth += 1
        guard depth < depthLimit else { return .tooLong }
        switch step(from: at, UnsafeBufferPointer(rebasing: path[start..<index])) {
        case .node(let node, _):
          at = node
          if nodes[at].record.kind != .directory {
            turnedDirectory.append(at)
            nodes[at].record.kind = .directory
          }
        case let failed: return failed
        }
      }
      start = index + 1
    }
    return .node(at, isAbsolute: false)
  }

  private mutating func step(from parent: Int, _ name: UnsafeBufferPointer<UInt8>) -> Place {
    if name.isEmpty || (name.count == 1 && name[0] == 0x2E) {
      return .node(parent, isAbsolute: false)
    }
    if name.count == 2, name[0] == 0x2E, name[1] == 0x2E { return .escapes }
    guard name.count <= Int(UInt16.max), names.count + name.count <= Int(UInt32.max),
      nodes.count < Int(Int32.max)
    else { return .tooLong }
    let slot = slot(of: name, in: parent)
    if slots[slot] != 0 { return .node(Int(slots[slot]), isAbsolute: false) }
    var node = Node()
    node.parent = UInt32(parent)
    node.record.kind = .directory
    node.record.nameOffset = UInt32(names.count)
    node.record.nameLength = UInt16(name.count)
    var key: UInt64 = 0
    for index in 0..<8 { key = key << 8 | (index < name.count ? UInt64(name[index]) : 0) }
    node.record.key = key
    names.append(contentsOf: name)
    slots[slot] = UInt32(nodes.count)
    nodes.append(node)
    if nodes.count * 2 > slots.count { grow() }
    return .node(nodes.count - 1, isAbsolute: false)
  }

  // MARK: - Hashing

  /// The node of a name in a directory, if there is one.
  func find(_ name: UnsafeBufferPointer<UInt8>, in parent: Int) -> Int? {
    let node = slots[slot(of: name, in: parent)]
    return node == 0 ? nil : Int(node)
  }

  /// The node of a path, if there is one.
  func find(path: UnsafeBufferPointer<UInt8>) -> Int? {
    var at = Self.root
    for part in path.split(separator: 0x2F) where !part.elementsEqual([0x2E]) {
      guard let next = find(UnsafeBufferPointer(rebasing: part), in: at) else { return nil }
      at = next
    }
    return at
  }

  private func slot(of name: UnsafeBufferPointer<UInt8>, in parent: Int) -> Int {
    let mask = slots.count - 1
    var slot = Int(truncatingIfNeeded: hash(name, parent)) & mask
    return names.withUnsafeBufferPointer { names in
      while slots[slot] != 0 {
        let node = nodes[Int(slots[slot])]
        if Int(node.parent) == parent, Int(node.record.nameLength) == name.count {
          let start = Int(node.record.nameOffset)
          var index = 0
          while index < name.count, names[start + index] == name[index] { index += 1 }
          if index == name.count { return slot }
        }
        slot = (slot + 1) & mask
      }
      return slot
    }
  }

  private func hash(_ name: UnsafeBufferPointer<UInt8>, _ parent: Int) -> UInt64 {
    let factor: UInt64 = 0x9E37_79B9_7F4A_7C15
    var hash = (seed ^ UInt64(parent)) &* factor
    let raw = UnsafeRawBufferPointer(name)
    var at = 0
    while at + 8 <= raw.count {
      hash = (hash ^ raw.loadUnaligned(fromByteOffset: at, as: UInt64.self)) &* factor
      hash ^= hash >> 29
      at += 8
    }
    while at < raw.count {
      hash = (hash ^ UInt64(raw[at])) &* factor
      at += 1
    }
    return hash ^ (hash >> 32)
  }

  private mutating func grow() {
    slots = ContiguousArray(repeating: 0, count: slots.count * 2)
    let mask = slots.count - 1
    for node in 1..<nodes.count {
      var slot = withName(of: node) { hash($0, Int(nodes[node].parent)) }
      slot &= UInt64(mask)
      while slots[Int(slot)] != 0 { slot = (slot + 1) & UInt64(mask) }
      slots[Int(slot)] = UInt32(node)
    }
  }
}
