/// Why a file that a backup may hold is not in it, as far as can be told.
public enum AbsenceReason: UInt8, CaseIterable, Sendable {
  /// At a place, or with a name, that iOS was observed to skip.
  case observedSkip
  /// A sidecar of a database, which was observed to travel inside the database.
  case mergedSidecar
  /// Created after the backup was made, or left out for a reason that is not known.
  case other

  /// The word that reports use.
  public var word: String {
    switch self {
    case .observedSkip: "observed-skip"
    case .mergedSidecar: "merged-sidecar"
    case .other: "other"
    }
  }

  /// A clause for people.
  public var text: String {
    switch self {
    case .observedSkip: "at a place iOS was observed to skip (undocumented by Apple)"
    case .mergedSidecar:
      "a sidecar of a database: observed to be merged into the database (undocumented by Apple)"
    case .other: "created or renamed since, or left out for a reason that is not known"
    }
  }
}

/// An entry on which audit and backup do not say the same.
public struct VerifyItem: Equatable, Sendable {
  /// The path relative to its input.
  public var path: [UInt8]
  /// What the audit says.
  public var verdict: Verdict
  /// What it is.
  public var type: EntryKind
  /// What the backup says; nil where it does not hold the entry.
  public var record: BackupRecord?
  /// Why it may be absent, where it is.
  public var absence: AbsenceReason?
}

/// How many entries of a container are and are not in the backup.
public struct VerifyTally: Equatable, Sendable {
  /// Marked, covered or outside backups, and not in the backup.
  public var excludedAndAbsent = 0
  /// Marked, covered or outside backups, and in the backup all the same.
  public var excludedButPresent = 0
  /// Exposed, and in the backup.
  public var exposedAndPresent = 0
  /// Exposed, and not in the backup, by reason.
  public var exposedButAbsent: [AbsenceReason: Int] = [:]
  /// Could not be determined by the audit.
  public var unknown = 0
  /// In the backup, and not in the container any more.
  public var onlyInBackup = 0
  /// Self-marked sidecars of databases that are in the backup, which may hold their rows.
  public var markedSidecarsMerged = 0

  /// All zero.
  public init() {}

  /// Adds the counts of another tally.
  public static func += (a: inout VerifyTally, b: VerifyTally) {
    a.excludedAndAbsent += b.excludedAndAbsent
    a.excludedButPresent += b.excludedButPresent
    a.exposedAndPresent += b.exposedAndPresent
    for (reason, count) in b.exposedButAbsent { a.exposedButAbsent[reason, default: 0] += count }
    a.unknown += b.unknown
    a.onlyInBackup += b.onlyInBackup
    a.markedSidecarsMerged += b.markedSidecarsMerged
  }
}

/// One container held against the backup.
public struct VerifyContainer: Equatable, Sendable {
  /// What became of the comparison.
  public enum State: String, Sendable {
    /// The backup has its domain.
    case compared
    /// The backup has nothing of its domain.
    case missing
    /// The backup could not be read to its end.
    case notRead = "not-read"
    /// Nothing tells its identifier, or it is a Mac's: no domain is known.
    case noDomain = "no-domain"
  }

  /// The index of the container in its input.
  public var container: Int
  /// The domains it may be in.
  public var domains: [[UInt8]]
  /// What became of it.
  public var state = State.noDomain
  /// How many rows the backup has of its domains, directories included.
  public var rows = 0
  /// What was counted.
  public var tally = VerifyTally()
}

/// One input held against the backup.
public struct VerifyInput: Sendable {
  /// The input.
  public var side: DiffSide
  /// Its containers.
  public var containers: [VerifyContainer]
  /// Entries in the backup that should not be there; at most `Verification.itemLimit`.
  public var present: [VerifyItem] = []
  /// Exposed entries that are not in the backup; at most `Verification.itemLimit`.
  public var absent: [VerifyItem] = []
  /// The findings.
  public var findings: [Finding] = []
}

/// What came of holding containers against a backup.
public struct VerifyReport: Sendable {
  /// The inputs, in the order of the command line.
  public var inputs: [VerifyInput] = []
  /// All containers together.
  public var tally = VerifyTally()
  /// How many findings there are.
  public var counts = FindingCounts()
  /// Whether any container could be compared.
  public var hasCompared = false
  /// Whether everything could be told, as far as containers and backup rows go.
  public var complete = true
}
