import AuditCore
import AuditReport

/// An entry of a sample directory.
struct SampleEntry {
  var name: [UInt8]
  var kind = EntryKind.file
  var size: Int64 = -1
  var verdict = Verdict.exposed
  var reason = Reason.none
  var mark = OwnMark.absent

  init(
    _ name: String, kind: EntryKind = .file, size: Int64 = -1, verdict: Verdict = .exposed,
    reason: Reason = .none, mark: OwnMark = .absent
  ) {
    self.init(
      bytes: Array(name.utf8), kind: kind, size: size, verdict: verdict, reason: reason, mark: mark)
  }

  init(
    bytes: [UInt8], kind: EntryKind = .file, size: Int64 = -1, verdict: Verdict = .exposed,
    reason: Reason = .none, mark: OwnMark = .absent
  ) {
    name = bytes
    self.kind = kind
    self.size = size
    self.verdict = verdict
    self.reason = reason
    self.mark = mark
  }
}

/// Makes a directory of the entries' records.
func sampleDirectory(_ path: [UInt8], _ entries: [SampleEntry]) -> Directory {
  let directory = Directory(
    path: path, own: EntryRecord(), recordCount: entries.count,
    nameBytes: entries.reduce(0) { $0 + $1.name.count })
  var end = 0
  for (index, entry) in entries.enumerated() {
    var record = EntryRecord()
    record.nameOffset = UInt32(end)
    record.nameLength = UInt16(entry.name.count)
    record.kind = entry.kind
    record.size = entry.size
    record.mark = entry.mark
    (directory.records + index).initialize(to: record)
    for byte in entry.name {
      directory.arena[end] = byte
      end += 1
    }
  }
  directory.fileCount = entries.count
  return directory
}

/// Hands some entries of one directory to a sink.
func add(
  _ entries: [SampleEntry], in path: String = "", ancestor: String? = nil, to sink: any ReportSink
) throws {
  try add(entries, in: Array(path.utf8), ancestor: ancestor.map { Array($0.utf8) }, to: sink)
}

/// Hands some entries of one directory to a sink.
func add(
  _ entries: [SampleEntry], in path: [UInt8], ancestor: [UInt8]?, to sink: any ReportSink
) throws {
  let directory = sampleDirectory(path, entries)
  let verdicts = entries.map(\.verdict)
  let reasons = entries.map(\.reason)
  try verdicts.withUnsafeBufferPointer { verdicts in
    try reasons.withUnsafeBufferPointer { reasons in
      guard let verdicts = verdicts.baseAddress, let reasons = reasons.baseAddress else { return }
      try sink.add(
        ClassifiedSlice(
          directory: directory, range: 0..<entries.count, verdicts: verdicts, reasons: reasons,
          ancestor: ancestor, container: 0,
          identifier: ancestor == nil ? nil : "group.io.example"))
    }
  }
}

/// What a body writes through a sink of its own.
func written(_ make: (ByteWriter) -> any ReportSink, _ body: (any ReportSink) throws -> Void)
  throws -> [UInt8]
{
  var bytes: [UInt8] = []
  let writer = ByteWriter { bytes += $0 }
  try body(make(writer))
  try writer.flush()
  return bytes
}

