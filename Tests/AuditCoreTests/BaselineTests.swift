import Testing

@testable import AuditCore

/// A baseline with one finding, which starts line 2; single quotes become double ones.
private func finding(_ members: String) -> String {
  "{'version': 1, 'findings': [\n{\(members)}]}".replacing("'", with: "\"")
}

struct BaselineTests {
  private func text(_ recorder: BaselineRecorder) -> String {
    String(decoding: recorder.text(), as: UTF8.self)
  }

  private func recording() -> (Gate, BaselineRecorder) {
    let recorder = BaselineRecorder()
    return (Gate(policy: nil, baseline: nil, recorder: recorder, today: today), recorder)
  }

  private func gate(_ text: String) throws -> Gate {
    let baseline = try Baseline(parsing: Array(text.utf8), name: "baseline.json")
    return Gate(policy: nil, baseline: baseline, today: today)
  }

  @Test(arguments: [
    ("a/b", "a/b"), ("", ""),
    ("0F3A6C1E-1111-2222-3333-0123456789ab/x", "<UUID>/x"),
    ("a/log-0F3A6C1E-1111-2222-3333-0123456789AB.txt", "a/log-<UUID>.txt"),
    ("0F3A6C1E-1111-2222-3333-0123456789ab-0F3A6C1E-1111-2222-3333-0123456789ab", "<UUID>-<UUID>"),
    ("a0F3A6C1E-1111-2222-3333-0123456789ab", "a0F3A6C1E-1111-2222-3333-0123456789ab"),
    ("0F3A6C1E-1111-2222-3333-0123456789abc", "0F3A6C1E-1111-2222-3333-0123456789abc"),
    ("0F3A6C1E-1111-2222-33330123456789ab", "0F3A6C1E-1111-2222-33330123456789ab"),
    ("0F3A6C1G-1111-2222-3333-0123456789ab", "0F3A6C1G-1111-2222-3333-0123456789ab"),
    ("L/a.plist.AbCdEfG", "L/a.plist.<TEMP>"), ("L/a.plist.AbCdEf", "L/a.plist.AbCdEf"),
    ("L/n.txt.sb-0123abcd-Ab12Cd/x", "L/n.txt.sb-<TEMP>/x"),
    ("L/.dat.nosync012a.Xy", "L/.dat.nosync<TEMP>"),
    ("0F3A6C1E-1111-2222-3333-0123456789ab.plist.AbCdEfG", "<UUID>.plist.<TEMP>"),
  ])
  func volatilePartsAreTakenOut(path: String, normalised: String) {
    let result = VolatilePath.normalised(Array(path.utf8))
    #expect(String(decoding: result, as: UTF8.self) == normalised)
    #expect(VolatilePath.isVolatile(Array(path.utf8)) == (path != normalised))
  }

