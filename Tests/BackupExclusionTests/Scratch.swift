import BackupExclusion
import Foundation
import Testing

/// A directory of a test's own, removed when the test lets go of it.
final class Scratch: Sendable {
  let path: String

  init() throws {
    let base = ProcessInfo.processInfo.environment["TMPDIR"] ?? "/tmp"
    path = base + "/backup-exclusion-" + UUID().uuidString
    try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
  }

  deinit { try? FileManager.default.removeItem(atPath: path) }

  /// The path of an item in the directory.
  func callAsFunction(_ name: String) -> String { path + "/" + name }

  /// Makes a file with a few bytes and returns its path.
  @discardableResult
  func file(_ name: String, _ text: String = "text") throws -> String {
    try Data(text.utf8).write(to: URL(fileURLWithPath: self(name)))
    return self(name)
  }

  /// Makes a directory and returns its path.
  @discardableResult
  func directory(_ name: String) throws -> String {
    try FileManager.default.createDirectory(
      atPath: self(name), withIntermediateDirectories: true)
    return self(name)
  }
}

/// Whether tests can mark files here at all.
enum Marks {
  /// Set in CI: then a file system that cannot hold marks makes the tests fail, not skip.
  static let areRequired = ProcessInfo.processInfo.environment["AUDIT_REQUIRE_XATTRS"] == "1"

  static let problem: String? = {
    do {
      let scratch = try Scratch()
      try ExclusionMark.set(onItemAt: scratch.file("probe"))
      return nil
    } catch {
      return "\(error)"
    }
  }()

  static let canBeTested = problem == nil || areRequired
  static let skipReason: Comment =
    "TESTS SKIPPED: the temporary directory cannot hold the mark; set TMPDIR to one that can"
}

@Test func theTemporaryDirectoryHoldsMarks() {
  if let problem = Marks.problem, !Marks.areRequired {
    let text = "\n*** WARNING: tests of marks on disk are SKIPPED: \(problem)\n"
    FileHandle.standardError.write(Data(text.utf8))
    return
  }
  #expect(Marks.problem == nil)
}

/// The helper process, which stands beside the test bundle.
enum Helper {
  static var url: URL {
    let bundle = Bundle.allBundles.first { $0.bundlePath.hasSuffix(".xctest") }
    let beside = bundle?.bundleURL ?? URL(fileURLWithPath: CommandLine.arguments[0])
    return beside.deletingLastPathComponent().appendingPathComponent("StoreHelper")
  }

  /// Starts the helper and returns once it says that its files are there.
  static func holdOpen(_ kind: String, _ path: String) throws -> Process {
    let process = Process()
    let output = Pipe()
    process.executableURL = url
    process.arguments = [kind, path]
    process.standardOutput = output
    try process.run()
    let word = try output.fileHandleForReading.read(upToCount: 6)
    try #require(word == Data("ready\n".utf8))
    return process
  }

  /// Ends the helper as a crash would: no cleaning up.
  static func kill(_ process: Process) {
    Foundation.kill(process.processIdentifier, SIGKILL)
    process.waitUntilExit()
  }
}
