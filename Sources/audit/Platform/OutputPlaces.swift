import AuditCore

#if canImport(Darwin)
  import Darwin
#else
  import Glibc
#endif

/// Where reports may be written: nowhere in what is read.
enum OutputPlaces {
  private struct Identity: Hashable {
    var device: UInt64
    var inode: UInt64

    init?(_ path: [CChar]) {
      var status = stat()
      guard stat(path, &status) == 0 else { return nil }
      device = UInt64(truncatingIfNeeded: status.st_dev)
      inode = UInt64(truncatingIfNeeded: status.st_ino)
    }
  }

  /// Refuses a target that is one of the files that are read, or lies in a directory that is: the
  /// report would replace evidence, and its temporary file would be audited.
  ///
  /// Directories are compared by device and inode, so that no other spelling of the path gets by.
  static func check(_ targets: [[UInt8]], against inputs: [[UInt8]]) throws(UsageError) {
    guard !targets.isEmpty else { return }
    var read: [Identity: [UInt8]] = [:]
    for input in inputs {
      if let identity = Identity(terminated(input)) { read[identity] = input }
    }
    for target in targets {
      if let identity = Identity(terminated(target)), let input = read[identity] {
        guard isRegular(target) else { continue }
        throw UsageError(
          message: "\(Shown.text(target)) would replace \(Shown.text(input)), which is read; "
            + "write to another file")
      }
      for directory in directories(above: target) {
        guard let identity = Identity(directory), let input = read[identity] else { continue }
        throw UsageError(
          message: "\(Shown.text(target)) would be written into \(Shown.text(input)), which is "
            + "audited; write to a place outside of it")
      }
    }
  }

  private static func terminated(_ path: some Sequence<UInt8>) -> [CChar] {
    path.map { CChar(bitPattern: $0) } + [0]
  }

  private static func isRegular(_ path: [UInt8]) -> Bool {
    var status = stat()
    return stat(terminated(path), &status) == 0 && status.st_mode & S_IFMT == S_IFREG
  }

  /// The directory that a file lies in or will lie in, and all above it, links resolved.
  private static func directories(above target: [UInt8]) -> [[CChar]] {
    // A link keeps its place and what it points to is replaced.
    let parent = Bytes.parent(target)
    let fallback: [UInt8] =
      target.first == Bytes.slash && parent.isEmpty
      ? [Bytes.slash]
      : parent.isEmpty ? Array(".".utf8) : Array(parent)
    guard
      let real = realpath(terminated(target), nil) ?? realpath(terminated(fallback), nil)
    else { return [] }
    defer { free(real) }
    var path = UnsafeBufferPointer(start: real, count: strlen(real)).map { UInt8(bitPattern: $0) }
    var result = [terminated(path)]
    while !path.isEmpty {
      path = Array(Bytes.parent(path))
      result.append(terminated(path.isEmpty ? [Bytes.slash] : path))
    }
    return result
  }
}
