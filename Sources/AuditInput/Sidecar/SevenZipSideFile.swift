/// The files into which 7-Zip puts attributes when it unpacks an HFS+ or APFS image.
///
/// An attribute of `cache.bin` becomes a file `cache.bin:com.apple.…` with each colon of the
/// attribute's name replaced by `_`. Seen with 7-Zip 26.02; from APFS images it writes the
/// attributes of files only, so that marks on directories are lost there.
public enum SevenZipSideFile {
  /// Why unmarked entries are unknown where only files have side files.
  static let lossReason =
    "7-Zip unpacked this from a disk image; from APFS images it leaves out the attributes of "
    + "directories, and no directory has any here. Mount the image instead."

  private static let mark: StaticString = ":com.apple.metadata_com_apple_backup_excludeItem"
  private static let other: StaticString = ":com.apple."

  /// The length of the owner's name if a name is that of a side file with the mark's value.
  public static func owner(of name: UnsafeBufferPointer<UInt8>) -> Int? {
    let length = name.count - mark.utf8CodeUnitCount
    guard length > 0, holds(name, mark, at: length) else { return nil }
    return length
  }

  /// The length of the owner's name if a name is that of a side file with any `com.apple.` value.
  public static func ownerOfOther(of name: UnsafeBufferPointer<UInt8>) -> Int? {
    guard let colon = name.lastIndex(of: 0x3A), colon > 0,
      name.count > colon + other.utf8CodeUnitCount, holds(name, other, at: colon)
    else { return nil }
    return colon
  }

  private static func holds(
    _ name: UnsafeBufferPointer<UInt8>, _ text: StaticString, at start: Int
  ) -> Bool {
    for index in 0..<text.utf8CodeUnitCount
    where name[start + index] != text.utf8Start[index] {
      return false
    }
    return true
  }
}
