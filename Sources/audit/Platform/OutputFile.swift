import AuditCore

#if canImport(Darwin)
  import Darwin
#else
  import Glibc
#endif

/// A file that appears under its name only when it is whole.
///
/// It is written beside its place under another name and renamed when it is done; a signal
/// removes it. Something that is no regular file (`/dev/null`, a FIFO) is written directly.
final class OutputFile {
  let path: [UInt8]
  private var fd: Int32
  private var temporary: UnsafeMutablePointer<CChar>?
  private var target: UnsafeMutablePointer<CChar>?

  /// Standard output.
  init() {
    path = Array("standard output".utf8)
    fd = STDOUT_FILENO
  }

  init(path: [UInt8]) throws(FileError) {
    self.path = path
    let name = path.map { CChar(bitPattern: $0) } + [0]
    var status = stat()
    let exists = stat(name, &status) == 0
    if exists && status.st_mode & S_IFMT != S_IFREG {
      fd = open(name, O_WRONLY | O_CLOEXEC)
      if fd < 0 { throw FileError(path: path, operation: "open", code: errno) }
      return
    }
    // A link keeps its place: what it points to is replaced.
    let real = exists ? realpath(name, nil) : strdup(name)
    target = real
    var template = real.map { Array(UnsafeBufferPointer(start: $0, count: strlen($0))) } ?? []
    template += Array(".audit-XXXXXX".utf8).map { CChar(bitPattern: $0) } + [0]
    fd = mkstemp(&template)
    if fd < 0 { throw FileError(path: path, operation: "create a file beside", code: errno) }
    _ = fcntl(fd, F_SETFD, FD_CLOEXEC)
    temporary = strdup(template)
    Interruption.remember(temporary)
    let mask = umask(0)
    umask(mask)
    _ = fchmod(fd, exists ? status.st_mode & 0o777 : 0o666 & ~mask)
  }

  /// Writes all bytes.
  func write(_ bytes: UnsafeRawBufferPointer) throws(FileError) {
    var rest = bytes
    while !rest.isEmpty {
      #if canImport(Darwin)
        let count = Darwin.write(fd, rest.baseAddress, rest.count)
      #else
        let count = Glibc.write(fd, rest.baseAddress, rest.count)
      #endif
      if count < 0 {
        if errno == EINTR { continue }
        throw FileError(path: path, operation: "write", code: errno)
      }
      rest = UnsafeRawBufferPointer(rebasing: rest[count...])
    }
  }

  /// Writes text.
  func write(_ text: String) throws(FileError) {
    try write(Array(text.utf8))
  }

  /// Writes all bytes.
  func write(_ bytes: [UInt8]) throws(FileError) {
    var failure: FileError?
    bytes.withUnsafeBytes { bytes in
      do throws(FileError) { try write(bytes) } catch { failure = error }
    }
    if let failure { throw failure }
  }

  /// Gives the file its name.
  func commit() throws(FileError) {
    if fd == STDOUT_FILENO { return }
    let result = close(fd)
    fd = -1
    if result != 0 { throw FileError(path: path, operation: "write", code: errno) }
    guard let temporary, let target else { return }
    if rename(temporary, target) != 0 {
      throw FileError(path: path, operation: "rename a file to", code: errno)
    }
    Interruption.forget(temporary)
    free(temporary)
    self.temporary = nil
  }

  deinit {
    if fd > STDERR_FILENO { close(fd) }
    if let temporary {
      unlink(temporary)
      Interruption.forget(temporary)
      free(temporary)
    }
    free(target)
  }
}
