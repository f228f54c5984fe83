import AuditCore

/// The result of a run in one sentence, in the words of the `text` format.
enum Headline {
  /// The sentence.
  static func text(_ summary: RunSummary) -> String { "\(word(summary)): \(figures(summary))." }

  /// What the run came to.
  static func word(_ summary: RunSummary) -> String {
    switch summary.exitStatus {
    case .clean: summary.findings.warning > 0 ? "Passed with warnings" : "Passed"
    case .findings: "Failed"
    case .untrusted, .usage: "Cannot tell"
    }
  }

  /// The figures that matter, without those that are zero.
  static func figures(_ summary: RunSummary) -> String {
    let files = summary.counts.files
    let findings = summary.findings
    var parts = [TextNumber.count(files.total, "file")]
    if files[.exposed] > 0 { parts.append("\(TextNumber.grouped(files[.exposed])) exposed") }
    if files[.unknown] > 0 { parts.append("\(TextNumber.grouped(files[.unknown])) unknown") }
    if findings.error > 0 { parts.append(TextNumber.count(findings.error, "error")) }
    if findings.warning > 0 { parts.append(TextNumber.count(findings.warning, "warning")) }
    if findings.note > 0 { parts.append(TextNumber.count(findings.note, "note")) }
    if findings.suppressed > 0 {
      parts.append("\(TextNumber.grouped(findings.suppressed)) suppressed")
    }
    return parts.joined(separator: ", ")
  }
}
