import AuditCore
import AuditInput

#if canImport(Darwin)
  import Darwin
#else
  import Glibc
#endif

/// A file that holds a password and nothing else.
enum PasswordFile {
  /// What is longer is no password but another file.
  private static let limit = 4096

  /// The bytes of the file without the newline at its end, if there is one.
  static func read(_ path: [UInt8]) throws -> Secret {
    let fd = open(path.map { CChar(bitPattern: $0) } + [0], O_RDONLY | O_CLOEXEC)
    if fd < 0 { throw FileError(path: path, operation: "open", code: errno) }
    defer { close(fd) }
    let secret = Secret(count: limit + 1)
    var count = 0
    while count < secret.count {
      let read = readBytes(fd, UnsafeMutableRawBufferPointer(rebasing: secret.bytes[count...]))
      if read < 0, errno == EINTR { continue }
      if read < 0 { throw FileError(path: path, operation: "read", code: errno) }
      if read == 0 { break }
      count += read
    }
    guard count <= limit else {
      throw FileError(
        path: path, operation: "read a password of more than 4096 bytes from", code: EFBIG)
    }
    if count > 0, secret.bytes[count - 1] == 0x0A {
      count -= 1
      // A file from Windows ends its lines with two characters.
      if count > 0, secret.bytes[count - 1] == 0x0D { count -= 1 }
    }
    guard count > 0 else {
      throw InputProblem(
        path: [], operation: "read", error: "empty-password",
        message: "the password file \(Shown.text(path)) is empty")
    }
    secret.shorten(to: count)
    return secret
  }
}

/// Asks for a password at the terminal, without showing it.
enum PasswordPrompt {
  private static let limit = 4096
  private static let signals = [SIGINT, SIGTERM, SIGHUP, SIGQUIT, SIGTSTP]

  /// What is typed up to the end of the line; nil where nobody can be asked.
  ///
  /// Signals wait while the terminal does not echo, and are delivered once it does again: neither
  /// Control-C nor Control-Z leaves a terminal behind that shows nothing.
  static func ask(_ prompt: String) -> Secret? {
    guard isatty(STDIN_FILENO) == 1, Terminal.isError else { return nil }
    let secret = Secret(count: limit)
    while true {
      var before = termios()
      guard tcgetattr(STDIN_FILENO, &before) == 0 else { return nil }
      var blocked = sigset_t()
      var earlier = sigset_t()
      sigemptyset(&blocked)
      for number in signals { sigaddset(&blocked, number) }
      pthread_sigmask(SIG_BLOCK, &blocked, &earlier)
      var silent = before
      silent.c_lflag &= ~tcflag_t(ECHO | ECHONL | ICANON)
      tcsetattr(STDIN_FILENO, TCSAFLUSH, &silent)
      Terminal.put(prompt)
      let outcome = line(into: secret)
      tcsetattr(STDIN_FILENO, TCSAFLUSH, &before)
      Terminal.put("\n")
      pthread_sigmask(SIG_SETMASK, &earlier, nil)
      switch outcome {
      case .signalled: continue  // Stopped, and continued since.
      case .closed: return nil
      case .typed(let count):
        secret.shorten(to: count)
        return secret
      }
    }
  }

  private enum Outcome {
    case typed(Int)
    case signalled
    case closed
  }

  private static func line(into secret: Secret) -> Outcome {
    var count = 0
    while true {
      var wait = pollfd(fd: STDIN_FILENO, events: Int16(POLLIN), revents: 0)
      let ready = poll(&wait, 1, 200)
      if isSignalPending { return .signalled }
      if ready <= 0 { continue }
      guard wait.revents & Int16(POLLIN) != 0 else { return .closed }
      var byte: UInt8 = 0
      let read = withUnsafeMutableBytes(of: &byte) { readBytes(STDIN_FILENO, $0) }
      guard read == 1 else { return .closed }
      switch byte {
      case 0x0A, 0x0D: return .typed(count)
      case 0x04: return count > 0 ? .typed(count) : .closed
      case 0x15: count = 0
      case 0x08, 0x7F:
        // A whole character of UTF-8.
        while count > 0 {
          count -= 1
          if secret.bytes[count] & 0xC0 != 0x80 { break }
        }
      default:
        guard count < secret.count else { return .closed }
        secret.bytes[count] = byte
        count += 1
      }
    }
  }

  private static var isSignalPending: Bool {
    var pending = sigset_t()
    sigpending(&pending)
    return signals.contains { sigismember(&pending, $0) == 1 }
  }
}

private func readBytes(_ fd: Int32, _ buffer: UnsafeMutableRawBufferPointer) -> Int {
  read(fd, buffer.baseAddress, buffer.count)
}
