import BackupExclusion

/// How a volume shows the names of foreign attributes.
public enum NamingRule: UInt8, Sendable {
  /// The usual Linux forms: `user.`, `osx.`, raw and what file servers make of them.
  case any
  /// The kernel's `hfsplus` driver: only `osx.` names are attributes a Mac would read.
  case osxOnly
  /// Inside an archive: also percent-encoded.
  case archive
}
