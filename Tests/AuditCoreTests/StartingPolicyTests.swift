import BackupExclusion
import Testing

@testable import AuditCore

struct StartingPolicyTests {
  private func finding(_ rule: RuleID, _ path: String, _ container: Int, count: Int = 1)
    -> Finding
  {
    var finding = Finding(
      rule: rule, severity: rule.defaultSeverity, path: Array(path.utf8), container: container,
      message: "", fix: "", fingerprint: "")
    finding.occurrences = count
    return finding
  }

  private func report(_ containers: [ContainerReport], _ findings: [Finding]) -> InputReport {
    InputReport(
      info: InputInfo(path: [], kind: "directory"), format: "ext4", evidence: .proven,
      evidenceReason: nil, containers: containers, findings: findings, errors: [],
      errorsOmitted: 0, directories: 0, sidecars: 0, orphanSidecars: 0, vanished: 0,
      counts: Counts())
  }

  private var two: InputReport {
    var group = container("group.io.example")
    group.path = Array("g".utf8)
    group.markedDirectories = [
      MarkedDirectory(path: Array("g/a*b".utf8), mark: OwnMark(state: .marked), files: 3),
      MarkedDirectory(path: Array("g/a*b/c".utf8), mark: OwnMark(state: .marked), files: 1),
    ]
    var app = container("io.example", kind: .app)
    app.path = Array("p".utf8)
    return report(
      [group, app],
      [
        finding(.exposedFile, "g/top.db", 0),
        finding(.fragileMark, "g/x\u{202E}\"\\y", 0),
        finding(.fragileMark, "g/h.sqlite", 0),
        finding(.exposedFile, "p/Documents/a/b/c.txt", 1),
        finding(.exposedFile, "p/Documents/a/d.txt", 1),
        finding(.exposedSidecar, "p/Documents/h.db-wal", 1),
        finding(.exposedFile, "p/Library", 1, count: 1200),
        finding(.exposedFile, "p/SystemData/a", 1),
        finding(.emptyMark, "p/x", 1),
      ])
  }

  @Test func whatIsFoundBecomesProposals() throws {
    let text = Policy.starting(from: [two])
    let policy = try Policy(parsing: Array(text.utf8), name: "new.json5")
    #expect(policy.localOnly.map(\.pattern.path) == [Array("a\\*b/**".utf8)])
    #expect(policy.localOnly[0].pattern.glob.matches(Array("a*b/c/d".utf8)))
    #expect(!policy.localOnly[0].pattern.glob.matches(Array("axb/c".utf8)))
    #expect(policy.localOnly[0].pattern.container == Array("group.io.example".utf8))
    #expect(policy.backedUp.isEmpty && policy.exceptions.isEmpty && policy.unlisted == .error)
    #expect(text.contains("// marked, with 3 files below"))
    #expect(text.contains("// h.sqlite: move it with its sidecars\n"))
    #expect(text.utf8.allSatisfy { $0 == 0x0A || $0 >= 0x20 })
  }

  @Test func proposalsAreValidOnceTheSlashesAreGone() throws {
    let text = Policy.starting(from: [two]).replacing("    // {", with: "    {")
      .replacing("    //   expires", with: "    expires")
      .replacing("// \"undoc", with: "\"undoc")
    let policy = try Policy(parsing: Array(text.utf8), name: "new.json5")
    let places = policy.backedUp.map { String(decoding: $0.pattern.path, as: UTF8.self) }
    #expect(places == ["*", "Documents/*", "Documents/a/**", "Library/**", "SystemData/*"])
    #expect(policy.localOnly.map(\.require) == [.directory, .any])
    #expect(policy.localOnly[1].pattern.glob.matches(Array("x\u{202E}\"\\y".utf8)))
    #expect(policy.exceptions.count == 1 && policy.severities == [.undocumentedSkip: .note])
    #expect(text.contains("// 1,200 files\n    {path: \"Library/**\", container: \"io.example\""))
  }

  @Test func oneContainerNeedsNoName() {
    let text = Policy.starting(from: [report([container()], [finding(.exposedFile, "a/b/c/d", 0)])])
    #expect(!text.contains("container:"))
    #expect(text.contains("// 1 file\n    // {path: \"a/b/**\", reason:"))
  }

  @Test func veryManyPlacesAreFolded() {
    let findings = (0..<100).map { finding(.exposedFile, "Documents/\($0)/x", 0) }
    let text = Policy.starting(from: [report([container()], findings)])
    #expect(text.contains("// 100 files\n    // {path: \"Documents/**\""))
    let roots = (0..<100).map { finding(.exposedFile, "\($0)/x", 0) }
    let many = Policy.starting(from: [report([container()], roots)])
    #expect(many.contains("// … and 60 more places"))
  }

  @Test func nothingFoundIsAPolicyToo() throws {
    let text = Policy.starting(from: [])
    let policy = try Policy(parsing: Array(text.utf8), name: "new.json5")
    #expect(policy.localOnly.isEmpty)
  }
}
