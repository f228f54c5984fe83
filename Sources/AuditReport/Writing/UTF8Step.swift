import AuditCore

/// What stands at one place of a byte string that should be UTF-8.
struct UTF8Step {
  /// The scalar; nil where the bytes are not UTF-8.
  let scalar: UInt32?
  /// How many bytes it takes; for bytes that are not UTF-8, the maximal subpart of a sequence
  /// (Unicode, section 3.9), so that one replacement character stands for it.
  let count: Int

  /// Reads one step at `start`; `available` is at least 1.
  init(_ start: UnsafePointer<UInt8>, available: Int) {
    let lead = start[0]
    var low: UInt8 = 0x80
    var high: UInt8 = 0xBF
    let length: Int
    var value: UInt32
    switch lead {
    case 0...0x7F:
      scalar = UInt32(lead)
      count = 1
      return
    case 0xC2...0xDF:
      length = 2
      value = UInt32(lead & 0x1F)
    case 0xE0...0xEF:
      length = 3
      value = UInt32(lead & 0x0F)
      if lead == 0xE0 { low = 0xA0 }
      if lead == 0xED { high = 0x9F }
    case 0xF0...0xF4:
      length = 4
      value = UInt32(lead & 0x07)
      if lead == 0xF0 { low = 0x90 }
      if lead == 0xF4 { high = 0x8F }
    default:
      scalar = nil
      count = 1
      return
    }
    for offset in 1..<length {
      guard offset < available, (low...high).contains(start[offset]) else {
        scalar = nil
        count = offset
        return
      }
      value = value << 6 | UInt32(start[offset] & 0x3F)
      (low, high) = (0x80, 0xBF)
    }
    scalar = value
    count = length
  }

  /// Whether a scalar must not reach a terminal, an editor or a browser as it is: it does
  /// something else than show itself, or XML has no way to hold it.
  static func isTreacherous(_ scalar: UInt32) -> Bool {
    guard let scalar = Unicode.Scalar(scalar) else { return true }
    return Shown.isHidden(scalar) || scalar == "\u{FFFE}" || scalar == "\u{FFFF}"
  }
}

extension Cursor {
  /// Puts U+FFFD.
  mutating func putReplacement() { put("\u{FFFD}") }
}
