import AuditCore
import CArchive

/// Reads the beginning of the few bodies that matter, into one buffer that is used again.
final class MemberBodies {
  private let archive: OpaquePointer
  private let buffer = UnsafeMutableBufferPointer<UInt8>.allocate(
    capacity: ContainerMetadataFile.sizeLimit + 1)

  init(archive: OpaquePointer) {
    self.archive = archive
  }

  deinit {
    buffer.deallocate()
  }

  /// The first bytes of the current member's body, valid until the next call; nil if it cannot be
  /// read.
  func prefix(_ limit: Int) -> UnsafeBufferPointer<UInt8>? {
    let limit = min(limit, buffer.count)
    var count = 0
    while count < limit {
      let got = archive_read_data(archive, buffer.baseAddress.map { $0 + count }, limit - count)
      if got < 0 {
        if got == Int(ARCHIVE_WARN) || got == Int(ARCHIVE_RETRY) { continue }
        return nil
      }
      if got == 0 { break }
      count += got
    }
    return UnsafeBufferPointer(rebasing: buffer[..<count])
  }

  /// Whether a file of this name is a database by its extension.
  static func isDatabase(_ name: UnsafeBufferPointer<UInt8>) -> Bool {
    guard let dot = name.lastIndex(of: 0x2E), dot > 0 else { return false }
    let tail = UnsafeBufferPointer(rebasing: name[(dot + 1)...])
    // All extensions begin with one of two letters.
    guard let first = tail.first, first == 0x73 || first == 0x64 else { return false }
    return extensions.contains { Bytes.equal(tail, $0) }
  }

  private static let extensions: [StaticString] = [
    "sqlite", "sqlite3", "sqlitedb", "db", "db3", "store", "storedata",
  ]
}
