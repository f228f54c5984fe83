/// Takes out of a path what is different on every device and in every run.
///
/// A UUID becomes `<UUID>`; the random end of an atomic save's temporary file becomes `<TEMP>`.
/// So a baseline and a fingerprint made on one machine fit the next.
public enum VolatilePath {
  private static let uuid = Array("<UUID>".utf8)
  private static let temporary = Array("<TEMP>".utf8)

  /// The path with its volatile parts replaced.
  public static func normalised(_ path: [UInt8]) -> [UInt8] {
    isVolatile(path) ? rewritten(path) : path
  }

  /// Whether there is anything to replace; allocates nothing.
  static func isVolatile(_ path: [UInt8]) -> Bool {
    path.withUnsafeBufferPointer { bytes in
      var start = 0
      for index in 0...bytes.count {
        if index == bytes.count || bytes[index] == Bytes.slash {
          if temporaryStart(UnsafeBufferPointer(rebasing: bytes[start..<index])) != nil {
            return true
          }
          start = index + 1
        } else if isUUID(bytes, dashAt: index) {
          return true
        }
      }
      return false
    }
  }

  private static func rewritten(_ path: [UInt8]) -> [UInt8] {
    var result: [UInt8] = []
    result.reserveCapacity(path.count)
    path.withUnsafeBufferPointer { bytes in
      var rest = bytes
      while let slash = rest.firstIndex(of: Bytes.slash) {
        rewrite(component: UnsafeBufferPointer(rebasing: rest[..<slash]), into: &result)
        result.append(Bytes.slash)
        rest = UnsafeBufferPointer(rebasing: rest[(slash + 1)...])
      }
      rewrite(component: rest, into: &result)
    }
    return result
  }

  private static func rewrite(
    component bytes: UnsafeBufferPointer<UInt8>, into result: inout [UInt8]
  ) {
    let end = temporaryStart(bytes) ?? bytes.count
    var start = 0
    var index = 0
    while index < end {
      if index + 36 <= end && isUUID(bytes, dashAt: index + 8) {
        result.append(contentsOf: UnsafeBufferPointer(rebasing: bytes[start..<index]))
        result.append(contentsOf: uuid)
        index += 36
        start = index
      } else {
        index += 1
      }
    }
    result.append(contentsOf: UnsafeBufferPointer(rebasing: bytes[start..<end]))
    if end < bytes.count { result.append(contentsOf: temporary) }
  }

  private static func temporaryStart(_ name: UnsafeBufferPointer<UInt8>) -> Int? {
    let prefix = ".dat.nosync".utf8
    if name.count > prefix.count && name.starts(with: prefix) { return prefix.count }
    return StoreFamily.temporaryStart(name)
  }

  /// Whether the byte at `dash` is the first dash of a UUID that is no part of a longer number.
  private static func isUUID(_ bytes: UnsafeBufferPointer<UInt8>, dashAt dash: Int) -> Bool {
    let start = dash - 8
    // Most bytes are no dash.
    guard bytes[dash] == 0x2D, start >= 0, start + 36 <= bytes.count, bytes[dash + 5] == 0x2D else {
      return false
    }
    if start > 0 && StoreFamily.isHexDigit(bytes[start - 1]) { return false }
    if start + 36 < bytes.count && StoreFamily.isHexDigit(bytes[start + 36]) { return false }
    for offset in 0..<36 {
      switch offset {
      case 8, 13, 18, 23: if bytes[start + offset] != 0x2D { return false }
      default: if !StoreFamily.isHexDigit(bytes[start + offset]) { return false }
      }
    }
    return true
  }
}
