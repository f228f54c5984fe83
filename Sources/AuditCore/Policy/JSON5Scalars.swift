extension JSON5.Reader {
  // MARK: Names

  /// Whether a byte can begin a name without quotes.
  func isWord(_ byte: UInt8) -> Bool {
    switch byte {
    case 0x41...0x5A, 0x61...0x7A, UInt8(ascii: "_"), UInt8(ascii: "$"), UInt8(ascii: "\\"):
      true
    case 0x80...: scalar(at: index).0.properties.isIDStart
    default: false
    }
  }

  /// A name without quotes, as ECMAScript 5.1 spells identifiers.
  mutating func name() throws(JSON5.Failure) -> String {
    var result = ""
    while let byte = peek() {
      if byte == UInt8(ascii: "\\") {
        let start = index
        guard peek(1) == UInt8(ascii: "u") else { throw fail("unexpected \\ in a name") }
        index += 2
        let scalar = Unicode.Scalar(UInt32(try hexDigits(4)))
        guard let scalar, scalar.properties.isIDContinue else {
          throw JSON5.Failure(offset: start, message: "this escape is no letter of a name")
        }
        result.unicodeScalars.append(scalar)
        continue
      }
      let (scalar, length) = scalar(at: index)
      let fits =
        scalar == "$" || scalar == "_" || scalar.properties.isIDContinue
        || scalar.value == 0x200C || scalar.value == 0x200D
      guard fits else { break }
      result.unicodeScalars.append(scalar)
      index += length
    }
    return result
  }

  // MARK: Strings

  /// A string in single or double quotes, in UTF-8.
  mutating func string() throws(JSON5.Failure) -> [UInt8] {
    let opening = index
    let quote = text[index]
    var result: [UInt8] = []
    index += 1
    while let byte = peek() {
      switch byte {
      case quote:
        index += 1
        return result
      case UInt8(ascii: "\\"):
        try escape(into: &result)
      case 0x0A, 0x0D:
        throw JSON5.Failure(offset: opening, message: "this string does not end on its line")
      default:
        result.append(byte)
        index += 1
      }
    }
    throw JSON5.Failure(offset: opening, message: "this string is never closed")
  }

  private mutating func escape(into result: inout [UInt8]) throws(JSON5.Failure) {
    let start = index
    index += 1
    guard let byte = peek() else { return }
    if let length = lineEndLength() {
      // A line that goes on: the line end is no part of the string.
      index += byte == 0x0D && peek(1) == 0x0A ? 2 : length
      return
    }
    index += 1
    switch byte {
    case UInt8(ascii: "b"): result.append(0x08)
    case UInt8(ascii: "f"): result.append(0x0C)
    case UInt8(ascii: "n"): result.append(0x0A)
    case UInt8(ascii: "r"): result.append(0x0D)
    case UInt8(ascii: "t"): result.append(0x09)
    case UInt8(ascii: "v"): result.append(0x0B)
    case UInt8(ascii: "x"): append(Unicode.Scalar(UInt8(try hexDigits(2))), to: &result)
    case UInt8(ascii: "u"): append(try unicodeEscape(from: start), to: &result)
    case 0x30...0x39:
      let digitFollows = peek().map { 0x30...0x39 ~= $0 } ?? false
      guard byte == 0x30 && !digitFollows else {
        throw JSON5.Failure(offset: start, message: "octal escapes are no part of JSON5")
      }
      result.append(0)
    default:
      // Any other character stands for itself; of a longer one this is the first byte.
      result.append(byte)
    }
  }

  /// What follows `\u`: four digits, or two times four for a surrogate pair.
  private mutating func unicodeEscape(from start: Int) throws(JSON5.Failure) -> Unicode.Scalar {
    let first = UInt32(try hexDigits(4))
    if let scalar = Unicode.Scalar(first) { return scalar }
    let half = JSON5.Failure(offset: start, message: "half of a surrogate pair")
    guard first < 0xDC00, peek() == UInt8(ascii: "\\"), peek(1) == UInt8(ascii: "u") else {
      throw half
    }
    index += 2
    let second = UInt32(try hexDigits(4))
    guard 0xDC00..<0xE000 ~= second,
      let scalar = Unicode.Scalar(0x10000 + (first - 0xD800) << 10 + (second - 0xDC00))
    else { throw half }
    return scalar
  }

  private mutating func hexDigits(_ count: Int) throws(JSON5.Failure) -> Int {
    var value = 0
    for _ in 0..<count {
      guard let byte = peek(), let digit = hexValue(byte) else {
        throw fail("expected \(count) hexadecimal digits, not \(seen())")
      }
      value = value << 4 | digit
      index += 1
    }
    return value
  }

  private func hexValue(_ byte: UInt8) -> Int? {
    switch byte {
    case 0x30...0x39: Int(byte) - 0x30
    case 0x41...0x46: Int(byte) - 0x37
    case 0x61...0x66: Int(byte) - 0x57
    default: nil
    }
  }

  private func append(_ scalar: Unicode.Scalar, to result: inout [UInt8]) {
    result.append(contentsOf: UTF8.encode(scalar) ?? UTF8.encodedReplacementCharacter)
  }

  // MARK: Numbers

  /// A number: decimal, hexadecimal, with a sign, `Infinity`, `NaN`.
  mutating func number() throws(JSON5.Failure) -> Double {
    let start = index
    var sign = 1.0
    if peek() == UInt8(ascii: "+") || peek() == UInt8(ascii: "-") {
      if text[index] == UInt8(ascii: "-") { sign = -1 }
      index += 1
    }
    let digits = index
    while let byte = peek(), isNumberPart(byte) { index += 1 }
    let token = String(decoding: text[digits..<index], as: UTF8.self)
    if token == "Infinity" { return sign * .infinity }
    if token == "NaN" { return .nan }
    let bad = JSON5.Failure(
      offset: start,
      message: "\(Shown.text(text[start..<index])) is no number")
    if token.hasPrefix("0x") || token.hasPrefix("0X") {
      guard let value = UInt64(token.dropFirst(2), radix: 16) else { throw bad }
      return sign * Double(value)
    }
    guard isDecimal(Array(text[digits..<index])), let value = Double(token) else { throw bad }
    return sign * value
  }

  private func isNumberPart(_ byte: UInt8) -> Bool {
    switch byte {
    case 0x30...0x39, 0x41...0x5A, 0x61...0x7A, UInt8(ascii: "."): true
    case UInt8(ascii: "+"), UInt8(ascii: "-"):
      // Only within an exponent.
      text[index - 1] | 0x20 == UInt8(ascii: "e")
    default: false
    }
  }

  /// Digits with at most one point and an exponent, and no leading zero before a digit.
  private func isDecimal(_ token: [UInt8]) -> Bool {
    let isDigit = { (byte: UInt8) in 0x30...0x39 ~= byte }
    let parts = token.split(
      maxSplits: 1, omittingEmptySubsequences: false, whereSeparator: { $0 | 0x20 == 0x65 })
    let mantissa = parts[0].split(
      maxSplits: 1, omittingEmptySubsequences: false, whereSeparator: { $0 == 0x2E })
    guard mantissa.allSatisfy({ $0.allSatisfy(isDigit) }),
      mantissa.contains(where: { !$0.isEmpty })
    else { return false }
    if mantissa[0].count > 1 && mantissa[0].first == 0x30 { return false }
    guard parts.count == 2 else { return true }
    var exponent = parts[1]
    if exponent.first == UInt8(ascii: "+") || exponent.first == UInt8(ascii: "-") {
      exponent.removeFirst()
    }
    return !exponent.isEmpty && exponent.allSatisfy(isDigit)
  }
}
