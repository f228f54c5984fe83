import AuditCore

extension ReportFormat {
  /// Writes what came of holding containers against a backup.
  ///
  /// - Parameter text: how the `text` format looks; the others do not ask.
  public func write(
    _ report: VerifyReport, of backup: BackupInfo, run: RunInfo, status: ExitStatus,
    to writer: ByteWriter, text: TextOptions
  ) throws {
    switch self {
    case .text:
      try VerifyText(writer: writer, options: text).write(report, of: backup, status: status)
    case .json: try VerifyJSON(writer: writer).write(report, of: backup, run: run, status: status)
    default: try writeFindings(report, of: backup, run: run, status: status, to: writer)
    }
  }

  /// Writes the findings alone, and what could not be told as errors.
  private func writeFindings(
    _ report: VerifyReport, of backup: BackupInfo, run: RunInfo, status: ExitStatus,
    to writer: ByteWriter
  ) throws {
    let sink = makeSink(writer: writer)
    try sink.begin(run: run)
    var general = backup.errors
    if !report.hasCompared && backup.errors.isEmpty {
      general.append(
        InputProblem(
          path: [], operation: "verify", error: "UNKNOWN",
          message: "nothing was compared: no container was found in the backup"))
    } else if report.tally.unknown > 0 {
      general.append(
        InputProblem(
          path: [], operation: "verify", error: "UNKNOWN",
          message: "\(report.tally.unknown) entries could not be determined by the audit"))
    }
    for (index, input) in report.inputs.enumerated() {
      let info = InputInfo(path: input.side.path, kind: input.side.kind)
      try sink.begin(input: info)
      try sink.end(
        input: InputReport(
          info: info, format: input.side.format, evidence: input.side.evidence,
          containers: input.side.snapshot.containers, findings: input.findings,
          errors: (index == 0 ? general : []) + input.side.errors,
          errorsOmitted: input.side.errorsOmitted))
    }
    var summary = RunSummary()
    for input in report.inputs { summary.counts += input.side.snapshot.counts }
    summary.findings = report.counts
    summary.complete = status != .untrusted
    summary.exitStatus = status
    try sink.end(summary: summary)
  }
}
