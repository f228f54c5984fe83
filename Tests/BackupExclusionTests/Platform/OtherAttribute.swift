#if canImport(Darwin)
  import Darwin
#else
  import CAttr
#endif
import Testing

/// Attributes that are not the mark, under the names an Apple system shows.
enum OtherAttribute {
  static func set(_ name: String, on path: String) throws {
    #if canImport(Darwin)
      try #require(setxattr(path, name, "x", 1, 0, XATTR_NOFOLLOW) == 0)
    #else
      try #require(lsetxattr(path, "user." + name, "x", 1, 0) == 0)
    #endif
  }
}
