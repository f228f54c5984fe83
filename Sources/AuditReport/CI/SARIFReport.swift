import AuditCore

/// The `sarif` format: SARIF 2.1.0 as GitHub code scanning and other viewers take it.
///
/// Holds findings only, at most 5,000: what is beyond is folded by directory.
final class SARIFReport: ReportSink {
  /// How many results GitHub shows of one run.
  static let limit = 5000
  /// How many notifications of failed reads are listed.
  static let notificationLimit = 1000

  private let writer: ByteWriter
  private var collected = CollectedRun()

  init(writer: ByteWriter) { self.writer = writer }

  func begin(run: RunInfo) throws { collected.begin(run) }
  func begin(input: InputInfo) throws {}
  func add(_ slice: ClassifiedSlice) throws {}
  func end(input: InputReport) throws { collected.end(input) }

  func end(summary: RunSummary) throws {
    writer.append("{\"version\":\"2.1.0\",\n\"$schema\":")
    writer.append("\"https://json.schemastore.org/sarif-2.1.0.json\",\n\"runs\":[{\n")
    writer.append("\"tool\":{\"driver\":{\"name\":\"audit\",\"version\":")
    writer.appendJSON(collected.run.version)
    writer.append(",\"rules\":[")
    for rule in RuleID.allCases {
      writer.append(rule.rawValue == 0 ? "\n" : ",\n")
      appendRule(rule)
    }
    writer.append("\n]}},\n\"columnKind\":\"unicodeCodePoints\",\n\"invocations\":[")
    appendInvocation(summary)
    writer.append("],\n\"results\":[")
    let results = FindingLimit.folded(collected.findings, limit: Self.limit)
    for (index, result) in results.enumerated() {
      writer.append(index == 0 ? "\n" : ",\n")
      appendResult(result)
    }
    writer.append("\n],\n\"properties\":{")
    writer.appendJSON(summary)
    writer.appendJSON(also: "caveat", caveat)
    writer.append("}\n}]}\n")
    try writer.flush()
  }

  private func appendRule(_ rule: RuleID) {
    let info = rule.info
    writer.append("{\"id\":\"")
    writer.append(rule.word)
    writer.append("\",\"shortDescription\":{\"text\":")
    writer.appendJSON(info.title)
    writer.append("},\"fullDescription\":{\"text\":")
    writer.appendJSON(info.why)
    writer.append("},\"help\":{\"text\":")
    writer.appendJSON("\(info.why)\n\n\(info.fix)\n\n\(info.except)")
    writer.append("},\"defaultConfiguration\":{\"level\":\"")
    writer.append(rule.defaultSeverity.word)
    writer.append("\"},\"properties\":{\"tags\":[\"security\"")
    for tag in info.tags {
      writer.append(",")
      writer.appendJSON(tag)
    }
    writer.append("]}}")
  }

  private func appendInvocation(_ summary: RunSummary) {
    let isTrusted = summary.exitStatus == .clean || summary.exitStatus == .findings
    writer.append(
      isTrusted ? "{\"executionSuccessful\":true" : "{\"executionSuccessful\":false")
    writer.appendJSON(also: "exitCode", Int(summary.exitStatus.rawValue))
    writer.append(",\"toolExecutionNotifications\":[")
    let listed = collected.errors.prefix(Self.notificationLimit)
    for (index, error) in listed.enumerated() {
      writer.append(index == 0 ? "\n" : ",\n")
      let path = error.problem.path.isEmpty ? "." : Shown.text(error.problem.path)
      appendNotification(
        "\(path): \(error.problem.operation): \(error.problem.error): \(error.problem.message)",
        collected.location(ofInput: error.input))
    }
    if collected.errorCount > listed.count {
      writer.append(listed.isEmpty ? "\n" : ",\n")
      appendNotification(
        "\(counted(collected.errorCount - listed.count, "more error")), not listed here", nil)
    }
    writer.append("]}")
  }

  private func appendNotification(_ text: String, _ location: SourceLocation?) {
    writer.append("{\"level\":\"error\",\"message\":{\"text\":")
    writer.appendJSON(text)
    writer.append("}")
    if let location {
      writer.append(",\"locations\":[{")
      appendPhysical(location)
      writer.append("}]")
    }
    writer.append("}")
  }

  private func appendResult(_ located: CollectedRun.Located) {
    let finding = located.finding
    writer.append("{\"ruleId\":\"")
    writer.append(finding.rule.word)
    writer.append("\",\"ruleIndex\":")
    writer.append(Int(finding.rule.rawValue))
    writer.append(",\"level\":\"")
    writer.append(finding.severity.word)
    writer.append("\",\"message\":{\"text\":")
    writer.appendJSON(located.text)
    writer.append("},\"locations\":[{")
    appendPhysical(collected.location(located))
    writer.append(",\"logicalLocations\":[{\"kind\":\"resource\",\"fullyQualifiedName\":")
    writer.appendJSON(finding.path.isEmpty ? "." : Shown.text(finding.path))
    writer.append("}]}],\"partialFingerprints\":{\"audit/v1\":\"")
    writer.append(finding.fingerprint)
    writer.append("\"}")
    if finding.occurrences > 1 { writer.appendJSON(also: "occurrenceCount", finding.occurrences) }
    if let suppression = finding.suppression {
      writer.append(",\"suppressions\":[{\"kind\":\"external\",\"status\":\"accepted\"")
      writer.appendJSON(
        also: "justification",
        suppression.kind == .baseline ? "known from the baseline" : suppression.reason)
      writer.append("}]")
    }
    writer.append(",\"properties\":{")
    writer.appendJSON("path", path: finding.path)
    writer.append(",")
    writer.appendJSON("input", path: collected.inputs[located.input].path)
    writer.append("}}")
  }

  private func appendPhysical(_ location: SourceLocation) {
    writer.append("\"physicalLocation\":{\"artifactLocation\":{\"uri\":")
    writer.appendJSON(location.uri)
    writer.append(",\"uriBaseId\":\"%SRCROOT%\"},\"region\":{\"startLine\":")
    writer.append(location.line)
    writer.append("}}")
  }
}
