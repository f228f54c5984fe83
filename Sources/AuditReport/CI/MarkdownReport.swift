import AuditCore

/// The `markdown` format: figures and findings for a job summary or a comment on a change.
final class MarkdownReport: ReportSink {
  /// How many findings of one severity, errors and containers are listed.
  static let limit = 50

  private let writer: ByteWriter
  private var collected = CollectedRun()
  private var containers: [(input: Int, report: ContainerReport)] = []
  private var containersOmitted = 0

  init(writer: ByteWriter) { self.writer = writer }

  func begin(run: RunInfo) throws { collected.begin(run) }
  func begin(input: InputInfo) throws {}
  func add(_ slice: ClassifiedSlice) throws {}

  func end(input: InputReport) throws {
    for container in input.containers {
      if containers.count < Self.limit {
        containers.append((collected.inputs.count, container))
      } else {
        containersOmitted += 1
      }
    }
    collected.end(input)
  }

  func end(summary: RunSummary) throws {
    writer.append("## Backup exclusion audit\n\n**")
    writer.append(Headline.text(summary))
    writer.append("**\n\n")
    appendTable(summary)
    appendErrors()
    append("Errors", .error)
    append("Warnings", .warning)
    append("Notes", .note)
    writer.append("<sub>")
    writer.append(caveat)
    writer.append("</sub>\n")
    try writer.flush()
  }

  private func appendTable(_ summary: RunSummary) {
    writer.append("| container |")
    for verdict in Verdict.allCases {
      writer.append(" ")
      writer.append(verdict.word)
      writer.append(" |")
    }
    writer.append("\n| --- | --: | --: | --: | --: | --: | --: |\n")
    for (input, container) in containers {
      writer.append("| ")
      let path = Shown.text(collected.inputs[input].path)
      let inner = container.path.isEmpty ? "" : "/" + Shown.text(container.path)
      let name = container.identifier.map { Shown.text($0.utf8) } ?? path + inner
      writer.append(MarkdownText.code(name, inTable: true))
      appendCells(container.counts.files)
    }
    if containersOmitted > 0 {
      writer.append("| and \(counted(containersOmitted, "more container")) | | | | | | |\n")
    }
    if containers.count + containersOmitted > 1 {
      writer.append("| **all**")
      appendCells(summary.counts.files)
    }
    writer.append("\n")
  }

  private func appendCells(_ tally: Tally) {
    for verdict in Verdict.allCases {
      writer.append(" | ")
      writer.append(tally[verdict])
    }
    writer.append(" |\n")
  }

  private func append(_ title: StaticString, _ severity: Severity) {
    let findings = collected.findings.filter {
      $0.finding.severity == severity && $0.finding.suppression == nil
    }
    guard !findings.isEmpty else { return }
    writer.append("### ")
    writer.append(title)
    writer.append("\n\n")
    for located in findings.prefix(Self.limit) {
      writer.append("- ")
      writer.append(MarkdownText.code(located.finding.place, inTable: false))
      writer.append(" (\(located.finding.rule.word)): ")
      writer.append(MarkdownText.escaped(located.finding.message))
      writer.append(" ")
      writer.append(MarkdownText.escaped(located.finding.fix))
      writer.append("\n")
    }
    if findings.count > Self.limit {
      writer.append("- and \(findings.count - Self.limit) more\n")
    }
    writer.append("\n")
  }

  private func appendErrors() {
    guard collected.errorCount > 0 else { return }
    writer.append("### Not readable\n\n")
    let listed = collected.errors.prefix(Self.limit)
    for (problem, _) in listed {
      writer.append("- ")
      let path = problem.path.isEmpty ? "." : Shown.text(problem.path)
      writer.append(MarkdownText.code(path, inTable: false))
      writer.append(
        MarkdownText.escaped(": \(problem.operation): \(problem.error): \(problem.message)"))
      writer.append("\n")
    }
    if collected.errorCount > listed.count {
      writer.append("- and \(collected.errorCount - listed.count) more\n")
    }
    writer.append("\n")
  }
}

/// Text that stays text in GitHub's and GitLab's Markdown.
enum MarkdownText {
  /// A code span that holds `text` whatever is in it; line breaks were made visible before.
  static func code(_ text: String, inTable: Bool) -> String {
    var longest = 0
    var run = 0
    for scalar in text.unicodeScalars {
      run = scalar == "`" ? run + 1 : 0
      longest = max(longest, run)
    }
    let fence = String(repeating: "`", count: longest + 1)
    let needsSpace =
      text.hasPrefix("`") || text.hasSuffix("`") || (text.hasPrefix(" ") && text.hasSuffix(" "))
    let body = inTable ? replacing("|", with: "\\|", in: text) : text
    return needsSpace ? "\(fence) \(body) \(fence)" : fence + body + fence
  }

  /// A sentence in which nothing is markup, no mention and no link.
  static func escaped(_ text: String) -> String {
    var result = ""
    for scalar in text.unicodeScalars {
      switch scalar {
      case "\n", "\r": result += " "
      case "<": result += "&lt;"
      case "&": result += "&amp;"
      // Nothing else keeps a mention from calling somebody without changing the text.
      case "@": result += "<span>@</span>"
      case "\\", "`", "*", "_", "[", "]", "#", "|", "~", ">", "!", "$":
        result += "\\"
        result.unicodeScalars.append(scalar)
      default: result.unicodeScalars.append(scalar)
      }
    }
    return result
  }

  private static func replacing(_ scalar: Unicode.Scalar, with new: String, in text: String)
    -> String
  {
    var result = ""
    for each in text.unicodeScalars {
      if each == scalar { result += new } else { result.unicodeScalars.append(each) }
    }
    return result
  }
}
