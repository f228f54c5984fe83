/// Reads MessagePack values one after the other from a stream of any length.
///
/// Holds one buffer, whatever the size of the stream; lengths are believed only as far as bytes
/// arrive. Follows the MessagePack specification (msgpack.org), big-endian.
struct MessagePackReader {
  /// Why a stream cannot be read on.
  enum Failure: Error {
    case truncated, malformed, unreadable
  }

  /// The head of a value; what has a length is followed by that many bytes or values.
  enum Head: Equatable {
    case null, boolean(Bool), integer(Int64), float
    case string(Int), binary(Int), extended(Int)
    case array(Int), map(Int)
  }

  private let refill: (UnsafeMutableRawBufferPointer) -> Int?
  private var buffer: [UInt8] = []
  private var at = 0

  /// Reads from a closure that fills a buffer; 0 is the end, nil a failure.
  init(refill: @escaping (UnsafeMutableRawBufferPointer) -> Int?) {
    self.refill = refill
  }

  /// Reads the head of the next value.
  mutating func head() throws(Failure) -> Head {
    let first = Int(try byte())
    switch first {
    case 0x00...0x7F: return .integer(Int64(first))
    case 0x80...0x8F: return .map(first & 0x0F)
    case 0x90...0x9F: return .array(first & 0x0F)
    case 0xA0...0xBF: return .string(first & 0x1F)
    case 0xC0: return .null
    case 0xC2, 0xC3: return .boolean(first == 0xC3)
    case 0xC4: return .binary(try length(1))
    case 0xC5: return .binary(try length(2))
    case 0xC6: return .binary(try length(4))
    case 0xC7: return .extended(try length(1) + 1)
    case 0xC8: return .extended(try length(2) + 1)
    case 0xC9: return .extended(try length(4) + 1)
    case 0xCA:
      try skip(4)
      return .float
    case 0xCB:
      try skip(8)
      return .float
    case 0xCC: return .integer(Int64(try number(1)))
    case 0xCD: return .integer(Int64(try number(2)))
    case 0xCE: return .integer(Int64(try number(4)))
    case 0xCF: return .integer(Int64(clamping: try number(8)))
    case 0xD0: return .integer(Int64(Int8(truncatingIfNeeded: try number(1))))
    case 0xD1: return .integer(Int64(Int16(truncatingIfNeeded: try number(2))))
    case 0xD2: return .integer(Int64(Int32(truncatingIfNeeded: try number(4))))
    case 0xD3: return .integer(Int64(bitPattern: try number(8)))
    case 0xD4...0xD8: return .extended(1 << (first - 0xD4) + 1)
    case 0xD9: return .string(try length(1))
    case 0xDA: return .string(try length(2))
    case 0xDB: return .string(try length(4))
    case 0xDC: return .array(try length(2))
    case 0xDD: return .array(try length(4))
    case 0xDE: return .map(try length(2))
    case 0xDF: return .map(try length(4))
    case 0xE0...0xFF: return .integer(Int64(first) - 256)
    default: throw .malformed
    }
  }

  /// Reads the bytes of a string or binary value, at most `limit`; the rest is passed over.
  mutating func bytes(_ count: Int, limit: Int) throws(Failure) -> [UInt8] {
    var result: [UInt8] = []
    var missing = min(count, limit)
    while missing > 0 {
      try fillIfEmpty()
      let part = min(missing, buffer.count - at)
      result.append(contentsOf: buffer[at..<(at + part)])
      at += part
      missing -= part
    }
    try skip(count - min(count, limit))
    return result
  }

  /// Passes over one value with all that is in it.
  mutating func skipValue() throws(Failure) {
    try skipRest(of: try head())
  }

  /// Passes over what follows a head. Needs no stack, however deep values are nested.
  mutating func skipRest(of head: Head) throws(Failure) {
    var pending = 0
    var head = head
    while true {
      switch head {
      case .string(let count), .binary(let count), .extended(let count): try skip(count)
      case .array(let count): pending += count
      case .map(let count): pending += 2 * count
      case .null, .boolean, .integer, .float: break
      }
      if pending == 0 { return }
      // Every pending value takes a byte at least, so that this ends with the stream.
      guard pending < Int.max / 4 else { throw .malformed }
      pending -= 1
      head = try self.head()
    }
  }

  private mutating func skip(_ count: Int) throws(Failure) {
    var missing = count
    while missing > 0 {
      try fillIfEmpty()
      let part = min(missing, buffer.count - at)
      at += part
      missing -= part
    }
  }

  private mutating func length(_ width: Int) throws(Failure) -> Int {
    Int(try number(width))
  }

  private mutating func number(_ width: Int) throws(Failure) -> UInt64 {
    var value: UInt64 = 0
    for _ in 0..<width { value = value << 8 | UInt64(try byte()) }
    return value
  }

  private mutating func byte() throws(Failure) -> UInt8 {
    try fillIfEmpty()
    at += 1
    return buffer[at - 1]
  }

  private mutating func fillIfEmpty() throws(Failure) {
    guard at == buffer.count else { return }
    var got: Int?
    let refill = refill
    buffer = [UInt8](unsafeUninitializedCapacity: 1 << 16) { bytes, count in
      got = refill(UnsafeMutableRawBufferPointer(bytes))
      count = max(0, got ?? 0)
    }
    at = 0
    guard let got, got >= 0 else { throw .unreadable }
    if got == 0 { throw .truncated }
  }
}
