import Testing

@testable import AuditCore

/// A state made of words, one entry a line: `path verdict [marked] [size=N] [inode=N] [symlink]`.
private func state(
  _ lines: [String], container: ContainerReport = ContainerReport(path: [], kind: .unknown),
  marked: [String] = [], evidence: Evidence = .proven, errors: [InputProblem] = []
) throws -> DiffSide {
  var snapshot = Snapshot()
  snapshot.hasInodes = true
  var last: [UInt8]?
  for line in lines {
    let words = line.split(separator: " ").map(String.init)
    let path = Array(words[0].utf8)
    let parent = Array(Bytes.parent(path))
    if parent != last { try snapshot.begin(directory: parent) }
    last = parent
    func number(_ key: String) -> Int? {
      words.first { $0.hasPrefix(key) }.flatMap { Int($0.dropFirst(key.count)) }
    }
    try Array(Bytes.last(path)).withUnsafeBufferPointer { name in
      try snapshot.add(
        name: name, kind: words.contains("symlink") ? .symlink : .file,
        verdict: #require(Verdict(word: words[1])),
        mark: words.contains("marked") ? .marked : .absent, size: Int64(number("size=") ?? -1),
        inode: UInt64(number("inode=") ?? 0))
    }
  }
  var container = container
  container.markedDirectories = marked.map {
    MarkedDirectory(path: Array($0.utf8), mark: OwnMark(state: .marked, form: .other, bytes: 1))
  }
  snapshot.end(containers: [container])
  return DiffSide(
    path: [], kind: "directory", evidence: evidence, format: "ext4", snapshot: snapshot,
    errors: errors)
}

private struct Outcome {
  var report = DiffReport()
  var changes: [DiffChange] = []

  init(_ old: DiffSide, _ new: DiffSide, options: DiffOptions = DiffOptions()) {
    var found: [DiffChange] = []
    report = Diff.run(
      old, new, options: options, gate: Gate(), begin: { _ in }, change: { found.append($0) })
    changes = found
  }

  var rules: [String] { report.findings.map { "\($0.severity.word) \($0.rule.word)" } }

  /// `path: kinds`
  var lines: [String] {
    changes.map { change in
      String(decoding: change.path, as: UTF8.self) + ": "
        + DiffKinds.all.filter { change.kinds.contains($0.kind) }.map(\.word)
        .joined(separator: " ")
    }
  }
}

@Suite struct DiffTests {
  /// What becomes of one file between two states.
  @Test(arguments: [
    ("self-marked marked", "exposed", "newly-exposed mark-lost", "error mark-lost"),
    ("covered-by-ancestor", "exposed", "newly-exposed", "error mark-lost"),
    ("marked-and-covered marked", "exposed", "newly-exposed mark-lost", "error mark-lost"),
    ("outside-backup", "exposed", "newly-exposed", "error mark-lost"),
    ("marked-and-covered marked", "covered-by-ancestor", "mark-lost", ""),
    ("covered-by-ancestor", "self-marked marked", "newly-fragile", "warning fragile-mark"),
    ("marked-and-covered marked", "self-marked marked", "newly-fragile", "warning fragile-mark"),
    ("exposed", "covered-by-ancestor", "newly-covered", ""),
    ("exposed", "self-marked marked", "newly-covered", ""),
    ("exposed", "outside-backup", "newly-covered", ""),
    ("exposed", "unknown", "unknown", ""),
    ("unknown", "exposed", "unknown", ""),
    ("exposed size=1", "exposed size=2", "resized", ""),
    ("exposed size=1", "exposed", "", ""),
    ("exposed", "exposed symlink", "replaced", ""),
    ("self-marked marked", "exposed symlink", "newly-exposed mark-lost replaced", ""),
    ("exposed", "exposed", "", ""),
    ("self-marked marked", "self-marked marked", "", ""),
  ])
  func oneFile(before: String, after: String, kinds: String, finding: String) throws {
    let outcome = Outcome(try state(["d/a " + before]), try state(["d/a " + after]))
    #expect(outcome.lines == (kinds.isEmpty ? [] : ["d/a: " + kinds]))
    #expect(outcome.rules == (finding.isEmpty ? [] : [finding]))
    #expect(outcome.report.complete == !kinds.contains("unknown"))
    #expect(outcome.report.tally.unchanged == (kinds.isEmpty ? 1 : 0))
  }

