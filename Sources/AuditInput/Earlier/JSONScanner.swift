/// Reads JSON as it comes, piece by piece, without a tree of it in memory.
///
/// The reader asks for what it wants and skips the rest. Strings come out as UTF-8 bytes, so that
/// no two names become equal on the way.
struct JSONScanner {
  /// Why a document cannot be read on.
  struct Failure: Error, Equatable {
    /// What was expected or met.
    var reason: String
    /// Where, in bytes from the start.
    var offset: Int
    /// The error number of a failed read, if it was one.
    var code = 0
  }

  /// The most bytes that one string may have; paths have a few thousand.
  static let stringLimit = 1 << 20
  /// How deep values may lie in one another.
  static let depthLimit = 64

  private let fd: Int32
  private var buffer = [UInt8](repeating: 0, count: 1 << 16)
  private var position = 0
  private var end = 0
  private var before = 0
  private var depth = 0

  /// Reads from an open descriptor, which stays the caller's.
  init(fd: Int32) { self.fd = fd }

  private var offset: Int { before + position }

  /// A failure at the place where the reader is.
  func failure(_ reason: String) -> Failure { Failure(reason: reason, offset: offset) }

  // MARK: - Bytes

  /// The next byte, which stays where it is; nil at the end.
  private mutating func peek() throws(Failure) -> UInt8? {
    if position < end { return buffer[position] }
    before += end
    position = 0
    end = 0
    let descriptor = fd
    let count = buffer.withUnsafeMutableBytes { System.readFile(descriptor, $0) }
    guard count >= 0 else {
      throw Failure(reason: "cannot read on", offset: before, code: -count)
    }
    end = count
    return count == 0 ? nil : buffer[0]
  }

  private mutating func next() throws(Failure) -> UInt8 {
    guard let byte = try peek() else { throw failure("it ends too early") }
    position += 1
    return byte
  }

  /// The next byte that is not white space.
  mutating func peekToken() throws(Failure) -> UInt8? {
    while let byte = try peek() {
      guard byte == 0x20 || byte == 0x0A || byte == 0x0D || byte == 0x09 else { return byte }
      position += 1
    }
    return nil
  }

  private mutating func expect(_ byte: UInt8) throws(Failure) {
    guard try peekToken() == byte else {
      throw failure("a \(Character(Unicode.Scalar(byte))) was expected")
    }
    position += 1
  }

  /// Checks that nothing but white space follows.
  mutating func expectEnd() throws(Failure) {
    if try peekToken() != nil { throw failure("something follows the document") }
  }

  /// Whether an object starts here, as far as its first two tokens tell.
  mutating func startsObject() -> Bool {
    guard (try? peekToken()) == 0x7B else { return false }
    position += 1
    let second = try? peekToken()
    return second == 0x22 || second == 0x7D
  }

  // MARK: - Values

  /// Calls `body` for each member of an object; it must read the value.
  mutating func object(
    _ body: (inout JSONScanner, [UInt8]) throws(Failure) -> Void
  ) throws(Failure) {
    try expect(0x7B)
    try enter()
    if try peekToken() == 0x7D {
      position += 1
    } else {
      while true {
        let key = try string()
        try expect(0x3A)
        try body(&self, key)
        if try separator(0x7D) { break }
      }
    }
    depth -= 1
  }

  /// Calls `body` for each element of an array; it must read the value.
  mutating func array(_ body: (inout JSONScanner) throws(Failure) -> Void) throws(Failure) {
    try expect(0x5B)
    try enter()
    if try peekToken() == 0x5D {
      position += 1
    } else {
      repeat { try body(&self) } while try !separator(0x5D)
    }
    depth -= 1
  }

  private mutating func enter() throws(Failure) {
    depth += 1
    if depth > Self.depthLimit { throw failure("it is nested too deep") }
  }

  /// Reads a comma (false) or the closing bracket (true).
  private mutating func separator(_ closing: UInt8) throws(Failure) -> Bool {
    switch try peekToken() {
    case 0x2C: position += 1
    case closing:
      position += 1
      return true
    default: throw failure("a comma or a closing bracket was expected")
    }
    return false
  }

