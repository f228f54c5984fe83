import AuditCore

/// The `github` format: workflow commands that GitHub Actions turns into annotations.
///
/// GitHub shows ten of a kind for one step; what is beyond is summed up in the tenth.
final class GitHubReport: ReportSink {
  /// How many annotations of one kind GitHub shows.
  static let limit = 10

  private let writer: ByteWriter
  private var collected = CollectedRun()

  init(writer: ByteWriter) { self.writer = writer }

  func begin(run: RunInfo) throws { collected.begin(run) }
  func begin(input: InputInfo) throws {}
  func add(_ slice: ClassifiedSlice) throws {}
  func end(input: InputReport) throws { collected.end(input) }

  func end(summary: RunSummary) throws {
    let errors = collected.errors.prefix(Self.limit).map { error in
      let path = error.problem.path.isEmpty ? "." : Shown.text(error.problem.path)
      return Annotation(
        title: "not readable", location: collected.location(ofInput: error.input),
        text: "\(path): \(error.problem.operation): \(error.problem.error): "
          + error.problem.message.string)
    }
    // What could not be read comes first: it wins over every finding.
    append(
      "error", errors + annotations(.error),
      total: collected.errorCount + summary.findings.error)
    append("warning", annotations(.warning), total: summary.findings.warning)
    append("notice", annotations(.note), total: summary.findings.note)
    writer.append("audit: ")
    writer.append(Headline.text(summary))
    writer.append(" ")
    writer.append(caveat)
    writer.append("\n")
    try writer.flush()
  }

  private struct Annotation {
    var title: String
    var location: SourceLocation
    var text: String
    /// How many entries or errors it stands for.
    var weight = 1
  }

  private func annotations(_ severity: Severity) -> [Annotation] {
    let findings = collected.findings.lazy.filter {
      $0.finding.severity == severity && $0.finding.suppression == nil
    }
    return findings.prefix(Self.limit + 1).map { located in
      Annotation(
        title: located.finding.rule.word, location: collected.location(located),
        text: located.text,
        weight: located.finding.occurrences)
    }
  }

  private func append(_ command: StaticString, _ annotations: [Annotation], total: Int) {
    let isWhole =
      annotations.count <= Self.limit && annotations.reduce(0) { $0 + $1.weight } >= total
    let listed = annotations.prefix(isWhole ? Self.limit : Self.limit - 1)
    for annotation in listed { append(command, annotation) }
    guard !isWhole, let last = annotations.last else { return }
    let rest = total - listed.reduce(0) { $0 + $1.weight }
    append(
      command,
      Annotation(
        title: "and more", location: last.location,
        text: "\(counted(rest, "more entry", "more entries")), not annotated here; "
          + "the other reports list them"))
  }

  private func append(_ command: StaticString, _ annotation: Annotation) {
    writer.append("::")
    writer.append(command)
    writer.append(" file=")
    writer.append(escaped(Shown.text(annotation.location.path), inProperty: true))
    writer.append(",line=")
    writer.append(annotation.location.line)
    writer.append(",title=")
    writer.append(escaped("audit: " + annotation.title, inProperty: true))
    writer.append("::")
    writer.append(escaped(annotation.text, inProperty: false))
    writer.append("\n")
  }

  /// The escapes that the runner undoes.
  private func escaped(_ text: String, inProperty: Bool) -> String {
    var result = ""
    for scalar in text.unicodeScalars {
      switch scalar {
      case "%": result += "%25"
      case "\r": result += "%0D"
      case "\n": result += "%0A"
      case ":" where inProperty: result += "%3A"
      case "," where inProperty: result += "%2C"
      default: result.unicodeScalars.append(scalar)
      }
    }
    return result
  }
}
