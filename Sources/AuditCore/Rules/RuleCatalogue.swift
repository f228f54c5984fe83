/// The catalogue of rules as text for a terminal and as Markdown for the documentation.
public enum RuleCatalogue {
  /// `audit rules`: one line a rule.
  public static func text() -> String {
    let width = RuleID.allCases.map(\.word.count).max() ?? 0
    var result = ""
    for rule in RuleID.allCases {
      result += padded(rule.word, to: width) + "  "
      result += padded(rule.defaultSeverity.word, to: 7) + "  " + rule.info.title + "\n"
    }
    return result + "\naudit rules RULE explains one of them.\n"
  }

  /// `docs/rules.md`.
  public static func markdown() -> String {
    var result = """
      # Rules

      What a finding of each rule means, what to do about it, and how to say in a policy that it
      is all right. `audit rules` prints the same on a terminal; this page is generated from it.
      Severities are the defaults: a [policy](policy.md) can change them.

      | rule | default | says |
      | --- | --- | --- |

      """
    for rule in RuleID.allCases {
      result += "| [`\(rule.word)`](#\(rule.word)) | \(rule.defaultSeverity.word) | "
      result += escaped(rule.info.title) + " |\n"
    }
    result += """

      The tags name entries of the OWASP Mobile Application Security project: the tests
      `\(RuleTag.backupTest)` (testing backups for sensitive data) and `\(RuleTag.exclusionTest)` \
      (sensitive data
      not excluded from backup), and the weakness `\(RuleTag.weakness)` (sensitive data not \
      excluded from backup).

      """
    for rule in RuleID.allCases { result += "\n" + rule.info.markdown() }
    return result
  }

  /// Fills a text up with spaces.
  static func padded(_ text: String, to width: Int) -> String {
    text + String(repeating: " ", count: max(0, width - text.count))
  }

  /// Breaks a text into lines of at most `width` characters.
  static func wrapped(_ text: String, width: Int, indent: String = "") -> String {
    var result = ""
    var line = indent
    for word in text.split(separator: " ") {
      if line.count > indent.count && line.count + 1 + word.count > width {
        result += line + "\n"
        line = indent
      }
      if line.count > indent.count { line += " " }
      line += word
    }
    return result + line + "\n"
  }

  /// Every line of a block with something before it; empty lines stay empty.
  static func indented(_ block: String, by indent: String) -> String {
    block.split(separator: "\n", omittingEmptySubsequences: false)
      .map { ($0.isEmpty ? "" : indent + $0) + "\n" }
      .joined()
  }

  /// Prose in Markdown: angle brackets, asterisks and underscores stay what they are.
  static func escaped(_ text: String) -> String {
    var result = ""
    for character in text {
      if "<>*_[]\\".contains(character) { result.append("\\") }
      result.append(character)
    }
    return result
  }
}

extension RuleInfo {
  /// `audit rules RULE`: everything about the rule for a terminal of 80 columns.
  public func text() -> String {
    var result = "\(rule.word) (\(rule.defaultSeverity.word) by default)\n"
    result += RuleCatalogue.wrapped(title, width: 78) + "\n"
    result += "Why\n" + RuleCatalogue.wrapped(why, width: 78, indent: "  ") + "\n"
    result += "Example\n" + RuleCatalogue.indented(example, by: "  ") + "\n"
    result += "Fix\n" + RuleCatalogue.wrapped(fix, width: 78, indent: "  ")
    if let snippet { result += "\n" + RuleCatalogue.indented(snippet, by: "    ") }
    result += "\nException\n" + RuleCatalogue.wrapped(except, width: 78, indent: "  ")
    if let policy { result += "\n" + RuleCatalogue.indented(policy, by: "    ") }
    if !tags.isEmpty { result += "\nOWASP\n  " + tags.joined(separator: ", ") + "\n" }
    return result
  }

  /// The rule's section of `docs/rules.md`.
  public func markdown() -> String {
    func prose(_ head: String, _ text: String) -> String {
      RuleCatalogue.wrapped(head + " " + RuleCatalogue.escaped(text), width: 100)
    }
    var result = "## \(rule.word)\n\n"
    result += prose("Default: \(rule.defaultSeverity.word).", title) + "\n"
    result += prose("**Why.**", why) + "\n"
    result += "**Example.**\n\n```text\n\(example)\n```\n\n"
    result += prose("**Fix.**", fix)
    if let snippet { result += "\n```swift\n\(snippet)\n```\n" }
    result += "\n" + prose("**Exception.**", except)
    if let policy { result += "\n```json5\n\(policy)\n```\n" }
    if !tags.isEmpty {
      result += "\n**OWASP.** " + tags.map { "`\($0)`" }.joined(separator: ", ") + "\n"
    }
    return result
  }
}
