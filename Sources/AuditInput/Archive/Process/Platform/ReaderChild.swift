#if canImport(Darwin)
  import Darwin
#else
  import CKernel
  import Glibc
#endif

/// A process that reads an archive, and the pipe that it answers through.
final class ReaderChild {
  /// How a process ended.
  enum End {
    case status(Int32)
    case signal(Int32)
  }
  /// A system call that failed.
  struct Failure: Error {
    var number: Int32
  }

  /// What the kernel sends to a process that got no further (`Confinement.madeProgress`).
  static let stuckSignal = SIGXCPU

  let pipe: Int32
  private let process: pid_t
  private var isRunning = true

  private init(pipe: Int32, process: pid_t) {
    self.pipe = pipe
    self.process = process
  }

  deinit {
    kill()
    close(pipe)
  }

  /// Starts a program whose standard input is the archive and whose standard output is the pipe. It
  /// inherits nothing else: what it would say on standard error is not ours.
  static func start(
    _ program: [UInt8], _ arguments: [[UInt8]], archive: Int32
  ) -> Result<ReaderChild, Failure> {
    var ends: [Int32] = [-1, -1]
    guard systemPipe(&ends) == 0 else { return .failure(Failure(number: errno)) }
    for end in ends { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
    defer { close(ends[1]) }
    #if canImport(Darwin)
      var actions: posix_spawn_file_actions_t?
    #else
      var actions = posix_spawn_file_actions_t()
    #endif
    posix_spawn_file_actions_init(&actions)
    defer { posix_spawn_file_actions_destroy(&actions) }
    posix_spawn_file_actions_adddup2(&actions, archive, 0)
    posix_spawn_file_actions_adddup2(&actions, ends[1], 1)
    posix_spawn_file_actions_addopen(&actions, 2, "/dev/null", O_WRONLY, 0)
    #if canImport(Darwin)
      var attributes: posix_spawnattr_t?
      posix_spawnattr_init(&attributes)
      posix_spawnattr_setflags(&attributes, Int16(POSIX_SPAWN_CLOEXEC_DEFAULT))
    #else
      var attributes = posix_spawnattr_t()
      posix_spawnattr_init(&attributes)
      posix_spawn_file_actions_addclosefrom_np(&actions, 3)
    #endif
    defer { posix_spawnattr_destroy(&attributes) }

    var words: [UnsafeMutablePointer<CChar>?] = ([program] + arguments).map { word in
      strndup(word.map { CChar(bitPattern: $0) } + [0], word.count)
    }
    defer { for word in words { free(word) } }
    words.append(nil)
    // The runtime's own handler for crashes would start another program.
    var settings: [UnsafeMutablePointer<CChar>?] = [strdup("SWIFT_BACKTRACE=enable=no")]
    defer { free(settings[0]) }
    var variable = environ
    while let setting = variable.pointee {
      if strncmp(setting, "SWIFT_BACKTRACE=", 16) != 0 { settings.append(setting) }
      variable += 1
    }
    settings.append(nil)
    var process: pid_t = 0
    guard let path = words[0] else { return .failure(Failure(number: ENOMEM)) }
    let failure = posix_spawn(&process, path, &actions, &attributes, words, settings)
    guard failure == 0 else {
      close(ends[0])
      return .failure(Failure(number: failure))
    }
    return .success(ReaderChild(pipe: ends[0], process: process))
  }

  /// Waits for its end.
  @discardableResult func end() -> End {
    isRunning = false
    var status: Int32 = 0
    while waitpid(process, &status, 0) < 0 {
      if errno != EINTR { return .status(-1) }
    }
    let signal = status & 0x7F
    return signal == 0 ? .status(status >> 8 & 0xFF) : .signal(signal)
  }

  /// Ends it.
  func kill() {
    guard isRunning else { return }
    #if canImport(Darwin)
      _ = Darwin.kill(process, SIGKILL)
    #else
      _ = Glibc.kill(process, SIGKILL)
    #endif
    end()
  }

  /// Reads what is there; 0 at the end, and negative where it fails.
  static func read(_ descriptor: Int32, _ buffer: UnsafeMutableRawBufferPointer) -> Int {
    while true {
      #if canImport(Darwin)
        let count = Darwin.read(descriptor, buffer.baseAddress, buffer.count)
      #else
        let count = Glibc.read(descriptor, buffer.baseAddress, buffer.count)
      #endif
      if count >= 0 || errno != EINTR { return count }
    }
  }

  /// Whether all bytes were taken.
  static func write(_ descriptor: Int32, _ bytes: UnsafeRawBufferPointer) -> Bool {
    var rest = bytes
    while !rest.isEmpty {
      #if canImport(Darwin)
        let count = Darwin.write(descriptor, rest.baseAddress, rest.count)
      #else
        let count = Glibc.write(descriptor, rest.baseAddress, rest.count)
      #endif
      if count < 0 {
        if errno == EINTR { continue }
        return false
      }
      rest = UnsafeRawBufferPointer(rebasing: rest[count...])
    }
    return true
  }
}

private func systemPipe(_ ends: inout [Int32]) -> Int32 { pipe(&ends) }
