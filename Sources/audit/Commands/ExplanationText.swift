import AuditCore
import AuditInput
import AuditReport

/// The text of `audit explain`.
enum ExplanationText {
  static func text(_ explanation: Explanation, usesColor: Bool) -> String {
    func paint(_ code: String, _ text: String) -> String {
      usesColor ? "\u{1B}[\(code)m\(text)\u{1B}[0m" : text
    }
    var lines: [String] = []
    let container = explanation.container
    let identifier = container.identifier.map { " " + Shown.text(Array($0.utf8)) } ?? ""
    lines.append(
      explanation.isContainerKnown
        ? "container: \(container.kind.word)\(identifier)"
        : "container: not recognised; the first directory below is taken for its root")
    lines.append("")
    for (depth, step) in explanation.steps.enumerated() {
      let slash = step.kind == .directory && step.name.last != Bytes.slash ? "/" : ""
      var line = String(repeating: "  ", count: depth) + Shown.text(step.name) + slash
      if step.isAboveRoot { line += paint("2", "  above the container root: marks do not count") }
      lines.append(paint("1", line))
      let indent = String(repeating: "  ", count: depth) + "    "
      let marks = step.attributes.filter { $0.meaning == .mark }
      if marks.isEmpty {
        switch step.mark.state {
        case .marked:
          lines.append(indent + paint("32", "marked by a sidecar file (\(step.mark.form.word))"))
        case .unknown: lines.append(indent + paint("35", "mark unknown: it could not be read"))
        case .absent, .empty: lines.append(indent + paint("2", "no mark"))
        }
      }
      for attribute in step.attributes {
        lines.append(indent + describe(attribute, paint))
        if attribute.meaning == .mark && attribute.size > 0 {
          lines.append(indent + "  " + paint("2", hex(attribute.value, attribute.size)))
        }
      }
    }
    lines.append("")
    lines.append("verdict: " + verdict(explanation, paint))
    for sentence in advice(explanation) { lines.append(sentence) }
    for finding in explanation.findings where finding.rule != .exposedFile {
      lines.append("")
      lines.append("\(finding.severity.word)  \(finding.rule.word)")
      lines.append("  " + finding.message)
      lines.append("  fix: " + finding.fix)
    }
    lines.append("")
    lines.append(caveat)
    return lines.joined(separator: "\n") + "\n"
  }

  private static func describe(
    _ attribute: Explanation.Attribute, _ paint: (String, String) -> String
  ) -> String {
    let name = Shown.text(attribute.name)
    let size = "\(attribute.size) byte\(attribute.size == 1 ? "" : "s")"
    switch attribute.meaning {
    case .mark:
      return attribute.form == .empty
        ? paint("33", "\(name): empty, so no mark")
        : paint("32", "marked: \(name), \(attribute.form?.word ?? "other"), \(size)")
    case .nearMiss: return paint("33", "not the mark: \(name), \(size)")
    case .metadata, .foreign, .none: return paint("2", "attribute \(name), \(size)")
    }
  }

  private static func hex(_ value: [UInt8], _ size: Int) -> String {
    let digits = value.map { byte in
      let text = String(byte, radix: 16)
      return text.count == 1 ? "0" + text : text
    }
    return digits.joined() + (size > value.count ? " … of \(size) bytes" : "")
  }

  private static func verdict(
    _ explanation: Explanation, _ paint: (String, String) -> String
  ) -> String {
    let color =
      switch explanation.verdict {
      case .coveredByAncestor, .markedAndCovered: "32"
      case .selfMarked: "33"
      case .exposed: "31"
      case .outsideBackup: "2"
      case .unknown: "35"
      }
    return paint(color, explanation.verdict.word)
      + (explanation.reason == .none ? "" : " (\(explanation.reason.text))")
  }

  private static func advice(_ explanation: Explanation) -> [String] {
    let isDirectory = explanation.steps.last?.kind == .directory
    let subject = isDirectory ? "a file in this directory" : "it"
    switch explanation.verdict {
    case .coveredByAncestor, .markedAndCovered:
      let cover = explanation.ancestor.map { $0.isEmpty ? "the container root" : Shown.text($0) }
      let lines = [
        "\(cover ?? "A directory above") is marked and covers \(subject), also after it is replaced."
      ]
      return explanation.isContainerKnown
        ? lines
        : lines + ["That holds if the container's root is that directory or one above it."]
    case .selfMarked:
      return [
        "Its own mark excludes it now; the next operation that replaces the file un-marks it.",
        "To make it sound: move it into a directory of its own and mark that directory.",
      ]
    case .exposed:
      var lines = [
        "No directory from the container root down is marked, so a backup may hold \(subject)."
      ]
      if explanation.layer.evidence == .possible {
        lines.append(
          "No foreign attribute was seen on the way: if this is a copy, it may have lost its marks."
        )
      }
      lines.append("To make it sound: move it into a directory of its own and mark that directory.")
      return lines
    case .outsideBackup: return ["It is not backed up whatever the marks say."]
    case .unknown:
      return [explanation.layer.reason ?? "What could not be read decides; see the errors above."]
    }
  }
}
