/// Entries of two states that are one under names spelled differently.
struct RespelledEntries {
  private struct Group {
    var old: [Snapshot.Entry] = []
    var new: [Snapshot.Entry] = []
  }

  /// The older entry by where the newer one's name starts, which no other entry's does.
  private var partners: [Int: Snapshot.Entry] = [:]
  private var matched: Set<Int> = []

  /// Nothing is spelled differently.
  init() {}

  /// Looks for names that one state lacks and the other one has in another spelling.
  ///
  /// Where there are several of a name, what was excluded goes with what is exposed: a visible path
  /// never shows as gone and as new, and a lost mark is not hidden by a neighbour.
  init(_ walk: DiffWalk, _ pair: DiffPair) {
    var groups: [Spelling: Group] = [:]
    walk.forEachByBytes(in: pair) { step in
      guard (step.old == nil) != (step.new == nil),
        Spelling.isPossible(step.name) || Spelling.isPossible(step.directory)
      else { return }
      let key = Spelling(Bytes.join(step.directory, step.name))
      if let old = step.old { groups[key, default: Group()].old.append(old) }
      if let new = step.new { groups[key, default: Group()].new.append(new) }
    }
    for group in groups.values where !group.old.isEmpty && !group.new.isEmpty {
      let old = Self.first(group.old) { $0.verdict != .exposed }
      let new = Self.first(group.new) { $0.verdict == .exposed }
      for (before, after) in zip(old, new) {
        partners[after.nameStart] = before
        matched.insert(before.nameStart)
      }
    }
  }

  var isEmpty: Bool { partners.isEmpty }

  /// The older entry that a newer one is.
  func partner(of new: Snapshot.Entry) -> Snapshot.Entry? { partners[new.nameStart] }

  /// Whether an older entry is a newer one.
  func isMatched(_ old: Snapshot.Entry) -> Bool { matched.contains(old.nameStart) }

  private static func first(
    _ entries: [Snapshot.Entry], _ isFirst: (Snapshot.Entry) -> Bool
  ) -> [Snapshot.Entry] {
    entries.filter(isFirst) + entries.filter { !isFirst($0) }
  }
}
