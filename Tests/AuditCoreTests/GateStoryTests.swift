import Testing

@testable import AuditCore

/// A team's year with a policy and a baseline.
struct GateStoryTests {
  private struct Outcome: Equatable {
    var errors = 0
    var warnings = 0
    var suppressed = 0
    /// 1 where errors fail the run, and with `--strict` warnings.
    func status(strict: Bool = false) -> Int { errors > 0 || strict && warnings > 0 ? 1 : 0 }
  }

  private func run(
    _ exposed: [String], covered: [String] = [], policy text: String? = nil,
    baseline: [UInt8]? = nil,
    recorder: BaselineRecorder? = nil, on day: PolicyDate = today
  ) throws -> Outcome {
    let gate = Gate(
      policy: try text.map { try policy($0) },
      baseline: try baseline.map { try Baseline(parsing: $0, name: "baseline.json") },
      recorder: recorder, today: day)
    var outcome = Outcome()
    func count(_ severity: Severity?, _ suppression: Suppression?) {
      guard let severity else { return }
      if suppression != nil {
        outcome.suppressed += 1
      } else if severity == .error {
        outcome.errors += 1
      } else if severity == .warning {
        outcome.warnings += 1
      }
    }
    for path in exposed {
      let judgement = gate.judge(.exposedFile, .exposed, path)
      count(judgement.severity, judgement.suppression)
    }
    for path in covered {
      let path = Array(path.utf8)
      guard let judgement = gate.mustBeBackedUp(container: container(), path: path) else {
        continue
      }
      count(judgement.severity, judgement.suppression)
    }
    for finding in gate.closingFindings() { count(finding.severity, finding.suppression) }
    return outcome
  }

  private let dump = [
    "Documents/history.sqlite", "Documents/history.sqlite-wal", "Documents/letter.txt",
    "Library/Preferences/io.example.plist",
  ]

  @Test func aPolicyFromTheFirstRunToTheExpiry() throws {
    // The first run without a policy: everything exposed is an error.
    #expect(try run(dump).errors == 4)

    // The team decides: letters are to be backed up, preferences were reviewed.
    let decided = """
      localOnly: [{path: "**/history.sqlite*", reason: "history stays"}],
      backedUp: [{path: "Documents/**", reason: "letters"}],
      exceptions: [{rule: "exposed-file", path: "Library/Preferences/**", reason: "reviewed",
        expires: "2027-06-30"}]
      """
    #expect(try run(dump, policy: decided) == Outcome(errors: 2, suppressed: 1))

    // The history moves below a marked directory.
    let fixed = Array(dump[2...])
    let moved = ["io.example.local/history.sqlite", "io.example.local/history.sqlite-wal"]
    let green = try run(fixed, covered: moved, policy: decided)
    #expect(green == Outcome(suppressed: 1) && green.status(strict: true) == 0)

    // A new exposure at a place nobody decided about.
    let exposure = try run(
      fixed + ["Library/Application Support/sdk.db"], covered: moved, policy: decided)
    #expect(exposure == Outcome(errors: 1, suppressed: 1))

    // Somebody marks Documents: the letters would be lost on a restore.
    let overdone = try run([dump[3]], covered: moved + [dump[2]], policy: decided)
    #expect(overdone == Outcome(errors: 1, suppressed: 1))

    // A dump without any history proves nothing about it, and says so.
    let hollow = try run(fixed, policy: decided)
    #expect(hollow == Outcome(warnings: 1, suppressed: 1))

    // The exception's last day, and the day after.
    let last = PolicyDate(text: "2027-06-30".utf8) ?? today
    let after = PolicyDate(text: "2027-07-01".utf8) ?? today
    #expect(try run(fixed, covered: moved, policy: decided, on: last) == green)
    let expired = try run(fixed, covered: moved, policy: decided, on: after)
    #expect(expired == Outcome(errors: 1, warnings: 1))

    // The preferences are gone: the exception is a warning, which --strict turns into a failure.
    let unused = try run([fixed[0]], covered: moved, policy: decided)
    #expect(unused == Outcome(warnings: 1))
    #expect(unused.status() == 0 && unused.status(strict: true) == 1)
  }

  @Test func aBaselineOnlyShrinks() throws {
    // The first run writes down what is there.
    let recorder = BaselineRecorder()
    #expect(try run(dump, recorder: recorder).errors == 4)
    let first = recorder.text()

    // The next run is green, in any order of the findings.
    let green = try run(dump.reversed(), baseline: first)
    #expect(green == Outcome(suppressed: 4))

    // A new file in an old directory is new.
    let grown = dump + ["Documents/photo.jpg"]
    #expect(try run(grown, baseline: first) == Outcome(errors: 1, suppressed: 4))

    // One is fixed: the entry is stale, and under --strict that fails.
    let fixed = Array(dump[1...])
    let stale = try run(fixed, baseline: first)
    #expect(stale == Outcome(warnings: 1, suppressed: 3))
    #expect(stale.status() == 0 && stale.status(strict: true) == 1)

    // Writing it anew over itself keeps what is still there and drops the rest.
    let second = BaselineRecorder()
    _ = try run(fixed, baseline: first, recorder: second)
    #expect(second.entries.count == 3)
    let ratcheted = try run(fixed, baseline: second.text())
    #expect(ratcheted == Outcome(suppressed: 3) && ratcheted.status(strict: true) == 0)

    // What was fixed cannot come back unseen.
    #expect(try run(dump, baseline: second.text()) == Outcome(errors: 1, suppressed: 3))
  }

  @Test func whatThePolicyExceptsIsNotInTheBaseline() throws {
    let recorder = BaselineRecorder()
    let excepting =
      "exceptions: [{rule: 'exposed-file', path: 'Library/**', reason: 'r'}], unlisted: 'note'"
    _ = try run(dump, policy: excepting, recorder: recorder)
    #expect(recorder.entries.isEmpty)
    _ = try run(
      dump, policy: excepting.replacing("'note'", with: "'warning'"), recorder: recorder)
    #expect(recorder.entries.count == 3)
  }
}
