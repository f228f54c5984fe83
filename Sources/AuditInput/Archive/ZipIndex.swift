/// Reads the central directory of a zip archive, for what libarchive does not show: the extra
/// fields of each member and which program made it.
///
/// Follows PKWARE's APPNOTE, with zip64. Everything is bounds-checked against the file.
struct ZipIndex {
  /// A member as the central directory describes it.
  struct Member {
    var name: UnsafeBufferPointer<UInt8>
    var extra: UnsafeBufferPointer<UInt8>
    /// The version and system of the program that made the archive.
    var madeBy: Int
    /// Where the member lies in the archive.
    var offset: UInt64
    var flags: Int
    var method: Int
    var compressed: UInt64
    var size: UInt64
    /// What the member is, where the program that made the archive was a Unix one; else 0.
    var mode: Int
  }

  /// Why there is no (whole) central directory.
  enum Failure: Error {
    /// The end record was not found: cut off, or no zip.
    case noEnd
    /// One volume of several.
    case split
    /// An entry is malformed.
    case damaged
    /// The end record states another number of members than there are.
    case miscounted
    /// The index does not lie where the end record says, or something follows that record.
    case misplaced
    case unreadable
  }

  private typealias Window = (bytes: [UInt8], start: Int64)

  /// Calls a closure for each member, in the directory's order.
  static func forEachMember(
    size: Int64, read: (Int64, UnsafeMutableRawBufferPointer) -> Int?,
    _ body: (Member) -> Bool
  ) throws(Failure) {
    let (start, length, count, isCountWhole) = try locate(size: size, read: read)
    var seen: UInt64 = 0
    var window = [UInt8]()
    var windowStart = start
    var at = 0
    let end = start + length
    func bytes(_ count: Int) throws(Failure) {
      if at + count <= window.count { return }
      windowStart += Int64(at)
      at = 0
      window = try load(
        windowStart, Int(min(end - windowStart, Int64(max(count, 1 << 20)))), read: read)
      if count > window.count { throw .damaged }
    }
    while windowStart + Int64(at) < end {
      try bytes(46)
      guard u32(window, at) == 0x0201_4B50 else { throw .damaged }
      let nameLength = u16(window, at + 28)
      let extraLength = u16(window, at + 30)
      let total = 46 + nameLength + extraLength + u16(window, at + 32)
      try bytes(total)
      let goOn = window.withUnsafeBufferPointer { window in
        let name = at + 46
        let extra = name + nameLength
        return body(
          member(
            UnsafeBufferPointer(rebasing: window[at..<name]),
            name: UnsafeBufferPointer(rebasing: window[name..<extra]),
            extra: UnsafeBufferPointer(rebasing: window[extra..<(extra + extraLength)])))
      }
      guard goOn else { return }
      at += total
      seen += 1
    }
    // Finder counts no further than to 65,535 and then from zero, without the larger record.
    guard isCountWhole ? seen == count : seen & 0xFFFF == count else { throw .miscounted }
  }

  /// The blocks of an extra field: number and content. Stops at the first malformed one.
  static func forEachBlock(
    in extra: UnsafeBufferPointer<UInt8>, _ body: (Int, UnsafeBufferPointer<UInt8>) -> Void
  ) {
    var at = 0
    while at + 4 <= extra.count {
      let number = Int(extra[at]) | Int(extra[at + 1]) << 8
      let length = Int(extra[at + 2]) | Int(extra[at + 3]) << 8
      guard at + 4 + length <= extra.count else { return }
      body(number, UnsafeBufferPointer(rebasing: extra[(at + 4)..<(at + 4 + length)]))
      at += 4 + length
    }
  }

  private static func member(
    _ fixed: UnsafeBufferPointer<UInt8>, name: UnsafeBufferPointer<UInt8>,
    extra: UnsafeBufferPointer<UInt8>
  ) -> Member {
    let madeBy = Int(little(fixed, 4, 2))
    var numbers = [little(fixed, 24, 4), little(fixed, 20, 4), little(fixed, 42, 4)]
    enlarge(&numbers, by: extra)
    let isUnix = madeBy >> 8 == 3 || madeBy >> 8 == 19
    return Member(
      name: name, extra: extra, madeBy: madeBy, offset: numbers[2],
      flags: Int(little(fixed, 8, 2)), method: Int(little(fixed, 10, 2)),
      compressed: numbers[1], size: numbers[0],
      mode: isUnix ? Int(little(fixed, 40, 2)) : 0)
  }

