import AuditCore

/// Everything that an archive says, ready to be read directory by directory.
public struct ArchiveContents: Sendable {
  /// The form, as reports call it: `pax`, `ustar`, `gnutar`, `cpio`, `zip`, `graykey`, `clbx` …
  public let format: String
  /// How far the archive can be believed where it shows no mark; entries refer to them by number.
  public let layers: [Layer]
  /// What could not be read of the archive as a whole. Any of them makes the result incomplete.
  public let problems: [InputProblem]
  /// How many members were read.
  public let members: Int
  /// Whether members or their attributes are missing, so that no mark seen means nothing.
  public var isPartial: Bool {
    // These speak of names; whatever else went wrong may have taken a mark with it.
    let ofNames: Set = [
      "absolute-path", "parent-path", "path-too-long", "no-name", "file-and-directory",
    ]
    return problems.contains { !ofNames.contains($0.error) }
  }

  let table: MemberTable
  let sidecars: SidecarTable
  let headers: [Int: [UInt8]]
  let metadata: [Int: ContainerMetadata]
  /// Whether the archive states attributes itself, and those of all members.
  var native: (isSeen: Bool, isComplete: Bool) = (false, false)

  /// Calls a closure with every directory, those included that exist by longer paths only.
  ///
  /// The order is the reports': depth-first by name bytes, the root (an empty path) first. Within
  /// a directory everything that is no directory comes by name bytes, then the subdirectories.
  public func forEachDirectory(_ body: (Directory) throws -> Void) rethrows {
    let builder = DirectoryBuilder(self)
    var stack = [builder.root]
    while let frame = stack.popLast() {
      let (directory, children) = builder.build(frame)
      try body(directory)
      stack.append(contentsOf: children.reversed())
    }
  }
}

/// Makes `Directory` values of the nodes of an archive.
private struct DirectoryBuilder {
  /// A directory to build, and where its sidecars may lie besides.
  struct Frame {
    var node: Int
    /// Its record in its parent, sidecars folded in.
    var own: EntryRecord
    var ownDetail: EntryDetail?
    /// The directories `B/__MACOSX/P`, for a directory that is `B/P`.
    var companions: [Int] = []
    /// For a directory inside `__MACOSX`: what it stands for, or nothing of the archive.
    var mirrors: Mirror = .none
  }

  enum Mirror {
    case none
    case node(Int)
    case nothing
  }

  let root: Frame
  private let contents: ArchiveContents
  /// The nodes by their parents: those of node `n` are at `starts[n]..<starts[n + 1]`.
  private let order: ContiguousArray<UInt32>
  private let starts: ContiguousArray<UInt32>

  init(_ contents: ArchiveContents) {
    self.contents = contents
    let nodes = contents.table.nodes
    root = Frame(
      node: MemberTable.root, own: nodes[MemberTable.root].record,
      ownDetail: contents.table.detail(of: MemberTable.root))
    var starts = ContiguousArray<UInt32>(repeating: 0, count: nodes.count + 1)
    for node in nodes.indices.dropFirst() { starts[Int(nodes[node].parent) + 1] += 1 }
    for index in 1..<starts.count { starts[index] += starts[index - 1] }
    var next = starts
    var order = ContiguousArray<UInt32>(repeating: 0, count: max(0, nodes.count - 1))
    for node in nodes.indices.dropFirst() {
      let parent = Int(nodes[node].parent)
      order[Int(next[parent])] = UInt32(node)
      next[parent] += 1
    }
    self.starts = starts
    self.order = order
  }

  /// Makes a directory with its sidecars folded in, and the frames of its subdirectories.
  func build(_ frame: Frame) -> (Directory, [Frame]) {
    let table = contents.table
    let (directory, subdirectories) = plain(frame.node)
    directory.own = frame.own
    directory.own.detail = -1
    directory.ownDetail = frame.ownDetail
    var companions = frame.companions
    var macOSX: Int?
    if case .none = frame.mirrors {
      macOSX = SidecarName.macOSX.withUnsafeBufferPointer { table.find($0, in: frame.node) }
      if let node = macOSX, table.nodes[node].record.kind == .directory {
        companions.append(node)
      } else {
        macOSX = nil
      }
    }
    fold(directory, frame: frame, companions: companions)
    addHeaders(to: directory, node: frame.node)
    let frames = subdirectories.enumerated().map { index, node in
      let own = directory.records[directory.fileCount + index]
      var child = Frame(node: node, own: own)
      if own.detail >= 0 { child.ownDetail = directory.details[Int(own.detail)] }
      table.withName(of: node) { name in
        switch frame.mirrors {
        case .none where node == macOSX: child.mirrors = .node(frame.node)
        case .none: child.companions = companions.compactMap { table.find(name, in: $0) }
        case .node(let real):
          child.mirrors = table.find(name, in: real).map { .node($0) } ?? .nothing
        case .nothing: child.mirrors = .nothing
        }
      }
      return child
    }
    return (directory, frames)
  }

