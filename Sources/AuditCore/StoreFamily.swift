/// Families of files that a store recreates.
public enum StoreFamily {
  public static func looksLikeDatabase(_ name: UnsafeBufferPointer<UInt8>) -> Bool { false }
  static func sidecarBaseLength(_ name: UnsafeBufferPointer<UInt8>) -> Int? {
    for suffix in ["-wal", "-shm", "-journal"] as [StaticString] {
      let count = suffix.utf8CodeUnitCount
      if name.count > count
        && Bytes.equal(UnsafeBufferPointer(rebasing: name[(name.count - count)...]), suffix)
      {
        return name.count - count
      }
    }
    return nil
  }
  static func missingSidecars(
    of name: UnsafeBufferPointer<UInt8>, header: [UInt8]?, exists: (StaticString) -> Bool
  ) -> [String] { [] }
}
