import AuditCore

/// Colours that mean something, or nothing at all where they are off.
struct TextStyle {
  let isColored: Bool

  func bold(_ text: String) -> String { paint("1", text) }
  func dim(_ text: String) -> String { paint("2", text) }
  func red(_ text: String) -> String { paint("31", text) }
  func green(_ text: String) -> String { paint("32", text) }
  func yellow(_ text: String) -> String { paint("33", text) }
  func magenta(_ text: String) -> String { paint("35", text) }

  func verdict(_ verdict: Verdict, padded width: Int) -> String {
    let text = verdict.word + String(repeating: " ", count: max(0, width - verdict.word.count))
    return switch verdict {
    case .coveredByAncestor, .markedAndCovered: green(text)
    case .selfMarked: yellow(text)
    case .exposed: red(text)
    case .outsideBackup: dim(text)
    case .unknown: magenta(text)
    }
  }

  func severity(_ severity: Severity, padded width: Int) -> String {
    let text = severity.word + String(repeating: " ", count: max(0, width - severity.word.count))
    return switch severity {
    case .error: red(text)
    case .warning: yellow(text)
    case .note: dim(text)
    }
  }

  private func paint(_ code: String, _ text: String) -> String {
    isColored && !text.isEmpty ? "\u{1B}[\(code)m\(text)\u{1B}[0m" : text
  }
}

/// Numbers for people.
enum TextNumber {
  /// With thousands separators.
  static func grouped(_ number: Int) -> String {
    let digits = Array(String(number.magnitude))
    var out = number < 0 ? "-" : ""
    for (index, digit) in digits.enumerated() {
      if index > 0 && (digits.count - index) % 3 == 0 { out.append(",") }
      out.append(digit)
    }
    return out
  }

  /// `1 file`, `2 files`.
  static func count(_ number: Int, _ noun: String) -> String {
    grouped(number) + " " + noun + (number == 1 ? "" : "s")
  }

  /// A size with three digits: 976 B, 1.95 KB, 97.6 MB. A kilobyte is 1,000 bytes.
  static func bytes(_ number: Int) -> String {
    if number < 1000 { return "\(number) B" }
    var value = Double(number)
    for unit in ["KB", "MB", "GB", "TB", "PB", "EB"] {
      value /= 1000
      if value < 999.5 {
        let decimals = value < 9.995 ? 2 : value < 99.95 ? 1 : 0
        return fixed(value, decimals) + " " + unit
      }
    }
    return "\(number) B"
  }

  private static func fixed(_ value: Double, _ decimals: Int) -> String {
    let scale = [1, 10, 100][decimals]
    let whole = Int((value * Double(scale)).rounded())
    if decimals == 0 { return String(whole) }
    let fraction = String(whole % scale)
    return "\(whole / scale)." + String(repeating: "0", count: decimals - fraction.count) + fraction
  }

  static func right(_ text: String, _ width: Int) -> String {
    String(repeating: " ", count: max(0, width - text.count)) + text
  }
}

/// Words for people.
enum TextWords {
  static func kind(_ kind: ContainerKind) -> String {
    switch kind {
    case .app: "app data container"
    case .plugin: "plug-in data container"
    case .group: "app group container"
    case .macApp: "macOS app container"
    case .macGroup: "macOS group container"
    case .unknown: "container of unknown kind"
    }
  }

  static func meaning(_ verdict: Verdict) -> String {
    switch verdict {
    case .coveredByAncestor: "below a marked directory: holds when a file is replaced"
    case .selfMarked: "own mark only: lost when the file is replaced"
    case .markedAndCovered: "own mark, and below a marked directory"
    case .exposed: "neither: a backup may hold it"
    case .outsideBackup: "never backed up, by place or kind"
    case .unknown: "could not be determined"
    }
  }
}

/// The last line that everybody reads.
enum TextVerdict {
  static func line(_ summary: RunSummary, style: TextStyle) -> String {
    let exposed = summary.counts.files[.exposed]
    let unknown = summary.counts.files[.unknown]
    var parts = [TextNumber.count(summary.counts.files.total, "file")]
    if exposed > 0 { parts.append("\(TextNumber.grouped(exposed)) exposed") }
    if unknown > 0 { parts.append("\(TextNumber.grouped(unknown)) unknown") }
    let findings = summary.findings
    if findings.error > 0 { parts.append(TextNumber.count(findings.error, "error")) }
    if findings.warning > 0 { parts.append(TextNumber.count(findings.warning, "warning")) }
    if findings.suppressed > 0 {
      parts.append("\(TextNumber.grouped(findings.suppressed)) suppressed")
    }
    let figures = parts.joined(separator: ", ")
    return switch summary.exitStatus {
    case .clean:
      findings.error > 0
        ? style.yellow("PASSED WITH ERRORS") + "  \(figures); --fail-on lets them pass"
        : findings.warning > 0
          ? style.yellow("PASSED WITH WARNINGS") + "  \(figures)"
          : style.green("PASSED") + "  \(figures)"
    case .findings: style.red("FAILED") + "  \(figures)"
    case .untrusted, .usage:
      style.magenta("CANNOT TELL") + "  \(figures); not everything could be read or decided"
    }
  }
}
