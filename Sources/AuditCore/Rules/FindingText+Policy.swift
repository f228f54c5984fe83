extension FindingText {
  /// `expired-exception`.
  static func expiredException(_ entry: PolicyException) -> FindingText {
    FindingText(
      message: "The exception of \(entry.rule.word) for \(quoted(entry.pattern.path)) "
        + "(\(Shown.text(entry.reason.utf8))) expired on \(entry.expires?.text ?? "") and "
        + "suppresses nothing any more.",
      fix: "Fix the finding and delete the exception, or decide anew and write a new date.")
  }

  /// `unused-exception`.
  static func unusedException(_ entry: PolicyException) -> FindingText {
    FindingText(
      message: "The exception of \(entry.rule.word) for \(quoted(entry.pattern.path)) "
        + "(\(Shown.text(entry.reason.utf8))) matched nothing: what it excused is fixed, or its "
        + "path has a slip.",
      fix: "Delete it, or correct its rule, path or container.")
  }

  /// `unmatched-entry`.
  ///
  /// - Parameter list: `localOnly` or `backedUp`.
  static func unmatchedEntry(_ entry: PolicyEntry, in list: String) -> FindingText {
    FindingText(
      message: "The \(list) entry for \(quoted(entry.pattern.path)) "
        + "(\(Shown.text(entry.reason.utf8))) matched no file that a backup could hold: nothing was "
        + "proved about it.",
      fix: "Correct its path or container, or audit a dump that holds the data it means.")
  }

  /// `stale-baseline`.
  ///
  /// - Parameters:
  ///   - expected: how many findings the entry stands for.
  ///   - found: how many were found.
  static func staleBaseline(_ entry: BaselineEntry, expected: Int, found: Int) -> FindingText {
    let what = "\(entry.rule.word) at \(quoted(entry.path)) in \(entry.container.shown)"
    return FindingText(
      message: found == 0
        ? "The baseline lists \(what), which was not found any more: the entry would hide it when "
          + "it comes back."
        : "The baseline lists \(what) \(grouped(expected)) times, but only \(grouped(found)) were "
          + "found: the entry would hide new ones.",
      fix: "Write the baseline anew with --write-baseline and commit it.")
  }
}
