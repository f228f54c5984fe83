/// A program to be run by a test, with everything it sees chosen by the test.
package struct Command: Sendable {
  /// The path of the program.
  package var program: String
  /// Its arguments, as bytes: names need not be valid UTF-8.
  package var arguments: [[UInt8]]
  /// Its environment; nothing is inherited.
  package var environment = ["PATH": "/usr/bin:/bin", "LC_ALL": "C.UTF-8"]
  /// Its working directory, where not the test's own.
  package var directory: String?
  /// What it reads from standard input.
  package var input: [UInt8] = []
  /// Another user to run as; only a superuser can.
  package var user: UInt32?
  /// A file to use as standard output instead of collecting it.
  package var outputPath: String?
  /// Whether standard output is closed before it starts.
  package var outputClosed = false
  /// After how many seconds it is killed and the test fails.
  package var timeout: Double = 60

  /// Makes a command with textual arguments.
  package init(_ program: String, _ arguments: [String] = []) {
    self.program = program
    self.arguments = arguments.map { Array($0.utf8) }
  }

  /// What a program left behind.
  package struct Result: Sendable {
    /// Its exit status, or 128 + the number of the signal that ended it.
    package var status: Int32
    /// What it wrote to standard output.
    package var output: [UInt8]
    /// What it wrote to standard error.
    package var error: [UInt8]
    /// Standard output as text.
    package var outputText: String { String(decoding: output, as: UTF8.self) }
    /// Standard error as text.
    package var errorText: String { String(decoding: error, as: UTF8.self) }
  }

  /// A program that did not end in time.
  package struct TimedOut: Error, CustomStringConvertible {
    package let description: String
  }

  /// Runs it to its end. The streams are files, so no program can block on a full pipe.
  package func run() throws -> Result {
    let streams = try [input, [], []].map(Self.scratch)
    defer { for stream in streams { close(stream) } }
    var actions = Self.emptyActions()
    defer { posix_spawn_file_actions_destroy(&actions) }
    for (number, stream) in streams.enumerated() {
      posix_spawn_file_actions_adddup2(&actions, stream, Int32(number))
    }
    if let outputPath {
      posix_spawn_file_actions_addopen(&actions, 1, outputPath, O_WRONLY, 0)
    }
    if outputClosed { posix_spawn_file_actions_addclose(&actions, 1) }

    var words = [Array(program.utf8)] + arguments
    if let user {
      let switching = ["/usr/bin/setpriv", "--reuid=\(user)", "--regid=\(user)", "--clear-groups"]
      words = switching.map { Array($0.utf8) } + words
    }
    if let directory {
      let changing = ["/bin/sh", "-c", "cd \"$0\" && exec \"$@\"", directory]
      words = changing.map { Array($0.utf8) } + words
    }
    let pid = try Self.spawn(words, environment, &actions)
    let status = try wait(for: pid, words)
    return Result(
      status: status, output: Self.contents(streams[1]), error: Self.contents(streams[2]))
  }

  private func wait(for pid: pid_t, _ words: [[UInt8]]) throws -> Int32 {
    var status: Int32 = 0
    var pause: UInt32 = 200
    var waited: Double = 0
    while waitpid(pid, &status, WNOHANG) == 0 {
      usleep(pause)
      waited += Double(pause) / 1_000_000
      pause = min(pause * 2, 20_000)
      if waited > timeout {
        kill(pid, SIGKILL)
        waitpid(pid, &status, 0)
        let line = words.map { String(decoding: $0, as: UTF8.self) }.joined(separator: " ")
        throw TimedOut(description: "not done after \(timeout) s: \(line)")
      }
    }
    return status & 0x7F == 0 ? (status >> 8) & 0xFF : 128 + (status & 0x7F)
  }

  private static func spawn(
    _ words: [[UInt8]], _ environment: [String: String],
    _ actions: inout posix_spawn_file_actions_t
  ) throws -> pid_t {
    let variables = environment.map { Array("\($0)=\($1)".utf8) }
    var argv = words.map { $0.withCString { strdup($0) } } + [nil]
    var envp = variables.map { $0.withCString { strdup($0) } } + [nil]
    defer { for string in argv + envp { free(string) } }
    var pid: pid_t = 0
    let code = words[0].withCString { program in
      posix_spawn(&pid, program, &actions, nil, &argv, &envp)
    }
    if code != 0 {
      errno = code
      throw SystemError("posix_spawn", words[0])
    }
    return pid
  }

  /// A nameless file that holds some bytes, positioned at its start.
  private static func scratch(_ bytes: [UInt8]) throws -> Int32 {
    var template = Array("/tmp/audit-stream-XXXXXX".utf8CString)
    let descriptor = mkstemp(&template)
    if descriptor < 0 { throw SystemError("mkstemp", "stream".utf8) }
    unlink(template)
    _ = fcntl(descriptor, F_SETFD, FD_CLOEXEC)
    if !bytes.isEmpty { _ = write(descriptor, bytes, bytes.count) }
    lseek(descriptor, 0, SEEK_SET)
    return descriptor
  }

  private static func contents(_ descriptor: Int32) -> [UInt8] {
    var bytes = [UInt8](repeating: 0, count: Int(lseek(descriptor, 0, SEEK_END)))
    var done = 0
    while done < bytes.count {
      let count = pread(descriptor, &bytes[done], bytes.count - done, off_t(done))
      if count <= 0 { break }
      done += count
    }
    return Array(bytes[..<done])
  }
}