  /// Replaces numbers that do not fit by those of zip64's extra field, which holds only these, in
  /// the same order.
  static func enlarge(_ numbers: inout [UInt64], by extra: UnsafeBufferPointer<UInt8>) {
    guard numbers.contains(0xFFFF_FFFF) else { return }
    forEachBlock(in: extra) { number, bytes in
      guard number == 1 else { return }
      var at = 0
      for index in numbers.indices where numbers[index] == 0xFFFF_FFFF && at + 8 <= bytes.count {
        numbers[index] = little(bytes, at, 8)
        at += 8
      }
    }
  }

  static func little(_ bytes: UnsafeBufferPointer<UInt8>, _ at: Int, _ count: Int) -> UInt64 {
    (0..<count).reversed().reduce(0) { $0 << 8 | UInt64(bytes[at + $1]) }
  }

  /// Where the central directory lies, and how many members it is said to have.
  private static func locate(
    size: Int64, read: (Int64, UnsafeMutableRawBufferPointer) -> Int?
  ) throws(Failure) -> (start: Int64, length: Int64, count: UInt64, isCountWhole: Bool) {
    guard size >= 22 else { throw .noEnd }
    let tailLength = Int(min(size, 22 + 65_535 + 20))
    let tailStart = size - Int64(tailLength)
    let tail = try load(tailStart, tailLength, read: read)
    // Readers look for the last one. One in the comment of another would be a second index.
    guard
      let end = (0...(tail.count - 22)).reversed().first(where: {
        tail[$0] == 0x50 && u32(tail, $0) == 0x0605_4B50
      })
    else { throw .noEnd }
    guard end + 22 + u16(tail, end + 20) == tail.count else { throw .misplaced }
    var disk = u16(tail, end + 4)
    var count = UInt64(u16(tail, end + 10))
    var isCountWhole = false
    var length = Int64(u32(tail, end + 12))
    var start = Int64(u32(tail, end + 16))
    var directoryEnd = tailStart + Int64(end)
    if end >= 20, u32(tail, end - 20) == 0x0706_4B50 {
      let at = u64(tail, end - 12)
      guard at >= 0, at <= size - 56 else { throw .damaged }
      let record = try load(at, 56, read: read)
      guard u32(record, 0) == 0x0606_4B50 else { throw .damaged }
      // What the smaller record can state, it states alike.
      let small = (count, length, start)
      disk = u32(record, 16)
      count = UInt64(bitPattern: u64(record, 32))
      length = u64(record, 40)
      start = u64(record, 48)
      isCountWhole = true
      directoryEnd = at
      guard small.0 == 0xFFFF || small.0 == count, small.1 == 0xFFFF_FFFF || small.1 == length,
        small.2 == 0xFFFF_FFFF || small.2 == start
      else { throw .misplaced }
    } else if u16(tail, end + 8) != u16(tail, end + 10) {
      throw disk == 0 ? .miscounted : .split
    }
    guard disk == 0 else { throw .split }
    guard length >= 0, length <= directoryEnd, start >= 0 else { throw .damaged }
    // Finder writes no larger record for an archive above 4 GiB: its offsets start again at zero.
    let place = directoryEnd - length
    guard start == (isCountWhole ? place : place & 0xFFFF_FFFF) else { throw .misplaced }
    return (place, length, count, isCountWhole)
  }

  private static func load(
    _ offset: Int64, _ count: Int, read: (Int64, UnsafeMutableRawBufferPointer) -> Int?
  ) throws(Failure) -> [UInt8] {
    guard count > 0 else { return [] }
    var done = 0
    var failed = false
    let bytes = [UInt8](unsafeUninitializedCapacity: count) { buffer, initialized in
      let raw = UnsafeMutableRawBufferPointer(buffer)
      while done < count {
        guard
          let got = read(
            offset + Int64(done), UnsafeMutableRawBufferPointer(rebasing: raw[done...]))
        else {
          failed = true
          break
        }
        if got == 0 { break }
        done += got
      }
      initialized = done
    }
    if failed { throw .unreadable }
    if done < count { throw .damaged }
    return bytes
  }

  private static func u16(_ bytes: [UInt8], _ at: Int) -> Int {
    Int(bytes[at]) | Int(bytes[at + 1]) << 8
  }

  private static func u32(_ bytes: [UInt8], _ at: Int) -> Int {
    u16(bytes, at) | u16(bytes, at + 2) << 16
  }

  /// Negative for what no file can hold.
  private static func u64(_ bytes: [UInt8], _ at: Int) -> Int64 {
    Int64(bitPattern: UInt64(u32(bytes, at)) | UInt64(u32(bytes, at + 4)) << 32)
  }
}
