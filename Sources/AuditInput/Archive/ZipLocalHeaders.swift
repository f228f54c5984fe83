/// Holds the header in front of each member of a zip against the index.
///
/// A zip is what its index says: unpackers go by that. A reader of streams goes by the members'
/// own headers, and libarchive takes names from there. Where the two differ, nobody can tell what
/// another reader will find, so that every difference is damage.
struct ZipLocalHeaders {
  private let read: (Int64, UnsafeMutableRawBufferPointer) -> Int?
  private var buffer: [UInt8] = []

  init(read: @escaping (Int64, UnsafeMutableRawBufferPointer) -> Int?) {
    self.read = read
  }

  /// What a member's own header says otherwise than the index; nil where they agree.
  mutating func disagreement(with member: ZipIndex.Member) -> String? {
    let isDirectory = member.name.last == 0x2F
    switch member.mode & 0o170000 {
    case 0: break
    case 0o040000: if !isDirectory { return "what it is" }
    default: if isDirectory { return "what it is" }
    }
    guard fill(30 + member.name.count, at: member.offset) else { return "where it lies" }
    return buffer.withUnsafeBufferPointer { header in
      func number(_ at: Int, _ count: Int) -> UInt64 { ZipIndex.little(header, at, count) }
      guard number(0, 4) == 0x0403_4B50 else { return "where it lies" }
      guard number(26, 2) == UInt64(member.name.count),
        header[30..<(30 + member.name.count)].elementsEqual(member.name)
      else { return "the name" }
      guard number(8, 2) == UInt64(member.method), (number(6, 2) ^ UInt64(member.flags)) & 1 == 0
      else { return "the method" }
      var sizes = [number(22, 4), number(18, 4)]
      if sizes.contains(0xFFFF_FFFF) {
        guard let extra = extra(of: member, Int(number(28, 2))) else { return "the size" }
        extra.withUnsafeBufferPointer { ZipIndex.enlarge(&sizes, by: $0) }
      }
      // Either may be left open where the sizes follow the body.
      let mayBeOpen = number(6, 2) & 8 != 0
      let agree = zip(sizes, [member.size, member.compressed])
        .allSatisfy { $0 == $1 || mayBeOpen && $0 == 0 }
      return agree ? nil : "the size"
    }
  }

  private mutating func fill(_ count: Int, at offset: UInt64) -> Bool {
    guard let offset = Int64(exactly: offset) else { return false }
    if buffer.count != count { buffer = [UInt8](repeating: 0, count: count) }
    return Self.load(&buffer, at: offset, read)
  }

  private func extra(of member: ZipIndex.Member, _ count: Int) -> [UInt8]? {
    var extra = [UInt8](repeating: 0, count: count)
    let (start, overflow) = Int64(truncatingIfNeeded: member.offset)
      .addingReportingOverflow(Int64(30 + member.name.count))
    guard !overflow, Self.load(&extra, at: start, read) else { return nil }
    return extra
  }

  private static func load(
    _ bytes: inout [UInt8], at offset: Int64, _ read: (Int64, UnsafeMutableRawBufferPointer) -> Int?
  ) -> Bool {
    bytes.withUnsafeMutableBytes { bytes in
      var done = 0
      while done < bytes.count {
        let (at, overflow) = offset.addingReportingOverflow(Int64(done))
        guard !overflow,
          let got = read(at, UnsafeMutableRawBufferPointer(rebasing: bytes[done...])), got > 0
        else { return false }
        done += got
      }
      return true
    }
  }
}
