/// What happened to an entry between two states; several things can have happened to one.
public struct DiffKinds: OptionSet, Hashable, Sendable {
  /// The bits.
  public let rawValue: UInt16
  /// Makes a set of bits.
  public init(rawValue: UInt16) { self.rawValue = rawValue }

  /// Marked, covered or outside backups before, exposed now.
  public static let newlyExposed = DiffKinds(rawValue: 1 << 0)
  /// Its own mark is gone.
  public static let markLost = DiffKinds(rawValue: 1 << 1)
  /// Covered by a directory before, excluded by its own mark only now.
  public static let newlyFragile = DiffKinds(rawValue: 1 << 2)
  /// The older or the newer verdict is unknown.
  public static let unknown = DiffKinds(rawValue: 1 << 3)
  /// Was not there before.
  public static let added = DiffKinds(rawValue: 1 << 4)
  /// Is not there any more.
  public static let removed = DiffKinds(rawValue: 1 << 5)
  /// Exposed before, marked, covered or outside backups now; a directory that was marked.
  public static let newlyCovered = DiffKinds(rawValue: 1 << 6)
  /// Another file under the same name.
  public static let replaced = DiffKinds(rawValue: 1 << 7)
  /// Its size is another.
  public static let resized = DiffKinds(rawValue: 1 << 8)

  /// Every single kind and its word in reports, gravest first.
  public static let all: [(kind: DiffKinds, word: String)] = [
    (.newlyExposed, "newly-exposed"), (.markLost, "mark-lost"), (.newlyFragile, "newly-fragile"),
    (.unknown, "unknown"), (.added, "added"), (.removed, "removed"),
    (.newlyCovered, "newly-covered"), (.replaced, "replaced"), (.resized, "resized"),
  ]
}

/// What shows that an entry is another one under the same name.
public enum ReplacementEvidence: String, Sendable {
  /// It is of another type: a file before, a link now.
  case type
  /// Its inode number is another, in a tree where most entries kept theirs.
  case inode
}

/// An entry that is not as it was.
public struct DiffChange: Equatable, Sendable {
  /// The index of its container among the pairs.
  public var pair: Int
  /// The path relative to its container.
  public var path: [UInt8]
  /// What it is now, or was if it is gone.
  public var type: EntryKind
  /// What happened.
  public var kinds: DiffKinds
  /// The older verdict; nil for a directory and for what was not there.
  public var before: Verdict?
  /// The newer verdict; nil for a directory and for what is gone.
  public var after: Verdict?
  /// The older size in bytes, where it is known.
  public var sizeBefore: Int64?
  /// The newer size in bytes, where it is known.
  public var size: Int64?
  /// What shows that it was replaced, if it was.
  public var replacement: ReplacementEvidence?
}

/// How many entries something happened to.
public struct DiffTally: Equatable, Sendable {
  private var counts: [DiffKinds: Int] = [:]
  /// Entries to which nothing happened.
  public var unchanged = 0
  /// Exposed before and exposed now: no change, and nothing to be content with.
  public var stillExposed = 0
  /// Of those added, the exposed ones.
  public var addedExposed = 0

  /// All zero.
  public init() {}

  /// How many entries one kind of change happened to.
  public subscript(_ kind: DiffKinds) -> Int { counts[kind] ?? 0 }

  /// Counts an entry under each of its kinds.
  mutating func add(_ change: DiffChange) {
    for (kind, _) in DiffKinds.all where change.kinds.contains(kind) {
      counts[kind, default: 0] += 1
    }
    if change.kinds.contains(.added) && change.after == .exposed { addedExposed += 1 }
  }

  /// Adds the counts of another tally.
  public static func += (a: inout DiffTally, b: DiffTally) {
    for (kind, count) in b.counts { a.counts[kind, default: 0] += count }
    a.unchanged += b.unchanged
    a.stillExposed += b.stillExposed
    a.addedExposed += b.addedExposed
  }
}
