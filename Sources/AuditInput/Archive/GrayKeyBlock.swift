import AuditCore

/// The extra field in which GrayKey's full-file-system zips keep a member's attributes.
///
/// `version u8 | flags u8 | [flags & 1: protection class u32] | [flags & 2: count u32, then
/// count × (length u32, name, NUL, value)]`, little-endian; block 0x4B47, formerly 0x0004.
/// As in publicly available notes on the format.
enum GrayKeyBlock {
  /// What the extra field of one member says.
  struct Content {
    /// The attributes; nil if there is no block of GrayKey's.
    var attributes: AttributeSummary?
    var isDamaged = false
    var inode: UInt64 = 0
    var device: UInt64 = 0
    /// Whether a block is there that Apple's archiver writes (0x5855).
    var isApples = false
  }

  /// Reads a member's extra field.
  static func parse(_ extra: UnsafeBufferPointer<UInt8>) -> Content {
    var content = Content()
    ZipIndex.forEachBlock(in: extra) { number, bytes in
      switch number {
      case 0x4B47, 0x0004:
        if let attributes = attributes(bytes) {
          content.attributes = attributes
        } else if number == 0x4B47 {
          content.isDamaged = true
        }
      case 0x4E49 where bytes.count >= 12:
        content.inode = little(bytes, 0, 8) ?? 0
        content.device = little(bytes, 8, 4) ?? 0
      case 0x5855: content.isApples = true
      default: break
      }
    }
    return content
  }

  private static func attributes(_ bytes: UnsafeBufferPointer<UInt8>) -> AttributeSummary? {
    guard bytes.count >= 2, bytes[0] == 1 else { return nil }
    let flags = bytes[1]
    var at = 2
    if flags & 1 != 0 { at += 4 }
    var summary = AttributeSummary()
    guard flags & 2 != 0 else { return at <= bytes.count ? summary : nil }
    guard let count = little(bytes, at, 4) else { return nil }
    at += 4
    for _ in 0..<min(count, UInt64(bytes.count)) {
      guard let length = little(bytes, at, 4), at + 4 + Int(length) <= bytes.count else {
        return nil
      }
      let pair = UnsafeBufferPointer(rebasing: bytes[(at + 4)..<(at + 4 + Int(length))])
      guard let nul = pair.firstIndex(of: 0) else { return nil }
      summary.add(
        name: UnsafeBufferPointer(rebasing: pair[..<nul]),
        value: UnsafeBufferPointer(rebasing: pair[(nul + 1)...]), rule: .any)
      at += 4 + Int(length)
    }
    return count > UInt64(bytes.count) ? nil : summary
  }

  private static func little(
    _ bytes: UnsafeBufferPointer<UInt8>, _ at: Int, _ count: Int
  ) -> UInt64? {
    guard at + count <= bytes.count else { return nil }
    return (0..<count).reversed().reduce(0) { $0 << 8 | UInt64(bytes[at + $1]) }
  }
}
