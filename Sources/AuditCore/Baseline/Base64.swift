/// Base64 with padding (RFC 4648), for names that are not valid UTF-8.
public enum Base64 {
  private static let alphabet = Array(
    "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/".utf8)
  private static let padding = UInt8(ascii: "=")

  static func encoded(_ bytes: [UInt8]) -> [UInt8] {
    var out: [UInt8] = []
    for start in stride(from: 0, to: bytes.count, by: 3) {
      let group = bytes[start..<min(start + 3, bytes.count)]
      var word = group.reduce(0) { $0 << 8 | Int($1) }
      word <<= 8 * (3 - group.count)
      for place in 0..<4 {
        out.append(place <= group.count ? alphabet[word >> (18 - 6 * place) & 63] : padding)
      }
    }
    return out
  }

  /// The bytes, or nil where the text is not Base64.
  public static func decoded(_ text: [UInt8]) -> [UInt8]? {
    guard text.count % 4 == 0 else { return nil }
    let body = text.prefix { $0 != padding }
    guard text.count - body.count <= 2, text[body.count...].allSatisfy({ $0 == padding }) else {
      return nil
    }
    var out: [UInt8] = []
    var word = 0
    var bits = 0
    for byte in body {
      guard let value = value(of: byte) else { return nil }
      word = word << 6 & 0xFFFF | value
      bits += 6
      if bits >= 8 {
        bits -= 8
        out.append(UInt8(word >> bits & 0xFF))
      }
    }
    return out
  }

  private static func value(of byte: UInt8) -> Int? {
    switch byte {
    case 0x41...0x5A: Int(byte) - 0x41
    case 0x61...0x7A: Int(byte) - 0x61 + 26
    case 0x30...0x39: Int(byte) - 0x30 + 52
    case UInt8(ascii: "+"): 62
    case UInt8(ascii: "/"): 63
    default: nil
    }
  }
}