  /// Reads a whole number that fits into 64 bits.
  mutating func integer() throws(Failure) -> Int {
    let text = String(decoding: try literal(), as: UTF8.self)
    guard let value = Int(text) else { throw failure("a whole number was expected") }
    return value
  }

  /// Reads `true` or `false`.
  mutating func boolean() throws(Failure) -> Bool {
    switch String(decoding: try literal(), as: UTF8.self) {
    case "true": return true
    case "false": return false
    default: throw failure("true or false was expected")
    }
  }

  /// The bytes of a number or a word.
  private mutating func literal() throws(Failure) -> [UInt8] {
    _ = try peekToken()
    var bytes: [UInt8] = []
    while let byte = try peek() {
      switch byte {
      case 0x30...0x39, 0x41...0x5A, 0x61...0x7A, 0x2B, 0x2D, 0x2E: bytes.append(byte)
      default: return bytes
      }
      position += 1
      if bytes.count > 64 { throw failure("a number is too long") }
    }
    return bytes
  }

  /// Skips a value of any kind.
  mutating func skip() throws(Failure) {
    switch try peekToken() {
    case 0x7B: try object { (scanner, _) throws(Failure) in try scanner.skip() }
    case 0x5B: try array { (scanner) throws(Failure) in try scanner.skip() }
    case 0x22: _ = try string()
    default:
      if try literal().isEmpty { throw failure("a value was expected") }
    }
  }

  // MARK: - Strings

  /// Reads a string as UTF-8.
  mutating func string() throws(Failure) -> [UInt8] {
    try expect(0x22)
    var bytes: [UInt8] = []
    while true {
      if position < end {
        // Most of a string needs no look: taken over in one piece.
        let rest = buffer[position..<end]
        let stop = rest.firstIndex { $0 == 0x22 || $0 == 0x5C || $0 < 0x20 } ?? end
        bytes.append(contentsOf: buffer[position..<stop])
        position = stop
      }
      if bytes.count > Self.stringLimit { throw failure("a string is too long") }
      guard position < end else {
        if try peek() == nil { throw failure("it ends within a string") }
        continue
      }
      switch try next() {
      case 0x22: return bytes
      case 0x5C: try escape(&bytes)
      default: throw failure("a control character stands in a string")
      }
    }
  }

  private mutating func escape(_ bytes: inout [UInt8]) throws(Failure) {
    switch try next() {
    case 0x22: bytes.append(0x22)
    case 0x5C: bytes.append(0x5C)
    case 0x2F: bytes.append(0x2F)
    case 0x62: bytes.append(0x08)
    case 0x66: bytes.append(0x0C)
    case 0x6E: bytes.append(0x0A)
    case 0x72: bytes.append(0x0D)
    case 0x74: bytes.append(0x09)
    case 0x75: try append(unit: hexadecimal(), &bytes)
    default: throw failure("an unknown escape stands in a string")
    }
  }

  private mutating func append(unit: UInt32, _ bytes: inout [UInt8]) throws(Failure) {
    var value = unit
    if (0xD800...0xDBFF).contains(unit) {
      guard try next() == 0x5C, try next() == 0x75 else { throw failure("half a character") }
      let low = try hexadecimal()
      guard (0xDC00...0xDFFF).contains(low) else { throw failure("half a character") }
      value = 0x10000 + (unit - 0xD800) << 10 + (low - 0xDC00)
    }
    guard let scalar = Unicode.Scalar(value) else { throw failure("half a character") }
    bytes.append(contentsOf: UTF8.encode(scalar) ?? UTF8.encodedReplacementCharacter)
  }

  private mutating func hexadecimal() throws(Failure) -> UInt32 {
    var value: UInt32 = 0
    for _ in 0..<4 {
      let byte = try next()
      guard let digit = Character(Unicode.Scalar(byte)).hexDigitValue else {
        throw failure("four hexadecimal digits were expected")
      }
      value = value << 4 | UInt32(digit)
    }
    return value
  }
}
