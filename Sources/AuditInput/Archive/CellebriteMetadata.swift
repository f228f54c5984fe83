import AuditCore

/// The metadata of a full-file-system extraction in Cellebrite's CLBX form.
///
/// A zip with the files below `filesystem…/` and, in `metadata…/metadata.msgpack`, a map from each
/// path to its properties, `xattr` among them even where it is empty: a complete carrier. As in
/// Cellebrite's published specification 0.3.0.
enum CellebriteMetadata {
  /// One path's properties.
  struct Entry {
    var path: [UInt8] = []
    var attributes: AttributeSummary?
    var mode: Int?
    var size: Int64?
    var inode: UInt64 = 0
    var links: UInt32 = 0
  }

  /// The suffix of a member's name if it is such a file: empty, `2` …
  static func suffix(of path: UnsafeBufferPointer<UInt8>) -> [UInt8]? {
    let head = Array("metadata".utf8)
    let tail = Array("/metadata.msgpack".utf8)
    guard path.count >= head.count + tail.count, path.starts(with: head),
      path.suffix(tail.count).elementsEqual(tail)
    else { return nil }
    let suffix = Array(path[head.count..<(path.count - tail.count)])
    return suffix.contains(0x2F) ? nil : suffix
  }

  /// Whether a path is that of another file of the form's own.
  static func isCompanion(_ path: UnsafeBufferPointer<UInt8>) -> Bool {
    guard let slash = path.firstIndex(of: 0x2F), slash == path.lastIndex(of: 0x2F) else {
      return false
    }
    let suffix = Array(".msgpack".utf8)
    return path.starts(with: "metadata".utf8) && path.suffix(suffix.count).elementsEqual(suffix)
  }

  /// Calls a closure for each path of the map.
  static func forEachEntry(
    _ reader: inout MessagePackReader, _ body: (Entry) -> Bool
  ) throws(MessagePackReader.Failure) {
    guard case .map(let count) = try reader.head() else { throw .malformed }
    for _ in 0..<count {
      var entry = Entry()
      entry.path = try text(&reader, limit: 65_535)
      let head = try reader.head()
      if case .map(let properties) = head {
        for _ in 0..<properties { try readProperty(&reader, into: &entry) }
      } else {
        try reader.skipRest(of: head)
      }
      guard body(entry) else { return }
    }
  }

  private static func readProperty(
    _ reader: inout MessagePackReader, into entry: inout Entry
  ) throws(MessagePackReader.Failure) {
    let key = try text(&reader, limit: 64)
    let head = try reader.head()
    if case .integer(let number) = head {
      if key.elementsEqual("mode".utf8) { entry.mode = Int(clamping: number) }
      if key.elementsEqual("size".utf8) { entry.size = max(0, number) }
      if key.elementsEqual("inode".utf8) { entry.inode = UInt64(bitPattern: number) }
      if key.elementsEqual("links".utf8) { entry.links = UInt32(clamping: number) }
    } else if case .map(let count) = head, key.elementsEqual("xattr".utf8) {
      var summary = AttributeSummary()
      for _ in 0..<count {
        let name = try text(&reader, limit: 65_535)
        let value = try text(&reader, limit: 65_535)
        name.withUnsafeBufferPointer { name in
          value.withUnsafeBufferPointer { summary.add(name: name, value: $0, rule: .any) }
        }
      }
      entry.attributes = summary
    } else {
      try reader.skipRest(of: head)
    }
  }

  /// A string or binary value.
  private static func text(
    _ reader: inout MessagePackReader, limit: Int
  ) throws(MessagePackReader.Failure) -> [UInt8] {
    switch try reader.head() {
    case .string(let count), .binary(let count): return try reader.bytes(count, limit: limit)
    default: throw .malformed
    }
  }
}
