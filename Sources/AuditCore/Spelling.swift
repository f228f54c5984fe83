/// Names that are spelled differently and are one: canonically equivalent, but not equal in bytes.
///
/// Bytes are the key everywhere. Only where nothing matched by bytes, an accented letter that is
/// one character on one side and two on the other is taken for the same. Case is never folded, and
/// what is no UTF-8 is equal to nothing but itself.
enum Spelling: Hashable {
  /// Compared by canonical equivalence, as strings are.
  case text(String)
  /// Compared byte for byte.
  case bytes([UInt8])

  init(_ path: [UInt8]) {
    if let text = String(validating: path, as: UTF8.self) {
      self = .text(text)
    } else {
      self = .bytes(path)
    }
  }

  /// The path in ASCII, if an equivalent one is: three characters are another spelling of one.
  static func inASCII(_ path: [UInt8]) -> [UInt8]? {
    guard let text = String(validating: path, as: UTF8.self) else { return nil }
    var plain: [UInt8] = []
    for scalar in text.unicodeScalars {
      switch scalar {
      case "\u{212A}": plain.append(UInt8(ascii: "K"))
      case "\u{37E}": plain.append(UInt8(ascii: ";"))
      case "\u{1FEF}": plain.append(UInt8(ascii: "`"))
      default:
        guard scalar.isASCII else { return nil }
        plain.append(UInt8(scalar.value))
      }
    }
    return plain
  }

  /// Whether a name can have another spelling at all.
  static func isPossible(_ name: some Sequence<UInt8>) -> Bool { name.contains { $0 >= 0x80 } }
}
