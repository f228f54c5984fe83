import BackupExclusion
import Foundation
import TestSupport
import Testing

struct VerifyDocument: Decodable {
  struct Counts: Decodable {
    var excludedAndAbsent: Int
    var excludedButPresent: Int
    var exposedAndPresent: Int
    var exposedButAbsent: [String: Int]
    var unknown: Int
    var onlyInBackup: Int
    var markedSidecarsMerged: Int
  }
  struct Container: Decodable {
    var state: String
    var domains: [String]
    var rows: Int
    var counts: Counts
  }
  struct Item: Decodable {
    var path: String
    var verdict: String
    var reason: String?
    var size: Int?
    var protectionClass: Int?
    var marked: Bool?
  }
  struct Input: Decodable {
    var containers: [Container]
    var present: [Item]
    var absent: [Item]
    var findings: [Report.Finding]
  }
  struct Backup: Decodable {
    var systemVersion: String?
    var rows: Int
    var errors: [Report.Problem]
  }
  struct Summary: Decodable { var counts: Counts }
  var backup: Backup
  var inputs: [Input]
  var summary: Summary
  var complete: Bool
  var exitStatus: Int32
}

func verify(_ backup: String, _ containers: String...) throws
  -> (document: VerifyDocument, status: Int32, error: String)
{
  let result = try Audit.run(
    ["verify", "-f", "json", backup] + containers.flatMap { ["--container", $0] })
  let document = try JSONDecoder().decode(VerifyDocument.self, from: Data(result.output))
  #expect(document.exitStatus == result.status)
  #expect(try SchemaCheck.complaints(result.output, "verify.schema.json") == [])
  return (document, result.status, result.errorText)
}

@Suite struct VerifyTests {
  static let domain = "AppDomain-io.example.app"
  static let mark = (ExclusionMark.name, ExclusionMark.mobileBackup)

  func container(_ lines: String, in place: TemporaryDirectory) throws -> String {
    let text = """
      f .com.apple.mobile_container_manager.metadata.plist container=2:io.example.app
      """
    let spec = try TreeSpec(parsing: Array((text + "\n" + lines).utf8))
    return try place.file("container.tar", spec.tar())
  }

  /// What the backup holds in another spelling is in the backup; bytes come first, case counts.
  @Test(
    arguments: [
      (["ta\u{308}/ma\u{308}.db"], ["t\u{E4}/m\u{E4}.db"], 1, 1),
      (["t\u{E4}/m\u{E4}.db"], ["ta\u{308}/ma\u{308}.db"], 1, 1),
      (["t\u{E4}/ma\u{308}.db"], ["ta\u{308}/m\u{E4}.db"], 1, 1),
      // The row that is equal takes the name, whichever comes first.
      (["t\u{E4}"], ["ta\u{308}", "t\u{E4}"], 1, 0), (["t\u{E4}"], ["t\u{E4}", "ta\u{308}"], 1, 0),
      (["t\u{E4}"], ["ta\u{308}", "ta\u{308}"], 1, 1),
      (["\u{E4}"], ["\u{C4}"], 0, 0), (["fi"], ["\u{FB01}"], 0, 0), (["a"], ["\u{E4}"], 0, 0),
      // Three characters are another spelling of one in ASCII.
      (["K;`"], ["\u{212A}\u{37E}\u{1FEF}"], 1, 1), (["\u{212A}"], ["K"], 1, 1),
      (["K", "\u{212A}"], ["K"], 1, 0),
      // One row for two names, two rows for one: nobody can tell, and nobody passes.
      (["A\u{30A}", "\u{C5}"], ["\u{212B}"], 2, 0), (["\u{C5}"], ["A\u{30A}", "\u{212B}"], 2, 0),
    ] as [([String], [String], Int32, Int)])
  func spellings(_ names: [String], _ rows: [String], _ expected: Int32, _ notes: Int) throws {
    let place = try TemporaryDirectory()
    let lines = names.map { "f local/\($0) text=1" }.joined(separator: "\n")
    let container = try container("d local [mobile-backup]\n" + lines, in: place)
    let backup = try BackupFolder.make(
      in: place,
      [.init(Self.domain, "", flags: 2)] + rows.map { .init(Self.domain, "local/" + $0) })
    let (document, status, error) = try verify(backup, container)
    #expect(status == expected)
    let found = try #require(document.inputs.first).findings
    #expect(found.count { $0.rule == "in-backup-though-covered" } == (expected == 1 ? 1 : 0))
    #expect(found.count { $0.rule == "other-spelling" } == notes)
    #expect(error.contains("cannot tell which file") == (expected == 2))
  }

