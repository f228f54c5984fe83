import AuditCore

/// Lines and paragraphs of a report that people read.
struct TextLines {
  let writer: ByteWriter
  let style: TextStyle
  let columns: Int

  init(writer: ByteWriter, options: TextOptions) {
    self.writer = writer
    style = TextStyle(isColored: options.usesColor)
    columns = options.columns
  }

  func line(_ text: String = "") {
    writer.append(text)
    writer.append("\n")
  }

  /// A sentence in lines of the terminal's width.
  func paragraph(_ text: String, indent: String = "", dim: Bool = false) {
    let width = max(40, min(columns, 100))
    var current = indent
    func put() { line(dim ? style.dim(current) : current) }
    for word in text.split(separator: " ") {
      if current.count + word.count + 1 > width && current.count > indent.count {
        put()
        current = indent
      }
      current += (current.count > indent.count ? " " : "") + word
    }
    put()
  }

  /// Findings, rule by rule; what several in a row have in common is said once.
  func findings(_ findings: [Finding], limit: Int) {
    guard !findings.isEmpty else { return }
    line()
    line(style.bold("findings"))
    var shown: [RuleID: Int] = [:]
    for (index, finding) in findings.enumerated() {
      shown[finding.rule, default: 0] += 1
      let count = shown[finding.rule] ?? 0
      if count == limit + 1 {
        let rest = findings.count { $0.rule == finding.rule } - limit
        line("  " + style.dim("and \(TextNumber.grouped(rest)) more of \(finding.rule.word)"))
      }
      if count > limit { continue }
      let head =
        finding.suppression == nil
        ? style.severity(finding.severity, padded: 7) : style.dim("suppressed")
      var text = "  " + head + "  " + style.bold(finding.rule.word) + "  "
      text += finding.path.isEmpty ? "." : Shown.text(finding.path)
      if finding.occurrences > 1 {
        text += style.dim("  (\(TextNumber.grouped(finding.occurrences)) entries)")
      }
      line(text)
      let next = index + 1 < findings.count && count < limit ? findings[index + 1] : nil
      let isSame = next.map {
        $0.rule == finding.rule && $0.message == finding.message && $0.fix == finding.fix
          && $0.suppression == finding.suppression
      }
      if isSame == true { continue }
      if let suppression = finding.suppression {
        let reason =
          suppression.kind == .baseline
          ? "known by the baseline" : "excepted: " + Shown.text(Array(suppression.reason.utf8))
        line("           " + style.dim(reason))
      } else {
        paragraph(finding.message, indent: "           ")
        paragraph("fix: " + finding.fix, indent: "           ", dim: true)
      }
    }
  }

  /// What could not be read, and of what.
  func errors(_ errors: [InputProblem], omitted: Int, of path: [UInt8]) {
    guard !errors.isEmpty || omitted > 0 else { return }
    line()
    line(style.bold("could not be read in \(Shown.text(path))"))
    for error in errors {
      line(
        "  " + style.red(Shown.text(Array(error.error.utf8))) + "  "
          + error.message.string)
    }
    if omitted > 0 { line("  and \(TextNumber.grouped(omitted)) more") }
  }

  /// The last line that everybody reads.
  func verdict(_ status: ExitStatus, _ counts: FindingCounts, _ figures: [String]) {
    var parts = figures
    if counts.error > 0 { parts.append(TextNumber.count(counts.error, "error")) }
    if counts.warning > 0 { parts.append(TextNumber.count(counts.warning, "warning")) }
    if counts.suppressed > 0 { parts.append("\(TextNumber.grouped(counts.suppressed)) suppressed") }
    let text = parts.joined(separator: ", ")
    let word =
      switch status {
      case .clean:
        counts.warning > 0 ? style.yellow("PASSED WITH WARNINGS") : style.green("PASSED")
      case .findings: style.red("FAILED")
      case .untrusted, .usage: style.magenta("CANNOT TELL")
      }
    line()
    line(word + "  " + text)
    paragraph(caveat, dim: true)
  }
}
