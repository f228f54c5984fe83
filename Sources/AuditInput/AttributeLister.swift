import AuditCore

/// Lists all extended attributes of one item with the beginnings of their values.
enum AttributeLister {
  /// - Parameter name: a name in the open directory, or nil for the directory itself.
  static func list(_ handle: Handle, _ name: [UInt8]?, _ mount: Mount) -> [Explanation.Attribute] {
    guard mount.hasAttributes else { return [] }
    let buffer = UnsafeMutableRawBufferPointer.allocate(byteCount: 65_536, alignment: 8)
    defer { buffer.deallocate() }
    let target = name.map { $0.map { CChar(bitPattern: $0) } + [0] } ?? [0x2E, 0]
    let count = target.withUnsafeBufferPointer {
      $0.baseAddress.map { System.listAttributes(handle.fd, $0, buffer) } ?? 0
    }
    guard count > 0 else { return [] }
    let names = buffer[..<count].split(separator: 0).map { Array($0) }
    return names.sorted { $0.lexicographicallyPrecedes($1) }.map { attribute in
      describe(attribute, handle, target, mount)
    }
  }

  private static func describe(
    _ attribute: [UInt8], _ handle: Handle, _ target: [CChar], _ mount: Mount
  ) -> Explanation.Attribute {
    let value = UnsafeMutableRawBufferPointer.allocate(byteCount: 65_536, alignment: 8)
    defer { value.deallocate() }
    let size = DirectoryOpener.withCString(attribute) { name in
      Int32(
        clamping: target.withUnsafeBufferPointer {
          $0.baseAddress.map { System.attribute(handle.fd, $0, name, value) } ?? 0
        })
    }
    let bytes = [UInt8](value[..<max(0, Int(size))])
    let (meaning, trailingNul) = attribute.withUnsafeBufferPointer {
      AttributeName.meaning(of: $0, rule: mount.rule)
    }
    let mark = bytes.withUnsafeBufferPointer {
      AttributeName.mark(value: $0, trailingNul: trailingNul)
    }
    return Explanation.Attribute(
      name: attribute, meaning: meaning, form: meaning == .mark ? mark.form : nil,
      value: Array(bytes.prefix(256)), size: Int(size))
  }
}
