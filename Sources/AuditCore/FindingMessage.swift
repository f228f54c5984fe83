/// The words of a finding, from what was kept of it.
enum FindingMessage {
  static func text(
    _ rule: RuleID, _ group: FindingFold.Group, folded: Bool, relative: [UInt8]
  ) -> (message: String, fix: String) {
    (rule.word, "")
  }
}
