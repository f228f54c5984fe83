extension Cursor {
  /// The most bytes that a CSV field takes for `count` bytes.
  static func csvBound(_ count: Int) -> Int { 3 * count + 3 }

  /// Puts a quoted CSV field (RFC 4180); returns whether every byte could be shown as it is.
  ///
  /// A field that a spreadsheet would take for a formula gets an apostrophe in front, and so
  /// does one that starts with an apostrophe: removing one leading apostrophe gives the name.
  /// The field is `bytes` followed by `more`.
  /// Bytes that are not UTF-8 become U+FFFD, and so does what a terminal would obey or a reader
  /// would not see: tables are also looked at with `cat` and `less`.
  mutating func putCSV(
    _ bytes: UnsafeBufferPointer<UInt8>,
    _ more: UnsafeBufferPointer<UInt8> = UnsafeBufferPointer(start: nil, count: 0)
  ) -> Bool {
    put(byte: 0x22)
    if let first = bytes.first ?? more.first, "=+-@'".utf8.contains(first) { put(byte: 0x27) }
    let isValid = putCSVInside(bytes)
    let isMoreValid = putCSVInside(more)
    put(byte: 0x22)
    return isValid && isMoreValid
  }

  private mutating func putCSVInside(_ bytes: UnsafeBufferPointer<UInt8>) -> Bool {
    guard var from = bytes.baseAddress else { return true }
    let end = from + bytes.count
    var isValid = true
    while from < end {
      // What is plain for JSON is plain here.
      putPlainWords(&from, before: end)
      guard from < end else { break }
      let step = UTF8Step(from, available: end - from)
      switch step.scalar {
      case 0x22: put("\"\"")
      case let scalar? where !UTF8Step.isTreacherous(scalar): put(from, step.count)
      default:
        putReplacement()
        isValid = false
      }
      from += step.count
    }
    return isValid
  }
}
