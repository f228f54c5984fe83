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
  var message: SafeText {
    "cannot \(operation) \(path): \(String(cString: strerror(code)))"
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
  static func say(_ line: SafeText) { put(line.string + "\n") }

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