  /// A guest's files are in its host's domain, for containers do not nest.
  @Test func filesOfAnAppInAnApp() throws {
    let place = try TemporaryDirectory()
    let guest = "Documents/Data/Application/33333333-3333-4333-8333-333333333333"
    let container = try container(
      """
      d Documents/Data [mobile-backup]
      f \(guest)/.com.apple.mobile_container_manager.metadata.plist container=2:io.example.guest
      f \(guest)/Documents/a text=1
      """, in: place)
    let backup = try BackupFolder.make(
      in: place, [.init(Self.domain, "", flags: 2), .init(Self.domain, guest + "/Documents/a")])
    let (document, status, _) = try verify(backup, container)
    #expect(status == 1)
    #expect(document.inputs.first?.containers.map(\.domains) == [[Self.domain]])
    #expect(document.inputs.first?.present.map(\.path) == [guest + "/Documents/a"])
  }

  let tree = """
    d Documents
    f Documents/notes.db [mobile-backup] text=1
    f Documents/open.txt text=1
    f Documents/later.txt text=1
    d Library
    d Library/SplashBoard
    f Library/SplashBoard/snap.ktx text=1
    d Library/local [mobile-backup]
    f Library/local/history.sqlite text=1
    f Library/local/odd\\xFF text=1
    f Library/live.db text=1
    f Library/live.db-wal [mobile-backup] text=1
    f Library/live.db-shm text=1
    d tmp
    f tmp/scratch text=1
    """

