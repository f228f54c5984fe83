/// A place in a buffer that the holder knows to be large enough.
///
/// The hot loop of a report keeps one in a register; `ByteWriter.reserve` hands them out.
struct Cursor {
  /// The most bytes that a number takes.
  static let digits = 20

  private(set) var position: UnsafeMutablePointer<UInt8>

  @inline(__always) init(_ position: UnsafeMutablePointer<UInt8>) { self.position = position }

  @inline(__always) mutating func put(byte: UInt8) {
    position.pointee = byte
    position += 1
  }

  @inline(__always) mutating func put(_ text: StaticString) {
    put(text.utf8Start, text.utf8CodeUnitCount)
  }

  @inline(__always) mutating func put(_ bytes: UnsafeBufferPointer<UInt8>) {
    guard let start = bytes.baseAddress else { return }
    put(start, bytes.count)
  }

  @inline(__always) mutating func put(_ start: UnsafePointer<UInt8>, _ count: Int) {
    UnsafeMutableRawPointer(position).copyMemory(from: start, byteCount: count)
    position += count
  }

  /// Puts eight bytes at once.
  @inline(__always) mutating func put(word: UInt64) {
    UnsafeMutableRawPointer(position).storeBytes(of: word, as: UInt64.self)
    position += 8
  }

  @inline(__always) mutating func put(_ number: Int) {
    if number < 0 { put(byte: 0x2D) }
    var rest = number.magnitude
    var count = 1
    var bound: UInt = 10
    while rest >= bound {
      count += 1
      let (next, overflow) = bound.multipliedReportingOverflow(by: 10)
      if overflow { break }
      bound = next
    }
    var place = count
    repeat {
      place -= 1
      let (quotient, digit) = rest.quotientAndRemainder(dividingBy: 10)
      position[place] = 0x30 &+ UInt8(truncatingIfNeeded: digit)
      rest = quotient
    } while place > 0
    position += count
  }

  /// Puts the lower `digits` hexadecimal digits of a number; `letters` is `a` or `A`.
  mutating func put(hex value: UInt32, digits: Int, letters: UInt8 = 0x61) {
    for place in stride(from: digits - 1, through: 0, by: -1) {
      let digit = UInt8(truncatingIfNeeded: value >> UInt32(4 * place)) & 15
      put(byte: digit < 10 ? 0x30 + digit : letters - 10 + digit)
    }
  }
}
