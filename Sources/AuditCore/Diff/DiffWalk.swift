/// Walks along two snapshots at once and tells which entries belong together.
struct DiffWalk {
  let old: Snapshot
  let new: Snapshot

  /// An entry in one or both states, in a directory of a container.
  struct Step {
    var directory: ArraySlice<UInt8>
    var name: UnsafeBufferPointer<UInt8>
    var old: Snapshot.Entry?
    var new: Snapshot.Entry?
    /// The index of the directory in the newer snapshot.
    var newDirectory: Int?
    /// Whether the two names are different spellings of one.
    var isRespelled = false
  }

  /// Calls `body` for each entry of a pair of containers, in the report's order.
  ///
  /// What is there in another spelling only counts as one entry, at the place of the newer name.
  func forEach(in pair: DiffPair, _ body: (Step) throws -> Void) rethrows {
    let respelled = pair.match == nil ? RespelledEntries() : RespelledEntries(self, pair)
    guard !respelled.isEmpty else { return try forEachByBytes(in: pair, body) }
    try forEachByBytes(in: pair) { step in
      if let new = step.new, step.old == nil, let old = respelled.partner(of: new) {
        var step = step
        step.old = old
        step.isRespelled = true
        try body(step)
      } else if let old = step.old, step.new == nil, respelled.isMatched(old) {
        return
      } else {
        try body(step)
      }
    }
  }

  /// Calls `body` for each entry, where only names of equal bytes are one.
  func forEachByBytes(in pair: DiffPair, _ body: (Step) throws -> Void) rethrows {
    try old.withNames { oldNames in
      try new.withNames { newNames in
        var before = DirectoryCursor(old, container: pair.old)
        var after = DirectoryCursor(new, container: pair.new)
        while before.index != nil || after.index != nil {
          let order = DirectoryCursor.compare(before, after)
          let path = order <= 0 ? before.path : after.path
          try forEach(
            order <= 0 ? before.entries : 0..<0, oldNames,
            order >= 0 ? after.entries : 0..<0, newNames
          ) { name, a, b in
            try body(
              Step(
                directory: path, name: name, old: a, new: b,
                newDirectory: order >= 0 ? after.index : nil))
          }
          if order <= 0 { before.advance() }
          if order >= 0 { after.advance() }
        }
      }
    }
  }

  /// Walks along the entries of a directory in both states.
  private func forEach(
    _ a: Range<Int>, _ oldNames: Snapshot.Names, _ b: Range<Int>, _ newNames: Snapshot.Names,
    _ body: (UnsafeBufferPointer<UInt8>, Snapshot.Entry?, Snapshot.Entry?) throws -> Void
  ) rethrows {
    var i = a.lowerBound
    var j = b.lowerBound
    while i < a.upperBound || j < b.upperBound {
      let before = i < a.upperBound ? old.entries[i] : nil
      let after = j < b.upperBound ? new.entries[j] : nil
      switch (before, after) {
      case (let before?, let after?):
        let order = PathOrder.compare(oldNames[before], newNames[after])
        try body(
          order <= 0 ? oldNames[before] : newNames[after], order <= 0 ? before : nil,
          order >= 0 ? after : nil)
        if order <= 0 { i += 1 }
        if order >= 0 { j += 1 }
      case (let before?, nil):
        try body(oldNames[before], before, nil)
        i += 1
      case (nil, let after?):
        try body(newNames[after], nil, after)
        j += 1
      case (nil, nil): return
      }
    }
  }
}

/// Goes through the directories of one container in the report's order.
private struct DirectoryCursor {
  private let snapshot: Snapshot
  private let container: Int
  private let prefix: Int
  /// The current directory; nil at the end.
  private(set) var index: Int?

  init(_ snapshot: Snapshot, container: Int?) {
    self.snapshot = snapshot
    self.container = container ?? -1
    let root = container.map { snapshot.containers[$0].path } ?? []
    prefix = root.isEmpty ? 0 : root.count + 1
    index = -1
    if container == nil { index = nil } else { advance() }
  }

  /// The path relative to the container.
  var path: ArraySlice<UInt8> {
    guard let index else { return [] }
    let path = snapshot.directories[index].path
    return path[min(prefix, path.count)...]
  }

  var entries: Range<Int> { index.map { snapshot.directories[$0].entries } ?? 0..<0 }

  mutating func advance() {
    guard var next = index else { return }
    repeat {
      next += 1
    } while next < snapshot.directories.count
      && snapshot.directories[next].container != container
    index = next < snapshot.directories.count ? next : nil
  }

  /// As `PathOrder.compare`; what is at its end comes last.
  static func compare(_ a: DirectoryCursor, _ b: DirectoryCursor) -> Int {
    if a.index == nil { return b.index == nil ? 0 : 1 }
    return b.index == nil ? -1 : PathOrder.compare(a.path, b.path)
  }
}
