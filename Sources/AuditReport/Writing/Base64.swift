extension Cursor {
  /// How many characters `count` bytes take in base64 with padding.
  static func base64Count(_ count: Int) -> Int { (count + 2) / 3 * 4 }

  /// Puts bytes in base64 (RFC 4648, with padding).
  mutating func putBase64(_ bytes: some Sequence<UInt8>) {
    var group: UInt32 = 0
    var held = 0
    for byte in bytes {
      group = group << 8 | UInt32(byte)
      held += 1
      guard held == 3 else { continue }
      for shift: UInt32 in [18, 12, 6, 0] { put(base64: group >> shift) }
      (group, held) = (0, 0)
    }
    switch held {
    case 1:
      put(base64: group >> 2)
      put(base64: group << 4)
      put("==")
    case 2:
      put(base64: group >> 10)
      put(base64: group >> 4)
      put(base64: group << 2)
      put("=")
    default: break
    }
  }

  private mutating func put(base64 value: UInt32) {
    let digits: StaticString = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/"
    put(byte: digits.utf8Start[Int(value & 63)])
  }
}

extension ByteWriter {
  /// Appends bytes in base64 (RFC 4648, with padding).
  func appendBase64(_ bytes: some Collection<UInt8>) {
    var cursor = reserve(Cursor.base64Count(bytes.count))
    cursor.putBase64(bytes)
    commit(cursor)
  }
}