  /// A file that only the newer state has.
  @Test(arguments: [
    ("n exposed", "error exposed-file"), ("n self-marked marked", "warning fragile-mark"),
    ("n covered-by-ancestor", ""), ("n outside-backup", ""), ("n exposed symlink", ""),
  ])
  func oneNewFile(line: String, finding: String) throws {
    let outcome = Outcome(try state(["a exposed"]), try state(["a exposed", line]))
    #expect(outcome.lines == ["n: added"])
    #expect(outcome.rules == (finding.isEmpty ? [] : [finding]))
    #expect(outcome.report.complete)
  }

  @Test func aNewSidecarOfAMarkedDatabase() throws {
    let old = try state(["h.db self-marked marked"])
    let new = try state(["a exposed", "h.db self-marked marked", "h.db-wal exposed"])
    let outcome = Outcome(old, new)
    #expect(outcome.rules == ["error exposed-file", "error exposed-sidecar"])
    let plain = Outcome(
      try state(["h.db exposed"]), try state(["h.db exposed", "h.db-wal exposed"]))
    #expect(plain.rules == ["error exposed-file"])
  }

  @Test func aNewFileWhereSystemsWereSeenToSkip() throws {
    let app = ContainerReport(path: [], kind: .app, identifier: "io.example.app")
    let old = try state(["Library/a exposed"], container: app)
    let new = try state(["Library/a exposed", "StoreKit/r exposed"], container: app)
    #expect(Outcome(old, new).rules == ["warning undocumented-skip"])
    var options = DiffOptions()
    options.locationRules = .none
    #expect(Outcome(old, new, options: options).rules == ["error exposed-file"])
  }

