import Testing

@testable import AuditCore

/// The verdict of one file, by everything it depends on.
@Suite struct CoverageTests {
  struct Case: Sendable, CustomTestStringConvertible {
    var own: OwnMark.State = .absent
    var parent: OwnMark.State = .absent
    var grandparent: OwnMark.State = .absent
    var evidence = Evidence.possible
    var assumeKept = false
    var isPartial = false
    var kind = EntryKind.file
    var verdict: Verdict
    var reason = Reason.none

    var testDescription: String {
      "own \(own), parent \(parent), grandparent \(grandparent), \(evidence) → \(verdict)"
    }
  }

  static let cases: [Case] = [
    Case(verdict: .exposed),
    Case(evidence: .proven, verdict: .exposed),
    Case(own: .empty, verdict: .exposed),
    Case(own: .marked, verdict: .selfMarked),
    Case(parent: .marked, verdict: .coveredByAncestor),
    Case(grandparent: .marked, verdict: .coveredByAncestor),
    Case(parent: .empty, verdict: .exposed),
    Case(own: .marked, parent: .marked, verdict: .markedAndCovered),
    Case(own: .marked, grandparent: .marked, verdict: .markedAndCovered),
    // What cannot be told never passes …
    Case(own: .unknown, verdict: .unknown, reason: .unreadable),
    Case(parent: .unknown, verdict: .unknown, reason: .ancestorUnreadable),
    Case(grandparent: .unknown, verdict: .unknown, reason: .ancestorUnreadable),
    Case(own: .empty, parent: .unknown, verdict: .unknown, reason: .ancestorUnreadable),
    Case(isPartial: true, verdict: .unknown, reason: .partialArchive),
    // … but a mark that was found counts whatever else is unknown.
    Case(own: .unknown, parent: .marked, verdict: .coveredByAncestor),
    Case(parent: .unknown, grandparent: .marked, verdict: .coveredByAncestor),
    Case(own: .marked, parent: .unknown, verdict: .selfMarked),
    Case(own: .marked, isPartial: true, verdict: .selfMarked),
    // A carrier that cannot hold the mark.
    Case(evidence: .impossible, verdict: .unknown, reason: .carrier),
    Case(evidence: .impossible, assumeKept: true, verdict: .exposed),
    Case(own: .marked, evidence: .impossible, verdict: .selfMarked),
    Case(parent: .marked, evidence: .impossible, verdict: .coveredByAncestor),
    // Kinds.
    Case(kind: .symlink, verdict: .exposed),
    Case(parent: .marked, kind: .symlink, verdict: .coveredByAncestor),
    Case(kind: .fifo, verdict: .outsideBackup, reason: .specialFile),
    Case(parent: .marked, kind: .socket, verdict: .outsideBackup, reason: .specialFile),
    Case(own: .unknown, kind: .device, verdict: .outsideBackup, reason: .specialFile),
  ]

  @Test(arguments: cases) func verdict(_ row: Case) throws {
    let sink = Collector()
    var options = AuditOptions()
    options.assumeAttributesKept = row.assumeKept
    let auditor = Auditor(options: options, gate: Gate(), sinks: [sink])
    auditor.isPartial = row.isPartial
    _ = auditor.add(layer: Layer(format: "test", evidence: row.evidence))
    auditor.enter(.of("", [], directories: ["a"]))
    auditor.enter(.of("a", [], directories: ["b"], mark: row.grandparent))
    let directory = Directory.of("a/b", [("f", row.kind, row.own)], mark: row.parent)
    auditor.enter(directory)
    try auditor.classify(directory, 0..<1)
    #expect(sink.verdicts == [row.verdict])
    #expect(sink.reasons == [row.reason])
  }

  @Test func theOutermostMarkedDirectoryCovers() throws {
    let sink = Collector()
    let auditor = Auditor(options: AuditOptions(), gate: Gate(), sinks: [sink])
    _ = auditor.add(layer: Layer(format: "test", evidence: .proven))
    auditor.enter(.of("", [], directories: ["a"]))
    auditor.enter(.of("a", [], directories: ["b"], mark: .marked))
    let inner = Directory.of("a/b", [("f", .file, .absent)], mark: .marked)
    auditor.enter(inner)
    try auditor.classify(inner, 0..<1)
    let report = auditor.finish(
      info: InputInfo(path: [], kind: "directory"), format: "test", allowEmpty: false)
    #expect(sink.ancestors == [Array("a".utf8)])
    #expect(report.containers[0].markedDirectories.map(\.files) == [1, 1])
  }

  @Test func coverageEndsWithTheDirectory() throws {
    let sink = Collector()
    let auditor = Auditor(options: AuditOptions(), gate: Gate(), sinks: [sink])
    _ = auditor.add(layer: Layer(format: "test", evidence: .proven))
    auditor.enter(.of("", [], directories: ["a", "ab"]))
    auditor.enter(.of("a", [], mark: .marked))
    let sibling = Directory.of("ab", [("f", .file, .absent)])
    auditor.enter(sibling)
    try auditor.classify(sibling, 0..<1)
    #expect(sink.verdicts == [.exposed])
  }

  @Test func anInputWithoutFilesIsNoAnswer() {
    for allowEmpty in [false, true] {
      let auditor = Auditor(options: AuditOptions(), gate: Gate(), sinks: [])
      _ = auditor.add(layer: Layer(format: "test", evidence: .proven))
      auditor.enter(.of("", []))
      let report = auditor.finish(
        info: InputInfo(path: [], kind: "directory"), format: "test", allowEmpty: allowEmpty)
      #expect(report.errors.map(\.error) == (allowEmpty ? [] : ["EMPTY"]))
    }
  }
}

/// Keeps what an auditor hands to reports.
final class Collector: ReportSink {
  var verdicts: [Verdict] = []
  var reasons: [Reason] = []
  var ancestors: [[UInt8]?] = []

  func begin(run: RunInfo) {}
  func begin(input: InputInfo) {}
  func end(input: InputReport) {}
  func end(summary: RunSummary) {}
  func add(_ slice: ClassifiedSlice) {
    for index in 0..<slice.range.count {
      verdicts.append(slice.verdicts[index])
      reasons.append(slice.reasons[index])
      ancestors.append(slice.ancestor)
    }
  }
}

extension Directory {
  /// A directory in memory; names must be given in byte order.
  static func of(
    _ path: String, _ files: [(name: String, kind: EntryKind, mark: OwnMark.State)],
    directories: [String] = [], mark: OwnMark.State = .absent
  ) -> Directory {
    var own = EntryRecord()
    own.kind = .directory
    own.mark = OwnMark(state: mark, form: .mobileBackup, bytes: 22)
    let rows = files + directories.map { ($0, EntryKind.directory, OwnMark.State.absent) }
    let bytes: [UInt8] = rows.flatMap { Array($0.0.utf8) + [0] }
    let directory = Directory(
      path: Array(path.utf8), own: own, recordCount: rows.count, nameBytes: bytes.count)
    directory.arena.initialize(from: bytes, count: bytes.count)
    var offset = 0
    for (index, row) in rows.enumerated() {
      var record = EntryRecord()
      record.nameOffset = UInt32(offset)
      record.nameLength = UInt16(row.0.utf8.count)
      record.kind = row.1
      record.mark = OwnMark(state: row.2, form: .mobileBackup, bytes: 22)
      (directory.records + index).initialize(to: record)
      offset += row.0.utf8.count + 1
    }
    directory.fileCount = files.count
    directory.directoryCount = directories.count
    return directory
  }
}
