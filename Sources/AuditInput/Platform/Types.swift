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

/// What is asked about an open descriptor.
struct OpenStatus {
  var kind = EntryKind.file
  var device: UInt64 = 0
  var size: Int64 = 0
}

/// A mounted file system.
struct Volume: Equatable {
  /// What its type says about attributes.
  enum Trait: Equatable {
    /// An Apple file system: it always keeps the attribute.
    case appleNative
    /// Ask it for the mark and see what it answers.
    case probe
    /// It cannot hold attributes, although listing them succeeds.
    case holdsNone
    /// It hides foreign attributes: "none" means nothing.
    case hides
    /// It would not say what it is, with this error number: nothing is known of it.
    case silent(Int)
  }
  /// A name for people.
  var format: String
  var trait: Trait
}
