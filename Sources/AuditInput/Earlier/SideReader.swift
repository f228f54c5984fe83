import AuditCore

/// Reads one side of a comparison: the report of an earlier run, or an input that is audited now.
public struct SideReader {
  private let options: InputAudit.Options
  private let progress: ((Int) -> Void)?

  /// Prepares the reading.
  public init(options: InputAudit.Options, progress: ((Int) -> Void)? = nil) {
    self.options = options
    self.progress = progress
  }

  /// Reads a side; what cannot be read is among its errors.
  public func read(_ path: [UInt8], _ auditOptions: AuditOptions) throws -> DiffSide {
    if let side = report(path) { return side }
    let sink = SnapshotSink()
    let audit = InputAudit(options: options, gate: Gate(), sinks: [sink], progress: progress)
    let (report, _) = try audit.run(path, auditOptions)
    return DiffSide(
      path: path, kind: report.info.kind, evidence: report.evidence, format: report.format,
      snapshot: sink.snapshot, errors: report.errors + Self.changes(report),
      errorsOmitted: report.errorsOmitted)
  }

  /// A state that changes while it is read is none that could be compared: what was gone when its
  /// turn came would count as removed, and what it lost as never there.
  private static func changes(_ report: InputReport) -> [InputProblem] {
    guard report.vanished > 0 else { return [] }
    let names: SafeText =
      report.vanished == 1 ? "a name was" : "\(report.vanished) names were"
    return [
      InputProblem(
        path: [], operation: "read", error: "vanished",
        message: "\(names) gone when the turn came to read them: the state changed while it was "
          + "read; compare one that stands still, such as a copy")
    ]
  }

  /// The side in a JSON report; nil if the path is something else.
  private func report(_ path: [UInt8]) -> DiffSide? {
    if path.elementsEqual("-".utf8) { return nil }
    let fd = DirectoryOpener.withCString(path) { System.openInput($0) }
    guard fd >= 0 else { return nil }
    defer { System.close(fd) }
    var status = OpenStatus()
    guard System.status(fd, &status) == 0, status.kind == .file, Self.startsLikeJSON(fd),
      System.rewind(fd)
    else { return nil }
    return ReportReader.read(fd, path: path)
  }

  /// Whether a file starts with `{` and then `"` or `}`, as no archive does.
  private static func startsLikeJSON(_ fd: Int32) -> Bool {
    var scanner = JSONScanner(fd: fd)
    return scanner.startsObject()
  }
}
