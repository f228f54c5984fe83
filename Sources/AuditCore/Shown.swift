/// Names made safe to show: what could forge a line or repaint a terminal becomes visible text.
public enum Shown {
  /// The bytes as text, with escapes for control, bidirectional, invisible and invalid ones.
  ///
  /// Control characters become `\n`, `\t`, `\e` …, other hidden ones `\u{202E}`, invalid bytes
  /// `\xFF`, and the backslash itself `\\`, so that no two names look the same by escaping.
  public static func text(_ bytes: some Collection<UInt8>) -> String {
    if bytes.allSatisfy({ $0 >= 0x20 && $0 < 0x7F && $0 != 0x5C }) {
      return String(decoding: bytes, as: UTF8.self)
    }
    var out = ""
    var decoder = UTF8.ForwardParser()
    var iterator = bytes.makeIterator()
    var offset = bytes.startIndex
    parsing: while true {
      switch decoder.parseScalar(from: &iterator) {
      case .valid(let encoded):
        offset = bytes.index(offset, offsetBy: encoded.count)
        append(UTF8.decode(encoded), to: &out)
      case .error(let length):
        for _ in 0..<length {
          out += "\\x" + hex(UInt32(bytes[offset]), digits: 2)
          offset = bytes.index(after: offset)
        }
      case .emptyInput: break parsing
      }
    }
    return out
  }

  /// Whether a character does something else than show itself.
  public static func isHidden(_ scalar: Unicode.Scalar) -> Bool {
    switch scalar.value {
    case 0x00...0x1F, 0x7F...0x9F, 0xAD, 0x61C, 0x180E, 0x200B...0x200F, 0x2028...0x202E,
      0x2060...0x206F, 0xFE00...0xFE0F, 0xFEFF, 0xFFF9...0xFFFB, 0xE0000...0xE0FFF:
      true
    default: false
    }
  }

  private static func append(_ scalar: Unicode.Scalar, to out: inout String) {
    switch scalar.value {
    case 0x0A: out += "\\n"
    case 0x0D: out += "\\r"
    case 0x09: out += "\\t"
    case 0x1B: out += "\\e"
    case 0x5C: out += "\\\\"
    case let value where value < 0x80 && isHidden(scalar): out += "\\x" + hex(value, digits: 2)
    case let value where isHidden(scalar): out += "\\u{" + hex(value, digits: 4) + "}"
    default: out.unicodeScalars.append(scalar)
    }
  }

  private static func hex(_ value: UInt32, digits: Int) -> String {
    let text = String(value, radix: 16, uppercase: true)
    return String(repeating: "0", count: max(0, digits - text.count)) + text
  }
}
