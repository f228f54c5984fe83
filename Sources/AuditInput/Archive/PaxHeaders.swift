/// The extended headers before a tar's member, read beside libarchive.
///
/// libarchive passes over the attributes of global headers without a word, and its last warning
/// hides those before. So headers of members that are out of the ordinary are looked at here.
/// Form as in POSIX.1-2017, "pax Interchange Format": records of length, blank, key, `=`, value,
/// line feed.
struct PaxHeaders {
  /// A global header gives attributes to all members that follow, or cannot be read.
  var hasGlobalAttributes = false
  /// A record is malformed, so that an attribute may have been lost.
  var isMalformed = false

  /// Longer headers are taken for malformed ones; libarchive has a limit of its own.
  static let sizeLimit = 1 << 20

  private static let attributeKeys = [Array("SCHILY.xattr.".utf8), Array("LIBARCHIVE.xattr.".utf8)]

  /// Reads the headers from the first one of a member on, as far as the bytes reach.
  init(_ bytes: HeaderBytes) {
    var at = 0
    while let header = bytes.slice(at, 512) {
      at += 512
      // Empty blocks lie between tars that were joined.
      if header.allSatisfy({ $0 == 0 }) { continue }
      let type = header[156]
      guard Self.types.contains(type) else { return }
      let isGlobal = type == UInt8(ascii: "g")
      guard let size = Self.octal(header[124..<136]), size <= Self.sizeLimit,
        let body = bytes.slice(at, size)
      else {
        note(isGlobal: isGlobal)
        return
      }
      at += (size + 511) & ~511
      if type == UInt8(ascii: "L") || type == UInt8(ascii: "K") { continue }
      read(body, isGlobal: isGlobal)
    }
    isMalformed = true
  }

  private static let types = Array("gxXLK".utf8)

  private mutating func note(isGlobal: Bool) {
    isMalformed = true
    if isGlobal { hasGlobalAttributes = true }
  }

  private mutating func read(_ body: [UInt8], isGlobal: Bool) {
    var rest = body[...]
    // The body may be padded with zeros.
    while let first = rest.first, first != 0 {
      guard let blank = rest.prefix(8).firstIndex(of: 0x20),
        let length = Int(String(decoding: rest[..<blank], as: UTF8.self)),
        length > blank - rest.startIndex + 1, length <= rest.count,
        rest[rest.startIndex + length - 1] == 0x0A
      else { return note(isGlobal: isGlobal) }
      let record = rest[(blank + 1)..<(rest.startIndex + length - 1)]
      rest = rest.dropFirst(length)
      guard let equals = record.firstIndex(of: 0x3D) else { return note(isGlobal: isGlobal) }
      guard let kind = Self.attributeKeys.firstIndex(where: { record.starts(with: $0) }) else {
        continue
      }
      if isGlobal { hasGlobalAttributes = true }
      if kind == 1, !record[(equals + 1)...].allSatisfy(Self.isBase64) { isMalformed = true }
    }
  }

  private static func isBase64(_ byte: UInt8) -> Bool {
    switch byte {
    case 0x30...0x39, 0x41...0x5A, 0x61...0x7A, 0x2B, 0x2D, 0x2F, 0x3D, 0x5F: true
    default: false
    }
  }

  private static func octal(_ field: ArraySlice<UInt8>) -> Int? {
    let digits = field.drop { $0 == 0x20 }.prefix { $0 >= 0x30 && $0 <= 0x37 }
    return Int(String(decoding: digits, as: UTF8.self), radix: 8)
  }
}

/// The bytes of a member's headers: those of blocks that are gone, then those of the last one.
struct HeaderBytes {
  var kept: [UInt8]
  var block: UnsafeRawBufferPointer

  func slice(_ start: Int, _ count: Int) -> [UInt8]? {
    guard start >= 0, count >= 0, start <= kept.count + block.count - count else { return nil }
    return (start..<(start + count)).map { self[$0] }
  }

  subscript(index: Int) -> UInt8 {
    index < kept.count ? kept[index] : block[index - kept.count]
  }
}
