/// Strings of JSON and JSON5 that people read and compare.
enum JSONText {
  /// Appends a string in quotes; hidden characters are escaped, so that a diff shows them, and
  /// invalid bytes become U+FFFD.
  static func append(_ text: some Sequence<UInt8>, to out: inout [UInt8]) {
    out.append(UInt8(ascii: "\""))
    for scalar in String(decoding: Array(text), as: UTF8.self).unicodeScalars {
      if scalar == "\"" || scalar == "\\" {
        out += "\\\(scalar)".utf8
      } else if Shown.isHidden(scalar) {
        for unit in String(scalar).utf16 {
          let digits = String(unit, radix: 16)
          out += ("\\u" + String(repeating: "0", count: 4 - digits.utf8.count) + digits).utf8
        }
      } else {
        out += String(scalar).utf8
      }
    }
    out.append(UInt8(ascii: "\""))
  }

  /// A string in quotes.
  static func quoted(_ text: String) -> String {
    var out: [UInt8] = []
    append(text.utf8, to: &out)
    return String(decoding: out, as: UTF8.self)
  }
}
