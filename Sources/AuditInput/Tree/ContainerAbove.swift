import AuditCore

/// The outermost container on the way to a directory, by what its parents' names and metadata show.
struct ContainerAbove {
  /// The absolute path of the outermost container that the directory lies in or is.
  private(set) var root: [UInt8]?
  /// A parent that could not be asked for its metadata: then `root` may lie too deep.
  private(set) var problem: InputProblem?
  private let path: [UInt8]

  /// Looks at a directory and everything above it.
  ///
  /// - Parameters:
  ///   - path: an absolute path without links.
  ///   - onDevices: only containers of a device: on a Mac, whole dumps lie in containers.
  init(_ path: [UInt8], onDevices: Bool) {
    self.path = path
    let relative = Array(path.dropFirst())
    let depth = Bytes.depth(relative)
    guard depth > 0 else { return }
    for count in 1...depth {
      let here = [Bytes.slash] + Bytes.prefix(relative, components: count)
      if isContainer(here, onDevices: onDevices) {
        root = here
        return
      }
    }
  }

  /// Whether the directory lies in a container and is not one itself.
  var isInside: Bool { root.map { $0.count < path.count } ?? false }

  private mutating func isContainer(_ here: [UInt8], onDevices: Bool) -> Bool {
    if let match = ContainerDetector.match(path: here) {
      let isMac = match.kind == .macApp || match.kind == .macGroup
      // What a path shows below a directory where apps keep files may be a mirror of it.
      if !onDevices || !isMac, !ContainerDetector.isKeptByAnApp(here) { return true }
    }
    if holds(here, ContainerDetector.metadataName, .file) { return true }
    return !onDevices && holds(here, ContainerDetector.macMetadataName, .file)
      && !holds(here, ContainerDetector.macDataName, .directory)
  }

  private mutating func holds(
    _ directory: [UInt8], _ name: StaticString, _ kind: EntryKind
  ) -> Bool {
    var status = FileStatus()
    let path = directory + [Bytes.slash] + Array(name.description.utf8)
    let code = DirectoryOpener.withCString(path) { System.status(System.here, $0, &status) }
    if code == 0 { return status.kind == kind }
    let number = Int(-code)
    if problem == nil && !ErrorText.isGone(number) && !ErrorText.isNoDirectory(number) {
      problem = InputProblem(
        path: [], operation: "stat", error: ErrorText.symbol(number),
        message: """
          cannot tell whether the input lies in a container, for \(Shown.text(directory)) above it \
          cannot be asked; what was found in it may belong to that one
          """)
    }
    return false
  }
}
