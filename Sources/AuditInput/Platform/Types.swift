import AuditCore

/// The type that a directory entry tells, if it does.
enum EntryType {
  case known(EntryKind)
  case unknown
}

/// What the walk asks about a file.
struct FileStatus {
  var kind = EntryKind.file
  var size: Int64 = -1
  var links: UInt32 = 0
  var inode: UInt64 = 0
}

/// A mounted file system.
struct Volume: Equatable {
  /// What its type says about attributes.
  enum Trait {
    /// An Apple file system: it always keeps the attribute.
    case appleNative
    /// Ask it for the mark and see what it answers.
    case probe
    /// It cannot hold attributes, although listing them succeeds.
    case holdsNone
    /// It hides foreign attributes: "none" means nothing.
    case hides
  }
  /// A name for people.
  var format: String
  var trait: Trait
}
