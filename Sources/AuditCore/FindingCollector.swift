/// Takes the occurrences of all rules, asks the gate, counts, and keeps a bounded list.
struct FindingCollector {
  /// How many findings of one rule and severity are listed before they are folded.
  static let limit = 500

  private struct Key: Equatable {
    var rule: RuleID
    var severity: Severity
    var suppression: Suppression.Kind?
    var order: (Int, Int, Int) {
      Finding.order(rule, severity, isSuppressed: suppression != nil)
    }
  }

  let gate: Gate
  private(set) var counts = FindingCounts()
  private var keys: [Key] = []
  private var folds: [FindingFold] = []

  init(gate: Gate) { self.gate = gate }

  /// Whether occurrences can be given by directory and count, because nobody asks for names.
  mutating func takesCounts(_ rule: RuleID) -> Bool {
    guard gate.isTransparent else { return false }
    return !folds[slot(Key(rule: rule, severity: rule.defaultSeverity, suppression: nil))]
      .keepsNames
  }

  /// Many occurrences below one directory; only where `takesCounts` says so.
  mutating func add(_ rule: RuleID, count: Int, directory: [UInt8], container: Int) {
    counts.add(rule.defaultSeverity, count, suppressed: false)
    folds[slot(Key(rule: rule, severity: rule.defaultSeverity, suppression: nil))].add(
      directory: directory, name: nil, count: count, container: container)
  }

  /// One occurrence.
  ///
  /// - Parameters:
  ///   - name: nil where the directory itself is meant.
  ///   - verdict: the entry's verdict, nil for a directory or the input.
  mutating func add(
    _ rule: RuleID, severity: Severity? = nil, directory: [UInt8],
    name: UnsafeBufferPointer<UInt8>?, verdict: Verdict?, container: Int?,
    report: @autoclosure () -> ContainerReport, detail: @autoclosure () -> FindingDetail = .none
  ) {
    var judgement = Judgement(severity: severity ?? rule.defaultSeverity)
    if !gate.isTransparent {
      let report = report()
      let path = name.map { Bytes.join(directory, $0) } ?? directory
      judgement = gate.judge(
        rule, severity: severity ?? rule.defaultSeverity, verdict: verdict, container: report,
        path: Bytes.relative(path, to: report.path))
    }
    add(judgement, rule, directory, name, container, detail())
  }

  /// One occurrence that has been judged.
  mutating func add(
    _ judgement: Judgement, _ rule: RuleID, _ directory: [UInt8],
    _ name: UnsafeBufferPointer<UInt8>?, _ container: Int?,
    _ detail: @autoclosure () -> FindingDetail
  ) {
    guard let severity = judgement.severity else { return }
    counts.add(severity, 1, suppressed: judgement.suppression != nil)
    folds[slot(Key(rule: rule, severity: severity, suppression: judgement.suppression?.kind))].add(
      directory: directory, name: name, container: container, detail: detail(),
      source: judgement.source, suppression: judgement.suppression)
  }

  private mutating func slot(_ key: Key) -> Int {
    if let index = keys.firstIndex(of: key) { return index }
    keys.append(key)
    folds.append(FindingFold(limit: Self.limit))
    return keys.count - 1
  }

  /// Takes note that the first container is gone and all others moved down by one.
  mutating func dropFirstContainer() {
    for index in folds.indices { folds[index].dropFirstContainer() }
  }

  /// The findings: gravest first, then by rule, then in the input's order.
  func findings(containers: [ContainerReport]) -> [Finding] {
    var out: [Finding] = []
    let order = keys.indices.sorted { keys[$0].order < keys[$1].order }
    for index in order {
      let key = keys[index]
      let folded = !folds[index].keepsNames
      for group in folds[index].groups {
        let report = group.container.map { containers[$0] }
        let relative = Bytes.relative(group.path, to: report?.path ?? [])
        let text = FindingMessage.text(key.rule, group, folded: folded, relative: relative)
        var finding = Finding(
          rule: key.rule, severity: key.severity, path: group.path, container: group.container,
          message: text.message, fix: text.fix,
          fingerprint: Fingerprint.of(key.rule, container: report, path: relative))
        finding.occurrences = group.count
        finding.suppression =
          group.suppression ?? key.suppression.map { Suppression(kind: $0) }
        finding.source = group.source
        out.append(finding)
      }
    }
    return out
  }
}
