import AuditCore

#if canImport(Darwin)
  import Darwin
#else
  import Glibc
#endif

/// Small files that are read whole.
enum InputFile {
  /// A policy or baseline larger than this many bytes is none: a device without end, or a mistake.
  private static let limit = 64 << 20

  /// The bytes of a file.
  ///
  /// - Throws: what the system says, or `EFBIG` above 64 MiB.
  static func read(_ path: [UInt8]) throws(FileError) -> [UInt8] {
    let fd = open(path.map { CChar(bitPattern: $0) } + [0], O_RDONLY | O_CLOEXEC)
    if fd < 0 { throw FileError(path: path, operation: "open", code: errno) }
    defer { close(fd) }
    var bytes: [UInt8] = []
    var buffer = [UInt8](repeating: 0, count: 65_536)
    while true {
      let count = buffer.withUnsafeMutableBytes { buffer in
        #if canImport(Darwin)
          Darwin.read(fd, buffer.baseAddress, buffer.count)
        #else
          Glibc.read(fd, buffer.baseAddress, buffer.count)
        #endif
      }
      if count == 0 { return bytes }
      if count > 0 {
        if bytes.count + count > limit {
          throw FileError(path: path, operation: "read more than 64 MiB of", code: EFBIG)
        }
        bytes += buffer[..<count]
      } else if errno != EINTR {
        throw FileError(path: path, operation: "read", code: errno)
      }
    }
  }
}

/// The calendar where the program runs.
enum Clock {
  /// The day it is here.
  static var today: PolicyDate {
    var now = time(nil)
    var local = tm()
    localtime_r(&now, &local)
    return PolicyDate(unixTime: Int(now), offset: Int(local.tm_gmtoff))
  }
}
