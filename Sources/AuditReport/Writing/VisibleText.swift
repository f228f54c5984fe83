/// How a name becomes text that people read: as `Shown` does it, but straight into a report.
enum VisibleText {
  /// What the text is put into.
  enum Place {
    /// Plain text.
    case plain
    /// XML or HTML, as content or within a quoted attribute value.
    case markup
  }

  /// The most bytes that visible text takes for `count` bytes.
  static func bound(_ count: Int) -> Int { 10 * count }
}

extension Cursor {
  /// Puts bytes as visible text; needs room for `VisibleText.bound`.
  mutating func putVisible(_ bytes: UnsafeBufferPointer<UInt8>, in place: VisibleText.Place) {
    guard var from = bytes.baseAddress else { return }
    let end = from + bytes.count
    while from < end {
      let step = UTF8Step(from, available: end - from)
      if let scalar = step.scalar {
        putVisible(scalar: scalar, from, step.count, in: place)
      } else {
        for offset in 0..<step.count {
          put("\\x")
          put(hex: UInt32(from[offset]), digits: 2, letters: 0x41)
        }
      }
      from += step.count
    }
  }

  private mutating func putVisible(
    scalar: UInt32, _ start: UnsafePointer<UInt8>, _ count: Int, in place: VisibleText.Place
  ) {
    switch scalar {
    case 0x5C: put("\\\\")
    case 0x09: put("\\t")
    case 0x0A: put("\\n")
    case 0x0D: put("\\r")
    case 0x1B: put("\\e")
    case 0x26 where place == .markup: put("&amp;")
    case 0x3C where place == .markup: put("&lt;")
    case 0x3E where place == .markup: put("&gt;")
    case 0x22 where place == .markup: put("&quot;")
    case 0x27 where place == .markup: put("&#39;")
    default:
      guard UTF8Step.isTreacherous(scalar) else { return put(start, count) }
      if scalar < 0x80 {
        put("\\x")
        put(hex: scalar, digits: 2, letters: 0x41)
      } else {
        put("\\u{")
        put(hex: scalar, digits: scalar > 0xFFFF ? 5 : 4, letters: 0x41)
        put("}")
      }
    }
  }
}

extension ByteWriter {
  /// Appends bytes as visible text.
  func appendVisible(_ bytes: UnsafeBufferPointer<UInt8>, in place: VisibleText.Place = .plain) {
    var cursor = reserve(VisibleText.bound(bytes.count))
    cursor.putVisible(bytes, in: place)
    commit(cursor)
  }

  /// Appends bytes as visible text.
  func appendVisible(_ bytes: [UInt8], in place: VisibleText.Place = .plain) {
    bytes.withUnsafeBufferPointer { appendVisible($0, in: place) }
  }

  /// Appends a path as visible text, `.` for the root.
  func appendVisible(path: [UInt8], in place: VisibleText.Place = .plain) {
    if path.isEmpty { append(".") } else { appendVisible(path, in: place) }
  }
}
