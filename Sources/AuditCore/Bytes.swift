/// Small operations on paths as bytes. A path is never a `String` here: strings that Unicode calls
/// equal can be different names.
public enum Bytes {
  /// The slash that separates components.
  @inlinable public static var slash: UInt8 { 0x2F }

  /// The number of components of a relative path.
  public static func depth(_ path: some Collection<UInt8>) -> Int {
    let count = path.withContiguousStorageIfAvailable { bytes in
      bytes.isEmpty ? 0 : Slashes.count(in: bytes) + 1
    }
    return count ?? (path.isEmpty ? 0 : path.reduce(1) { $1 == slash ? $0 + 1 : $0 })
  }

  /// The first `count` components of a relative path.
  public static func prefix(_ path: [UInt8], components count: Int) -> ArraySlice<UInt8> {
    if count <= 0 { return [] }
    let end = path.withUnsafeBufferPointer { Slashes.position(of: count, in: $0) }
    return path[..<(end ?? path.count)]
  }

  /// The path without its last component.
  public static func parent(_ path: [UInt8]) -> ArraySlice<UInt8> {
    guard let cut = path.lastIndex(of: slash) else { return [] }
    return path[..<cut]
  }

  /// The last component.
  public static func last(_ path: [UInt8]) -> ArraySlice<UInt8> {
    guard let cut = path.lastIndex(of: slash) else { return path[...] }
    return path[(cut + 1)...]
  }

  /// The last component.
  static func last(_ path: UnsafeBufferPointer<UInt8>) -> UnsafeBufferPointer<UInt8> {
    guard let cut = Slashes.last(in: path) else { return path }
    return UnsafeBufferPointer(rebasing: path[(cut + 1)...])
  }

  /// `directory/name`, or `name` where the directory is empty.
  @inlinable
  public static func join(
    _ directory: some Collection<UInt8>, _ name: some Collection<UInt8>
  ) -> [UInt8] {
    var path: [UInt8] = []
    path.reserveCapacity(directory.count + name.count + 1)
    path.append(contentsOf: directory)
    if !path.isEmpty && !name.isEmpty { path.append(slash) }
    path.append(contentsOf: name)
    return path
  }

  /// How many bytes two sequences have in common at their starts.
  static func sharedCount(
    _ a: UnsafeBufferPointer<UInt8>, _ b: UnsafeBufferPointer<UInt8>
  ) -> Int {
    let count = min(a.count, b.count)
    let (left, right) = (UnsafeRawBufferPointer(a), UnsafeRawBufferPointer(b))
    var index = 0
    while index + 8 <= count,
      left.loadUnaligned(fromByteOffset: index, as: UInt64.self)
        == right.loadUnaligned(fromByteOffset: index, as: UInt64.self)
    { index += 8 }
    while index < count && a[index] == b[index] { index += 1 }
    return index
  }

  /// Whether two byte sequences are the same.
  static func equal(_ a: UnsafeBufferPointer<UInt8>, _ b: UnsafeBufferPointer<UInt8>) -> Bool {
    a.count == b.count && sharedCount(a, b) == a.count
  }

  /// The part of `path` below `root`, which must be one of its ancestors or itself.
  public static func relative(_ path: [UInt8], to root: [UInt8]) -> [UInt8] {
    if root.isEmpty { return path }
    return path.count <= root.count ? [] : Array(path[(root.count + 1)...])
  }

  /// Whether two byte sequences are equal.
  public static func equal(_ a: UnsafeBufferPointer<UInt8>, _ b: StaticString) -> Bool {
    guard a.count == b.utf8CodeUnitCount else { return false }
    for index in 0..<a.count where a[index] != b.utf8Start[index] { return false }
    return true
  }
}
