#if canImport(Darwin)
  import Darwin
#else
  import Glibc
#endif

/// The C library's operations on bytes, for the loops that read names.
enum RawBytes {
  /// `memcpy`.
  @inline(__always)
  static func copy(
    _ to: UnsafeMutablePointer<UInt8>, _ from: UnsafePointer<UInt8>, _ count: Int
  ) {
    memcpy(to, from, count)
  }

  /// `memchr`: whether a byte is among the first `count`.
  @inline(__always)
  static func contain(_ byte: Int32, _ bytes: UnsafePointer<UInt8>, _ count: Int) -> Bool {
    memchr(bytes, byte, count) != nil
  }

  /// `memcmp`.
  @inline(__always)
  static func compare(
    _ a: UnsafePointer<UInt8>, _ b: UnsafePointer<UInt8>, _ count: Int
  ) -> Int32 {
    memcmp(a, b, count)
  }
}