  private func fold(_ directory: Directory, frame: Frame, companions: [Int]) {
    guard !contents.sidecars.isEmpty else { return }
    let table = contents.table
    let sidecars = contents.sidecars
    let others = companions.map { (node: $0, directory: plain($0).0) }
    var elsewhere: ((UnsafeBufferPointer<UInt8>) -> OwnerElsewhere)?
    switch frame.mirrors {
    case .none: break
    case .node(let real):
      elsewhere = { name in
        guard let owner = table.find(name, in: real) else { return .missing }
        return .there(isMarked: table.nodes[owner].record.mark.state == .marked)
      }
    case .nothing: elsewhere = { _ in .missing }
    }
    let native: NativeAttributes =
      contents.native.isSeen ? .recorded(isComplete: contents.native.isComplete) : .none
    SidecarFolding.fold(
      directory, companions: others.map(\.directory), ownerElsewhere: elsewhere, native: native
    ) { record, place in
      let parent = others.first { $0.directory === place }?.node ?? frame.node
      guard let node = table.find(place.name(record), in: parent) else { return .ordinary }
      return sidecars[node] ?? .ordinary
    }
  }

  /// A directory as the archive has it, and its subdirectories in order.
  private func plain(_ node: Int) -> (Directory, [Int]) {
    let table = contents.table
    let children = order[Int(starts[node])..<Int(starts[node + 1])]
    var files: [(key: UInt64, node: Int)] = []
    var directories: [(key: UInt64, node: Int)] = []
    var nameBytes = 0
    var hidden = 0
    for child in children {
      let child = Int(child)
      if table.nodes[child].isHidden {
        hidden += 1
        continue
      }
      let record = table.nodes[child].record
      nameBytes += Int(record.nameLength)
      if record.kind == .directory {
        directories.append((record.key, child))
      } else {
        files.append((record.key, child))
      }
    }
    func precedes(_ a: (key: UInt64, node: Int), _ b: (key: UInt64, node: Int)) -> Bool {
      if a.key != b.key { return a.key < b.key }
      return table.withName(of: a.node) { first in
        table.withName(of: b.node) { first.lexicographicallyPrecedes($0) }
      }
    }
    files.sort(by: precedes)
    directories.sort(by: precedes)
    let count = files.count + directories.count
    let directory = Directory(
      path: table.path(of: node), own: table.nodes[node].record, recordCount: count,
      nameBytes: nameBytes)
    directory.fileCount = files.count
    directory.directoryCount = directories.count
    directory.metadata = contents.metadata[node]
    directory.sidecars = hidden
    var offset = 0
    for (index, child) in (files + directories).enumerated() {
      var record = table.nodes[child.node].record
      table.withName(of: child.node) { name in
        guard let start = name.baseAddress else { return }
        (directory.arena + offset).update(from: start, count: name.count)
      }
      record.nameOffset = UInt32(offset)
      offset += Int(record.nameLength)
      if record.detail >= 0 {
        directory.details.append(table.details[Int(record.detail)])
        record.detail = Int32(directory.details.count - 1)
      }
      (directory.records + index).initialize(to: record)
    }
    return (directory, directories.map(\.node))
  }

  /// Gives marked databases their first bytes, which tell whether they are SQLite's.
  private func addHeaders(to directory: Directory, node: Int) {
    guard !contents.headers.isEmpty else { return }
    let table = contents.table
    for index in 0..<directory.fileCount
    where directory.records[index].mark.state == .marked && directory.records[index].kind == .file {
      let name = directory.name(directory.records[index])
      guard
        MemberBodies.isDatabase(name) || directory.fileIndex(name, "-wal") != nil
          || directory.fileIndex(name, "-shm") != nil,
        let own = table.find(name, in: node), let header = contents.headers[own]
      else { continue }
      var detail = EntryDetail()
      let at = Int(directory.records[index].detail)
      if at >= 0 { detail = directory.details[at] }
      detail.header = header
      if at >= 0 {
        directory.details[at] = detail
      } else {
        directory.records[index].detail = Int32(directory.details.count)
        directory.details.append(detail)
      }
    }
  }
}
