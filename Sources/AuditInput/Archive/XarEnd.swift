import CZlib

/// Where a xar ends, by its own table of contents.
///
/// libarchive passes over the bodies that nobody asks for, so that the last of them may be
/// missing. Form as in the xar project's description: a header, a table of contents in XML
/// compressed with zlib, and the heap, into which the table's offsets point.
enum XarEnd {
  /// The end of the heap that the table speaks of, from the start of the file; nil if header or
  /// table cannot be read.
  static func place(
    size: Int64, read: (Int64, UnsafeMutableRawBufferPointer) -> Int?
  ) -> Int64? {
    guard let header = load(0, 28, read), header.starts(with: "xar!".utf8) else { return nil }
    func big(_ at: Int, _ count: Int) -> UInt64 {
      header[at..<(at + count)].reduce(0) { $0 << 8 | UInt64($1) }
    }
    let start = Int64(big(4, 2))
    guard let length = Int64(exactly: big(8, 8)), let whole = Int(exactly: big(16, 8)),
      length <= min(size, 1 << 26), whole <= 1 << 28, let packed = load(start, Int(length), read),
      let table = inflated(packed, whole), let end = lastByte(table)
    else { return nil }
    let (place, overflow) = (start + length).addingReportingOverflow(end)
    if overflow { return Int64.max }
    // libarchive leaves the first bytes of the table behind the heap, as many as its check sum has.
    if size - place == (big(24, 4) == 2 ? 16 : 20), let rest = load(place, Int(size - place), read),
      packed.starts(with: rest)
    {
      return size
    }
    return place
  }

  /// The highest sum of an offset and a length in the table.
  private static func lastByte(_ table: [UInt8]) -> Int64? {
    var highest: Int64 = 0
    var values: [String: Int64] = [:]
    var at = 0
    while let open = table[at...].firstIndex(of: 0x3C) {
      guard let close = table[open...].firstIndex(of: 0x3E) else { return nil }
      let tag = String(decoding: table[(open + 1)..<close].prefix(16), as: UTF8.self)
      at = close + 1
      switch tag {
      case "offset", "length", "size":
        let text = table[at...].prefix(20).prefix { $0 != 0x3C }
        guard let number = Int64(String(decoding: text, as: UTF8.self)), number >= 0 else {
          return nil
        }
        values[tag] = number
      case "data", "ea", "checksum", "signature", "x-signature", "file": values = [:]
      case "/data", "/ea", "/checksum", "/signature", "/x-signature":
        if let offset = values["offset"], let length = values["length"] ?? values["size"] {
          let (end, overflow) = offset.addingReportingOverflow(length)
          highest = max(highest, overflow ? Int64.max : end)
        }
        values = [:]
      default: break
      }
    }
    return highest
  }

  private static func inflated(_ bytes: [UInt8], _ size: Int) -> [UInt8]? {
    var length = uLongf(size)
    let table = [UInt8](unsafeUninitializedCapacity: size) { buffer, count in
      let status = uncompress(buffer.baseAddress, &length, bytes, uLong(bytes.count))
      count = status == Z_OK ? Int(length) : 0
    }
    return table.isEmpty ? nil : table
  }

  private static func load(
    _ offset: Int64, _ count: Int, _ read: (Int64, UnsafeMutableRawBufferPointer) -> Int?
  ) -> [UInt8]? {
    var bytes = [UInt8](repeating: 0, count: count)
    let isWhole = bytes.withUnsafeMutableBytes { bytes in
      var done = 0
      while done < bytes.count {
        guard
          let got = read(
            offset + Int64(done), UnsafeMutableRawBufferPointer(rebasing: bytes[done...])), got > 0
        else { return false }
        done += got
      }
      return true
    }
    return isWhole ? bytes : nil
  }
}