  @Test func theFileIsSortedAndHasALineForEachFinding() {
    let (gate, recorder) = recording()
    let app = container("io.example", kind: .app)
    #expect(gate.judge(.exposedFile, .exposed, "b/y\n\"", in: app).suppression == nil)
    _ = gate.judge(.exposedFile, .exposed, "b", in: app)
    _ = gate.judge(.emptyMark, nil, "b", in: app)
    _ = gate.judge(.unfamiliarValue, nil, "a", in: app)
    _ = gate.judge(.exposedFile, .exposed, "é", in: container(nil, kind: .unknown))
    _ = gate.judge(.systemDirectoryMarked, nil, "", in: container("group.x"))
    _ = gate.judge(
      .exposedFile, severity: .error, verdict: .exposed, container: app, path: [0x62, 0xFF])
    for id in 1...3 {
      let path = "s/0F3A6C1E-1111-2222-3333-00000000000\(id).db"
      _ = gate.judge(.exposedFile, .exposed, path, in: app)
    }
    #expect(
      text(recorder) == """
        {
          "version": 1,
          "findings": [
            {"container": "group.x", "path": ".", "rule": "system-directory-marked"},
            {"container": "io.example", "path": "b", "rule": "empty-mark"},
            {"container": "io.example", "path": "b", "rule": "exposed-file"},
            {"container": "io.example", "path": "b/y\\u000a\\"", "rule": "exposed-file"},
            {"container": "io.example", "path": "b\u{FFFD}", "pathBytes": "Yv8=", "rule": "exposed-file"},
            {"container": "io.example", "path": "s/<UUID>.db", "rule": "exposed-file", "count": 3},
            {"kind": "unknown", "path": "é", "rule": "exposed-file"}
          ]
        }

        """)
  }

  @Test func whatIsWrittenIsReadBack() throws {
    let (gate, recorder) = recording()
    let paths: [[UInt8]] = [
      [], [0xFF, 0x0A], Array("a\u{202E}b \u{1F600}\u{E0001}\\\"".utf8), [0x2E, 0x2F, 0xC3],
    ]
    for path in paths {
      _ = gate.judge(
        .exposedFile, severity: .error, verdict: .exposed, container: container(), path: path)
    }
    let baseline = try Baseline(parsing: recorder.text(), name: "b")
    #expect(Set(baseline.entries.map(\.path)) == Set(paths))
    #expect(Baseline.text(of: baseline.entries) == recorder.text())
    #expect(Baseline.text(of: []) == Array("{\n  \"version\": 1,\n  \"findings\": []\n}\n".utf8))
  }

  @Test func knownFindingsDoNotCountAndNewOnesDo() throws {
    let gate = try gate(
      """
      {"version": 1, "findings": [
        {"container": "group.io.example", "path": "old/a", "rule": "exposed-file"},
        {"kind": "unknown", "path": "u", "rule": "exposed-file"}
      ]}
      """)
    let known = Judgement(severity: .error, suppression: Suppression(kind: .baseline))
    #expect(gate.judge(.exposedFile, .exposed, "old/a") == known)
    // A new file in an old directory, another rule, another container.
    #expect(gate.judge(.exposedFile, .exposed, "old/b").suppression == nil)
    #expect(gate.judge(.exposedSidecar, .exposed, "old/a").suppression == nil)
    let other = container("io.example")
    #expect(gate.judge(.exposedFile, .exposed, "old/a", in: other).suppression == nil)
    let unknown = container(nil, kind: .unknown)
    #expect(gate.judge(.exposedFile, .exposed, "u", in: unknown) == known)
    #expect(gate.closingFindings().isEmpty)
  }

  @Test func containersWithoutAnIdentifierAreToldApartByTheirKind() throws {
    let gate = try gate(
      "{'version': 1, 'findings': [{'kind': 'app', 'path': 'a', 'rule': 'exposed-file'}]}"
        .replacing("'", with: "\""))
    let group = container(nil, kind: .group)
    #expect(gate.judge(.exposedFile, .exposed, "a", in: group).suppression == nil)
    let app = container(nil, kind: .app)
    #expect(gate.judge(.exposedFile, .exposed, "a", in: app).suppression != nil)
  }

  /// An input that has to be audited a second time leaves no trace of the first.
  @Test func startingOverForgetsTheCurrentInputOnly() throws {
    let text = """
      {"version": 1, "findings": [{"container": "group.io.example", "count": 2,
        "path": "<UUID>", "rule": "exposed-file"}]}
      """
    let recorder = BaselineRecorder()
    let gate = Gate(
      policy: try policy(
        """
        localOnly: [{path: "secret", reason: "r"}],
        exceptions: [{rule: "exposed-file", path: "excused", reason: "r"}]
        """),
      baseline: try Baseline(parsing: Array(text.utf8), name: "b"), recorder: recorder,
      today: today)
    let first = "0F3A6C1E-1111-2222-3333-000000000001"
    let second = "0F3A6C1E-1111-2222-3333-000000000002"

    gate.beginInput()
    #expect(gate.judge(.exposedFile, .exposed, first).suppression != nil)
    gate.beginInput()
    for _ in 0..<2 {
      gate.startOver()
      #expect(gate.judge(.exposedFile, .exposed, second).suppression != nil)
      #expect(recorder.entries.map(\.count) == [2])
    }
    _ = gate.judge(.exposedFile, .exposed, "secret")
    _ = gate.judge(.exposedFile, .exposed, "excused")
    #expect(gate.closingFindings().isEmpty)
    gate.startOver()
    let words = gate.closingWords().sorted()
    #expect(words == ["stale-baseline", "unmatched-entry", "unused-exception"])
  }

  @Test func thatADumpProvesNothingIsNeverKnown() throws {
    let (recording, recorder) = recording()
    _ = recording.judge(.attributesUnproven, nil, "")
    #expect(recorder.entries.isEmpty)
    let text = """
      {"version": 1, "findings": [
        {"container": "group.io.example", "path": ".", "rule": "attributes-unproven"}]}
      """
    #expect(try gate(text).judge(.attributesUnproven, nil, "").suppression == nil)
  }

  @Test func anEntryStandsForAsManyFindingsAsItSays() throws {
    let text = """
      {"version": 1, "findings": [{"container": "group.io.example", "count": 2,
        "path": "s/<UUID>", "rule": "exposed-file"}]}
      """
    func path(_ id: Int) -> String { "s/0F3A6C1E-1111-2222-3333-00000000000\(id)" }
    let grown = try gate(text)
    let known = (1...3).map { grown.judge(.exposedFile, .exposed, path($0)).suppression != nil }
    #expect(known == [true, true, false])
    #expect(grown.closingFindings().isEmpty)

    let shrunk = try gate(text)
    _ = shrunk.judge(.exposedFile, .exposed, path(7))
    let stale = shrunk.closingFindings()
    #expect(stale.map(\.rule) == [.staleBaseline])
    #expect(stale[0].message.contains("2 times, but only 1 were found"))
    #expect(stale[0].source == "baseline.json:1")
  }

  @Test(arguments: [
    ("", "1:1: the file is empty"), ("[]", "1:1: a baseline is an object"),
    ("{\"findings\": []}", "1:1: a baseline needs \"version\": 1"),
    ("{\"version\": 2, \"findings\": []}", "1:13: a baseline needs \"version\": 1"),
    ("{\"version\": 1}", "1:1: a baseline needs \"findings\""),
    (finding("'rule': 'exposed-fil'"), "2:10: rule \"exposed-fil\" is not known"),
    (finding("'rule': 'exposed-file'"), "either a container or a kind"),
    (finding("'rule': 'exposed-file', 'kind': 'zoo'"), "kind \"zoo\" is not known"),
    (finding("'rule': 'exposed-file', 'kind': 'app'"), "a finding needs a path"),
    (finding("'rule': 'exposed-file', 'kind': 'app', 'container': 'a'"), "either a container or"),
    (finding("'rule': 'empty-mark', 'kind': 'app', 'path': 'a', 'count': 0"), "count is a whole"),
    (finding("'rule': 'empty-mark', 'kind': 'app', 'path': 'a', 'pathBytes': '!'"), "not Base64"),
    (finding("'paht': 'a'"), "2:2: a finding has no member paht; did you mean path?"),
  ])
  func whatIsWrongIsSaidWithItsPlace(text: String, message: String) {
    do {
      _ = try Baseline(parsing: Array(text.utf8), name: "b.json")
      Issue.record("\(text) was accepted")
    } catch {
      #expect(error.description.contains(message), "\(error)")
      #expect(error.description.hasPrefix("b.json:"))
    }
  }

  @Test func base64IsTheUsualOne() {
    let pairs = [("", ""), ("f", "Zg=="), ("fo", "Zm8="), ("foo", "Zm9v"), ("foob", "Zm9vYg==")]
    for (plain, coded) in pairs {
      #expect(Base64.encoded(Array(plain.utf8)) == Array(coded.utf8))
      #expect(Base64.decoded(Array(coded.utf8)) == Array(plain.utf8))
    }
    for bad in ["Z", "Zg=", "Zg=a", "Z===", "Zm9v\n", "===="] {
      #expect(Base64.decoded(Array(bad.utf8)) == nil, "\(bad)")
    }
    let all = (0...255).map { UInt8($0) }
    #expect(Base64.decoded(Base64.encoded(all)) == all)
  }
}
