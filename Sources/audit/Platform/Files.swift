import AuditCore

#if canImport(Darwin)
  import Darwin
#else
  import Glibc
#endif

/// A system call on a file that failed.
struct FileError: Error {
  var path: [UInt8]
  var operation: String
  var code: Int32

  /// One line for standard error.
  var message: String {
    "cannot \(operation) \(Shown.text(path)): \(String(cString: strerror(code)))"
  }
}

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
    self.temporary = nil
  }

  deinit {
    if fd > STDERR_FILENO { close(fd) }
    if let temporary {
      unlink(temporary)
      Interruption.forget(temporary)
    }
    free(target)
  }
}

/// What happens when a signal ends the run: unfinished files are removed, then the signal has its
/// way.
enum Interruption {
  private static let capacity = 64
  nonisolated(unsafe) private static let files = {
    let table = UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>.allocate(capacity: capacity)
    table.initialize(repeating: nil, count: capacity)
    return table
  }()

  /// Must be called once before the first file is opened.
  static func install() {
    _ = files
    // A closed pipe shall be an error of the write, with a message and a status.
    signal(SIGPIPE, SIG_IGN)
    for number in [SIGINT, SIGTERM, SIGHUP] {
      // Whoever started the program with a signal ignored, as nohup does, wants it ignored.
      let before: (@convention(c) (Int32) -> Void)? = signal(number, SIG_IGN)
      let ignored: (@convention(c) (Int32) -> Void)? = SIG_IGN
      if unsafeBitCast(before, to: Int.self) == unsafeBitCast(ignored, to: Int.self) { continue }
      signal(number) { number in
        Interruption.removeFiles()
        signal(number, SIG_DFL)
        raise(number)
      }
    }
  }

  static func remember(_ path: UnsafeMutablePointer<CChar>?) {
    for index in 0..<capacity where files[index] == nil {
      files[index] = path
      return
    }
  }

  static func forget(_ path: UnsafeMutablePointer<CChar>?) {
    for index in 0..<capacity where files[index] == path { files[index] = nil }
  }

  private static func removeFiles() {
    for index in 0..<capacity { if let path = files[index] { unlink(path) } }
  }
}

/// The terminal and the environment.
enum Terminal {
  static var isOutput: Bool { isatty(STDOUT_FILENO) == 1 }
  static var isError: Bool { isatty(STDERR_FILENO) == 1 }
  static var isDumb: Bool { variable("TERM") == "dumb" }
  static var refusesColor: Bool { variable("NO_COLOR")?.isEmpty == false }
  static var columns: Int {
    var size = winsize()
    return ioctl(STDOUT_FILENO, UInt(TIOCGWINSZ), &size) == 0 && size.ws_col > 20
      ? Int(size.ws_col) : 80
  }
  static var processors: Int { max(1, Int(sysconf(Int32(_SC_NPROCESSORS_ONLN)))) }

  static func variable(_ name: String) -> String? {
    getenv(name).map { String(cString: $0) }
  }

  /// Writes a line to standard error.
  static func say(_ line: String) {
    var text = line + "\n"
    text.withUTF8 { bytes in
      #if canImport(Darwin)
        _ = Darwin.write(STDERR_FILENO, bytes.baseAddress, bytes.count)
      #else
        _ = Glibc.write(STDERR_FILENO, bytes.baseAddress, bytes.count)
      #endif
    }
  }

  /// Writes bytes to standard error as they are.
  static func put(_ text: String) {
    var text = text
    text.withUTF8 { bytes in
      #if canImport(Darwin)
        _ = Darwin.write(STDERR_FILENO, bytes.baseAddress, bytes.count)
      #else
        _ = Glibc.write(STDERR_FILENO, bytes.baseAddress, bytes.count)
      #endif
    }
  }

  /// Milliseconds on a clock that never goes back.
  static var milliseconds: Int {
    var time = timespec()
    clock_gettime(CLOCK_MONOTONIC, &time)
    return Int(time.tv_sec) * 1000 + Int(time.tv_nsec) / 1_000_000
  }

  /// The program's arguments as bytes.
  static var arguments: [[UInt8]] {
    (1..<max(1, Int(CommandLine.argc))).compactMap { index in
      CommandLine.unsafeArgv[index].map { text in
        UnsafeBufferPointer(start: text, count: strlen(text)).map { UInt8(bitPattern: $0) }
      }
    }
  }

  static func leave(_ status: Int32) -> Never { exit(status) }
}
