#if canImport(Darwin)
  import Darwin
#else
  import Glibc
#endif

/// What happens when a signal ends the run: unfinished files are removed, then the signal has its
/// way.
enum Interruption {
  /// A place for the name of an unfinished file. Places are used again and never freed, so that a
  /// handler can walk along them at any time.
  private struct Place {
    var path: UnsafeMutablePointer<CChar>?
    var next: UnsafeMutablePointer<Place>?
  }
  nonisolated(unsafe) private static var first: UnsafeMutablePointer<Place>?

  /// Signals that do not end a program, that nobody can catch, or that are seen as the error of a
  /// write: `EPIPE` and `EFBIG` become a message and a status.
  private static let left: Set<Int32> = {
    var left: Set<Int32> = [
      SIGKILL, SIGSTOP, SIGCHLD, SIGURG, SIGWINCH, SIGCONT, SIGTSTP, SIGTTIN, SIGTTOU, SIGPIPE,
      SIGXFSZ,
    ]
    #if canImport(Darwin)
      left.formUnion([SIGIO, SIGINFO])
    #endif
    return left
  }()
  #if canImport(Darwin)
    private static let signals: ClosedRange<Int32> = 1...31
  #else
    private static let signals: ClosedRange<Int32> = 1...64
  #endif

  /// Must be called once before anything is written.
  static func install() {
    signal(SIGPIPE, SIG_IGN)
    signal(SIGXFSZ, SIG_IGN)
  }

  /// Takes note of an unfinished file; the name stays the caller's, until `forget`.
  static func remember(_ path: UnsafeMutablePointer<CChar>?) {
    if first == nil { catchSignals() }
    var place = first
    while let current = place {
      if current.pointee.path == nil {
        current.pointee.path = path
        return
      }
      place = current.pointee.next
    }
    let fresh = UnsafeMutablePointer<Place>.allocate(capacity: 1)
    fresh.initialize(to: Place(path: path, next: first))
    first = fresh
  }

  /// Takes note that a file is finished or gone.
  static func forget(_ path: UnsafeMutablePointer<CChar>?) {
    var place = first
    while let current = place {
      if current.pointee.path == path { current.pointee.path = nil }
      place = current.pointee.next
    }
  }

  /// Whoever started the program with a signal ignored, as nohup does, wants it ignored. The
  /// handlers of the runtime, which print what memory holds when it crashes, are replaced.
  private static func catchSignals() {
    for number in signals where !left.contains(number) {
      var action = sigaction()
      guard sigaction(number, nil, &action) == 0, !isIgnored(action) else { continue }
      signal(number) { number in
        Interruption.removeFiles()
        signal(number, SIG_DFL)
        raise(number)
      }
    }
  }

  private static func isIgnored(_ action: sigaction) -> Bool {
    #if canImport(Darwin)
      let handler = action.__sigaction_u.__sa_handler
    #else
      let handler = action.__sigaction_handler.sa_handler
    #endif
    let ignored: (@convention(c) (Int32) -> Void)? = SIG_IGN
    return unsafeBitCast(handler, to: Int.self) == unsafeBitCast(ignored, to: Int.self)
  }

  private static func removeFiles() {
    var place = first
    while let current = place {
      if let path = current.pointee.path { unlink(path) }
      place = current.pointee.next
    }
  }
}

/// The descriptors that every program is started with, or should be.
enum StandardDescriptors {
  /// Occupies those that are closed, so that no file that is opened later becomes one of them: a
  /// report would be taken for standard output, or messages would be written into it.
  ///
  /// They are filled such that using them stays an error.
  static func fill() {
    for number in STDIN_FILENO...STDERR_FILENO where fcntl(number, F_GETFD) < 0 {
      // The lowest free number is given out, and all below are taken.
      _ = open("/dev/null", number == STDIN_FILENO ? O_WRONLY : O_RDONLY)
    }
  }
}
