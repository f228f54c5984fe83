import AuditCore

/// The files a team's decisions come from: policy and baseline, and a new baseline in the making.
struct Decisions {
  let gate: Gate
  private let recorder: BaselineRecorder?
  private let target: [UInt8]?

  /// Reads what the settings name.
  init(_ settings: Settings) throws {
    let policy = try settings.policy.map { path in
      try Policy(parsing: InputFile.read(path), name: Shown.text(path))
    }
    let baseline = try settings.baseline.map { path in
      try Baseline(parsing: InputFile.read(path), name: Shown.text(path))
    }
    target = settings.writeBaseline
    recorder = target.map { _ in BaselineRecorder() }
    gate = Gate(policy: policy, baseline: baseline, recorder: recorder, today: Clock.today)
  }

  /// Writes the new baseline; not after a run that could not see everything, for its baseline
  /// would lack what was not seen.
  func writeBaseline(_ summary: RunSummary) throws {
    guard let recorder, let target else { return }
    let name = Shown.text(target)
    guard summary.exitStatus != .untrusted else {
      Terminal.say("audit: \(name) is not written, for the run is not complete")
      return
    }
    let file = try OutputFile(path: target)
    try file.write(recorder.text())
    try file.commit()
    let count = recorder.entries.reduce(0) { $0 + $1.count }
    Terminal.say("audit: wrote \(count) \(count == 1 ? "finding" : "findings") to \(name)")
  }
}