  @Test func everyCellOfTheTable() throws {
    let place = try TemporaryDirectory()
    let container = try container(tree, in: place)
    var odd = BackupFolder.Row(Self.domain, "Library/local/odd")
    odd.path.append(0xFF)
    let backup = try BackupFolder.make(
      in: place,
      [
        .init(Self.domain, "", flags: 2), .init(Self.domain, "Documents", flags: 2),
        .init(
          Self.domain, "Documents/notes.db",
          file: BinaryPlist.backupItem(size: 99, protectionClass: 1, attributes: [Self.mark]).bytes),
        .init(Self.domain, "Documents/open.txt"), .init(Self.domain, "Documents/open.txt"), odd,
        .init(Self.domain, "Documents/gone.txt"), .init(Self.domain, "Library/live.db"),
        .init(Self.domain, "tmp/scratch", file: Array("damaged".utf8)),
        .init("AppDomain-io.example.other", "Library/local/history.sqlite"),
      ])
    let (document, status, _) = try verify(backup, container)
    #expect(status == 1)
    #expect(document.complete)
    #expect(document.backup.systemVersion == "17.5")
    #expect(document.backup.rows == 10)
    let input = try #require(document.inputs.first)
    #expect(input.containers.map(\.state) == ["compared"])
    #expect(input.containers.map(\.domains) == [[Self.domain]])
    #expect(input.containers.map(\.rows) == [9])
    let counts = document.summary.counts
    #expect(counts.excludedButPresent == 3)
    #expect(counts.excludedAndAbsent == 2)
    #expect(counts.exposedAndPresent == 2)
    #expect(counts.exposedButAbsent == ["observed-skip": 2, "merged-sidecar": 1, "other": 1])
    #expect(counts.onlyInBackup == 1)
    #expect(counts.markedSidecarsMerged == 1)
    #expect(
      input.present.map(\.path) == [
        "Documents/notes.db", "Library/local/odd\u{FFFD}", "tmp/scratch",
      ])
    #expect(
      input.present.map(\.verdict) == ["self-marked", "covered-by-ancestor", "outside-backup"])
    #expect(input.present.map(\.size) == [99, 7, nil])
    #expect(input.present.map(\.protectionClass) == [1, 3, nil])
    // What cannot be read is not "no mark".
    #expect(input.present.map(\.marked) == [true, false, nil])
    #expect(input.findings.map(\.rule) == Array(repeating: "in-backup-though-covered", count: 3))
    #expect(input.findings.allSatisfy { $0.severity == "error" })
    let text = try Audit.run(["verify", backup, "--container", container])
    let shown = String(decoding: text.output, as: UTF8.self)
    #expect(shown.contains("the mark was not heeded"))
    #expect(shown.contains("A Finder backup is evidence, not proof, for iCloud Backup"))
    #expect(shown.contains("Documents/notes.db  self-marked, 99 B, class A (complete)"))
  }

  @Test func nothingThatIsExcludedIsInIt() throws {
    let place = try TemporaryDirectory()
    let container = try container(tree, in: place)
    let backup = try BackupFolder.make(
      in: place, [.init(Self.domain, "", flags: 2), .init(Self.domain, "Documents/open.txt")])
    let (document, status, _) = try verify(backup, container)
    #expect(status == 0)
    #expect(document.inputs.first?.findings.isEmpty == true)
    #expect(document.summary.counts.excludedAndAbsent == 5)
  }

  @Test func aDomainThatIsMissing() throws {
    let place = try TemporaryDirectory()
    let container = try container(tree, in: place)
    let backup = try BackupFolder.make(in: place, [.init("HomeDomain", "Library/x")])
    let (document, status, error) = try verify(backup, container)
    #expect(status == 2)
    #expect(document.inputs.first?.containers.map(\.state) == ["missing"])
    #expect(error.contains("nothing was compared"))
    // One that is there is enough for an answer, and the other is still spoken of.
    let group = try TreeSpec(
      parsing: Array(
        """
        f .com.apple.mobile_container_manager.metadata.plist container=7:group.io.example
        f a [mobile-backup] text=1
        """.utf8))
    let tar = try place.file("group.tar", group.tar())
    let other = try TemporaryDirectory()
    let both = try BackupFolder.make(in: other, [.init("AppDomainGroup-group.io.example", "b")])
    let (second, passed, _) = try verify(both, container, tar)
    #expect(passed == 0)
    #expect(second.inputs.flatMap(\.containers).map(\.state) == ["missing", "compared"])
  }

  @Test func aContainerWithoutAName() throws {
    let place = try TemporaryDirectory()
    let spec = try TreeSpec(parsing: Array("d d [mobile-backup]\nf d/a text=1".utf8))
    let tar = try place.file("nameless.tar", spec.tar())
    let backup = try BackupFolder.make(in: place, [.init(Self.domain, "d/a")])
    let (document, status, _) = try verify(backup, tar)
    #expect(status == 2)
    #expect(document.inputs.first?.containers.map(\.state) == ["no-domain"])
  }

  @Test func unknownIsNeverPassed() throws {
    let place = try TemporaryDirectory()
    let container = try container(tree, in: place)
    let report = place.at("r.json")
    _ = try Audit.run(["-f", "json", "-q", "-o", report, "--", container])
    let text = try String(contentsOf: URL(filePath: report), encoding: .utf8)
      .replacingOccurrences(of: "\"verdict\":\"exposed\"", with: "\"verdict\":\"unknown\"")
    try text.write(to: URL(filePath: report), atomically: true, encoding: .utf8)
    let backup = try BackupFolder.make(in: place, [.init(Self.domain, "Documents/open.txt")])
    let (document, status, _) = try verify(backup, report)
    #expect(status == 2)
    #expect(document.summary.counts.unknown == 6)
  }

  @Test func theBackupIsLeftAlone() throws {
    let place = try TemporaryDirectory()
    let container = try container(tree, in: place)
    let backup = try BackupFolder.make(in: place, [.init(Self.domain, "Documents/open.txt")])
    let before = try Data(contentsOf: URL(filePath: backup + "/Manifest.db"))
    let names = try FileManager.default.contentsOfDirectory(atPath: backup).sorted()
    #expect(try verify(backup, container).status == 0)
    #expect(try Data(contentsOf: URL(filePath: backup + "/Manifest.db")) == before)
    #expect(try FileManager.default.contentsOfDirectory(atPath: backup).sorted() == names)
  }

  @Test func otherFormatsAndUsage() throws {
    let place = try TemporaryDirectory()
    let container = try container(tree, in: place)
    let backup = try BackupFolder.make(in: place, [.init(Self.domain, "Documents/notes.db")])
    for format in ["sarif", "github", "gitlab"] {
      let result = try Audit.run(["verify", "-f", format, backup, "--container", container])
      #expect(result.status == 1)
      let text = String(decoding: result.output, as: UTF8.self)
      #expect(text.contains("in-backup-though-covered"), "\(format)")
    }
    for arguments in [
      [backup], ["--container", container], [backup, backup, "--container", container],
      ["-f", "junit", backup, "--container", container],
    ] {
      #expect(try Audit.run(["verify"] + arguments).status == 64, "\(arguments)")
    }
  }
}
