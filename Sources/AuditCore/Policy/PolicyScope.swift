/// What a policy says of one container: only the entries that concern it, the strongest first.
struct PolicyScope {
  /// An entry of `localOnly` or `backedUp`.
  struct Voice {
    var glob: Glob
    var isLocalOnly: Bool
    /// The index in its list.
    var index: Int
  }

  /// The entries, those that spell out more of a path first; of equals `localOnly` comes first,
  /// then the order of the file. The first one that matches a path speaks for it.
  let voices: [Voice]
  /// For each rule the indices of its exceptions that hold today.
  let exceptions: [[Int]]

  init(_ policy: Policy, identifier: String?, today: PolicyDate) {
    var voices: [Voice] = []
    for (index, entry) in policy.localOnly.enumerated()
    where entry.pattern.concerns(identifier: identifier) {
      voices.append(Voice(glob: entry.pattern.glob, isLocalOnly: true, index: index))
    }
    for (index, entry) in policy.backedUp.enumerated()
    where entry.pattern.concerns(identifier: identifier) {
      voices.append(Voice(glob: entry.pattern.glob, isLocalOnly: false, index: index))
    }
    // The standard library's sort is stable.
    self.voices = voices.sorted { $0.glob.literals > $1.glob.literals }
    var exceptions = [[Int]](repeating: [], count: RuleID.allCases.count)
    for (index, exception) in policy.exceptions.enumerated()
    where !exception.isExpired(on: today) && exception.pattern.concerns(identifier: identifier) {
      exceptions[Int(exception.rule.rawValue)].append(index)
    }
    self.exceptions = exceptions
  }

  /// The entry that speaks for a path.
  func voice(for path: [UInt8]) -> Voice? {
    path.withUnsafeBufferPointer { bytes in voices.first { $0.glob.matches(bytes) } }
  }
}

extension PolicyException {
  /// Whether its last day is over.
  func isExpired(on today: PolicyDate) -> Bool {
    expires.map { $0 < today } ?? false
  }
}
