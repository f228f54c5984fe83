import BackupExclusion
import Foundation
import TestSupport
import Testing

/// What decides and cannot be read is an error with a name, and never "nothing there".
@Suite(.enabled(if: TemporaryDirectory.isPossible)) struct DecidingFileCommandTests {
  private static let metadata = ".com.apple.mobile_container_manager.metadata.plist"
  private let place: TemporaryDirectory

  init() throws {
    place = try TemporaryDirectory()
    _ = try place.directory("c")
    _ = try place.directory("c/Documents")
    _ = try place.directory("c/Documents/secret")
    _ = try place.file("c/Documents/secret/db", [1])
    _ = try place.directory("c/keep")
    try ExclusionMark.set(onItemAt: place.at("c/keep"))
    _ = try place.file("c/keep/file", [1])
    _ = try place.file(
      "policy.json5",
      Array(
        """
        {version: 1, unlisted: "note", localOnly: [
          {path: "Documents/secret/**", container: "io.x.app", reason: "stays here"}]}
        """.utf8))
  }

  private var list: [UInt8] {
    BinaryPlist.dictionary([
      ("MCMMetadataIdentifier", .string("io.x.app")), ("MCMMetadataContentClass", .integer(2)),
    ]).bytes
  }

  private func audit(_ path: String, as user: UInt32? = nil) throws -> (
    status: Int32, errors: [Report.Problem]
  ) {
    let result = try Audit.run(
      ["-q", "-f", "json", "--policy", place.at("policy.json5"), place.at(path)], as: user)
    return (result.status, try Report(result.output).inputs.flatMap(\.errors))
  }

  private func expect(
    _ error: String, at path: String, _ input: String = "c", as user: UInt32? = nil,
    sourceLocation: SourceLocation = #_sourceLocation
  ) throws {
    let (status, errors) = try audit(input, as: user)
    #expect(status == 2, sourceLocation: sourceLocation)
    #expect(
      errors.contains { $0.path == path && $0.error == error }, "\(errors)",
      sourceLocation: sourceLocation)
  }

  @Test func metadataOfTheContainer() throws {
    let name = "c/" + Self.metadata
    #expect(try audit("c").status != 2)
    _ = try place.file(name, list)
    // The entry of the policy applies: what is to stay here would go.
    #expect(try audit("c").status == 1)
    for damaged in [Array(list.dropLast()), [], Array("{ a = b; }".utf8), Array("<plist>".utf8)] {
      _ = try place.file(name, damaged)
      try expect("not-a-property-list", at: Self.metadata)
    }
    _ = try place.file(name, Array(repeating: 0x20, count: 300_000))
    try expect("too-large", at: Self.metadata)
    unlink(place.at(name))
    _ = try place.file("elsewhere", list)
    symlink("../elsewhere", place.at(name))
    try expect("not-a-file", at: Self.metadata)
    unlink(place.at(name))
    mkfifo(place.at(name), 0o644)
    try expect("not-a-file", at: Self.metadata)
    unlink(place.at(name))
    _ = try place.directory(name)
    try expect("not-a-file", at: Self.metadata)
  }

  @Test func metadataThatIsClosed() throws {
    let name = try place.file("c/" + Self.metadata, list)
    chmod(name, 0)
    defer { chmod(name, 0o600) }
    try expect("EACCES", at: Self.metadata, as: Audit.plainUser)
  }

  @Test func metadataInAnArchive() throws {
    _ = try place.file("c/" + Self.metadata, Array(list.dropLast()))
    let tar = try Command("/bin/tar", ["-C", place.text, "-cf", place.at("c.tar"), "c"]).run()
    #expect(tar.status == 0)
    try expect("not-a-property-list", at: "c/" + Self.metadata, "c.tar")
  }

  @Test func sidecarsAboveTheInput() throws {
    #expect(try audit("c").status != 2)
    mkfifo(place.at("._c"), 0o644)
    try expect("not-a-file", at: "../._c")
    unlink(place.at("._c"))
    symlink("elsewhere", place.at("__MACOSX"))
    try expect("ELOOP", at: "../__MACOSX/c")
    unlink(place.at("__MACOSX"))
    _ = try place.directory("__MACOSX")
    _ = try place.directory("__MACOSX/c")
    #expect(try audit("c").status != 2)
    chmod(place.at("__MACOSX"), 0)
    defer { chmod(place.at("__MACOSX"), 0o700) }
    try expect("EACCES", at: "../__MACOSX/c", as: Audit.plainUser)
  }

  @Test func whatLiesBesideADatabase() throws {
    let row = BackupFolder.Row("AppDomain-io.x.app", "Documents/secret/db")
    let backup = try BackupFolder.make(in: place, [row])
    _ = try place.file("c/" + Self.metadata, list)
    func status() throws -> (status: Int32, text: String) {
      let result = try Audit.run(["verify", "-f", "json", backup, "--container", place.at("c")])
      return (result.status, result.errorText)
    }
    #expect(try status().status != 2)
    for name in ["Manifest.db-wal", "Manifest.db-journal"] {
      let path = backup + "/" + name
      try Data().write(to: URL(filePath: path))
      #expect(try status().status != 2, "an empty \(name)")
      try Data([1]).write(to: URL(filePath: path))
      #expect(try status().text.contains("copy it again once it is finished"))
      #expect(try status().status == 2)
      unlink(path)
      symlink(place.at("policy.json5"), path)
      #expect(try status().status == 2)
      #expect(try status().text.contains("\(name) decides something and is a symlink"))
      unlink(path)
    }
    for name in ["Manifest.plist", "Status.plist"] {
      let path = backup + "/" + name
      unlink(path)
      #expect(try status().status != 2)
      try Data("bplist00".utf8).write(to: URL(filePath: path))
      #expect(try status().text.contains("\(name) is no whole property list"))
      #expect(try status().status == 2)
      unlink(path)
      mkfifo(path, 0o644)
      #expect(try status().text.contains("\(name) decides something and is a fifo"))
      unlink(path)
      mkdir(path, 0o755)
      #expect(try status().status == 2)
      rmdir(path)
    }
  }
}