/// A run of the sample: two inputs with everything that a report can hold.
func playSample(to sink: any ReportSink, exitStatus: ExitStatus = .findings) throws {
  try sink.begin(run: RunInfo(version: "0.0.1", policyPath: "ci/policy.json5"))

  let first = InputInfo(path: Array("Dumps/group.tar".utf8), kind: "archive")
  try sink.begin(input: first)
  try add(
    [
      SampleEntry("loose.bin", size: 7, mark: OwnMark(state: .empty)),
      SampleEntry("pipe", kind: .fifo, verdict: .outsideBackup, reason: .specialFile),
    ], to: sink)
  try add(
    [SampleEntry("app.sqlite-wal", size: 4152), SampleEntry("link", kind: .symlink, size: 9)],
    in: "Documents", to: sink)
  try add(
    [
      SampleEntry("a.db", size: 98304, verdict: .coveredByAncestor),
      SampleEntry(
        "b.db", size: 16, verdict: .markedAndCovered,
        mark: OwnMark(state: .marked, form: .backupdPlist, bytes: 61)),
    ], in: "io.example.localonly", ancestor: "io.example.localonly", to: sink)
  var report = InputReport(info: first, format: "pax", evidence: .proven)
  report.directories = 3
  var container = ContainerReport(path: [], kind: .group, identifier: "group.io.example")
  container.counts.files[.exposed] = 2
  container.counts.files[.coveredByAncestor] = 1
  container.counts.files[.markedAndCovered] = 1
  container.counts.bytes[.exposed] = 4159
  container.counts.bytes[.coveredByAncestor] = 98304
  container.counts.bytes[.markedAndCovered] = 16
  container.counts.symlinks = 1
  container.counts.specials = 1
  container.markedDirectories = [
    MarkedDirectory(
      path: Array("io.example.localonly".utf8),
      mark: OwnMark(state: .marked, form: .mobileBackup, bytes: 22), files: 2, bytes: 98320)
  ]
  report.containers = [container]
  report.counts = container.counts
  var sidecar = Finding(
    rule: .exposedSidecar, severity: .error, path: Array("Documents/app.sqlite-wal".utf8),
    container: 0, message: "The newest rows are exposed.", fix: "Mark the directory.",
    fingerprint: "0123456789abcdef0123456789abcdef")
  sidecar.source = "Sources/Store.swift:42"
  var folded = Finding(
    rule: .exposedFile, severity: .error, path: [], container: 0,
    message: "3 files are exposed.", fix: "Mark a directory.",
    fingerprint: "00000000000000000000000000000001")
  folded.occurrences = 3
  folded.suppression = Suppression(kind: .exception, reason: "reviewed")
  report.findings = [sidecar, folded]
  try sink.end(input: report)

  let second = InputInfo(path: Array("Dumps/odd".utf8), kind: "directory")
  try sink.begin(input: second)
  let odd: [UInt8] = [0x6E, 0xFF, 0x0A, 0x3C]
  try add(
    [
      SampleEntry(
        "=cmd", size: 2, verdict: .selfMarked,
        mark: OwnMark(state: .marked, form: .other, bytes: 1)),
      SampleEntry(bytes: odd, size: 1, verdict: .unknown, reason: .unreadable, mark: .unknown),
    ], to: sink)
  report = InputReport(info: second, format: "ext4", evidence: .possible)
  report.evidenceReason = "no foreign attribute was seen"
  report.directories = 1
  var odds = ContainerReport(path: [], kind: .unknown)
  odds.counts.files[.unknown] = 1
  odds.counts.files[.selfMarked] = 1
  odds.counts.bytes[.unknown] = 1
  odds.counts.bytes[.selfMarked] = 2
  report.containers = [odds]
  report.counts = odds.counts
  var fragile = Finding(
    rule: .fragileMark, severity: .warning, path: Array("=cmd".utf8), container: 0,
    message: "Excluded until it is replaced.", fix: "Mark the directory.",
    fingerprint: "00000000000000000000000000000002")
  fragile.suppression = Suppression(kind: .baseline)
  report.findings = [
    fragile,
    Finding(
      rule: .attributesUnproven, severity: .warning, path: [], container: nil,
      message: "No foreign attribute was seen.", fix: "Dump again.",
      fingerprint: "00000000000000000000000000000003"),
    Finding(
      rule: .unfamiliarValue, severity: .note, path: odd, container: 0, message: "Unfamiliar.",
      fix: "Write the usual value.", fingerprint: "00000000000000000000000000000004"),
  ]
  report.errors = [
    InputProblem(path: odd, operation: "listxattr", error: "EACCES", message: "Permission denied.")
  ]
  report.errorsOmitted = 2
  report.vanished = 1
  try sink.end(input: report)

  var summary = RunSummary()
  summary.counts = container.counts
  summary.counts += odds.counts
  summary.findings.error = 1
  summary.findings.warning = 1
  summary.findings.note = 1
  summary.findings.suppressed = 4
  summary.containers = 2
  summary.directories = 4
  summary.complete = exitStatus != .untrusted
  summary.exitStatus = exitStatus
  try sink.end(summary: summary)
}

/// Bytes as text; a report is valid UTF-8 whatever the names are.
func text(_ bytes: [UInt8]) -> String { String(decoding: bytes, as: UTF8.self) }
