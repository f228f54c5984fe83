extension TreeSpec {
  /// The input's part of the tree as a pax archive with `SCHILY.xattr` headers.
  ///
  /// Attributes carry the names a Mac uses, or those Linux shows (`namespace: "user."`). A hard
  /// link is a member that names its target, which carries the attributes.
  package func tar(namespace: String = "", prefix: String = "./") -> [UInt8] {
    var out: [UInt8] = []
    for entry in entries where seenFromInput(entry.path) != nil && entry.kind != .hardLink {
      append(entry, namespace, prefix, to: &out)
    }
    for entry in entries where seenFromInput(entry.path) != nil && entry.kind == .hardLink {
      append(entry, namespace, prefix, to: &out)
    }
    return out + [UInt8](repeating: 0, count: 1024)
  }

  private func append(
    _ entry: Entry, _ namespace: String, _ prefix: String, to out: inout [UInt8]
  ) {
    var name = Array(prefix.utf8) + (seenFromInput(entry.path) ?? [])
    if name.isEmpty { name = Array("./".utf8) }
    if entry.kind == .directory, name.last != UInt8(ascii: "/") { name.append(UInt8(ascii: "/")) }
    let target =
      entry.kind == .hardLink
      ? Array(prefix.utf8) + (seenFromInput(entry.target) ?? entry.target) : entry.target

    var extended: [UInt8] = []
    if String(validating: name + target, as: UTF8.self) == nil {
      extended += Self.record(Array("hdrcharset".utf8), Array("BINARY".utf8))
    }
    if Self.needsRecord(name) { extended += Self.record(Array("path".utf8), name) }
    if Self.needsRecord(target) { extended += Self.record(Array("linkpath".utf8), target) }
    for attribute in entry.attributes {
      let key = "SCHILY.xattr.\(namespace)"
      extended += Self.record(Array(key.utf8) + attribute.name, attribute.value)
    }
    if !extended.isEmpty {
      out += Self.header(Array("PaxHeader".utf8), UInt8(ascii: "x"), extended.count)
      out += Self.padded(extended)
    }
    let size = entry.kind == .file ? entry.size : 0
    out += Self.header(name, Self.type(entry.kind), size, target)
    if size > 0 {
      let zeros = [UInt8](repeating: 0, count: size - entry.content.count)
      out += Self.padded(entry.content + zeros)
    }
  }

  private static func needsRecord(_ name: [UInt8]) -> Bool {
    name.count > 100 || name.contains { $0 < 32 || $0 > 126 }
  }

  private static func type(_ kind: Entry.Kind) -> UInt8 {
    switch kind {
    case .file: UInt8(ascii: "0")
    case .hardLink: UInt8(ascii: "1")
    case .symlink: UInt8(ascii: "2")
    case .directory: UInt8(ascii: "5")
    case .fifo: UInt8(ascii: "6")
    }
  }

  /// `length key=value\n`, where the length counts itself.
  private static func record(_ key: [UInt8], _ value: [UInt8]) -> [UInt8] {
    let rest = [0x20] + key + [UInt8(ascii: "=")] + value + [0x0A]
    var length = rest.count
    while rest.count + String(length).utf8.count != length {
      length = rest.count + String(length).utf8.count
    }
    return Array(String(length).utf8) + rest
  }

  private static func padded(_ data: [UInt8]) -> [UInt8] {
    data + [UInt8](repeating: 0, count: (512 - data.count % 512) % 512)
  }

  private static func header(
    _ name: [UInt8], _ type: UInt8, _ size: Int, _ target: [UInt8] = []
  ) -> [UInt8] {
    var block = [UInt8](repeating: 0, count: 512)
    func put(_ bytes: some Sequence<UInt8>, at offset: Int) {
      for (index, byte) in bytes.enumerated() { block[offset + index] = byte }
    }
    func octal(_ value: Int, _ digits: Int) -> String {
      let text = String(value, radix: 8)
      return String(repeating: "0", count: max(0, digits - text.count)) + text
    }
    put(name.prefix(100), at: 0)
    put(octal(type == UInt8(ascii: "5") ? 0o755 : 0o644, 7).utf8, at: 100)
    put(octal(501, 7).utf8, at: 108)
    put(octal(20, 7).utf8, at: 116)
    put(octal(size, 11).utf8, at: 124)
    put(octal(0, 11).utf8, at: 136)
    put("        ".utf8, at: 148)
    block[156] = type
    put(target.prefix(100), at: 157)
    put("ustar\u{0}00".utf8, at: 257)
    put((octal(block.reduce(0) { $0 + Int($1) }, 6) + "\u{0} ").utf8, at: 148)
    return block
  }
}
