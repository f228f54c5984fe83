/// What policy and baseline make of one finding.
public struct Judgement: Equatable, Sendable {
  /// The severity; nil where the policy says there is nothing to report.
  public var severity: Severity?
  /// Why it does not count, if it does not.
  public var suppression: Suppression?
  /// Where the policy says the path is decided in the source code.
  public var source: String?

  /// Makes a judgement.
  public init(severity: Severity?, suppression: Suppression? = nil, source: String? = nil) {
    self.severity = severity
    self.suppression = suppression
    self.source = source
  }
}

/// Policy and baseline as the audit asks them: one question per finding.
///
/// Nothing in a gate can hide `unknown` or an error: those are never asked about.
public final class Gate {
  /// Whether every answer is the rule's default: the audit then asks only for what it keeps.
  public let isTransparent: Bool

  /// A gate without policy or baseline.
  public init() {
    isTransparent = true
  }

  /// Judges a finding of `rule` on an entry.
  ///
  /// - Parameters:
  ///   - verdict: the entry's verdict, or nil for a directory or the input as a whole.
  ///   - path: the path relative to the container root.
  public func judge(
    _ rule: RuleID, severity: Severity, verdict: Verdict?, container: ContainerReport,
    path: [UInt8]
  ) -> Judgement {
    Judgement(severity: severity)
  }

  /// Whether the policy rules out that a covered path is lost on restore.
  public func mustBeBackedUp(container: ContainerReport, path: [UInt8]) -> Judgement? { nil }

  /// Forgets what was judged since the current input began: it is going to be audited again.
  public func startOver() {}

  /// Findings about the policy and the baseline themselves, once everything was judged.
  public func closingFindings() -> [Finding] { [] }
}
