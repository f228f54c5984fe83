import AuditCore

/// Policy and baseline of a run, read from their files.
struct Gating {
  let gate: Gate
  private let recorder: BaselineRecorder?

  /// Throws `FileError` where a file cannot be read and `ConfigurationError` where it makes no
  /// sense: a run with a bad policy must not pass.
  init(_ settings: Settings) throws {
    let policy = try settings.policy.map { path in
      try Policy(parsing: InputFile.read(path), name: Shown.text(path))
    }
    let baseline = try settings.baseline.map { path in
      try Baseline(parsing: InputFile.read(path), name: Shown.text(path))
    }
    recorder = settings.writeBaseline == nil ? nil : BaselineRecorder()
    let now = Terminal.now
    gate = Gate(
      policy: policy, baseline: baseline, recorder: recorder,
      today: PolicyDate(unixTime: now.seconds, offset: now.offset))
  }

  /// Writes the new baseline, unless the run cannot be trusted: what it did not see would later
  /// count as new.
  func writeBaseline(_ settings: Settings, isComplete: Bool) throws {
    guard let path = settings.writeBaseline, let recorder else { return }
    guard isComplete else {
      Terminal.say(
        "audit: \(Shown.text(path)) was not written: not everything could be read or decided")
      return
    }
    let file = try OutputFile(path: path)
    try recorder.text().withUnsafeBytes { try file.write($0) }
    try file.commit()
  }
}
