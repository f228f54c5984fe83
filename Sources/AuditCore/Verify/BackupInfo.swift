/// What a report says of the backup itself.
public struct BackupInfo: Sendable {
  /// The path as the user wrote it.
  public var path: [UInt8]
  /// When it was made: ISO 8601, UTC.
  public var date: String?
  /// The version of the system on the device.
  public var systemVersion: String?
  /// How many rows its table of files has.
  public var rows = 0
  /// What could not be read, or speaks against trusting it.
  public var errors: [InputProblem]

  /// Makes a description of a backup of which no row was read yet.
  public init(
    path: [UInt8], date: String? = nil, systemVersion: String? = nil, errors: [InputProblem] = []
  ) {
    self.path = path
    self.date = date
    self.systemVersion = systemVersion
    self.errors = errors
  }
}

/// What a comparison with a Finder backup cannot tell.
public let verifyCaveat =
  "A Finder backup is evidence, not proof, for iCloud Backup: the two keep separate sets of "
  + "exclusions (undocumented by Apple)."
