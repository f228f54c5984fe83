/// Containers do not nest: the outermost one decides, and what looks like one in it is content.
///
/// iOS hands out containers side by side. What looks like one inside another was written by an
/// app: one that hosts apps, or one that keeps device paths in its cache. Where the input shows no
/// container of its own, a look-alike must not take files out of it either.
extension ContainerDetector {
  /// Whether a directory that nothing else tells is the top of an app's container by what lies in
  /// it, rather than a home directory.
  ///
  /// - Parameters:
  ///   - name: the last component of its path.
  ///   - holds: whether a directory of a name lies in it.
  public static func isAppTop(
    _ name: UnsafeBufferPointer<UInt8>, holds: (StaticString) -> Bool
  ) -> Bool {
    guard holds("Documents") && holds("Library") else { return false }
    let isDeviceHome =
      holds("Containers")
      && (holds("Media") || Bytes.equal(name, "mobile") || Bytes.equal(name, "data"))
    return !isDeviceHome && !(holds("Desktop") && holds("Downloads"))
  }

  /// The kind that path and metadata tell together; unknown where two kinds of a device's
  /// containers contradict each other.
  static func kind(byPath: ContainerKind?, byFile: ContainerKind?) -> ContainerKind {
    guard let byPath else { return byFile ?? .unknown }
    let kinds: [ContainerKind] = [.app, .plugin, .group]
    guard let byFile, kinds.contains(byPath), kinds.contains(byFile) else { return byPath }
    return byPath == byFile ? byPath : .unknown
  }

  /// Whether the kind of a container found at a path may excuse files.
  ///
  /// A path alone is believed only where all of it, from the input down, is that of a device. With
  /// a metadata list, only a path through a directory where apps keep their files is not.
  ///
  /// - Parameters:
  ///   - path: the container's path within the input.
  ///   - hasMetadata: whether a metadata property list lies in it or beside it.
  static func isBelievable(_ path: [UInt8], hasMetadata: Bool) -> Bool {
    let parts = path.split(separator: Bytes.slash)
    if hasMetadata { return !isKeptByAnApp(path) }
    // `Containers/Data/Application/UUID`, or `Name.xcappdata/AppData`.
    let own = parts.last?.elementsEqual("AppData".utf8) == true ? 2 : 4
    var above = parts.dropLast(own)
    while let name = above.popFirst() {
      if name.elementsEqual("PersonaVolumes".utf8) || name.elementsEqual("Users".utf8) {
        _ = above.popFirst()
      } else if name.elementsEqual("Library".utf8) {
        guard above.popFirst()?.elementsEqual("Developer".utf8) == true else { return false }
      } else if !isOnDevices(name) {
        return false
      }
    }
    return true
  }

  /// Whether a path leads through a directory where apps keep their files.
  public static func isKeptByAnApp(_ path: [UInt8]) -> Bool {
    let parts = path.split(separator: Bytes.slash)
    return parts.indices.dropLast().contains { isKeptByApps(parts[$0], before: parts[$0 + 1]) }
  }

  private static func isKeptByApps(_ name: ArraySlice<UInt8>, before next: ArraySlice<UInt8>)
    -> Bool
  {
    if name.elementsEqual("Library".utf8) {
      // Simulators, and containers of a Mac.
      return !next.elementsEqual("Developer".utf8) && !next.elementsEqual("Containers".utf8)
        && !next.elementsEqual("Group Containers".utf8)
    }
    return name.elementsEqual("Documents".utf8) || name.elementsEqual("tmp".utf8)
  }

  private static let deviceNames: Set<ArraySlice<UInt8>> = Set(
    [
      "private", "var", "mobile", "data", "filesystem1", "filesystem2", "CoreSimulator", "Devices",
    ].map { ArraySlice($0.utf8) })

  private static func isOnDevices(_ name: ArraySlice<UInt8>) -> Bool {
    deviceNames.contains(name) || name.withUnsafeBufferPointer { isUUID($0) }
  }
}
