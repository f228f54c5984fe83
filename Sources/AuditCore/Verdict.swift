/// What an audit says of one entry that is not a directory.
public enum Verdict: UInt8, CaseIterable, Sendable {
  /// No mark of its own; a directory from the container root down to its parent is marked.
  case coveredByAncestor
  /// Its own mark only: excluded now, and fragile, for the next replacement un-marks it.
  case selfMarked
  /// Its own mark and a marked ancestor.
  case markedAndCovered
  /// Neither.
  case exposed
  /// Never backed up whatever the marks say, by location or by kind.
  case outsideBackup
  /// It could not be determined.
  case unknown

  /// The word that reports use.
  public var word: String {
    switch self {
    case .coveredByAncestor: "covered-by-ancestor"
    case .selfMarked: "self-marked"
    case .markedAndCovered: "marked-and-covered"
    case .exposed: "exposed"
    case .outsideBackup: "outside-backup"
    case .unknown: "unknown"
    }
  }

  /// The inverse of `word`.
  public init?(word: some StringProtocol) {
    guard let match = Verdict.allCases.first(where: { $0.word == word }) else { return nil }
    self = match
  }
}

/// Why an entry is `outside-backup`, `unknown`, or exposed at a place iOS was seen to skip.
public enum Reason: UInt8, CaseIterable, Sendable {
  /// No reason needed.
  case none
  /// `tmp` of an app data or plug-in container (documented by Apple).
  case temporaryDirectory
  /// `Library/Caches` of an app data or plug-in container (documented by Apple).
  case cachesDirectory
  /// A place at or below the container root that iOS was observed to skip (undocumented).
  case observedLocation
  /// A file name that iOS was observed to skip anywhere (undocumented).
  case observedName
  /// A FIFO, socket or device.
  case specialFile
  /// Its attributes could not be read.
  case unreadable
  /// The attributes of a directory above it could not be read.
  case ancestorUnreadable
  /// The carrier cannot hold attributes.
  case carrier
  /// Its sidecar file is damaged.
  case damaged
  /// The archive could not be read whole, so that a mark may be in what is missing.
  case partialArchive
  /// It belongs to a backup of a device, in which marks mean nothing.
  case deviceBackup

  /// A clause for reports.
  public var text: String {
    switch self {
    case .none: ""
    case .temporaryDirectory: "tmp of the container (documented by Apple)"
    case .cachesDirectory: "Library/Caches of the container (documented by Apple)"
    case .observedLocation: "a place iOS was observed to skip (undocumented by Apple)"
    case .observedName: "a file name iOS was observed to skip (undocumented by Apple)"
    case .specialFile: "a FIFO, socket or device holds no data at rest"
    case .unreadable: "its attributes could not be read"
    case .ancestorUnreadable: "the attributes of a directory above it could not be read"
    case .carrier: "the carrier cannot hold the attribute"
    case .damaged: "its sidecar file is damaged"
    case .partialArchive: "the archive could not be read whole"
    case .deviceBackup: "it belongs to the backup of a device; audit verify reads those"
    }
  }
}

/// How grave a finding is.
public enum Severity: UInt8, Comparable, CaseIterable, Sendable {
  case note, warning, error

  /// The word that reports use.
  public var word: String {
    switch self {
    case .note: "note"
    case .warning: "warning"
    case .error: "error"
    }
  }

  /// The inverse of `word`.
  public init?(word: some StringProtocol) {
    guard let match = Severity.allCases.first(where: { $0.word == word }) else { return nil }
    self = match
  }

  /// A note is less than a warning, a warning less than an error.
  public static func < (a: Severity, b: Severity) -> Bool { a.rawValue < b.rawValue }
}
