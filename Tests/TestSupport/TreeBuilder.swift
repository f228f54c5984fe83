extension TreeSpec {
  /// Makes the tree below an existing directory, with real attributes.
  ///
  /// Goes from descriptor to descriptor, so paths may be longer than `PATH_MAX`. Permissions are
  /// set last, the deepest first.
  package func build(below root: [UInt8]) throws {
    let top = root.withCString { open($0, O_RDONLY | O_DIRECTORY | O_CLOEXEC) }
    if top < 0 { throw SystemError("open", root) }
    defer { close(top) }
    for entry in entries where entry.kind != .hardLink { try make(entry, below: top) }
    for entry in entries where entry.kind == .hardLink { try make(entry, below: top) }
    let closing = entries.filter { $0.mode != nil }.sorted { $0.path.count > $1.path.count }
    for entry in closing {
      guard let mode = entry.mode else { continue }
      let parent = try Self.directory(entry.path.components.dropLast(), below: top)
      defer { close(parent) }
      let result = Self.name(entry).withCString { fchmodat(parent, $0, mode_t(mode), 0) }
      if result != 0 { throw SystemError("fchmodat", entry.path) }
    }
  }

  private static func name(_ entry: Entry) -> [UInt8] {
    entry.path.components.last ?? [UInt8(ascii: ".")]
  }

  /// Opens a directory, and makes it and its parents where they are missing.
  private static func directory(_ path: ArraySlice<[UInt8]>, below top: Int32) throws -> Int32 {
    var current = dup(top)
    for component in path {
      let next = component.withCString { name in
        _ = mkdirat(current, name, 0o755)
        return openat(current, name, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC)
      }
      close(current)
      if next < 0 { throw SystemError("openat", component) }
      current = next
    }
    return current
  }

  private func make(_ entry: Entry, below top: Int32) throws {
    if entry.kind == .directory {
      let made = try Self.directory(entry.path.components[...], below: top)
      defer { close(made) }
      return try Self.set(entry.attributes, made)
    }
    let parent = try Self.directory(entry.path.components.dropLast(), below: top)
    defer { close(parent) }
    let result = try Self.name(entry).withCString { name in
      switch entry.kind {
      case .symlink: return entry.target.withCString { symlinkat($0, parent, name) }
      case .fifo: return mkfifoat(parent, name, 0o644)
      case .hardLink:
        let other = entry.target.components
        let home = try Self.directory(other.dropLast(), below: top)
        defer { close(home) }
        return (other.last ?? []).withCString { linkat(home, $0, parent, name, 0) }
      default: return try Self.file(entry, name, in: parent)
      }
    }
    if result != 0 { throw SystemError("making a \(entry.kind)", entry.path) }
  }

  private static func file(
    _ entry: Entry, _ name: UnsafePointer<CChar>, in parent: Int32
  ) throws -> Int32 {
    let made = openat(parent, name, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o644)
    if made < 0 { return -1 }
    defer { close(made) }
    if !entry.content.isEmpty, write(made, entry.content, entry.content.count) < 0 { return -1 }
    if ftruncate(made, off_t(entry.size)) != 0 { return -1 }
    try set(entry.attributes, made)
    return 0
  }

  private static func set(_ attributes: [Attribute], _ descriptor: Int32) throws {
    for attribute in attributes { try setAttribute(descriptor, attribute.name, attribute.value) }
  }
}
