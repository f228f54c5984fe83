import Foundation
import TestSupport
import Testing

/// Policy and baseline through the command, on the shipped dump and on a tree that changes.
struct GateCommandTests {
  private static let repository = URL(filePath: #filePath)
    .deletingLastPathComponent().appending(path: "../..").standardizedFileURL
  private static let dump = repository.appending(path: "Fixtures/blueguard.tar").path

  /// What the tests look at in a finding.
  private struct Finding: Decodable {
    struct Suppressed: Decodable, Equatable {
      var kind: String
      var reason: String?
    }
    var rule: String
    var severity: String
    var path: String
    var source: String?
    var suppressed: Suppressed?
  }
  private struct Findings: Decodable {
    struct Input: Decodable { var findings: [Finding] }
    var inputs: [Input]
    var exitStatus: Int32
    var all: [Finding] { inputs.flatMap(\.findings) }

    /// Rule and path of those that count at a severity.
    func counting(_ severity: String) -> [String] {
      all.filter { $0.severity == severity && $0.suppressed == nil }
        .map { "\($0.rule) \($0.path)" }.sorted()
    }
  }

  private func audit(_ arguments: [String], status: Int32) throws -> Findings {
    let result = try Audit.run(["-q", "-f", "json"] + arguments)
    #expect(result.status == status, "\(result.errorText)")
    let findings = try JSONDecoder().decode(Findings.self, from: Data(result.output))
    #expect(findings.exitStatus == status)
    return findings
  }

  @Test func aStartingPolicyIsReadButDecidesNothing() throws {
    let place = try TemporaryDirectory()
    let written = try Audit.run(["policy", "-o", place.at("p.json5"), Self.dump])
    #expect(written.status == 0 && written.output.isEmpty)
    let before = try audit([Self.dump], status: 1)
    let after = try audit(["--policy", place.at("p.json5"), Self.dump], status: 1)
    #expect(before.counting("error") == after.counting("error"))
    #expect(before.counting("warning") == after.counting("warning"))
  }

  @Test func aPolicyDecides() throws {
    let place = try TemporaryDirectory()
    let policy = """
      {
        version: 1,
        localOnly: [
          {path: "io.example.app.localonly/**", reason: "history"},
          {path: "Documents/history.sqlite*", reason: "history", source: "Store.swift:42"},
        ],
        backedUp: [{path: "Documents/**", reason: "own documents"}],
        exceptions: [
          {rule: "exposed-file", path: "Library/Preferences/**", reason: "reviewed"},
          {rule: "exposed-file", path: "Library/Old/**", reason: "gone", expires: "2020-02-29"},
          {rule: "empty-mark", path: "**", reason: "nothing"},
        ],
        severities: {"undocumented-skip": "note"},
      }
      """
    let file = try place.file("p.json5", Array(policy.utf8))
    let findings = try audit(["--policy", file, Self.dump], status: 1)
    #expect(
      findings.counting("error") == [
        "exposed-sidecar Documents/history.sqlite-shm",
        "exposed-sidecar Documents/history.sqlite-wal", "fragile-mark Documents/history.sqlite",
      ])
    #expect(
      findings.counting("warning") == [
        "expired-exception .", "fragile-mark Library/cache.bin", "unused-exception .",
      ])
    let sources = findings.all.filter { $0.path.hasPrefix("Documents/") }.map(\.source)
    #expect(Set(sources) == ["Store.swift:42"])
    #expect(findings.all.filter { $0.rule == "expired-exception" }.map(\.source) == ["\(file):10"])
    let suppressed = findings.all.filter { $0.suppressed != nil }
    #expect(suppressed.map(\.suppressed?.reason) == ["reviewed"])
    #expect(suppressed.map(\.path) == ["Library/Preferences/group.io.example.blueguard.plist"])
  }

  @Test(arguments: ["{version: 1,\n  exeptions: []}", "", "{version: 1", "nonsense"])
  func aBadPolicyEndsTheRunBeforeItBegins(text: String) throws {
    let place = try TemporaryDirectory()
    let file = try place.file("p.json5", Array(text.utf8))
    let arguments = ["--policy", file, "--report", "json=\(place.at("r.json"))", Self.dump]
    let result = try Audit.run(arguments)
    #expect(result.status == 2 && result.output.isEmpty)
    #expect(result.errorText.hasPrefix("audit: \(file):"))
    #expect(!FileManager.default.fileExists(atPath: place.at("r.json")))
    let missing = try Audit.run(["--policy", place.at("none"), Self.dump])
    #expect(missing.status == 2 && missing.errorText.contains("cannot open"))
    let baseline = try Audit.run(["--baseline", file, Self.dump])
    #expect(baseline.status == 2 && baseline.errorText.hasPrefix("audit: \(file):"))
  }

  @Test func aBaselineIsWrittenMatchedAndRatcheted() throws {
    let place = try TemporaryDirectory()
    _ = try place.directory("c")
    _ = try place.directory("c/Documents")
    let first = try place.file("c/Documents/a", [1])
    _ = try place.file("c/Documents/b", [1])
    let baseline = place.at("baseline.json")
    let tree = ["--assume-attributes-kept", place.at("c")]

    _ = try audit(["--write-baseline", baseline] + tree, status: 1)
    let text = try String(contentsOfFile: baseline, encoding: .utf8)
    #expect(
      text == """
        {
          "version": 1,
          "findings": [
            {"kind": "unknown", "path": "Documents/a", "rule": "exposed-file"},
            {"kind": "unknown", "path": "Documents/b", "rule": "exposed-file"}
          ]
        }

        """)
    let known = try audit(["--strict", "--baseline", baseline] + tree, status: 0)
    #expect(known.all.map(\.suppressed?.kind) == ["baseline", "baseline"])

    _ = try place.file("c/Documents/new", [1])
    let new = try audit(["--baseline", baseline] + tree, status: 1)
    #expect(new.counting("error") == ["exposed-file Documents/new"])

    try FileManager.default.removeItem(atPath: place.at("c/Documents/new"))
    try FileManager.default.removeItem(atPath: first)
    let stale = try audit(["--baseline", baseline] + tree, status: 0)
    #expect(stale.counting("warning") == ["stale-baseline ."])
    _ = try audit(["--strict", "--baseline", baseline] + tree, status: 1)
    _ = try audit(["--fail-on", "warning", "--baseline", baseline] + tree, status: 1)
    _ = try audit(["--fail-on", "never"] + tree, status: 0)

    _ = try audit(["--baseline", baseline, "--write-baseline", baseline] + tree, status: 0)
    _ = try audit(["--strict", "--baseline", baseline] + tree, status: 0)
    let kept = try String(contentsOfFile: baseline, encoding: .utf8)
    #expect(!kept.contains("Documents/a") && kept.contains("Documents/b"))
  }

  @Test func noBaselineComesFromARunThatIsNotToBeTrusted() throws {
    let place = try TemporaryDirectory()
    let result = try Audit.run(["--write-baseline", place.at("b.json"), place.at("nothing")])
    #expect(result.status == 2)
    #expect(result.errorText.contains("b.json is not written"))
    #expect(!FileManager.default.fileExists(atPath: place.at("b.json")))
  }

  /// The gate script that `docs/ci.md` prints does what it says.
  @Test func theGateScriptOfTheDocumentationWorks() throws {
    let page = try String(
      contentsOf: Self.repository.appending(path: "docs/ci.md"), encoding: .utf8)
    let start = try #require(page.range(of: "```sh\n#!/bin/sh\n# usage: backup-gate.sh"))
    let body = page[start.lowerBound...].dropFirst(6)
    let end = try #require(body.range(of: "\n```")).lowerBound
    let script = body[..<end]
    let place = try TemporaryDirectory()
    let file = try place.file("backup-gate.sh", Array(script.utf8))

    func run(_ path: String) throws -> Command.Result {
      var command = Command("/bin/sh", [file, path])
      command.directory = place.text
      command.environment["AUDIT"] = Audit.binary
      return try command.run()
    }
    let found = try run(Self.dump)
    #expect(found.status == 1 && found.errorText.contains("fix the findings above"))
    for report in ["backup.json", "backup.html", "backup.xml"] {
      #expect(FileManager.default.fileExists(atPath: place.at("backup-reports/\(report)")))
    }
    #expect(try run(place.at("nothing")).status == 2)

    let accepted = """
      {version: 1, unlisted: "note", severities: {"undocumented-skip": "note",
        "exposed-sidecar": "note", "fragile-mark": "note"}}
      """
    _ = try place.file("backup-policy.json5", Array(accepted.utf8))
    let passed = try run(Self.dump)
    #expect(passed.status == 0, "\(passed.errorText)")
    _ = try place.file("backup-baseline.json", Array("{".utf8))
    #expect(try run(Self.dump).status == 2)
  }

  /// The options that the documentation of the gate uses exist.
  @Test(arguments: ["docs/ci.md", "docs/policy.md", "docs/baseline.md"])
  func documentedOptionsExist(page: String) throws {
    let text = try String(contentsOf: Self.repository.appending(path: page), encoding: .utf8)
    let help = try Audit.run(["--help"]).outputText
    let lines = text.split(separator: "\n").filter {
      !$0.contains("git ") && !$0.contains("swift ")
    }
    let options = lines.flatMap { line in
      line.matches(of: #/--[a-z]+(-[a-z]+)*/#).map { String($0.output.0) }
    }
    #expect(options.count >= 2)
    for option in options { #expect(help.contains(option), "\(option)") }
  }
}
