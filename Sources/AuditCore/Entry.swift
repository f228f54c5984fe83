import BackupExclusion

/// What kind of thing a name stands for.
public enum EntryKind: UInt8, Sendable {
  case file, directory, symlink, fifo, socket, device

  /// The word in the `type` member of reports.
  public var word: String {
    switch self {
    case .file: "file"
    case .directory: "directory"
    case .symlink: "symlink"
    case .fifo: "fifo"
    case .socket: "socket"
    case .device: "device"
    }
  }
}

/// The state of an entry's own mark, as it was read from disk or archive.
public struct OwnMark: Equatable, Sendable {
  /// What a value looks like.
  public typealias Form = ExclusionMark.Form

  /// Whether the entry carries the mark.
  public enum State: UInt8, Sendable {
    /// The exact name does not exist.
    case absent
    /// The exact name exists without a byte of value: not a mark.
    case empty
    /// The exact name exists with at least one byte.
    case marked
    /// It could not be determined; the entry's detail says why.
    case unknown
  }

  /// Whether the entry carries the mark.
  public var state: State
  /// What the value looks like; meaningful when `state` is `marked`.
  public var form: ExclusionMark.Form
  /// The size of the value in bytes.
  public var bytes: UInt32

  /// Makes a state of a mark.
  public init(state: State, form: ExclusionMark.Form = .empty, bytes: UInt32 = 0) {
    self.state = state
    self.form = form
    self.bytes = bytes
  }

  /// No attribute of that name.
  public static let absent = OwnMark(state: .absent)
  /// Could not be determined.
  public static let unknown = OwnMark(state: .unknown)
}

/// What else was seen among an entry's attributes.
public struct AttributeFlags: OptionSet, Sendable {
  /// The bits.
  public let rawValue: UInt8
  /// Makes a set of bits.
  public init(rawValue: UInt8) { self.rawValue = rawValue }

  /// An attribute that only a foreign system writes: proof that attributes survived the way here.
  public static let foreign = AttributeFlags(rawValue: 1)
  /// A sibling, legacy or misspelt name; the entry's detail lists them.
  public static let nearMiss = AttributeFlags(rawValue: 2)
  /// The mark comes (also) from a sidecar file or an archive header, not from a live attribute.
  public static let carried = AttributeFlags(rawValue: 4)
}

/// One name in a directory: small, trivial to copy, no storage of its own.
///
/// The bytes of the name lie in the directory's arena.
public struct EntryRecord: Sendable {
  /// The first eight bytes of the name, big-endian, padded with zero: orders most names.
  public var key: UInt64 = 0
  /// The inode number, zero where the carrier has none.
  public var inode: UInt64 = 0
  /// The logical size in bytes; negative where it was not asked for.
  public var size: Int64 = -1
  /// Where the name starts in the arena.
  public var nameOffset: UInt32 = 0
  /// How many names the inode has; zero where it was not asked for.
  public var links: UInt32 = 0
  /// The index into `Directory.details`, or negative.
  public var detail: Int32 = -1
  /// The length of the name in bytes.
  public var nameLength: UInt16 = 0
  /// What the name stands for.
  public var kind: EntryKind = .file
  /// What else was seen among its attributes.
  public var attributes: AttributeFlags = []
  /// Its own mark.
  public var mark: OwnMark = .absent

  /// Makes a record of a file without a name or a mark.
  public init() {}
}

/// An attribute whose name is close to the mark's, but is not it.
public struct NearMiss: Equatable, Sendable {
  /// Which rule speaks of it.
  public enum Kind: UInt8, Sendable {
    /// One of the two sibling names that concern iCloud or unencrypted backups only.
    case partial
    /// The iOS 5.0.1 name.
    case legacy
    /// The mark's name with a prefix, suffix or spelling that no system reads.
    case misnamed
  }
  /// Which rule speaks of it.
  public var kind: Kind
  /// The name as it was found.
  public var name: [UInt8]
  /// The size of its value in bytes, if it was read.
  public var bytes: Int?

  /// Makes a near miss.
  public init(kind: Kind, name: [UInt8], bytes: Int? = nil) {
    self.kind = kind
    self.name = name
    self.bytes = bytes
  }
}

/// Something that could not be read: an operation that failed on a path.
public struct InputProblem: Equatable, Sendable {
  /// The path relative to the input, empty for the input itself.
  public var path: [UInt8]
  /// What was attempted, as the name of the call: `open`, `listxattr`, `read` …
  public var operation: String
  /// The symbolic error, such as `EACCES`, or a word of the format reader's.
  public var error: String
  /// A sentence for the reader that says what happened and what to do.
  public var message: SafeText

  /// Makes a problem.
  public init(path: [UInt8], operation: String, error: String, message: SafeText) {
    self.path = path
    self.operation = operation
    self.error = error
    self.message = message
  }
}

/// What is rarely known of an entry, kept apart so that records stay small.
public struct EntryDetail: Sendable {
  /// Names that come close to the mark's.
  public var nearMisses: [NearMiss] = []
  /// Why the entry's own mark is unknown.
  public var problem: InputProblem?
  /// The first bytes (at most 100) of a regular file that looks like a database.
  public var header: [UInt8]?
  /// A remark about the entry's attributes, such as two carriers that disagree.
  public var remark: String?

  /// Makes an empty detail.
  public init() {}
}
