/// Reads AppleDouble files: what macOS writes as `._name` where attributes have no other place.
///
/// Two dialects exist. Archivers write header, attributes and fork back to back; the kernel, on
/// FAT, exFAT, SMB and NFS, always writes at least 4,096 bytes with a stub of a resource fork.
/// Both put an `ATTR` block behind the Finder information. Layout as in Apple's open-source
/// `copyfile.c` and `vfs_xattr.c`; all numbers are big-endian.
public enum AppleDouble {
  /// How much of a file is enough: Apple's writers keep the attribute header below this.
  public static let headerLimit = 65_536

  /// What a file is.
  public enum Result {
    /// An ordinary file that happens to be called `._something`.
    case notAppleDouble
    /// It starts as an AppleDouble file, but cannot be read; the text says why.
    case damaged(String)
    /// The attributes, possibly none: that too proves that metadata was kept on the way.
    case attributes([(name: [UInt8], value: [UInt8])])
  }

  /// Parses the first bytes of a file.
  ///
  /// - Parameter size: The size of the whole file, if `bytes` is only its beginning. A value that
  ///   lies behind `bytes`, but within the file, is delivered as far as it is there.
  public static func parse(
    _ bytes: UnsafeBufferPointer<UInt8>, size: Int? = nil
  ) -> Result {
    var found: [(name: [UInt8], value: [UInt8])] = []
    switch forEachAttribute(in: bytes, size: size, { found.append((Array($0), Array($1))) }) {
    case .notAppleDouble: return .notAppleDouble
    case .damaged(let why): return .damaged(why)
    case .whole: return .attributes(found)
    }
  }

  /// How a file was read to its end.
  enum Outcome {
    case notAppleDouble
    case damaged(String)
    case whole
  }

  /// Calls a closure with each attribute's name and value; what it got of a damaged file counts
  /// for nothing.
  static func forEachAttribute(
    in bytes: UnsafeBufferPointer<UInt8>, size: Int? = nil,
    _ body: (_ name: UnsafeBufferPointer<UInt8>, _ value: UnsafeBufferPointer<UInt8>) -> Void
  ) -> Outcome {
    let reader = BigEndianBytes(bytes: bytes)
    let size = max(size ?? bytes.count, bytes.count)
    guard reader.u32(0) == 0x0005_1607 else { return .notAppleDouble }
    guard let version = reader.u32(4), version == 0x0002_0000 || version == 0x0001_0000 else {
      return .damaged("its version is unknown or cut off")
    }
    guard let count = reader.u16(24), 26 + count * 12 <= bytes.count else {
      return .damaged("its list of parts is cut off")
    }
    for part in 0..<count {
      let at = 26 + part * 12
      guard let type = reader.u32(at), let offset = reader.u32(at + 4),
        let length = reader.u32(at + 8)
      else { return .damaged("its list of parts is cut off") }
      guard offset + length <= size else { return .damaged("a part reaches beyond its end") }
      if type == 9 {
        return attributes(reader, finderInfo: offset, length: length, size: size, body)
      }
    }
    return .whole
  }

  private static func attributes(
    _ reader: BigEndianBytes, finderInfo: Int, length: Int, size: Int,
    _ body: (_ name: UnsafeBufferPointer<UInt8>, _ value: UnsafeBufferPointer<UInt8>) -> Void
  ) -> Outcome {
    // 32 bytes of Finder information, 2 of padding, then the block.
    let block = finderInfo + 34
    guard length > 34 else { return .whole }
    guard let magic = reader.u32(block) else { return .damaged("its attributes are cut off") }
    if magic == 0 { return .whole }
    guard magic == 0x4154_5452, let count = reader.u16(block + 34) else {
      return .damaged("its attribute block is not one")
    }
    var entry = block + 36
    for _ in 0..<count {
      guard let offset = reader.u32(entry), let valueLength = reader.u32(entry + 4),
        let nameLength = reader.u8(entry + 10)
      else { return .damaged("its list of attributes is cut off") }
      guard nameLength >= 2, nameLength <= 128,
        let name = reader.slice(entry + 11, nameLength), name.last == 0,
        let stem = reader.slice(entry + 11, nameLength - 1), !stem.contains(0)
      else { return .damaged("an attribute's name is malformed") }
      guard valueLength == 0 || offset + valueLength <= size else {
        return .damaged("an attribute's value reaches beyond its end")
      }
      let present = min(valueLength, max(0, reader.bytes.count - offset))
      guard valueLength == 0 || present > 0 else {
        return .damaged("an attribute's value lies beyond the part that is read")
      }
      let value = valueLength == 0 ? nil : reader.slice(offset, present)
      body(
        UnsafeBufferPointer(rebasing: stem),
        value.map { UnsafeBufferPointer(rebasing: $0) }
          ?? UnsafeBufferPointer(start: nil, count: 0))
      entry += (11 + nameLength + 3) & ~3
    }
    return .whole
  }
}

/// Bounds-checked reading of big-endian numbers.
struct BigEndianBytes {
  let bytes: UnsafeBufferPointer<UInt8>

  func u8(_ at: Int) -> Int? {
    at >= 0 && at < bytes.count ? Int(bytes[at]) : nil
  }

  func u16(_ at: Int) -> Int? {
    guard at >= 0, at <= bytes.count - 2 else { return nil }
    return Int(bytes[at]) << 8 | Int(bytes[at + 1])
  }

  func u32(_ at: Int) -> Int? {
    guard at >= 0, at <= bytes.count - 4, let base = bytes.baseAddress else { return nil }
    return Int(
      UInt32(bigEndian: UnsafeRawPointer(base).loadUnaligned(fromByteOffset: at, as: UInt32.self)))
  }

  func slice(_ at: Int, _ count: Int) -> Slice<UnsafeBufferPointer<UInt8>>? {
    guard at >= 0, count >= 0, at <= bytes.count - count else { return nil }
    return bytes[at..<(at + count)]
  }
}
