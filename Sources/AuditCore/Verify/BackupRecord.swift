/// What a Finder backup says of one item.
public struct BackupRecord: Equatable, Sendable {
  /// Data-protection classes as backups number them.
  public enum ProtectionClass: Int, Sendable {
    /// Directories and links have none.
    case notApplicable = 0
    case complete = 1
    case completeUnlessOpen = 2
    case untilFirstUnlock = 3
    case unprotected = 4
    case completeWhileInactive = 7

    /// A clause for people.
    public var text: String {
      switch self {
      case .notApplicable: "no class"
      case .complete: "class A (complete)"
      case .completeUnlessOpen: "class B (complete unless open)"
      case .untilFirstUnlock: "class C (until first unlock)"
      case .unprotected: "class D (none)"
      case .completeWhileInactive: "class CX"
      }
    }
  }

  /// The domain that holds it, such as `AppDomainGroup-group.io.example.app`.
  public var domain: [UInt8]
  /// `Size`, in bytes.
  public var size: Int64?
  /// `ProtectionClass`, as a number.
  public var protectionClass: Int?
  /// Whether its `ExtendedAttributes` hold the mark; nil where the record could not be read.
  public var hasMark: Bool?

  /// Makes a record.
  public init(
    domain: [UInt8], size: Int64? = nil, protectionClass: Int? = nil, hasMark: Bool? = nil
  ) {
    self.domain = domain
    self.size = size
    self.protectionClass = protectionClass
    self.hasMark = hasMark
  }
}
