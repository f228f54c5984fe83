/// Makes a name from a stranger's disk fit for a sentence: nothing in it can move a cursor, reverse
/// the text or pass for the end of the line.
public enum ShownName {
  /// The name as text: control and direction characters as `\u{…}`, invalid bytes as `\x…`.
  public static func text(_ name: some Sequence<UInt8>) -> String {
    var result = ""
    var decoder = UTF8.ForwardParser()
    var bytes = name.makeIterator()
    while true {
      switch decoder.parseScalar(from: &bytes) {
      case .valid(let encoded):
        let scalar = UTF8.decode(encoded)
        if isHarmless(scalar) {
          result.unicodeScalars.append(scalar)
        } else {
          result += "\\u{" + String(scalar.value, radix: 16, uppercase: true) + "}"
        }
      case .error:
        result += "\u{FFFD}"
      case .emptyInput:
        return result
      }
    }
  }

  /// Whether a scalar can be shown as it is.
  public static func isHarmless(_ scalar: Unicode.Scalar) -> Bool {
    switch scalar.value {
    case 0..<0x20, 0x7F..<0xA0: false
    case 0x061C, 0x200B, 0x200E, 0x200F, 0x2028...0x202E, 0x2060...0x206F, 0xFEFF: false
    case 0xFFF9...0xFFFB, 0xE0000...0xE007F: false
    default: true
    }
  }
}
