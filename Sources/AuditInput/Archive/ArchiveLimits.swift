import AuditCore

/// How far a stranger's archive is followed before reading stops.
public struct ArchiveLimits: Equatable, Sendable {
  /// A limit, by the option that raises it.
  public enum Kind: String, CaseIterable, Sendable {
    case entries = "--max-entries"
    case headerBytes = "--max-header-bytes"
    case expansion = "--max-expansion"
    case nesting = "--max-nesting"
  }

  /// Members, and directories that exist by their members' names only.
  public var entries = 10_000_000
  /// Bytes of names, attributes and sidecars that are taken in.
  public var headerBytes = 1 << 30
  /// Bytes after decompression for each byte before; looked at after the first gibibyte.
  public var expansion = 1000
  /// Layers of compression around the archive. Directories may be 256 times as deep.
  public var nesting = 4

  /// Makes the defaults: enough for the dump of a whole device.
  public init() {}

  /// From how many bytes on the expansion is looked at.
  var expansionFloor = 1 << 30
  /// How deep a path may be, in components.
  var depth: Int {
    let (depth, overflow) = max(1, nesting).multipliedReportingOverflow(by: 256)
    return overflow ? Int.max : depth
  }

  /// The problem that says that a limit was reached, and how to raise it.
  func problem(_ kind: Kind) -> InputProblem {
    let what =
      switch kind {
      case .entries: "more than \(entries) entries"
      case .headerBytes: "more than \(headerBytes) bytes of names and attributes"
      case .expansion: "more than \(expansion) bytes for each compressed byte"
      case .nesting: "more than \(nesting) layers of compression or \(depth) levels of directories"
      }
    return InputProblem(
      path: [], operation: "read-archive", error: "limit",
      message:
        "The archive holds \(what), so reading stopped and the rest was not checked. "
        + "If you trust it, raise the limit with \(kind.rawValue).")
  }
}
