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
/// Nothing in a gate can hide `unknown` or an error: those are never asked about. A gate remembers
/// what it was asked, for its closing findings; so one gate serves all inputs of one run.
public final class Gate {
  /// Whether every answer is the rule's default: the audit then asks only for what it keeps.
  public let isTransparent: Bool

  private let policy: Policy
  private let today: PolicyDate
  private let recorder: BaselineRecorder?
  private var baseline: BaselineMatcher?
  /// The policy's severity of each rule.
  private let overrides: [Severity?]
  private var exceptionUsed: [Bool]
  private var entryMatched: [Bool]

  /// What concerns the container of the last question; the next one is nearly always of the same.
  private final class Current {
    let identifier: String?
    let kind: ContainerKind
    let scope: PolicyScope
    let container: BaselineContainer
    let tables: BaselineMatcher.Tables?

    init(
      _ report: ContainerReport, scope: PolicyScope, container: BaselineContainer,
      tables: BaselineMatcher.Tables?
    ) {
      identifier = report.identifier
      kind = report.kind
      self.scope = scope
      self.container = container
      self.tables = tables
    }
  }
  private var current: Current?

  /// What was known when the current input began.
  private struct Checkpoint {
    var baseline: BaselineMatcher?
    var recorded: [BaselineRecorder.Key: Int]
    var exceptionUsed: [Bool]
    var entryMatched: [Bool]
  }
  private var checkpoint: Checkpoint?

  /// A gate without policy or baseline.
  public convenience init() {
    self.init(policy: nil, baseline: nil, today: PolicyDate(unixTime: 0))
  }

  /// Makes a gate.
  ///
  /// - Parameters:
  ///   - policy: what the team decided.
  ///   - baseline: findings that are known and do not count.
  ///   - recorder: collects the findings for a new baseline.
  ///   - today: the day that exceptions are held against.
  public init(
    policy: Policy?, baseline: Baseline?, recorder: BaselineRecorder? = nil, today: PolicyDate
  ) {
    isTransparent = policy == nil && baseline == nil && recorder == nil
    let policy = policy ?? Policy(name: "")
    self.policy = policy
    self.today = today
    self.recorder = recorder
    self.baseline = baseline.map { BaselineMatcher($0) }
    overrides = RuleID.allCases.map { policy.severities[$0] }
    exceptionUsed = [Bool](repeating: false, count: policy.exceptions.count)
    entryMatched = [Bool](
      repeating: false, count: policy.localOnly.count + policy.backedUp.count)
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
    if isTransparent || verdict == .unknown { return Judgement(severity: severity) }
    let current = enter(container)
    var judgement = Judgement(severity: overrides[Int(rule.rawValue)] ?? severity)
    if let verdict {
      let voice = current.scope.voice(for: path, noting: &entryMatched)
      apply(voice, rule, verdict, to: &judgement)
    }
    return settle(judgement, rule, path, current)
  }

  /// Whether the policy rules out that a covered path is lost on restore.
  public func mustBeBackedUp(container: ContainerReport, path: [UInt8]) -> Judgement? {
    if isTransparent { return nil }
    let current = enter(container)
    guard let voice = current.scope.voice(for: path, noting: &entryMatched), !voice.isLocalOnly
    else { return nil }
    let rule = RuleID.mustBeBackedUp
    let judgement = Judgement(
      severity: overrides[Int(rule.rawValue)] ?? rule.defaultSeverity,
      source: policy.backedUp[voice.index].source)
    return settle(judgement, rule, path, current)
  }

  // MARK: Steps of a judgement

  /// What the policy wants of the path, held against the finding.
  private func apply(
    _ voice: PolicyScope.Voice?, _ rule: RuleID, _ verdict: Verdict, to judgement: inout Judgement
  ) {
    guard let voice else {
      if rule == .exposedFile, let unlisted = policy.unlisted { judgement.severity = unlisted }
      return
    }
    if voice.isLocalOnly {
      let entry = policy.localOnly[voice.index]
      judgement.source = entry.source
      switch rule {
      case .exposedFile, .exposedSidecar, .undocumentedSkip, .markLost:
        if verdict == .exposed { judgement.severity = .error }
      case .fragileMark:
        judgement.severity = entry.require == .any ? nil : .error
      default: break
      }
    } else {
      judgement.source = policy.backedUp[voice.index].source
      switch rule {
      case .exposedFile, .exposedSidecar, .undocumentedSkip, .markLost:
        // Exposed is as wanted.
        judgement.severity = nil
      case .fragileMark, .sidecarReturnsUnmarked:
        // That it is marked at all is the finding: must-be-backed-up.
        judgement.severity = nil
      default: break
      }
    }
  }

