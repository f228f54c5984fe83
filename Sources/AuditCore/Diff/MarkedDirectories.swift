/// The directories of one container that are marked in only one of two states.
struct MarkedDirectories {
  /// Container-relative paths in the report's order, with what happened.
  private(set) var changes: [(path: [UInt8], kind: DiffKinds)] = []
  private let now: Set<[UInt8]>
  private var loud: Set<[UInt8]> = []
  private let lost: Set<[UInt8]>

  init(_ pair: DiffPair, _ old: Snapshot, _ new: Snapshot) {
    let before = Self.paths(pair.old, old)
    now = Self.paths(pair.new, new)
    // Of a container that is gone or new there is nothing to compare.
    guard pair.match != nil else {
      lost = []
      return
    }
    lost = before.subtracting(now)
    changes =
      lost.map { ($0, .markLost) } + now.subtracting(before).map { ($0, .newlyCovered) }
    changes.sort { PathOrder.precedes($0.path[...], $1.path[...]) }
  }

  private static func paths(_ index: Int?, _ snapshot: Snapshot) -> Set<[UInt8]> {
    guard let index else { return [] }
    let container = snapshot.containers[index]
    return Set(
      container.markedDirectories.lazy.filter { $0.mark.state == .marked }
        .map { Bytes.relative($0.path, to: container.path) })
  }

  /// Takes note that an entry in a directory is newly exposed: findings speak of it already.
  mutating func note(exposed directory: ArraySlice<UInt8>) {
    guard !lost.isEmpty else { return }
    for path in Self.upwards(Array(directory)) where lost.contains(path) { loud.insert(path) }
  }

  /// Whether a directory that lost its mark is uncovered, and nothing else says so.
  func isSilent(_ path: [UInt8]) -> Bool {
    !loud.contains(path) && !Self.upwards(path).contains { now.contains($0) }
  }

  /// The path, its parent and so on up to the container root.
  private static func upwards(_ path: [UInt8]) -> [[UInt8]] {
    var paths = [path]
    while let last = paths.last, !last.isEmpty { paths.append(Array(Bytes.parent(last))) }
    return paths
  }
}
