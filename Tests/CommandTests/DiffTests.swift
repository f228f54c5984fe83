import BackupExclusion
import CSQLite
import Foundation
import TestSupport
import Testing

/// The `json` document of `audit diff`.
private struct DiffDocument: Decodable {
  struct Change: Decodable {
    var changes: [String]
    var path: String
    var type: String
    var before: String?
    var after: String?
  }
  struct Container: Decodable {
    var kind: String
    var identifier: String?
    var matchedBy: String?
  }
  struct Summary: Decodable { var changes: [String: Int] }
  var schemaVersion: Int
  var changes: [Change]
  var containers: [Container]
  var findings: [Report.Finding]
  var summary: Summary
  var complete: Bool
  var exitStatus: Int32
}

private func diff(_ arguments: [String]) throws -> (DiffDocument, Command.Result) {
  let result = try Audit.run(["diff", "-q", "-f", "json"] + arguments)
  let document = try JSONDecoder().decode(DiffDocument.self, from: Data(result.output))
  #expect(document.schemaVersion == 1)
  #expect(try SchemaCheck.complaints(result.output, "diff.schema.json") == [])
  #expect(document.exitStatus == result.status)
  return (document, result)
}

private func outputText(_ result: Command.Result) -> String {
  String(decoding: result.output, as: UTF8.self)
}

private func mark(_ path: String) throws {
  let descriptor = open(path, O_RDONLY | O_CLOEXEC)
  try #require(descriptor >= 0)
  defer { close(descriptor) }
  try setAttribute(descriptor, Array(ExclusionMark.name.utf8), ExclusionMark.mobileBackup)
}

/// Run the app's tests, dump again, compare: with a real database.
@Suite(.disabled(if: !TemporaryDirectory.isPossible)) struct DiffStoryTests {
  /// A connection as an app holds it.
  private struct App {
    let handle: OpaquePointer?
    init(_ path: String) throws {
      var opened: OpaquePointer?
      try #require(sqlite3_open(path, &opened) == SQLITE_OK)
      handle = opened
      for statement in [
        "PRAGMA journal_mode = WAL", "CREATE TABLE IF NOT EXISTS visit (note TEXT)",
        "INSERT INTO visit VALUES ('kept on this device only')",
      ] { try #require(sqlite3_exec(opened, statement, nil, nil, nil) == SQLITE_OK) }
    }
    func quit() { sqlite3_close(handle) }
  }

  @Test func aSidecarLostItsMarkWhileTheTestsRan() throws {
    let place = try TemporaryDirectory()
    _ = try place.directory("container")
    _ = try place.directory("container/Documents")
    let path = place.at("container/Documents/history.sqlite")
    var app = try App(path)
    for suffix in ["", "-wal", "-shm"] { try mark(path + suffix) }
    let before = place.at("before.json")
    let audited = try Audit.run(["-q", "-f", "json", "-o", before, "--", place.at("container")])
    #expect(audited.status == 0)
    let (same, untouched) = try diff([before, place.at("container")])
    #expect(untouched.status == 0)
    #expect(same.changes.isEmpty)

    app.quit()
    app = try App(path)
    defer { app.quit() }
    let (document, result) = try diff([before, place.at("container")])
    #expect(result.status == 1)
    #expect(document.complete)
    let exposed = document.changes.filter { $0.changes.contains("newly-exposed") }
    #expect(
      exposed.map(\.path) == ["Documents/history.sqlite-shm", "Documents/history.sqlite-wal"])
    #expect(exposed.allSatisfy { $0.before == "self-marked" && $0.after == "exposed" })
    #expect(exposed.allSatisfy { $0.changes.contains("mark-lost") })
    #expect(document.findings.map(\.rule) == ["mark-lost", "mark-lost"])
    #expect(document.findings.allSatisfy { $0.severity == "error" })

    let text = try Audit.run(["diff", before, place.at("container")])
    #expect(text.status == 1)
    #expect(outputText(text).contains("Documents/history.sqlite-wal  self-marked → exposed"))
    #expect(outputText(text).contains("creates it anew without the mark"))
    #expect(outputText(text).contains("FAILED  2 newly exposed, 2 errors"))

    // The way back: what was exposed is excluded again, and that is no finding.
    let after = place.at("after.json")
    _ = try Audit.run(["-q", "-f", "json", "-o", after, "--", place.at("container")])
    let (back, passed) = try diff([after, before])
    #expect(passed.status == 0)
    #expect(back.summary.changes["newly-covered"] == 2)
  }

  @Test func aMarkedDirectoryPasses() throws {
    let place = try TemporaryDirectory()
    _ = try place.directory("container")
    _ = try place.directory("container/io.example.app.localonly")
    try mark(place.at("container/io.example.app.localonly"))
    let path = place.at("container/io.example.app.localonly/history.sqlite")
    var app = try App(path)
    let before = place.at("before.json")
    _ = try Audit.run(["-q", "-f", "json", "-o", before, "--", place.at("container")])
    app.quit()
    app = try App(path)
    defer { app.quit() }
    let (document, result) = try diff([before, place.at("container")])
    #expect(result.status == 0)
    #expect(document.findings.isEmpty)
  }
}

