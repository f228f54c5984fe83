import AuditCore
import Testing

/// What could not be told wins; the threshold decides about the rest.
@Suite struct ExitStatusTests {
  private func counts(_ error: Int, _ warning: Int, _ note: Int) -> FindingCounts {
    var counts = FindingCounts()
    counts.add(.error, error, suppressed: false)
    counts.add(.warning, warning, suppressed: false)
    counts.add(.note, note, suppressed: false)
    counts.add(.error, 7, suppressed: true)
    return counts
  }

  /// For each threshold what one error, one warning, one note, and nothing give.
  @Test(arguments: [
    (FailThreshold.error, [1, 0, 0, 0]), (.warning, [1, 1, 0, 0]), (.note, [1, 1, 1, 0]),
    (.never, [0, 0, 0, 0]),
  ])
  func theThresholdDecides(failOn: FailThreshold, expected: [Int32]) {
    let cases = [counts(1, 0, 0), counts(0, 1, 0), counts(0, 0, 1), counts(0, 0, 0)]
    for (findings, status) in zip(cases, expected) {
      let complete = ExitStatus(complete: true, findings: findings, failOn: failOn)
      #expect(complete.rawValue == status)
      let incomplete = ExitStatus(complete: false, findings: findings, failOn: failOn)
      #expect(incomplete == .untrusted)
    }
  }
}
