/// A directory of a test's own on a file system that keeps extended attributes.
package final class TemporaryDirectory: Sendable {
  /// Its absolute path.
  package let path: [UInt8]

  /// The path as text, for arguments.
  package var text: String { String(decoding: path, as: UTF8.self) }

  /// Why there is no place for attributes; `nil` where there is one.
  ///
  /// Tests that need one are skipped with this reason. With `AUDIT_REQUIRE_XATTRS=1` in the
  /// environment, as in the repository's own checks, they fail instead.
  package static let obstacle: String? = {
    if home != nil { return nil }
    let reason = "no file system with user attributes in \(candidates)"
    if getenv("AUDIT_REQUIRE_XATTRS") != nil { fatalError(reason) }
    print("SKIPPED: \(reason); set TMPDIR to a directory on ext4, xfs, btrfs or APFS")
    return reason
  }()

  /// Whether tests of real trees can run.
  package static var isPossible: Bool { obstacle == nil }

  private static let candidates: [String] =
    (getenv("TMPDIR").map { [String(cString: $0)] } ?? []) + ["/var/tmp", "/tmp"]

  private static let home: String? = candidates.first { candidate in
    guard let path = make(in: candidate) else { return false }
    defer { rmdir(path) }
    let descriptor = open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
    defer { close(descriptor) }
    return (try? setAttribute(descriptor, Array("audit.probe".utf8), [1])) != nil
  }

  private static func make(in parent: String) -> String? {
    var template = Array("\(parent)/audit-test-XXXXXX".utf8CString)
    guard mkdtemp(&template) != nil else { return nil }
    return String(decoding: template.dropLast().map { UInt8(bitPattern: $0) }, as: UTF8.self)
  }

  /// Makes one that other users can enter.
  package init() throws {
    guard let made = Self.make(in: Self.home ?? "/tmp") else {
      throw SystemError("mkdtemp", "temporary directory".utf8)
    }
    chmod(made, 0o755)
    path = Array(made.utf8)
  }

  deinit {
    // The tools manage any depth; modes are opened up first for the sake of a normal user.
    _ = try? Command("/bin/chmod", ["-R", "u+rwx", text]).run()
    _ = try? Command("/bin/rm", ["-rf", text]).run()
  }

  /// The path of a name in the directory.
  package func at(_ name: String) -> String { "\(text)/\(name)" }

  /// Makes an empty directory in it and returns its path.
  package func directory(_ name: String) throws -> [UInt8] {
    if mkdir(at(name), 0o755) != 0 { throw SystemError("mkdir", name.utf8) }
    return Array(at(name).utf8)
  }

  /// Writes a file in it and returns its path.
  package func file(_ name: String, _ bytes: [UInt8]) throws -> String {
    let descriptor = open(at(name), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0o644)
    defer { close(descriptor) }
    var done = 0
    while done < bytes.count {
      let count = bytes[done...].withUnsafeBytes { write(descriptor, $0.baseAddress, $0.count) }
      if count < 0 { throw SystemError("write", name.utf8) }
      done += count
    }
    return at(name)
  }
}