  /// Exceptions, the recorder and the baseline, in this order.
  private func settle(
    _ judgement: Judgement, _ rule: RuleID, _ path: [UInt8], _ current: Current
  ) -> Judgement {
    // That a dump may have lost its attributes is said every time: it is about the run itself.
    guard let severity = judgement.severity, rule != .attributesUnproven else { return judgement }
    var result = judgement
    if let index = current.scope.exception(from: rule, for: path, noting: &exceptionUsed) {
      let exception = policy.exceptions[index]
      result.suppression = Suppression(kind: .exception, reason: exception.reason)
      result.source = result.source ?? exception.source
      return result
    }
    if severity >= .warning {
      recorder?.record(rule, container: current.container, path: path)
    }
    if let tables = current.tables, baseline?.knows(rule, path: path, in: tables) == true {
      result.suppression = Suppression(kind: .baseline)
    }
    return result
  }

  /// What concerns a container, made anew only where the container changes.
  private func enter(_ container: ContainerReport) -> Current {
    if let current, current.identifier == container.identifier, current.kind == container.kind {
      return current
    }
    let key = BaselineContainer(container)
    let fresh = Current(
      container, scope: PolicyScope(policy, identifier: container.identifier, today: today),
      container: key, tables: baseline?.tables(of: key))
    current = fresh
    return fresh
  }

  // MARK: The end

  /// Takes note that an input begins.
  public func beginInput() {
    checkpoint = Checkpoint(
      baseline: baseline, recorded: recorder?.counts ?? [:], exceptionUsed: exceptionUsed,
      entryMatched: entryMatched)
  }

  /// Forgets what was judged since the current input began: it is going to be audited again.
  public func startOver() {
    guard let checkpoint else { return }
    baseline = checkpoint.baseline
    recorder?.counts = checkpoint.recorded
    exceptionUsed = checkpoint.exceptionUsed
    entryMatched = checkpoint.entryMatched
  }

  /// Findings about the policy and the baseline themselves, once everything was judged.
  ///
  /// Their `source` is the line of the entry that they speak of.
  public func closingFindings() -> [Finding] {
    var findings: [Finding] = []
    for (index, exception) in policy.exceptions.enumerated() {
      let place = "\(policy.name):\(exception.line)"
      if exception.isExpired(on: today) {
        findings.append(
          closing(.expiredException, exception, .expiredException(exception), place))
      } else if !exceptionUsed[index] {
        findings.append(closing(.unusedException, exception, .unusedException(exception), place))
      }
    }
    for (number, entry) in (policy.localOnly + policy.backedUp).enumerated()
    where !entryMatched[number] {
      let list = number < policy.localOnly.count ? "localOnly" : "backedUp"
      findings.append(
        closing(
          .unmatchedEntry, fingerprint(.unmatchedEntry, list, entry.pattern),
          .unmatchedEntry(entry, in: list), "\(policy.name):\(entry.line)"))
    }
    for stale in baseline?.stale ?? [] {
      var print = Fingerprint()
      print.add(RuleID.staleBaseline.word.utf8)
      print.add(stale.entry.rule.word.utf8)
      print.add(stale.entry.container.order.1)
      print.add(stale.entry.path)
      findings.append(
        closing(
          .staleBaseline, print,
          .staleBaseline(stale.entry, expected: stale.expected, found: stale.found),
          "\(baseline?.name ?? ""):\(stale.entry.line)"))
    }
    return findings
  }

  private func closing(
    _ rule: RuleID, _ exception: PolicyException, _ text: FindingText, _ place: String
  ) -> Finding {
    closing(
      rule, fingerprint(rule, exception.rule.word, exception.pattern), text, place)
  }

  private func fingerprint(
    _ rule: RuleID, _ list: String, _ pattern: PolicyPattern
  ) -> Fingerprint {
    var print = Fingerprint()
    print.add(rule.word.utf8)
    print.add(list.utf8)
    print.add(pattern.container ?? [])
    print.add(pattern.path)
    return print
  }

  private func closing(
    _ rule: RuleID, _ print: Fingerprint, _ text: FindingText, _ place: String
  ) -> Finding {
    var finding = Finding(
      rule: rule, severity: overrides[Int(rule.rawValue)] ?? rule.defaultSeverity, path: [],
      container: nil, message: text.message, fix: text.fix, fingerprint: print.hex)
    finding.source = place
    return finding
  }
}
