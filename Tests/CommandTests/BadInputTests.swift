import Foundation
import TestSupport
import Testing

/// Bad input: a clear message on standard error, status 2 (64 for usage), nothing half-written.
@Suite struct BadInputTests {
  private let place: TemporaryDirectory

  init() throws { place = try TemporaryDirectory() }

  private func expect(
    _ arguments: [String], status: Int32 = 2, says: String, as user: UInt32? = nil
  ) throws {
    let result = try Audit.run(arguments, as: user)
    #expect(result.status == status, "\(result.errorText)")
    #expect(result.errorText.contains(says), "\(result.errorText)")
  }

  @Test func missingPath() throws {
    try expect([place.at("nothing")], says: "there is nothing at this path")
  }

  @Test func mistypedCommand() throws {
    try expect(["explian"], says: "did you mean the command \"explain\"?")
    let result = try Audit.run([place.at("explian")])
    #expect(!result.errorText.contains("did you mean"))
  }

  @Test func fileThatIsNoArchive() throws {
    try expect([place.file("plain.db", Array("data".utf8))], says: "cannot be read as an archive")
  }

  @Test(.enabled(if: loadsLibarchive)) func archiveWithoutLibarchive() throws {
    _ = try place.directory("tree")
    _ = try place.file("tree/plain.txt", Array("data".utf8))
    // The loader looks here first, and a file that is no library ends its search.
    _ = try place.directory("libraries")
    _ = try place.file("libraries/libarchive.so.13", Array(repeating: 0x20, count: 4096))
    let tar = try place.file("some.tar", Array(repeating: 0, count: 1024))
    var command = Audit.command(["-f", "json", place.at("tree"), tar])
    command.environment["LD_LIBRARY_PATH"] = place.at("libraries")
    let result = try command.run()
    #expect(result.status == 2)
    #expect(result.errorText.contains("Archives cannot be read without libarchive"))
    let report = try Report(result.output)
    #expect(report.inputs.map { $0.files.count } == [1, 0])
  }

  @Test func nothingToAudit() throws {
    _ = try place.directory("empty")
    try expect([place.at("empty")], says: "no file was found")
    let result = try Audit.run(["--allow-empty", place.at("empty")])
    #expect(result.status == 0)
  }

  @Test func fifo() throws {
    mkfifo(place.at("pipe"), 0o600)
    try expect([place.at("pipe")], says: "cannot audit a fifo")
  }

  @Test(.disabled(if: !TemporaryDirectory.isPossible)) func closedDirectory() throws {
    _ = try place.directory("c")
    _ = try place.directory("c/closed")
    _ = try place.file("c/open.txt", [1])
    chmod(place.at("c/closed"), 0)
    defer { chmod(place.at("c/closed"), 0o755) }
    chmod(place.at("c"), 0o755)
    try expect(
      [place.at("c")], says: "cannot open closed: permission denied", as: Audit.plainUser)
  }

  @Test func truncatedArchive() throws {
    let spec = try TreeSpec(
      parsing: Array("d a/ [mobile-backup]\nf a/b covered-by-ancestor\nf c exposed\n".utf8))
    let whole = spec.tar(namespace: "", prefix: "./")
    let tar = try place.file("cut.tar", Array(whole.prefix(whole.count / 2)))
    let result = try Audit.run(["-f", "json", tar])
    #expect(result.status == 2)
    #expect(!result.errorText.isEmpty)
    let report = try Report(result.output)
    #expect(report.inputs[0].files.allSatisfy { $0.verdict != "exposed" })
    #expect(!report.complete)
  }

  @Test func standardOutputThatCannotBeWritten() throws {
    let input = try place.file("plain", [])
    var command = Audit.command(["-f", "json", input])
    command.outputPath = "/dev/full"
    let full = try command.run()
    #expect(full.status == 2)
    #expect(full.errorText.contains("cannot write standard output"))
    command.outputPath = nil
    command.outputClosed = true
    let closed = try command.run()
    #expect(closed.status == 2)
    #expect(closed.errorText.contains("cannot write standard output"))
  }

  @Test func reportThatCannotBeWrittenLeavesNothing() throws {
    let input = try place.directory("c")
    _ = try place.file("c/f", [1])
    let text = String(decoding: input, as: UTF8.self)
    try expect(["-o", place.at("no/such/report.json"), text], says: "cannot create a file beside")
    try expect(["--report", "json=/dev/full", text], says: "cannot write /dev/full")
    let names = try FileManager.default.contentsOfDirectory(atPath: place.text)
    #expect(names == ["c"])
  }

  @Test func reportAppearsWholeAndKeepsWhatALinkPointsTo() throws {
    _ = try place.directory("c")
    _ = try place.file("c/f", [1])
    _ = try place.file("old.json", Array("old".utf8))
    symlink("old.json", place.at("link.json"))
    let result = try Audit.run(["-q", "-f", "json", "-o", place.at("link.json"), place.at("c")])
    #expect(result.status == 1)
    let written = try Data(contentsOf: URL(filePath: place.at("old.json")))
    #expect(try Report(Array(written)).exitStatus == 1)
    #expect(try Set(FileManager.default.contentsOfDirectory(atPath: place.text)).count == 3)
  }

  @Test(arguments: [
    (["--fromat", "json", "x"], "did you mean --format?"),
    (["-f", "jsno", "x"], "did you mean json?"),
    ([], "nothing to audit"),
    (["--jobs", "0", "x"], "not a number from 1 to 256"),
    (["--jobs"], "needs an argument"),
    (["--strict=yes", "x"], "takes no argument"),
    (["--report", "json", "x"], "write FORMAT=PATH"),
    (["-o", "r", "--report", "json=r", "x"], "r is to hold two reports"),
    (["explain", "a", "b"], "explain takes one path"),
    (["rules", "exposed-fil"], "did you mean exposed-file?"),
    (["rules", "--jobs", "2"], "makes no sense with rules"),
  ])
  func usage(_ arguments: [String], _ says: String) throws {
    try expect(arguments, status: 64, says: says)
  }

  @Test func helpIsAskedInAnyForm() throws {
    let wanted = try Audit.run(["explain", "--help"])
    let asked = try Audit.run(["help", "explain"])
    #expect(asked.status == 0)
    #expect(asked.output == wanted.output)
    #expect(try Audit.run(["help"]).output == Audit.run(["--help"]).output)
  }

  @Test func aFolderCalledLikeAVerb() throws {
    _ = try place.directory("rules")
    _ = try place.file("rules/f", [1])
    var command = Audit.command(["-q", "-f", "json", "./rules"])
    command.directory = place.text
    #expect(try command.run().status == 1)
    command = Audit.command(["-q", "-f", "json", "--", "rules"])
    command.directory = place.text
    #expect(try command.run().status == 1)
  }
}