/// Trees, archives and reports of the same states are compared alike.
@Suite struct DiffCommandTests {
  private func spec(_ lines: String) throws -> TreeSpec { try TreeSpec(parsing: Array(lines.utf8)) }

  private let before = """
    f .com.apple.mobile_container_manager.metadata.plist container=7:group.io.example.app
    d local [mobile-backup]
    f local/a text=1
    f own [backupd-plist] text=1
    f gone text=1
    f odd\\xFF [backupd-plist] text=1
    """
  private let after = """
    f .com.apple.mobile_container_manager.metadata.plist container=7:group.io.example.app
    d local
    f local/a text=1
    f own text=22
    f fresh text=1
    f odd\\xFF text=1
    """

  @Test(.disabled(if: !TemporaryDirectory.isPossible)) func everyPairOfCarriers() throws {
    let place = try TemporaryDirectory()
    var carriers: [[String]] = []
    for (name, text) in [("old", before), ("new", after)] {
      let spec = try spec(text)
      try spec.build(below: try place.directory(name))
      let tar = try place.file(name + ".tar", spec.tar())
      let report = place.at(name + ".json")
      _ = try Audit.run(["-q", "-f", "json", "-o", report, "--", place.at(name)])
      carriers.append([place.at(name), tar, report])
    }
    for old in carriers[0] {
      for new in carriers[1] {
        let (document, result) = try diff(["--assume-attributes-kept", old, new])
        #expect(result.status == 1, "\(old) \(new)")
        let changes = document.changes.map { $0.path + ": " + $0.changes.joined(separator: " ") }
        #expect(
          changes == [
            "fresh: added", "gone: removed", "odd\u{FFFD}: newly-exposed mark-lost",
            "own: newly-exposed mark-lost resized", "local/a: newly-exposed", "local: mark-lost",
          ], "\(old) \(new)")
        #expect(document.containers.map(\.matchedBy) == ["identifier"])
        #expect(document.findings.count { $0.rule == "mark-lost" } == 3)
        #expect(document.findings.count { $0.rule == "exposed-file" } == 1)
      }
    }
  }

  @Test(.disabled(if: !TemporaryDirectory.isPossible)) func strictAndFiles() throws {
    let place = try TemporaryDirectory()
    let old = try place.file("old.tar", try spec("d l\nd k [mobile-backup]\nf k/a text=1").tar())
    let new = try place.file(
      "new.tar", try spec("d l\nd k\nf k/a [mobile-backup] text=1").tar())
    let (document, result) = try diff([old, new])
    #expect(document.findings.map(\.rule) == ["fragile-mark", "mark-lost"])
    #expect(document.findings.allSatisfy { $0.severity == "warning" })
    #expect(result.status == 0)
    #expect(try diff(["--strict", old, new]).1.status == 1)
    let written = try Audit.run([
      "diff", "-q", "-o", place.at("o"), "--report", "json=\(place.at("j"))", old, new,
    ])
    #expect(written.status == 0)
    #expect(written.output.isEmpty)
    let json = try Data(contentsOf: URL(filePath: place.at("j")))
    #expect(Array(json) == result.output)
    let text = try String(contentsOf: URL(filePath: place.at("o")), encoding: .utf8)
    #expect(text.contains("PASSED WITH WARNINGS"))
  }

  @Test func whatCannotBeTold() throws {
    let place = try TemporaryDirectory()
    let one = try spec("f .com.apple.mobile_container_manager.metadata.plist container=2:io.a")
    let two = try spec("f .com.apple.mobile_container_manager.metadata.plist container=2:io.b")
    let good = try place.file("good.tar", one.tar())
    // A report of two containers and one of another have nothing in common.
    let many = try spec(
      """
      f a/.com.apple.mobile_container_manager.metadata.plist container=2:io.c
      f b/.com.apple.mobile_container_manager.metadata.plist container=2:io.d
      """)
    let other = try place.file("other.tar", many.tar())
    let apart = try Audit.run(["diff", good, other])
    #expect(apart.status == 2)
    #expect(apart.errorText.contains("no container in common"))
    // One container on each side is compared, whatever it is called.
    let renamed = try place.file("renamed.tar", two.tar())
    let (document, _) = try diff([good, renamed])
    #expect(document.containers.map(\.matchedBy) == ["only"])

    for (name, text) in [
      ("half.json", "{\"schemaVersion\":1,"), ("other.json", "{\"a\":1}"), ("empty.json", "{}"),
      ("two.json", "{\"schemaVersion\":2,\"inputs\":[],\"complete\":true}"),
    ] {
      let bad = try place.file(name, Array(text.utf8))
      for arguments in [[bad, good], [good, bad]] {
        let result = try Audit.run(["diff"] + arguments)
        #expect(result.status == 2, "\(arguments)")
        #expect(result.errorText.contains("is JSON but not a whole json report of audit"))
      }
    }
    let missing = try Audit.run(["diff", good, place.at("missing")])
    #expect(missing.status == 2)
    #expect(missing.errorText.contains("there is nothing at this path"))
  }

  @Test func policyAndBaselineApply() throws {
    let place = try TemporaryDirectory()
    let old = try place.file(
      "old.tar",
      try spec("f a [mobile-backup] text=1\nf b [mobile-backup] text=1\nf c text=1").tar())
    let new = try place.file(
      "new.tar",
      try spec("f a text=1\nf b text=1\nf c [mobile-backup] text=1\nf d text=1").tar())
    let (plain, _) = try diff(["--assume-attributes-kept", old, new])
    #expect(plain.findings.map(\.rule) == ["exposed-file", "mark-lost", "mark-lost"])
    let policy = try place.file(
      "policy.json5",
      Array(
        """
        {version: 1, unlisted: "note",
        backedUp: [{path: "a", reason: "wanted"}, {path: "c", reason: "wanted"}],
        exceptions: [{rule: "mark-lost", path: "b", reason: "known"},
          {rule: "mark-lost", path: "never", reason: "unused here"}]}
        """.utf8))
    let (judged, result) = try diff(["--policy", policy, old, new])
    #expect(judged.findings.map(\.rule) == ["must-be-backed-up", "exposed-file", "mark-lost"])
    #expect(judged.findings.map(\.severity) == ["error", "note", "error"])
    #expect(result.status == 1)
    let baseline = place.at("baseline.json")
    _ = try Audit.run(["-q", "--write-baseline", baseline, "--", new])
    let (known, _) = try diff(["--baseline", baseline, "--assume-attributes-kept", old, new])
    #expect(known.findings.map(\.rule).sorted() == ["exposed-file", "mark-lost", "mark-lost"])
    let broken = try place.file("broken.json5", Array("{version: 9}".utf8))
    #expect(try Audit.run(["diff", "--policy", broken, old, new]).status == 2)
  }

  @Test func findingsInTheFormatsOfOthers() throws {
    let place = try TemporaryDirectory()
    let old = try place.file("old.tar", try spec("f a [mobile-backup] text=1\nf b text=1").tar())
    let new = try place.file("new.tar", try spec("f a text=1\nf b [mobile-backup] text=1").tar())
    for format in ["sarif", "github", "gitlab"] {
      let result = try Audit.run(["diff", "-f", format, old, new])
      #expect(result.status == 1)
      #expect(outputText(result).contains("mark-lost"), "\(format)")
    }
  }

  @Test func manyFindingsAreFolded() throws {
    let place = try TemporaryDirectory()
    let files = (1000..<2500).map { "f d/\($0) text=1" }.joined(separator: "\n")
    let old = try place.file("old.tar", try spec("d d [mobile-backup]\n" + files).tar())
    let new = try place.file("new.tar", try spec("d e [mobile-backup]\nd d\n" + files).tar())
    let (document, _) = try diff([old, new])
    #expect(document.changes.count == 1502)
    #expect(document.findings.map(\.path) == ["d"])
    let text = outputText(try Audit.run(["diff", old, new]))
    #expect(text.contains("1,500 files below \"d\" are exposed now, and were marked, covered or"))
    #expect(text.contains("and 1,450 more"))
  }

  @Test func anArchiveMayStartLikeJSON() throws {
    let place = try TemporaryDirectory()
    let guid = try spec("f {0a1b}/a text=1")
    let tar = try place.file("guid.tar", guid.tar(prefix: ""))
    let (document, result) = try diff(["--assume-attributes-kept", tar, tar])
    #expect(result.status == 0)
    #expect(document.summary.changes["unchanged"] == 1)
  }

  @Test func usage() throws {
    for arguments in [["a"], ["a", "b", "c"], [], ["-", "-"], ["-f", "junit", "a", "b"]] {
      let result = try Audit.run(["diff"] + arguments)
      #expect(result.status == 64, "\(arguments)")
    }
    let result = try Audit.run(["diff", "-f", "csv", "a", "b"])
    #expect(result.errorText.contains("diff cannot write csv, only text, json, sarif"))
  }
}
