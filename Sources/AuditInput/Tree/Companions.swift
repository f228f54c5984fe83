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
  private let sidecarsPath: [UInt8]
  /// Whether `__MACOSX` lies in the base itself, not above the input.
  private let isInside: Bool
  /// The next one further out: archives lie in archives.
  private let outer: Companions?

  private init(
    base: Handle, basePath: [UInt8], sidecars: Handle, sidecarsPath: [UInt8], isInside: Bool,
    outer: Companions?
  ) {
    self.base = base
    self.basePath = basePath
    self.sidecars = sidecars
    self.sidecarsPath = sidecarsPath
    self.isInside = isInside
    self.outer = outer
  }

  /// The `__MACOSX` in a directory itself, and those its parent lies in reach of.
  static func reaching(_ directory: Directory, _ handle: Handle, _ parent: Companions?)
    -> Companions?
  {
    // "__MACOSX" is eight bytes long, so the key is the whole name.
    for index in directory.fileCount..<directory.count
    where directory.records[index].key == 0x5F5F_4D41_434F_5358
      && directory.records[index].nameLength == 8
    {
      // Where it cannot be opened, the walk says so: it is a directory of the tree.
      if case .success(let sidecars) = DirectoryOpener.open(handle, SidecarName.macOSX) {
        return Companions(
          base: handle, basePath: directory.path, sidecars: sidecars,
          sidecarsPath: Bytes.join(directory.path, SidecarName.macOSX), isInside: true,
          outer: parent)
      }
    }
    return parent
  }

  /// The folders `A/__MACOSX/P` of an input `A/P`, for every directory `A` above it: where the
  /// sidecars lie of an input that is a part of what was unpacked.
  ///
  /// - Parameter rootPath: the absolute path of the input.
  static func above(
    _ root: Handle, _ rootPath: [UInt8], _ problems: inout [InputProblem]
  ) -> Companions? {
    var found: Companions?
    forEachHolder(of: rootPath) { holder, below, display in
      let path = Bytes.join(display, below)
      switch DirectoryOpener.openAbsolute(Bytes.join(holder, below)) {
      case .success(let sidecars):
        found = Companions(
          base: root, basePath: [], sidecars: sidecars, sidecarsPath: path, isInside: false,
          outer: found)
      case .failure(let code):
        if !ErrorText.isNowhere(code) { problems.append(ErrorText.problem(path, "open", code)) }
      }
    }
    return found
  }

  /// The absolute paths at which the input's own sidecar may lie, and how the user would see them.
  static func ownSidecars(of rootPath: [UInt8]) -> [(path: [UInt8], shown: [UInt8])] {
    let name = Array("._".utf8) + Bytes.last(rootPath)
    // No system has longer names.
    guard name.count > 2, name.count <= 255 else { return [] }
    var paths = [
      (
        path: Array(Bytes.parent(rootPath)) + [Bytes.slash] + name,
        shown: Bytes.join(Array("..".utf8), name)
      )
    ]
    forEachHolder(of: rootPath) { holder, below, display in
      let place = Bytes.parent(below)
      paths.append(
        (
          path: Bytes.join(Bytes.join(holder, place), name),
          shown: Bytes.join(Bytes.join(display, place), name)
        ))
    }
    return paths
  }

  /// Calls a closure with `A/__MACOSX`, the path from `A` to the input, and `../…/__MACOSX` as the
  /// user would see it, from the nearest `A` to the furthest.
  private static func forEachHolder(
    of rootPath: [UInt8], _ body: (_ holder: [UInt8], _ below: [UInt8], _ display: [UInt8]) -> Void
  ) {
    var above = rootPath
    var display: [UInt8] = []
    while Bytes.depth(above) > 1 {
      above = Array(Bytes.parent(above))
      display = Bytes.join(display, Array("..".utf8))
      let below = Array(rootPath.dropFirst(above.count + 1))
      body(
        above + [Bytes.slash] + SidecarName.macOSX, below,
        Bytes.join(display, SidecarName.macOSX))
    }
  }

  /// The other halves of a directory at or below the base.
  ///
  /// One that is not there is no problem; one that cannot be opened is.
  func companions(of path: [UInt8], _ problems: inout [InputProblem]) -> [Companion] {
    let below = Bytes.relative(path, to: basePath)
    if isInside, Bytes.prefix(below, components: 1).elementsEqual(SidecarName.macOSX) {
      let owners = Bytes.relative(below, to: SidecarName.macOSX)
      // What lies in here is the carrier's: no other carrier speaks of it.
      return open(base, owners, basePath, &problems).map {
        [Companion(handle: $0.handle, path: $0.path, isBesideOwner: false)]
      } ?? []
    }
    var all = outer?.companions(of: path, &problems) ?? []
    if let own = open(sidecars, below, sidecarsPath, &problems) {
      all.append(Companion(handle: own.handle, path: own.path, isBesideOwner: true))
    }
    return all
  }

  /// Whether an AppleDouble file is among those that lie above the input.
  var holdAppleDouble: Bool {
    SidecarScan.findsAppleDouble(below: sidecars) || outer?.holdAppleDouble == true
  }

  private func open(
    _ from: Handle, _ below: [UInt8], _ prefix: [UInt8], _ problems: inout [InputProblem]
  ) -> (handle: Handle, path: [UInt8])? {
    if below.isEmpty { return (from, prefix) }
    let path = Bytes.join(prefix, below)
    switch DirectoryOpener.open(from, below) {
    case .success(let handle): return (handle, path)
    case .failure(let code):
      if !ErrorText.isNowhere(code) { problems.append(ErrorText.problem(path, "open", code)) }
      return nil
    }
  }
}
