/// What one audit found, kept for a comparison: every entry in a few dozen bytes.
///
/// Entries lie in one array and their names in one arena, grouped by directory in the report's
/// order, so that two snapshots are compared by walking along both. A million files take about
/// 60 MB.
public struct Snapshot: Sendable {
  /// One entry that is not a directory.
  struct Entry: Sendable {
    var nameStart: Int
    var size: Int64
    var inode: UInt64
    var nameLength: UInt16
    var verdict: Verdict
    var kind: EntryKind
    var mark: OwnMark.State
  }

  /// A directory that holds entries.
  struct Directory: Sendable {
    /// The path relative to its input.
    var path: [UInt8]
    /// The index of its container in the snapshot.
    var container: Int
    /// Its entries.
    var entries: Range<Int>
  }

  /// Why entries cannot be taken in.
  public enum Disorder: Error {
    /// They do not come in the report's order, or one comes twice.
    case order
    /// A name has no byte, or too many.
    case name
  }

  /// The containers of all inputs, one input after the other.
  public private(set) var containers: [ContainerReport] = []
  /// How many inputs were taken in.
  public private(set) var inputs = 0
  /// Whether inode numbers are those of a file system.
  public var hasInodes = false
  private(set) var entries = ContiguousArray<Entry>()
  private(set) var directories = ContiguousArray<Directory>()
  private var arena = ContiguousArray<UInt8>()
  private var inputStart = (directories: 0, entries: 0, names: 0)

  /// Nothing taken in yet.
  public init() {}

  /// How many entries there are.
  public var count: Int { entries.count }

  /// The entries by kind and verdict.
  public var counts: Counts {
    var counts = Counts()
    for entry in entries {
      switch entry.kind {
      case .file:
        counts.files[entry.verdict] += 1
        // A report may say any size; a sum that is too large stays at the largest number.
        let bytes = counts.bytes[entry.verdict].addingReportingOverflow(Int(max(entry.size, 0)))
        counts.bytes[entry.verdict] = bytes.overflow ? .max : bytes.partialValue
      case .symlink: counts.symlinks += 1
      case .fifo, .socket, .device: counts.specials += 1
      case .directory: break
      }
    }
    return counts
  }

  /// Starts a directory of the current input, which comes after all others in the report's order.
  public mutating func begin(directory path: [UInt8]) throws(Disorder) {
    if directories.count > inputStart.directories, let last = directories.last,
      !PathOrder.precedes(last.path[...], path[...])
    {
      throw .order
    }
    directories.append(
      Directory(path: path, container: 0, entries: entries.count..<entries.count))
  }

  /// Adds an entry of the directory that was started last; names come in the order of their bytes.
  ///
  /// - Parameters:
  ///   - size: the logical size in bytes, negative where it is not known.
  ///   - inode: the inode number, zero where it is not known.
  public mutating func add(
    name: UnsafeBufferPointer<UInt8>, kind: EntryKind, verdict: Verdict, mark: OwnMark.State,
    size: Int64, inode: UInt64
  ) throws(Disorder) {
    guard let length = UInt16(exactly: name.count), length > 0, let last = directories.indices.last
    else { throw .name }
    if !directories[last].entries.isEmpty, !isAfterLast(name) { throw .order }
    entries.append(
      Entry(
        nameStart: arena.count, size: size, inode: inode, nameLength: length, verdict: verdict,
        kind: kind, mark: mark))
    arena.append(contentsOf: name)
    directories[last].entries = directories[last].entries.lowerBound..<entries.count
  }

  /// Ends an input: its directories are given to its containers.
  ///
  /// - Parameter found: the containers of the input. Where none holds a directory, the input's
  ///   own root does.
  public mutating func end(containers found: [ContainerReport]) {
    let first = containers.count
    inputs += 1
    containers.append(contentsOf: found)
    var byPath: [ArraySlice<UInt8>: Int] = [:]
    for index in found.indices { byPath[found[index].path[...]] = first + index }
    for index in inputStart.directories..<directories.count {
      let path = directories[index].path[...]
      directories[index].container = container(of: path, byPath) ?? own(&byPath)
    }
    inputStart = (directories.count, entries.count, arena.count)
  }

  /// Forgets what came in since the last input ended.
  public mutating func startInputOver() {
    directories.removeSubrange(inputStart.directories...)
    entries.removeSubrange(inputStart.entries...)
    arena.removeSubrange(inputStart.names...)
  }

  /// Lends the bytes that names lie in.
  func withNames<R>(_ body: (Names) throws -> R) rethrows -> R {
    try arena.withUnsafeBufferPointer { try body(Names(arena: $0)) }
  }

  /// Finds the bytes of names.
  struct Names {
    fileprivate let arena: UnsafeBufferPointer<UInt8>

    /// The name of an entry.
    @inline(__always) subscript(_ entry: Entry) -> UnsafeBufferPointer<UInt8> {
      UnsafeBufferPointer(
        rebasing: arena[entry.nameStart..<entry.nameStart + Int(entry.nameLength)])
    }
  }

  /// The entry with a path relative to the input, if it lies in a container.
  ///
  /// Only for snapshots of one input.
  func index(of path: [UInt8], container: Int) -> Int? {
    let parent = Bytes.parent(path)
    var range = directories.indices
    while !range.isEmpty {
      let middle = range.lowerBound + range.count / 2
      let order = PathOrder.compare(directories[middle].path[...], parent)
      if order == 0 {
        guard directories[middle].container == container else { return nil }
        return Bytes.last(path).withUnsafeBufferPointer { index(of: $0, in: directories[middle]) }
      }
      range = order < 0 ? middle + 1..<range.upperBound : range.lowerBound..<middle
    }
    return nil
  }

  /// The entry of a name in a directory.
  func index(of name: UnsafeBufferPointer<UInt8>, in directory: Directory) -> Int? {
    withNames { names in
      var range = directory.entries
      while !range.isEmpty {
        let middle = range.lowerBound + range.count / 2
        let order = PathOrder.compare(names[entries[middle]], name)
        if order == 0 { return middle }
        range = order < 0 ? middle + 1..<range.upperBound : range.lowerBound..<middle
      }
      return nil
    }
  }

  /// Whether a name sorts after that of the last entry.
  private func isAfterLast(_ name: UnsafeBufferPointer<UInt8>) -> Bool {
    guard let last = entries.last else { return true }
    return withNames { PathOrder.compare($0[last], name) < 0 }
  }

  /// The container with the longest path at or above a directory's.
  private func container(of path: ArraySlice<UInt8>, _ byPath: [ArraySlice<UInt8>: Int]) -> Int? {
    var path = path
    while true {
      if let index = byPath[path] { return index }
      if path.isEmpty { return nil }
      path = path.lastIndex(of: Bytes.slash).map { path[..<$0] } ?? []
    }
  }

  /// A container for directories of an input that are in none.
  private mutating func own(_ byPath: inout [ArraySlice<UInt8>: Int]) -> Int {
    containers.append(ContainerReport(path: [], kind: .unknown))
    byPath[[]] = containers.count - 1
    return containers.count - 1
  }
}
