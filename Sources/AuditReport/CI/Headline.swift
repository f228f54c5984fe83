import AuditCore

/// The result of a run in one sentence.
enum Headline {
  /// The sentence, without a mark of its own for good or bad.
  static func text(_ summary: RunSummary) -> String {
    let findings = summary.findings
    var parts = [counted(summary.counts.files.total, "file")]
    if findings.error > 0 { parts.append(counted(findings.error, "error")) }
    if findings.warning > 0 { parts.append(counted(findings.warning, "warning")) }
    if findings.note > 0 { parts.append(counted(findings.note, "note")) }
    if findings.suppressed > 0 { parts.append("\(findings.suppressed) suppressed") }
    return verdict(summary) + ": " + parts.joined(separator: ", ") + "."
  }

  /// The sentence's first part.
  static func verdict(_ summary: RunSummary) -> String {
    switch summary.exitStatus {
    case .untrusted, .usage: "Not to be trusted, for not everything could be told"
    case .findings: "Not sound"
    case .clean:
      summary.findings.warning > 0 ? "Nothing at error level" : "No exposed file was found"
    }
  }
}
