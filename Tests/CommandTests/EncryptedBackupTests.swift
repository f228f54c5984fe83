import Foundation
import TestSupport
import Testing

/// `Fixtures/encrypted-backup`, which `Fixtures/make_encrypted_backup.py` makes.
@Suite struct EncryptedBackupTests {
  private static let root = URL(filePath: #filePath)
    .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
  private static let backup = root.appending(path: "Fixtures/encrypted-backup").path
  private static let password = "correct horse é"

  private func container(in place: TemporaryDirectory) throws -> String {
    let spec = try TreeSpec(
      parsing: Array(
        """
        f .com.apple.mobile_container_manager.metadata.plist container=2:org.example.notes
        d Documents
        f Documents/open.txt text=1
        f Documents/secret.db [mobile-backup] text=1
        """.utf8))
    return try place.file("container.tar", spec.tar())
  }

  private func verify(
    _ password: [UInt8], _ more: [String] = [], in place: TemporaryDirectory,
    backup: String = Self.backup
  ) throws -> Command.Result {
    let file = try place.file("password-of-the-test", password)
    let result = try Audit.run(
      ["verify", backup, "--container", container(in: place), "--password-file", file] + more)
    // It is in nothing that is written.
    if password.count > 4 {
      for stream in [result.output, result.error] {
        #expect(Data(stream).range(of: Data(password.filter { $0 != 0x0A && $0 != 0x0D })) == nil)
      }
    }
    return result
  }

  @Test func everyWayToWriteThePassword() throws {
    let place = try TemporaryDirectory()
    let bytes = Array(Self.password.utf8)
    let decomposed = Array("correct horse e\u{301}".utf8)
    for form in [bytes, bytes + [0x0A], bytes + [0x0D, 0x0A], decomposed] {
      let result = try verify(form, in: place)
      #expect(result.status == 1, "\(result.errorText)")
      #expect(result.outputText.contains("3 rows"))
    }
  }

  @Test func inEveryFormat() throws {
    let place = try TemporaryDirectory()
    for format in ["text", "json", "sarif", "github", "gitlab"] {
      let result = try verify(Array(Self.password.utf8), ["-v", "-f", format], in: place)
      #expect(result.status == 1, "\(result.errorText)")
    }
  }

  @Test func wrongPasswords() throws {
    let place = try TemporaryDirectory()
    let wrong: [[UInt8]] = [
      Array("correct horse e".utf8), Array((Self.password + " ").utf8),
      Array((Self.password + "\n\n").utf8), [0xFF, 0xFE, 0x80, 0x81, 0x82],
    ]
    for password in wrong {
      let result = try verify(password, in: place)
      #expect(result.status == 2)
      #expect(result.errorText.contains("the password does not open this backup"))
    }
    for empty: [UInt8] in [[], [0x0A], [0x0D, 0x0A]] {
      let result = try verify(empty, in: place)
      #expect(result.status == 2)
      #expect(result.errorText.contains("is empty"))
    }
  }

  @Test func withoutAPassword() throws {
    let place = try TemporaryDirectory()
    let result = try Audit.run(["verify", Self.backup, "--container", container(in: place)])
    #expect(result.status == 2)
    #expect(result.errorText.contains("--password-file FILE"))
  }

  /// A damaged database is told apart from a wrong password; the folder is left alone.
  @Test func damageAndNoTraces() throws {
    let place = try TemporaryDirectory()
    let copy = place.at("copy")
    // Not `copyItem`, which wants to keep an owner that only a superuser can give.
    #expect(try Command("/bin/cp", ["-r", Self.backup, copy]).run().status == 0)
    let names = try FileManager.default.contentsOfDirectory(atPath: copy).sorted()
    #expect(try verify(Array(Self.password.utf8), in: place, backup: copy).status == 1)
    #expect(try FileManager.default.contentsOfDirectory(atPath: copy).sorted() == names)
    var database = try Data(contentsOf: URL(filePath: copy + "/Manifest.db"))
    for damage in [0, -1] {
      if damage == 0 { database[3] ^= 1 } else { database.removeLast() }
      try database.write(to: URL(filePath: copy + "/Manifest.db"))
      let result = try verify(Array(Self.password.utf8), in: place, backup: copy)
      #expect(result.status == 2)
      #expect(result.errorText.contains("the password is right, but Manifest.db"))
    }
  }

  /// Through a terminal: asked for, and not echoed.
  @Test(.enabled(if: FileManager.default.isExecutableFile(atPath: "/usr/bin/python3")))
  func prompt() throws {
    let place = try TemporaryDirectory()
    let script = """
      import os, pty, select, sys, termios
      password = sys.argv[1].encode()
      pid, fd = pty.fork()
      if pid == 0:
          os.execv(sys.argv[2], sys.argv[2:])
      seen, sent = b"", False
      while select.select([fd], [], [], 50)[0]:
          try:
              data = os.read(fd, 65536)
          except OSError:
              break
          if not data:
              break
          seen += data
          if not sent and b"Password" in seen:
              sent = True
              os.write(fd, password + b"\\n")
      status = os.waitpid(pid, 0)[1]
      sys.stdout.buffer.write(seen)
      sys.exit(99 if password in seen or not sent else os.waitstatus_to_exitcode(status))
      """
    for (password, status) in [(Self.password, Int32(1)), ("wrong horse", 2)] {
      let result = try Command(
        "/usr/bin/python3",
        [
          "-c", script, password, Audit.binary, "verify", Self.backup, "--container",
          container(in: place),
        ]
      ).run()
      #expect(result.status == status, "\(result.outputText) \(result.errorText)")
    }
  }
}
