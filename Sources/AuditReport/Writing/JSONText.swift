extension Cursor {
  /// The most bytes that JSON text takes for `count` bytes of a string.
  @inline(__always) static func jsonBound(_ count: Int) -> Int { 6 * count }

  /// Puts the inside of a JSON string.
  ///
  /// Valid UTF-8 stays as it is, save for what JSON forbids and for scalars that could mislead
  /// a reader; those become `\u` escapes. Bytes that are not UTF-8 become U+FFFD.
  ///
  /// - Returns: whether the bytes were valid UTF-8.
  @inline(__always) mutating func putJSON(_ start: UnsafePointer<UInt8>, _ count: Int) -> Bool {
    var from = start
    let end = start + count
    putPlainWords(&from, before: end)
    while from < end {
      let byte = from.pointee
      guard byte >= 0x20, byte < 0x7F, byte != 0x22, byte != 0x5C else {
        return putJSONSlowly(from, end)
      }
      put(byte: byte)
      from += 1
    }
    return true
  }

  /// Puts bytes that need no look, eight at a time, up to the first eight of which one does.
  @inline(__always) mutating func putPlainWords(
    _ from: inout UnsafePointer<UInt8>, before end: UnsafePointer<UInt8>
  ) {
    while end - from >= 8 {
      let word = UnsafeRawPointer(from).loadUnaligned(as: UInt64.self)
      guard isPlainJSON(word) else { return }
      put(word: word)
      from += 8
    }
  }

  @inline(never) private mutating func putJSONSlowly(
    _ start: UnsafePointer<UInt8>, _ end: UnsafePointer<UInt8>
  ) -> Bool {
    var from = start
    var isValid = true
    while from < end {
      putPlainWords(&from, before: end)
      guard from < end else { break }
      let step = UTF8Step(from, available: end - from)
      if let scalar = step.scalar {
        putJSON(scalar: scalar, from, step.count)
      } else {
        putReplacement()
        isValid = false
      }
      from += step.count
    }
    return isValid
  }

  private mutating func putJSON(scalar: UInt32, _ start: UnsafePointer<UInt8>, _ count: Int) {
    switch scalar {
    case 0x22: put("\\\"")
    case 0x5C: put("\\\\")
    case 0x08: put("\\b")
    case 0x09: put("\\t")
    case 0x0A: put("\\n")
    case 0x0C: put("\\f")
    case 0x0D: put("\\r")
    default:
      guard UTF8Step.isTreacherous(scalar) else { return put(start, count) }
      if scalar > 0xFFFF {
        putEscape(0xD7C0 + scalar >> 10)
        putEscape(0xDC00 + scalar & 0x3FF)
      } else {
        putEscape(scalar)
      }
    }
  }

  private mutating func putEscape(_ unit: UInt32) {
    put("\\u")
    put(hex: unit, digits: 4)
  }
}

/// Whether none of eight bytes needs a look: all within ASCII's printable range, no `"`, no `\`.
@inline(__always) private func isPlainJSON(_ word: UInt64) -> Bool {
  let ones: UInt64 = 0x0101_0101_0101_0101
  let quote = word ^ (ones &* 0x22)
  let backslash = word ^ (ones &* 0x5C)
  let delete = word ^ (ones &* 0x7F)
  // A byte below n borrows into its top bit when n is subtracted. Borrows can only reach bytes
  // above one that is suspicious itself, and a top bit that is set is suspicious already.
  let suspicious =
    word | (word &- ones &* 0x20) | (quote &- ones) | (backslash &- ones) | (delete &- ones)
  return suspicious & (ones &* 0x80) == 0
}

extension ByteWriter {
  /// Appends bytes as a JSON string with its quotes; returns whether they were valid UTF-8.
  @discardableResult func appendJSON(_ bytes: UnsafeBufferPointer<UInt8>) -> Bool {
    var cursor = reserve(Cursor.jsonBound(bytes.count) + 2)
    cursor.put(byte: 0x22)
    var isValid = true
    if let start = bytes.baseAddress { isValid = cursor.putJSON(start, bytes.count) }
    cursor.put(byte: 0x22)
    commit(cursor)
    return isValid
  }

  /// Appends bytes as a JSON string with its quotes; returns whether they were valid UTF-8.
  @discardableResult func appendJSON(_ bytes: [UInt8]) -> Bool {
    bytes.withUnsafeBufferPointer(appendJSON)
  }

  /// Appends text as a JSON string with its quotes.
  func appendJSON(_ text: String) {
    var text = text
    text.withUTF8 { _ = appendJSON($0) }
  }
}
