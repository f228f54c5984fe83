extension ExclusionMark {
  /// What an item on disk says about its own mark.
  public enum State: Equatable, Sendable {
    /// The attribute exists with at least one byte: the item is marked. `bytes` is its size.
    case marked(Form, bytes: Int)
    /// The attribute exists without a byte: not a mark.
    case empty
    /// There is no attribute of that name.
    case absent

    /// Whether the item carries the mark.
    public var isMarked: Bool {
      if case .marked = self { true } else { false }
    }
  }

  /// Reads an item's own mark from disk, by path and without following a final symbolic link.
  ///
  /// Marked directories above the item are not looked at. An error means that nothing is known:
  /// the item is missing, may not be read, or lies on a file system without such attributes.
  public static func state(ofItemAt path: String) throws(MarkError) -> State {
    try state(ofItemAt: Array(path.utf8))
  }

  /// Reads an item's own mark from disk; the path in bytes, without a final zero.
  public static func state(ofItemAt path: [UInt8]) throws(MarkError) -> State {
    try state(ofItemAt: path, system: .live)
  }

  /// Whether the item itself is marked on disk: the attribute exists with at least one byte.
  ///
  /// Reads by path, never through a cached `URL`. Every doubt, a missing item included, is `false`.
  public static func isExcludedOnDisk(_ path: String) -> Bool {
    isExcludedOnDisk(Array(path.utf8))
  }

  /// Whether the item itself is marked on disk; the path in bytes, without a final zero.
  public static func isExcludedOnDisk(_ path: [UInt8]) -> Bool {
    (try? state(ofItemAt: path).isMarked) ?? false
  }

  /// Marks an item with the value this system's own setter writes, and reads it back by path.
  ///
  /// On Linux, where no system setter exists, that is the value of macOS. An existing value is
  /// replaced. A final symbolic link is not followed; on Linux it cannot be marked.
  public static func set(onItemAt path: String) throws(MarkError) {
    try set(onItemAt: Array(path.utf8))
  }

  /// Marks an item; the path in bytes, without a final zero.
  public static func set(onItemAt path: [UInt8]) throws(MarkError) {
    try set(onItemAt: path, system: .live)
    guard try state(ofItemAt: path).isMarked else { throw lost(path) }
  }

  /// Removes an item's own mark. An item without one is left as it is.
  public static func remove(fromItemAt path: String) throws(MarkError) {
    try remove(fromItemAt: Array(path.utf8))
  }

  /// Removes an item's own mark; the path in bytes, without a final zero.
  public static func remove(fromItemAt path: [UInt8]) throws(MarkError) {
    do {
      _ = try SystemCalls.perform("removexattr", path, SystemCalls.live.removeMark)
    } catch  where error.code == Platform.noAttribute {
      return
    }
  }

  /// Copies the mark of one item to the file that is about to replace it, byte for byte.
  ///
  /// Call it on the new file before `rename`, so that the name is never seen unmarked. No other
  /// attribute is copied. Returns whether there was a mark to carry: an unmarked original leaves
  /// the new item as it is, so that nothing is ever un-marked.
  @discardableResult
  public static func carry(from old: String, to new: String) throws(MarkError) -> Bool {
    try carry(from: Array(old.utf8), to: Array(new.utf8))
  }

  /// Copies the mark of one item to another; paths in bytes, without a final zero.
  @discardableResult
  public static func carry(from old: [UInt8], to new: [UInt8]) throws(MarkError) -> Bool {
    try carry(from: old, to: new, system: .live)
  }
}

extension ExclusionMark {
  static func state(ofItemAt path: [UInt8], system: SystemCalls) throws(MarkError) -> State {
    // Longer than both Apple values: whatever does not fit is another form.
    var buffer = [UInt8](repeating: 0, count: 128)
    do {
      let size = try SystemCalls.perform("getxattr", path) { path in
        buffer.withUnsafeMutableBytes { system.getMark(path, $0) }
      }
      return size == 0 ? .empty : .marked(form(of: buffer.prefix(size)), bytes: size)
    } catch  where error.code == Platform.noAttribute {
      return .absent
    } catch  where error.code == Platform.tooSmall {
      return try longState(ofItemAt: path, system: system)
    }
  }

  private static func longState(
    ofItemAt path: [UInt8], system: SystemCalls
  ) throws(MarkError) -> State {
    do {
      let size = try SystemCalls.perform("getxattr", path) { path in
        system.getMark(path, UnsafeMutableRawBufferPointer(start: nil, count: 0))
      }
      return size == 0 ? .empty : .marked(.other, bytes: size)
    } catch  where error.code == Platform.noAttribute {
      return .absent
    }
  }

  static func set(onItemAt path: [UInt8], system: SystemCalls) throws(MarkError) {
    _ = try SystemCalls.perform("setxattr", path) { path in
      Platform.setterValue.withUnsafeBytes { system.setMark(path, $0) }
    }
  }

  static func carry(
    from old: [UInt8], to new: [UInt8], system: SystemCalls
  ) throws(MarkError) -> Bool {
    guard try state(ofItemAt: old, system: system).isMarked else { return false }
    // The copying call has two paths; the error names the one that is written to.
    _ = try SystemCalls.perform("setxattr", new) { newPath in
      do throws(MarkError) {
        return try SystemCalls.perform("getxattr", old) { system.copyMark($0, newPath) }
      } catch { return -Int(error.code) }
    }
    guard try state(ofItemAt: new, system: system).isMarked else { throw lost(new) }
    return true
  }

  /// A write that reported success and left nothing on disk.
  private static func lost(_ path: [UInt8]) -> MarkError {
    MarkError(operation: "getxattr", path: path, code: Platform.noAttribute)
  }
}
