import AuditCore

/// A report of a comparison in the making: it gets everything once, in order, and writes bytes.
public protocol DiffSink: AnyObject {
  /// The two states and their containers are known.
  func begin(run: RunInfo, old: DiffSide, new: DiffSide, pairs: [DiffPair]) throws
  /// An entry that is not as it was.
  func add(_ change: DiffChange) throws
  /// The comparison ends; everything is flushed when this returns.
  func end(_ report: DiffReport, status: ExitStatus) throws
}

extension ReportFormat {
  /// The formats of `diff` and `verify`: documents of their own, and lists of findings.
  ///
  /// The others would show files or passed rules, of which a comparison has none.
  public static let ofComparisons: [ReportFormat] = [.text, .json, .sarif, .github, .gitlab]

  /// Makes an empty report of a comparison; nil for formats that cannot hold one.
  public func makeDiffSink(writer: ByteWriter, text: TextOptions) -> (any DiffSink)? {
    switch self {
    case .text: DiffText(writer: writer, options: text)
    case .json: DiffJSON(writer: writer)
    default:
      Self.ofComparisons.contains(self) ? DiffFindings(makeSink(writer: writer)) : nil
    }
  }
}

/// A comparison as a list of findings about the newer state.
private final class DiffFindings: DiffSink {
  private let sink: any ReportSink
  private var sides: (old: DiffSide, new: DiffSide)?

  init(_ sink: any ReportSink) { self.sink = sink }

  func begin(run: RunInfo, old: DiffSide, new: DiffSide, pairs: [DiffPair]) throws {
    sides = (old, new)
    try sink.begin(run: run)
    try sink.begin(input: InputInfo(path: new.path, kind: new.kind))
  }

  func add(_ change: DiffChange) throws {}

  func end(_ report: DiffReport, status: ExitStatus) throws {
    guard let sides else { return }
    let (old, new) = sides
    var errors = old.errors + new.errors
    if report.tally[.unknown] > 0 || !report.hasCommonContainer {
      errors.append(
        InputProblem(
          path: [], operation: "diff", error: "UNKNOWN",
          message: report.hasCommonContainer
            ? "\(report.tally[.unknown]) entries could not be determined in one of the two states"
            : "the two states have no container in common; nothing was compared"))
    }
    try sink.end(
      input: InputReport(
        info: InputInfo(path: new.path, kind: new.kind), format: new.format,
        evidence: new.evidence, containers: new.snapshot.containers, findings: report.findings,
        errors: errors, errorsOmitted: old.errorsOmitted + new.errorsOmitted))
    var summary = RunSummary()
    summary.counts = new.snapshot.counts
    summary.findings = report.counts
    summary.containers = new.snapshot.containers.count
    summary.complete = report.complete
    summary.exitStatus = status
    try sink.end(summary: summary)
  }
}
