import AuditCore

// The parts that both JSON formats are made of. Each function appends members without the
// braces around them, so that a format can put members of its own in front.
extension ByteWriter {
  /// Appends `"name":"…"`, and `"nameBytes"` where the path is not UTF-8.
  func appendJSON(_ name: StaticString, path: [UInt8]) {
    append("\"")
    append(name)
    append("\":")
    guard !path.isEmpty else { return append("\".\"") }
    if appendJSON(path) { return }
    append(",\"")
    append(name)
    append("Bytes\":\"")
    appendBase64(path)
    append("\"")
  }

  /// Appends `,"name":"text"`, or nothing for an absent text.
  func appendJSON(also name: StaticString, _ text: String?) {
    guard let text else { return }
    append(",\"")
    append(name)
    append("\":")
    appendJSON(text)
  }

  /// Appends `,"name":number`.
  func appendJSON(also name: StaticString, _ number: Int) {
    append(",\"")
    append(name)
    append("\":")
    append(number)
  }

  /// Appends an object of the six verdicts, or of those that are not zero.
  func appendJSON(_ tally: Tally, nonZeroOnly: Bool = false) {
    append("{")
    var isFirst = true
    for verdict in Verdict.allCases where tally[verdict] != 0 || !nonZeroOnly {
      if !isFirst { append(",") }
      isFirst = false
      appendJSON(verdict.word)
      append(":")
      append(tally[verdict])
    }
    append("}")
  }

  /// Appends an object that describes a mark.
  func appendJSON(_ mark: OwnMark) {
    append("{\"form\":\"")
    append(mark.state == .empty ? "empty" : mark.form.word)
    append("\",\"bytes\":")
    append(mark.state == .empty ? 0 : Int(mark.bytes))
    append("}")
  }

  /// Appends the members of a container.
  ///
  /// - Parameters:
  ///   - kind: the name of the member for the kind.
  ///   - lineBreak: what goes before each marked directory and after the last.
  func appendJSON(
    _ container: ContainerReport, kind: StaticString = "kind", lineBreak: StaticString
  ) {
    appendJSON("path", path: container.path)
    appendJSON(also: kind, container.kind.word)
    appendJSON(also: "identifier", container.identifier)
    append(",\"counts\":")
    appendJSON(container.counts.files)
    appendJSON(also: "symlinks", container.counts.symlinks)
    appendJSON(also: "specials", container.counts.specials)
    append(",\"bytes\":")
    appendJSON(container.counts.bytes, nonZeroOnly: true)
    append(",\"markedDirectories\":[")
    for (index, directory) in container.markedDirectories.enumerated() {
      if index > 0 { append(",") }
      append(lineBreak)
      append("{")
      appendJSON("path", path: directory.path)
      append(",\"mark\":")
      appendJSON(directory.mark)
      appendJSON(also: "files", directory.files)
      appendJSON(also: "bytes", directory.bytes)
      append("}")
    }
    if !container.markedDirectories.isEmpty { append(lineBreak) }
    append("]")
  }

  /// Appends the members of a finding.
  func appendJSON(_ finding: Finding) {
    append("\"rule\":\"")
    append(finding.rule.word)
    append("\",\"severity\":\"")
    append(finding.severity.word)
    append("\",")
    appendJSON("path", path: finding.path)
    appendJSON(also: "message", finding.message)
    appendJSON(also: "fix", finding.fix)
    appendJSON(also: "fingerprint", finding.fingerprint)
    if finding.occurrences > 1 { appendJSON(also: "occurrences", finding.occurrences) }
    appendJSON(also: "source", finding.source)
    guard let suppression = finding.suppression else { return }
    append(",\"suppressed\":{\"kind\":\"")
    append(suppression.kind.word)
    append("\"")
    if !suppression.reason.isEmpty { appendJSON(also: "reason", suppression.reason) }
    append("}")
  }

  /// Appends the members of an error.
  func appendJSON(_ problem: InputProblem) {
    appendJSON("path", path: problem.path)
    appendJSON(also: "operation", problem.operation)
    appendJSON(also: "error", problem.error)
    appendJSON(also: "message", problem.message.string)
  }

  /// Appends the members that are known of an input only at its end, without a comma in front.
  func appendJSON(closing input: InputReport) {
    append("\"format\":")
    appendJSON(input.format)
    appendJSON(also: "evidence", input.evidence.word)
    appendJSON(also: "evidenceReason", input.evidenceReason)
    appendJSON(also: "directories", input.directories)
    if input.sidecars > 0 { appendJSON(also: "sidecars", input.sidecars) }
    if input.orphanSidecars > 0 { appendJSON(also: "orphanSidecars", input.orphanSidecars) }
    if input.vanished > 0 { appendJSON(also: "vanished", input.vanished) }
    if input.errorsOmitted > 0 { appendJSON(also: "errorsOmitted", input.errorsOmitted) }
  }

  /// Appends the members of the summary.
  func appendJSON(_ summary: RunSummary) {
    append("\"files\":")
    append(summary.counts.files.total)
    appendJSON(also: "symlinks", summary.counts.symlinks)
    appendJSON(also: "specials", summary.counts.specials)
    appendJSON(also: "directories", summary.directories)
    appendJSON(also: "containers", summary.containers)
    append(",\"counts\":")
    appendJSON(summary.counts.files)
    append(",\"bytes\":")
    appendJSON(summary.counts.bytes, nonZeroOnly: true)
    append(",\"findings\":{\"error\":")
    append(summary.findings.error)
    appendJSON(also: "warning", summary.findings.warning)
    appendJSON(also: "note", summary.findings.note)
    appendJSON(also: "suppressed", summary.findings.suppressed)
    append("}")
  }
}

extension Suppression.Kind {
  /// The word that reports use.
  var word: String {
    switch self {
    case .exception: "exception"
    case .baseline: "baseline"
    }
  }
}
