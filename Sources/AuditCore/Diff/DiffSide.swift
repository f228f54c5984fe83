/// One of the two states that are compared.
public struct DiffSide: Sendable {
  /// The path as the user wrote it.
  public var path: [UInt8]
  /// `report` for an earlier run's JSON report, else the kind of an input.
  public var kind: String
  /// The weakest evidence of its inputs.
  public var evidence: Evidence
  /// The format of the carrier with that evidence.
  public var format: String
  /// What was found.
  public var snapshot: Snapshot
  /// What could not be read.
  public var errors: [InputProblem]
  /// Errors that are counted but not listed.
  public var errorsOmitted: Int

  /// Makes a side.
  public init(
    path: [UInt8], kind: String, evidence: Evidence, format: String, snapshot: Snapshot,
    errors: [InputProblem] = [], errorsOmitted: Int = 0
  ) {
    self.path = path
    self.kind = kind
    self.evidence = evidence
    self.format = format
    self.snapshot = snapshot
    self.errors = errors
    self.errorsOmitted = errorsOmitted
  }
}
