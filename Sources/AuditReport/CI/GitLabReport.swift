import AuditCore

/// The `gitlab` format: the code quality report of GitLab, an array of issues.
///
/// Suppressed findings are left out; what could not be read is an issue, so that an empty widget
/// is not taken for a clean result.
final class GitLabReport: ReportSink {
  private let writer: ByteWriter
  private var collected = CollectedRun()
  private var fingerprints: Set<String> = []
  private var isFirst = true

  init(writer: ByteWriter) { self.writer = writer }

  func begin(run: RunInfo) throws { collected.begin(run) }
  func begin(input: InputInfo) throws {}
  func add(_ slice: ClassifiedSlice) throws {}
  func end(input: InputReport) throws { collected.end(input) }

  func end(summary: RunSummary) throws {
    writer.append("[")
    for located in collected.findings where located.finding.suppression == nil {
      let finding = located.finding
      appendIssue(
        finding.rule.word, located.text,
        severity: finding.severity.gitLab, finding.fingerprint, collected.location(located))
    }
    for error in collected.errors {
      var print = Fingerprint()
      print.add("incomplete".utf8)
      print.add(error.problem.path)
      print.add(error.problem.operation.utf8)
      let path = error.problem.path.isEmpty ? "." : Shown.text(error.problem.path)
      appendIssue(
        "incomplete",
        "\(path): \(error.problem.operation): \(error.problem.error): \(error.problem.message)",
        severity: "blocker", print.hex, collected.location(ofInput: error.input))
    }
    if collected.errorsOmitted > 0 || (!summary.complete && collected.errors.isEmpty) {
      appendIssue(
        "incomplete",
        collected.errorsOmitted > 0
          ? "\(counted(collected.errorsOmitted, "more error")), not listed here"
          : "The audit is not complete.",
        severity: "blocker", "incomplete", SourceLocation.of(nil, in: lastInput, run: collected.run)
      )
    }
    writer.append(isFirst ? "]\n" : "\n]\n")
    try writer.flush()
  }

  private var lastInput: InputInfo {
    collected.inputs.last ?? InputInfo(path: [], kind: "directory")
  }

  private func appendIssue(
    _ check: String, _ description: String, severity: StaticString, _ fingerprint: String,
    _ location: SourceLocation
  ) {
    writer.append(isFirst ? "\n{\"check_name\":" : ",\n{\"check_name\":")
    isFirst = false
    writer.appendJSON(check)
    writer.append(",\"description\":")
    writer.appendJSON(description)
    writer.append(",\"severity\":\"")
    writer.append(severity)
    writer.append("\",\"fingerprint\":")
    writer.appendJSON(unique(fingerprint))
    writer.append(",\"location\":{\"path\":")
    writer.appendJSON(location.path)
    writer.append(",\"lines\":{\"begin\":")
    writer.append(location.line)
    writer.append("}}}")
  }

  /// GitLab drops issues whose fingerprint it has seen: two inputs may share one.
  private func unique(_ fingerprint: String) -> String {
    var candidate = fingerprint
    var number = 2
    while !fingerprints.insert(candidate).inserted {
      candidate = "\(fingerprint)-\(number)"
      number += 1
    }
    return candidate
  }
}

extension Severity {
  /// The word that GitLab has for it.
  fileprivate var gitLab: StaticString {
    switch self {
    case .error: "critical"
    case .warning: "minor"
    case .note: "info"
    }
  }
}
