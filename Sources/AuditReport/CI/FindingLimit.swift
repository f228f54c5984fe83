import AuditCore

/// Folds findings by directory until there are few enough.
///
/// The collector bounds the findings of one rule and input; many inputs together can still have
/// more than a service takes.
enum FindingLimit {
  /// At most `limit` findings: exposed files are folded first, everything else only if that does
  /// not suffice. What even the roots cannot hold is left out from the end.
  static func folded(
    _ findings: [CollectedRun.Located], limit: Int
  ) -> [CollectedRun.Located] {
    var findings = findings
    for rules in [[RuleID.exposedFile, .undocumentedSkip], RuleID.allCases] {
      var depth = findings.lazy.map { depthOfParent($0.finding.path) }.max() ?? 0
      while findings.count > limit, depth >= 0 {
        findings = fold(findings, rules, to: depth)
        depth -= 1
      }
    }
    return Array(findings.prefix(limit))
  }

  private static func fold(
    _ findings: [CollectedRun.Located], _ rules: [RuleID], to depth: Int
  ) -> [CollectedRun.Located] {
    var places: [Place: Int] = [:]
    var result: [CollectedRun.Located] = []
    for located in findings {
      let finding = located.finding
      guard rules.contains(finding.rule), depthOfParent(finding.path) >= depth else {
        result.append(located)
        continue
      }
      let directory = Array(
        finding.path.split(separator: 0x2F).prefix(depth).joined(separator: [0x2F]))
      let place = Place(
        rule: finding.rule, severity: finding.severity, input: located.input,
        isSuppressed: finding.suppression != nil, source: finding.source, directory: directory)
      if let index = places[place] {
        result[index].finding.occurrences += finding.occurrences
        continue
      }
      places[place] = result.count
      var folded = located
      folded.finding.path = directory
      folded.finding.message = finding.rule.info.title
      folded.finding.fix = finding.rule.info.fix
      folded.finding.fingerprint = fingerprint(place)
      result.append(folded)
    }
    return result
  }

  private static func fingerprint(_ place: Place) -> String {
    var print = Fingerprint()
    print.add(place.rule.word.utf8)
    print.add("folded".utf8)
    print.add(place.directory)
    return print.hex
  }

  private static func depthOfParent(_ path: [UInt8]) -> Int {
    path.count { $0 == 0x2F }
  }

  /// What findings must have in common to become one.
  private struct Place: Hashable {
    var rule: RuleID
    var severity: Severity
    var input: Int
    var isSuppressed: Bool
    var source: String?
    var directory: [UInt8]
  }
}
