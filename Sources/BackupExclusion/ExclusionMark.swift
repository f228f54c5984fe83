/// The extended attribute that keeps an item out of backups: its name and the forms of its value.
///
/// A mark is guidance to the backup system, not a guarantee.
public enum ExclusionMark {
  /// The exact, case-sensitive name of the attribute, as Apple systems store it.
  public static let name = "com.apple.metadata:com_apple_backup_excludeItem"

  /// What a value looks like. Only `empty` decides anything: a value without a byte is no mark.
  public enum Form: UInt8, Sendable, CaseIterable {
    /// A binary property list of the string `com.apple.backupd` (61 bytes): what macOS writes.
    case backupdPlist
    /// The ASCII text `com.apple.MobileBackup` (22 bytes): what iOS and its simulator write.
    case mobileBackup
    /// The ASCII text `com.apple.backupd`: written by scripts.
    case backupdText
    /// No byte at all: not a mark.
    case empty
    /// Any other value. Marked all the same: the value never decides.
    case other

    /// The word that reports use.
    public var word: String {
      switch self {
      case .backupdPlist: "backupd-plist"
      case .mobileBackup: "mobile-backup"
      case .backupdText: "backupd-text"
      case .empty: "empty"
      case .other: "other"
      }
    }
  }

  /// The 61 bytes that macOS writes.
  public static let backupdPlist: [UInt8] =
    Array("bplist00".utf8) + [0x5F, 0x10, 0x11] + Array("com.apple.backupd".utf8)
    + [0x08, 0, 0, 0, 0, 0, 0, 1, 1, 0, 0, 0, 0, 0, 0, 0, 1]
    + [0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0x1C]

  /// The 22 bytes that iOS writes.
  public static let mobileBackup: [UInt8] = Array("com.apple.MobileBackup".utf8)

  /// Tells the form of a value.
  @inlinable public static func form(of value: some Collection<UInt8>) -> Form {
    if value.isEmpty { return .empty }
    if value.elementsEqual(backupdPlist) { return .backupdPlist }
    if value.elementsEqual(mobileBackup) { return .mobileBackup }
    if value.elementsEqual("com.apple.backupd".utf8) { return .backupdText }
    return .other
  }
}
