import AuditCore

/// The outermost container on the way to a directory, by what its parents' names and metadata show.
enum ContainerAbove {
  /// The absolute path of the outermost container that a directory lies in or is.
  ///
  /// - Parameters:
  ///   - path: an absolute path without links.
  ///   - onDevices: only containers of a device: on a Mac, whole dumps lie in containers.
  static func outermost(of path: [UInt8], onDevices: Bool) -> [UInt8]? {
    let relative = Array(path.dropFirst())
    let depth = Bytes.depth(relative)
    guard depth > 0 else { return nil }
    for count in 1...depth {
      let here = [Bytes.slash] + Bytes.prefix(relative, components: count)
      if let match = ContainerDetector.match(path: here) {
        if !onDevices || match.kind != .macApp && match.kind != .macGroup { return here }
      }
      if holds(here, ContainerDetector.metadataName, .file) { return here }
      let isMac =
        !onDevices && holds(here, ContainerDetector.macMetadataName, .file)
        && !holds(here, ContainerDetector.macDataName, .directory)
      if isMac { return here }
    }
    return nil
  }

  /// Whether the input lies in a container and is not one itself.
  static func isAbove(_ path: [UInt8]) -> Bool {
    guard let found = outermost(of: path, onDevices: true) else { return false }
    return found.count < path.count
  }

  private static func holds(_ directory: [UInt8], _ name: StaticString, _ kind: EntryKind) -> Bool {
    var status = FileStatus()
    let path = directory + [Bytes.slash] + Array(name.description.utf8)
    let code = DirectoryOpener.withCString(path) { System.status(System.here, $0, &status) }
    return code == 0 && status.kind == kind
  }
}
