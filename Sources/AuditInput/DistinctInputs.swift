import AuditCore

/// The inputs of a run, each file counted once however often it is named.
///
/// A directory that is named twice, by another path or by a link, counts under its first name; one
/// that lies in another input counts there, where its container is. Archives inside a directory are
/// inputs of their own: a tree is not looked into for them.
public struct DistinctInputs {
  /// An input that is left out, for its files are counted with another one.
  public struct Repeated: Equatable, Sendable {
    /// The path as the user wrote it.
    public var path: [UInt8]
    /// The input that counts instead, as the user wrote it.
    public var counted: [UInt8]
    /// Whether it is that input itself rather than a part of it.
    public var isSame: Bool
  }

  private struct Identity: Hashable {
    var device: UInt64
    var inode: UInt64
  }

  /// What is to be audited, in the order in which it was named.
  public private(set) var paths: [[UInt8]] = []
  /// What is counted with another input.
  public private(set) var repeated: [Repeated] = []

  /// Looks at the paths; what cannot be opened is left in, for the audit to say so.
  public init(_ named: [[UInt8]]) {
    var first: [Identity: Int] = [:]
    var directories: [[UInt8]: Int] = [:]
    var same: [Int?] = []
    var real: [[UInt8]?] = []
    for (index, path) in named.enumerated() {
      guard let found = Self.look(path) else {
        same.append(nil)
        real.append(nil)
        continue
      }
      same.append(first[found.identity])
      first[found.identity] = first[found.identity] ?? index
      real.append(found.isDirectory ? found.path : nil)
      if found.isDirectory { directories[found.path] = directories[found.path] ?? index }
    }
    for (index, path) in named.enumerated() {
      if let other = same[index] {
        repeated.append(Repeated(path: path, counted: named[other], isSame: true))
      } else if let holder = real[index].flatMap({ Self.holder(of: $0, directories) }) {
        repeated.append(Repeated(path: path, counted: named[holder], isSame: false))
      } else {
        paths.append(path)
      }
    }
  }

  private static func look(_ path: [UInt8])
    -> (identity: Identity, path: [UInt8], isDirectory: Bool)?
  {
    if path.elementsEqual("-".utf8) { return nil }
    let fd = DirectoryOpener.withCString(path) { System.openInput($0) }
    guard fd >= 0 else { return nil }
    defer { System.close(fd) }
    // Where there is no answer, the audit of the path asks again and says so.
    var opened = OpenStatus()
    guard System.status(fd, &opened) == 0 else { return nil }
    let real = System.path(of: fd)
    var status = FileStatus()
    let code = DirectoryOpener.withCString(real) { System.status(System.here, $0, &status) }
    guard !real.isEmpty, code == 0, status.kind == opened.kind else { return nil }
    return (
      Identity(device: opened.device, inode: status.inode), real, opened.kind == .directory
    )
  }

  /// The outermost named directory above a path.
  private static func holder(of path: [UInt8], _ directories: [[UInt8]: Int]) -> Int? {
    var found: Int?
    var above = Array(Bytes.parent(path))
    while !above.isEmpty {
      found = directories[above] ?? found
      above = Array(Bytes.parent(above))
    }
    return directories[[Bytes.slash]].flatMap { path.count > 1 ? $0 : nil } ?? found
  }
}
