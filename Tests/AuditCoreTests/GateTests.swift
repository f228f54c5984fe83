import Testing

@testable import AuditCore

/// A container for gates.
func container(_ identifier: String? = "group.io.example", kind: ContainerKind = .group)
  -> ContainerReport
{
  ContainerReport(path: [], kind: kind, identifier: identifier)
}

func policy(_ members: String) throws -> Policy {
  try Policy(parsing: Array("{version: 1, \(members)}".utf8), name: "policy.json5")
}

let today = PolicyDate(unixTime: 1_796_000_000)  // 2026-11-30

extension Gate {
  /// Judges with the rule's default severity.
  func judge(_ rule: RuleID, _ verdict: Verdict?, _ path: String, in report: ContainerReport? = nil)
    -> Judgement
  {
    judge(
      rule, severity: rule.defaultSeverity, verdict: verdict, container: report ?? container(),
      path: Array(path.utf8))
  }

  func closingWords() -> [String] { closingFindings().map(\.rule.word) }
}

struct GateTests {
  private func gate(_ members: String) throws -> Gate {
    Gate(policy: try policy(members), baseline: nil, today: today)
  }

  @Test func withoutPolicyNothingChanges() {
    let gate = Gate()
    #expect(gate.isTransparent)
    #expect(gate.judge(.exposedFile, .exposed, "a") == Judgement(severity: .error))
    #expect(gate.mustBeBackedUp(container: container(), path: []) == nil)
    #expect(gate.closingFindings().isEmpty)
  }

  @Test func localOnlyFilesMustNotBeExposedWhateverElseIsSaid() throws {
    let gate = try gate(
      """
      unlisted: "note", severities: {"undocumented-skip": "note", "exposed-sidecar": "note"},
      localOnly: [{path: "local/**", reason: "r", source: "Store.swift:4"}]
      """)
    #expect(!gate.isTransparent)
    let exposed = Judgement(severity: .error, source: "Store.swift:4")
    #expect(gate.judge(.exposedFile, .exposed, "local/a") == exposed)
    #expect(gate.judge(.undocumentedSkip, .exposed, "local/a") == exposed)
    #expect(gate.judge(.exposedSidecar, .exposed, "local/a-wal") == exposed)
    #expect(gate.judge(.exposedFile, .exposed, "other/a") == Judgement(severity: .note))
    #expect(gate.judge(.undocumentedSkip, .exposed, "other/a") == Judgement(severity: .note))
  }

  @Test func unlistedIsForExposedFilesOnly() throws {
    let gate = try gate("unlisted: 'warning'")
    #expect(gate.judge(.exposedFile, .exposed, "a").severity == .warning)
    #expect(gate.judge(.exposedSidecar, .exposed, "a-wal").severity == .error)
    #expect(gate.judge(.undocumentedSkip, .exposed, "a").severity == .warning)
    #expect(gate.judge(.fragileMark, .selfMarked, "a").severity == .warning)
    #expect(try self.gate("").judge(.exposedFile, .exposed, "a").severity == .error)
    let byRule = try self.gate("severities: {'exposed-file': 'note'}")
    #expect(byRule.judge(.exposedFile, .exposed, "a").severity == .note)
  }

  @Test func whatMarkIsEnough() throws {
    let gate = try gate(
      """
      localOnly: [
        {path: "strict/**", reason: "r"},
        {path: "lenient/**", require: "any", reason: "r"},
      ]
      """)
    #expect(gate.judge(.fragileMark, .selfMarked, "strict/a").severity == .error)
    #expect(gate.judge(.fragileMark, .selfMarked, "lenient/a").severity == nil)
    #expect(gate.judge(.fragileMark, .selfMarked, "else/a").severity == .warning)
    #expect(gate.judge(.sidecarReturnsUnmarked, .selfMarked, "lenient/a").severity == .warning)
    #expect(gate.judge(.exposedFile, .exposed, "lenient/a").severity == .error)
  }

  @Test func whatHasToComeBackMustNotBeCovered() throws {
    let gate = try gate(
      "backedUp: [{path: 'Documents/**', reason: 'own documents', source: 'Docs.swift:1'}]")
    func covered(_ path: String) -> Judgement? {
      gate.mustBeBackedUp(container: container(), path: Array(path.utf8))
    }
    #expect(covered("Documents/a") == Judgement(severity: .error, source: "Docs.swift:1"))
    #expect(covered("Library/a") == nil)
    #expect(gate.judge(.exposedFile, .exposed, "Documents/a").severity == nil)
    #expect(gate.judge(.exposedSidecar, .exposed, "Documents/a-wal").severity == nil)
    #expect(gate.judge(.fragileMark, .selfMarked, "Documents/a").severity == nil)
    #expect(gate.judge(.hardLinkEscape, .exposed, "Documents/a").severity == .error)
  }

  @Test func theMorePreciseEntrySpeaks() throws {
    for order in [true, false] {
      let secrets = "{path: 'Documents/secret/**', reason: 'r'}"
      let local = "localOnly: [{path: '**', reason: 'r'}, \(secrets)]"
      let backed = "backedUp: [{path: 'Documents/**', reason: 'r'}]"
      let gate = try gate(order ? "\(local), \(backed)" : "\(backed), \(local)")
      #expect(gate.judge(.exposedFile, .exposed, "Documents/a").severity == nil)
      #expect(gate.judge(.exposedFile, .exposed, "Documents/secret/a").severity == .error)
      #expect(gate.mustBeBackedUp(container: container(), path: Array("Documents/a".utf8)) != nil)
      let secret = Array("Documents/secret/a".utf8)
      #expect(gate.mustBeBackedUp(container: container(), path: secret) == nil)
    }
    let tie = try gate(
      "localOnly: [{path: 'a/*.db', reason: 'r'}], backedUp: [{path: 'a/**.db', reason: 'r'}]")
    #expect(tie.judge(.exposedFile, .exposed, "a/x.db").severity == .error)
  }

