/// The exit statuses, the same for every format.
public enum ExitStatus: Int32, Sendable {
  /// Complete, and no finding that fails the run (`FailThreshold`).
  case clean = 0
  /// Complete, with such findings.
  case findings = 1
  /// Not to be trusted: something could not be read, or a report could not be written.
  case untrusted = 2
  /// The command line makes no sense.
  case usage = 64

  /// The status of a run: what could not be told wins over findings, whatever the threshold.
  public init(complete: Bool, findings: FindingCounts, failOn: FailThreshold) {
    if !complete {
      self = .untrusted
    } else {
      self = failOn.isReached(by: findings) ? .findings : .clean
    }
  }
}

/// From which severity on a finding fails a run; it never turns status 2 into anything else.
public enum FailThreshold: String, CaseIterable, Sendable {
  case error, warning, note, never

  /// Whether a finding of this severity fails the run.
  public func isReached(by severity: Severity) -> Bool {
    switch self {
    case .error: severity >= .error
    case .warning: severity >= .warning
    case .note: true
    case .never: false
    }
  }

  /// Whether any of these findings fails the run; suppressed ones never do.
  public func isReached(by findings: FindingCounts) -> Bool {
    findings.error > 0 && isReached(by: .error)
      || findings.warning > 0 && isReached(by: .warning)
      || findings.note > 0 && isReached(by: .note)
  }
}