  @Test func changesComeInTheReportsOrder() throws {
    let old = try state(["b exposed", "d/x exposed", "d/y/z exposed", "d.e/q exposed"])
    let new = try state([
      "a exposed", "d/a exposed", "d/w/v exposed", "d-e/q exposed", "e/r exposed",
    ])
    #expect(
      Outcome(old, new).lines == [
        "a: added", "b: removed", "d/a: added", "d/x: removed", "d/w/v: added", "d/y/z: removed",
        "d-e/q: added", "d.e/q: removed", "e/r: added",
      ])
  }

  /// One visible path is never gone and new at once.
  @Test(arguments: [
    ("covered-by-ancestor", "exposed", "newly-exposed", "error mark-lost"),
    ("exposed", "exposed", "", ""), ("exposed", "covered-by-ancestor", "newly-covered", ""),
  ])
  func oneFileInTwoSpellings(before: String, after: String, kinds: String, finding: String) throws {
    let (composed, apart) = ("t\u{E4}/\u{E4}", "ta\u{308}/a\u{308}")
    for (a, b) in [(composed, apart), (apart, composed)] {
      let outcome = Outcome(try state([a + " " + before]), try state([b + " " + after]))
      #expect(outcome.changes.map { Array(b.utf8) == $0.path } == (kinds.isEmpty ? [] : [true]))
      #expect(outcome.lines == (kinds.isEmpty ? [] : [b + ": " + kinds]))
      #expect(outcome.rules == (finding.isEmpty ? [] : [finding]) + ["note other-spelling"])
      #expect(outcome.report.complete)
    }
  }

  @Test func spellingsThatAreNotOne() throws {
    // Both are there on both sides, case differs, a letter differs in compatibility only.
    let both = ["a\u{308} exposed", "\u{E4} covered-by-ancestor"]
    #expect(Outcome(try state(both), try state(both)).rules == [])
    for (a, b) in [("\u{C4}", "\u{E4}"), ("\u{FB01}", "fi")] {
      let outcome = Outcome(try state([a + " exposed"]), try state([b + " exposed"]))
      #expect(Set(outcome.lines) == [a + ": removed", b + ": added"])
      #expect(outcome.rules == ["error exposed-file"])
    }
    // What matched by its bytes is not there for another name.
    let gone = Outcome(try state(both), try state([both[1]]))
    #expect(gone.lines == ["a\u{308}: removed"])
    // Three spellings: what was excluded is held against what is exposed.
    let ring = Outcome(
      try state(["A\u{30A} exposed", "\u{212B} covered-by-ancestor"]),
      try state(["\u{C5} exposed"]))
    #expect(ring.rules == ["error mark-lost", "note other-spelling"])
    #expect(ring.lines == ["A\u{30A}: removed", "\u{C5}: newly-exposed"])
  }

  @Test func markedDirectoriesInTwoSpellings() throws {
    let (composed, apart) = ("\u{E4}", "a\u{308}")
    let old = try state([composed + "/f covered-by-ancestor"], marked: [composed])
    let same = Outcome(
      old, try state([apart + "/f covered-by-ancestor"], marked: [apart]))
    #expect(same.changes.isEmpty)
    let lost = Outcome(old, try state([apart + "/f exposed"]))
    #expect(lost.rules == ["error mark-lost", "note other-spelling"])
    #expect(lost.changes.map(\.kinds) == [.newlyExposed, .markLost])
    // Both were marked and one is not now: the other one's mark hides nothing.
    let two = [apart + "/f covered-by-ancestor", composed + "/f covered-by-ancestor"]
    let one = Outcome(
      try state(two, marked: [apart, composed]), try state(two, marked: [apart]))
    #expect(one.rules == ["warning mark-lost"])
  }

  @Test func snapshotsRefuseDisorder() {
    #expect(throws: Snapshot.Disorder.self) { try state(["b exposed", "a exposed"]) }
    #expect(throws: Snapshot.Disorder.self) { try state(["a exposed", "a exposed"]) }
    #expect(throws: Snapshot.Disorder.self) { try state(["b/a exposed", "a/a exposed"]) }
    #expect(throws: Snapshot.Disorder.self) {
      try state(["a/a exposed", "a/b/a exposed", "a/c exposed"])
    }
  }

  @Test func inodesCountOnlyWhereMostWereKept() throws {
    let old = try state(["a exposed inode=1", "b exposed inode=2", "c exposed inode=3"])
    let kept = try state(["a exposed inode=1", "b exposed inode=2", "c exposed inode=9"])
    #expect(Outcome(old, kept).lines == ["c: replaced"])
    #expect(Outcome(old, kept).changes.first?.replacement == .inode)
    let copied = try state(["a exposed inode=7", "b exposed inode=8", "c exposed inode=3"])
    #expect(Outcome(old, copied).lines == [])
  }

  @Test func aDirectoryThatLostItsMark() throws {
    let before = try state(["l/a covered-by-ancestor"], marked: ["l"])
    let outcome = Outcome(before, try state(["l/a exposed"]))
    #expect(outcome.lines == ["l/a: newly-exposed", "l: mark-lost"])
    #expect(outcome.rules == ["error mark-lost"])
    // Nothing is exposed below it yet: a person should look all the same.
    let empty = Outcome(
      try state(["a exposed"], marked: ["l"]), try state(["a exposed"]))
    #expect(empty.lines == ["l: mark-lost"])
    #expect(empty.rules == ["warning mark-lost"])
    // A marked directory above still covers it.
    let covered = Outcome(
      try state(["a exposed"], marked: ["k", "k/l"]), try state(["a exposed"], marked: ["k"]))
    #expect(covered.lines == ["k/l: mark-lost"])
    #expect(covered.rules == [])
    let set = Outcome(try state(["a exposed"]), try state(["a exposed"], marked: ["l"]))
    #expect(set.lines == ["l: newly-covered"])
  }

  @Test func whatCouldNotBeReadIsNotTrusted() throws {
    let problem = InputProblem(path: [], operation: "open", error: "EACCES", message: "")
    let good = try state(["a exposed"])
    let bad = try state(["a exposed"], errors: [problem])
    #expect(Outcome(good, good).report.complete)
    #expect(!Outcome(good, bad).report.complete)
    #expect(!Outcome(bad, good).report.complete)
  }

  @Test func aNewerStateWithoutAnyAttributeIsDoubted() throws {
    let old = try state(["a self-marked marked"])
    let new = try state(["a exposed"], evidence: .possible)
    #expect(Outcome(old, new).rules == ["error mark-lost", "warning attributes-unproven"])
    var options = DiffOptions()
    options.assumeAttributesKept = true
    #expect(Outcome(old, new, options: options).rules == ["error mark-lost"])
  }

  @Test func pathsOfFindingsAreThoseOfTheNewerInput() throws {
    let old = ContainerReport(path: Array("x".utf8), kind: .app, identifier: "io.example.app")
    let new = ContainerReport(path: Array("y/z".utf8), kind: .app, identifier: "io.example.app")
    let outcome = Outcome(
      try state(["x/d/a self-marked marked"], container: old),
      try state(["y/z/d/a exposed"], container: new))
    #expect(outcome.lines == ["d/a: newly-exposed mark-lost"])
    #expect(outcome.report.findings.map(\.path) == [Array("y/z/d/a".utf8)])
  }
}
