import AuditCore

/// `audit rules [RULE]`: the catalogue, or one rule with why, example and fix.
enum RulesCommand {
  static func run(_ arguments: Arguments) throws(UsageError) -> Int32 {
    guard let operand = arguments.operands.first else {
      return Audit.answer(RuleCatalogue.text())
    }
    let word = String(decoding: operand, as: UTF8.self)
    guard let rule = RuleID(word: word) else {
      throw UsageError(
        message: "there is no rule \(Shown.text(operand))"
          + "\(Arguments.suggestion(word, RuleID.allCases.map(\.word)))")
    }
    return Audit.answer(rule.info.text())
  }
}
