/// The directories of one container that are marked in only one of two states.
struct MarkedDirectories {
  /// Container-relative paths in the report's order, with what happened.
  private(set) var changes: [(path: [UInt8], kind: DiffKinds)] = []
  /// What is marked now, by the older state's spelling where only the spelling changed.
  private let now: Set<[UInt8]>
  private var loud: Set<Spelling> = []
  private let lost: Set<Spelling>

  init(_ pair: DiffPair, _ old: Snapshot, _ new: Snapshot) {
    let before = Self.paths(pair.old, old)
    let after = Self.paths(pair.new, new)
    // Of a container that is gone or new there is nothing to compare.
    guard pair.match != nil else {
      now = after
      lost = []
      return
    }
    let gone = before.subtracting(after)
    let came = after.subtracting(before)
    let respelled = Self.respelled(gone, came)
    now = after.union(respelled)
    lost = Set(gone.subtracting(respelled).map { Spelling($0) })
    changes =
      gone.subtracting(respelled).map { ($0, .markLost) }
      + came.subtracting(Self.respelled(came, gone)).map { ($0, .newlyCovered) }
    changes.sort { PathOrder.precedes($0.path[...], $1.path[...]) }
  }

  /// Those of `some` that are among the others in another spelling, where there is one of each.
  private static func respelled(_ some: Set<[UInt8]>, _ others: Set<[UInt8]>) -> Set<[UInt8]> {
    guard !some.isEmpty && !others.isEmpty else { return [] }
    let here = Dictionary(grouping: some) { Spelling($0) }
    let there = Dictionary(grouping: others) { Spelling($0) }
    return some.filter {
      let key = Spelling($0)
      return here[key]?.count == 1 && there[key]?.count == 1
    }
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
    for path in Self.upwards(Array(directory)).map({ Spelling($0) }) where lost.contains(path) {
      loud.insert(path)
    }
  }

  /// Whether a directory that lost its mark is uncovered, and nothing else says so.
  func isSilent(_ path: [UInt8]) -> Bool {
    !loud.contains(Spelling(path))
      && !Self.upwards(path).contains { now.contains($0) }
  }

  /// The path, its parent and so on up to the container root.
  private static func upwards(_ path: [UInt8]) -> [[UInt8]] {
    var paths = [path]
    while let last = paths.last, !last.isEmpty { paths.append(Array(Bytes.parent(last))) }
    return paths
  }
}
