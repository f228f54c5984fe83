import AuditCore

/// The other half of a directory in a tree that was unpacked from one of Finder's archives.
struct Companion {
  /// For `B/P`: the open `B/__MACOSX/P`, which holds its sidecars. For `B/__MACOSX/P`: the open
  /// `B/P`, which holds the owners.
  let handle: Handle
  let path: [UInt8]
  /// Whether the directory itself holds owners.
  let isBesideOwner: Bool
}

/// A folder called `__MACOSX` and the folder that holds it: where sidecars of a whole subtree lie.
final class Companions: Sendable {
  private let base: Handle
  private let basePath: [UInt8]
  private let sidecars: Handle

  private init(base: Handle, basePath: [UInt8], sidecars: Handle) {
    self.base = base
    self.basePath = basePath
    self.sidecars = sidecars
  }

  /// The `__MACOSX` in a directory itself, or else the one its parent lies in reach of.
  static func reaching(_ directory: Directory, _ handle: Handle, _ parent: Companions?)
    -> Companions?
  {
    // "__MACOSX" is eight bytes long, so the key is the whole name.
    for index in directory.fileCount..<directory.count
    where directory.records[index].key == 0x5F5F_4D41_434F_5358
      && directory.records[index].nameLength == 8
    {
      if case .success(let sidecars) = DirectoryOpener.open(handle, SidecarName.macOSX) {
        return Companions(base: handle, basePath: directory.path, sidecars: sidecars)
      }
    }
    return parent
  }

  /// The other half of a directory at or below the base.
  func companion(of path: [UInt8]) -> Companion? {
    let below = Bytes.relative(path, to: basePath)
    if below.isEmpty {
      return Companion(
        handle: sidecars, path: Bytes.join(basePath, SidecarName.macOSX), isBesideOwner: true)
    }
    let first = Bytes.prefix(below, components: 1)
    if first.elementsEqual(SidecarName.macOSX) {
      let owners = Bytes.relative(below, to: SidecarName.macOSX)
      return open(base, owners, basePath).map {
        Companion(handle: $0.handle, path: $0.path, isBesideOwner: false)
      }
    }
    return open(sidecars, below, Bytes.join(basePath, SidecarName.macOSX)).map {
      Companion(handle: $0.handle, path: $0.path, isBesideOwner: true)
    }
  }

  private func open(_ from: Handle, _ below: [UInt8], _ prefix: [UInt8])
    -> (handle: Handle, path: [UInt8])?
  {
    if below.isEmpty { return (from, prefix) }
    guard case .success(let handle) = DirectoryOpener.open(from, below) else { return nil }
    return (handle, Bytes.join(prefix, below))
  }
}
