/// What a rule has to say: plain data, printed by reporters only.
public struct Finding: Equatable, Sendable {
  /// The rule.
  public var rule: RuleID
  /// Its severity here, after the policy.
  public var severity: Severity
  /// The path relative to the input; empty for the input itself. A folded finding names a directory.
  public var path: [UInt8]
  /// The index of the container in the input's report, or nil for the input as a whole.
  public var container: Int?
  /// What is so, and what follows from it.
  public var message: String
  /// What to do.
  public var fix: String
  /// Equal for the same rule, container identifier and container-relative path on any machine:
  /// 32 hexadecimal digits.
  public var fingerprint: String
  /// How many entries it stands for; more than one where findings were folded by directory.
  public var occurrences = 1
  /// Why it does not count, if it does not.
  public var suppression: Suppression?
  /// Where the policy says the path is decided in the source code, such as `Sources/Store.swift:42`.
  public var source: String?

  /// Makes a finding.
  public init(
    rule: RuleID, severity: Severity, path: [UInt8], container: Int?, message: String,
    fix: String, fingerprint: String
  ) {
    self.rule = rule
    self.severity = severity
    self.path = path
    self.container = container
    self.message = message
    self.fix = fix
    self.fingerprint = fingerprint
  }
}

extension Finding {
  /// What findings are sorted by: those that count first, the gravest first, then by rule.
  static func order(_ rule: RuleID, _ severity: Severity, isSuppressed: Bool) -> (Int, Int, Int) {
    (isSuppressed ? 1 : 0, -Int(severity.rawValue), Int(rule.rawValue))
  }

  /// Whether it comes before another one in a report.
  func comesBefore(_ other: Finding) -> Bool {
    Self.order(rule, severity, isSuppressed: suppression != nil)
      < Self.order(other.rule, other.severity, isSuppressed: other.suppression != nil)
  }
}

/// Why a finding does not count.
public struct Suppression: Equatable, Sendable {
  /// What suppresses it.
  public enum Kind: UInt8, Sendable { case exception, baseline }
  /// What suppresses it.
  public var kind: Kind
  /// The reason given in the policy; empty for a baseline.
  public var reason: String

  /// Makes a suppression.
  public init(kind: Kind, reason: String = "") {
    self.kind = kind
    self.reason = reason
  }
}