  @Test func entriesCanBeNarrowedToContainers() throws {
    let gate = try gate(
      """
      unlisted: "note",
      localOnly: [{path: "**", container: "group.*", reason: "r"}],
      exceptions: [{rule: "empty-mark", path: "**", container: "io.example", reason: "r"}]
      """)
    let group = container("group.io.example")
    let app = container("io.example", kind: .app)
    for _ in 0..<2 {
      #expect(gate.judge(.exposedFile, .exposed, "a", in: group).severity == .error)
      #expect(gate.judge(.exposedFile, .exposed, "a", in: app).severity == .note)
      #expect(gate.judge(.exposedFile, .exposed, "a", in: container(nil)).severity == .note)
      #expect(gate.judge(.emptyMark, nil, "a", in: app).suppression?.reason == "r")
      #expect(gate.judge(.emptyMark, nil, "a", in: group).suppression == nil)
    }
  }

  @Test func exceptionsHoldThroughTheirLastDay() throws {
    func gate(expires: String) throws -> Gate {
      try self.gate(
        """
        exceptions: [{rule: "exposed-file", path: "Library/**", reason: "why", expires: "\(expires)",
          source: "A.swift"}]
        """)
    }
    let last = try gate(expires: "2026-11-30")
    let excepted = last.judge(.exposedFile, .exposed, "Library/a")
    #expect(excepted.severity == .error)
    #expect(excepted.suppression == Suppression(kind: .exception, reason: "why"))
    #expect(excepted.source == "A.swift")
    #expect(last.judge(.exposedFile, .exposed, "Documents/a").suppression == nil)
    #expect(last.judge(.fragileMark, .selfMarked, "Library/a").suppression == nil)
    #expect(last.closingWords() == [])

    let over = try gate(expires: "2026-11-29")
    #expect(over.judge(.exposedFile, .exposed, "Library/a") == Judgement(severity: .error))
    #expect(over.closingWords() == ["expired-exception"])
    let finding = over.closingFindings()[0]
    #expect(finding.severity == .warning && finding.source == "policy.json5:1")
    #expect(finding.message.contains("\"Library/**\" (why) expired on 2026-11-29"))
  }

  @Test func anExceptionThatExcusesNothingIsReported() throws {
    let gate = try gate(
      """
      exceptions: [
        {rule: "exposed-file", path: "Libary/**", reason: "slip"},
        {rule: "must-be-backed-up", path: "Documents/**", reason: "used"},
      ],
      backedUp: [{path: "Documents/**", reason: "r"}],
      severities: {"unused-exception": "error"}
      """)
    #expect(gate.judge(.exposedFile, .exposed, "Library/a").suppression == nil)
    let excused = gate.mustBeBackedUp(container: container(), path: Array("Documents/a".utf8))
    #expect(excused?.suppression?.reason == "used")
    let findings = gate.closingFindings()
    #expect(findings.map(\.rule) == [.unusedException])
    #expect(findings[0].severity == .error)
    #expect(findings[0].fingerprint.count == 32)
  }

  @Test func anEntryThatWatchesNothingIsReported() throws {
    let gate = try gate(
      """
      localOnly: [
        {path: "local/**", reason: "covered"}, {path: "lcal/**", reason: "slip"},
        {path: "**", reason: "outvoiced"},
      ],
      backedUp: [{path: "Docments/**", reason: "slip"}]
      """)
    #expect(gate.mustBeBackedUp(container: container(), path: Array("local/a".utf8)) == nil)
    #expect(gate.closingWords() == ["unmatched-entry", "unmatched-entry"])
    let findings = gate.closingFindings()
    #expect(findings[0].message.contains("localOnly entry for \"lcal/**\" (slip) matched no file"))
    #expect(findings[1].message.contains("backedUp entry for \"Docments/**\""))
    #expect(findings.allSatisfy { $0.severity == .warning })
    #expect(findings.map(\.source) == ["policy.json5:2", "policy.json5:5"])
    #expect(findings[0].fingerprint != findings[1].fingerprint)
  }

  @Test func nothingHidesTheUnknown() throws {
    let gate = try gate(
      """
      unlisted: "note", backedUp: [{path: "**", reason: "r"}],
      exceptions: [{rule: "exposed-file", path: "**", reason: "r"}]
      """)
    #expect(gate.judge(.exposedFile, .unknown, "a") == Judgement(severity: .error))
  }

  /// A million questions take well below a second; far more would show here.
  @Test func questionsAreCheap() throws {
    let entries = (0..<20).map { "{path: 'Library/Store\($0)/**', reason: 'r'}" }
    let gate = try gate("localOnly: [\(entries.joined(separator: ","))], unlisted: 'note'")
    let report = container()
    let path = Array("Documents/Inbox/Attachments/IMG_0001.HEIC".utf8)
    let clock = ContinuousClock()
    var notes = 0
    let time = clock.measure {
      for _ in 0..<100_000 {
        let judgement = gate.judge(
          .exposedFile, severity: .error, verdict: .exposed, container: report, path: path)
        if judgement.severity == .note { notes += 1 }
      }
    }
    #expect(notes == 100_000)
    #expect(time < .seconds(5))
  }
}
