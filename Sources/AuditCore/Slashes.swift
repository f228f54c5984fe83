/// Finds the slashes of a path eight bytes at a time: every directory's path is searched, and most
/// are a hundred bytes long.
enum Slashes {
  /// How many there are.
  static func count(in path: UnsafeBufferPointer<UInt8>) -> Int {
    var count = 0
    var index = 0
    while index + 8 <= path.count {
      count += total(marks(path, at: index))
      index += 8
    }
    while index < path.count {
      if path[index] == Bytes.slash { count += 1 }
      index += 1
    }
    return count
  }

  /// Where the last one is; nil if there is none.
  static func last(in path: UnsafeBufferPointer<UInt8>) -> Int? {
    var end = path.count
    while end >= 8 {
      let marks = marks(path, at: end - 8)
      if marks != 0 { return end - 1 - marks.leadingZeroBitCount / 8 }
      end -= 8
    }
    while end > 0 {
      end -= 1
      if path[end] == Bytes.slash { return end }
    }
    return nil
  }

  /// Where the one with this number is, counted from 1; nil if there are fewer.
  static func position(of number: Int, in path: UnsafeBufferPointer<UInt8>) -> Int? {
    var wanted = number
    var index = 0
    while index + 8 <= path.count {
      let here = total(marks(path, at: index))
      if here >= wanted { break }
      wanted -= here
      index += 8
    }
    while index < path.count {
      if path[index] == Bytes.slash {
        wanted -= 1
        if wanted == 0 { return index }
      }
      index += 1
    }
    return nil
  }

  /// The top bit of each of eight bytes that is a slash; the first byte is the lowest.
  private static func marks(_ path: UnsafeBufferPointer<UInt8>, at index: Int) -> UInt64 {
    let word = UnsafeRawBufferPointer(path).loadUnaligned(fromByteOffset: index, as: UInt64.self)
    let others = UInt64(littleEndian: word) ^ 0x2F2F_2F2F_2F2F_2F2F
    // A byte that is zero now was a slash. Its lower seven bits do not reach the top bit when 0x7F
    // is added, and no sum carries into the next byte.
    let low: UInt64 = 0x7F7F_7F7F_7F7F_7F7F
    return ~(((others & low) &+ low) | others | low)
  }

  /// How many of the top bits are set. The product's top byte is the sum of all bytes; not every
  /// x86-64 processor has an instruction that counts bits.
  private static func total(_ marks: UInt64) -> Int {
    Int(((marks >> 7) &* 0x0101_0101_0101_0101) >> 56)
  }
}
