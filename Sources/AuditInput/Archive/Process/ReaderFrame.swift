import AuditCore

/// What the archive reader's process says, one frame after the other.
///
/// A frame is a byte for its kind, the length of its body in four bytes, and the body; numbers are
/// little-endian. The whole is `head`, any number of `directory`, and `end`: without an end it is not
/// whole, whatever status the process left.
enum ReaderFrame: UInt8 {
  case head = 1
  case directory = 2
  case end = 3

  /// The longest body that is believed: a directory of some ten million names.
  static let longest = 1 << 30
}

/// Puts values into the body of a frame.
struct FrameWriter {
  private(set) var bytes: [UInt8] = []

  mutating func put<Number: FixedWidthInteger>(_ number: Number) {
    withUnsafeBytes(of: number.littleEndian) { bytes.append(contentsOf: $0) }
  }

  mutating func put(_ flag: Bool) { bytes.append(flag ? 1 : 0) }

  mutating func put(_ text: some Collection<UInt8>) {
    put(UInt32(clamping: text.count))
    bytes.append(contentsOf: text)
  }

  mutating func put(_ text: String) { put(text.utf8) }

  mutating func put<Value>(_ value: Value?, _ body: (inout FrameWriter, Value) -> Void) {
    put(value != nil)
    if let value { body(&self, value) }
  }

  mutating func put<Value>(list: [Value], _ body: (inout FrameWriter, Value) -> Void) {
    put(UInt32(clamping: list.count))
    for value in list { body(&self, value) }
  }

  mutating func removeAll() { bytes.removeAll(keepingCapacity: true) }
}

/// Takes values out of the body of a frame that nobody vouches for.
struct FrameReader {
  /// The body ends too early, or says something that cannot be.
  struct Garbled: Error {}

  private let bytes: ArraySlice<UInt8>
  private var at: Int

  init(_ bytes: ArraySlice<UInt8>) {
    self.bytes = bytes
    at = bytes.startIndex
  }

  /// How many bytes are left.
  var left: Int { bytes.endIndex - at }

  mutating func slice(_ count: Int) throws(Garbled) -> ArraySlice<UInt8> {
    guard count >= 0, count <= left else { throw Garbled() }
    defer { at += count }
    return bytes[at..<(at + count)]
  }

  mutating func number<Number: FixedWidthInteger>(
    _ type: Number.Type = Number.self
  ) throws(Garbled) -> Number {
    var result: Number = 0
    for (place, byte) in try slice(MemoryLayout<Number>.size).enumerated() {
      result |= Number(truncatingIfNeeded: byte) << Number(truncatingIfNeeded: 8 * place)
    }
    return result
  }

  mutating func flag() throws(Garbled) -> Bool {
    switch try number(UInt8.self) {
    case 0: false
    case 1: true
    default: throw Garbled()
    }
  }

  mutating func text() throws(Garbled) -> [UInt8] {
    Array(try slice(Int(number(UInt32.self))))
  }

  mutating func string() throws(Garbled) -> String {
    String(decoding: try text(), as: UTF8.self)
  }

  mutating func optional<Value>(
    _ body: (inout FrameReader) throws(Garbled) -> Value
  ) throws(Garbled) -> Value? {
    try flag() ? try body(&self) : nil
  }

  /// Every element takes a byte at least, so no count asks for more memory than the frame has.
  mutating func list<Value>(
    _ body: (inout FrameReader) throws(Garbled) -> Value
  ) throws(Garbled) -> [Value] {
    let count = Int(try number(UInt32.self))
    guard count <= left else { throw Garbled() }
    var result: [Value] = []
    for _ in 0..<count { result.append(try body(&self)) }
    return result
  }
}
