/// What a policy says of one container: only the entries that concern it, the strongest first.
struct PolicyScope {
  /// An entry of `localOnly` or `backedUp`.
  struct Voice {
    var glob: Glob
    var isLocalOnly: Bool
    /// The index in its list.
    var index: Int
    /// The index among all entries, those of `localOnly` first.
    var number: Int
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
      voices.append(Voice(glob: entry.pattern.glob, isLocalOnly: true, index: index, number: index))
    }
    for (index, entry) in policy.backedUp.enumerated()
    where entry.pattern.concerns(identifier: identifier) {
      let number = policy.localOnly.count + index
      voices.append(
        Voice(glob: entry.pattern.glob, isLocalOnly: false, index: index, number: number))
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
  ///
  /// - Parameter matched: for each entry of the policy whether it ever matched; entries that match
  ///   without being the one to speak are noted too.
  func voice(for path: [UInt8], noting matched: inout [Bool]) -> Voice? {
    path.withUnsafeBufferPointer { bytes in
      var speaker: Voice?
      for voice in voices where speaker == nil || !matched[voice.number] {
        guard voice.glob.matches(bytes) else { continue }
        matched[voice.number] = true
        if speaker == nil { speaker = voice }
      }
      return speaker
    }
  }
}

extension PolicyException {
  /// Whether its last day is over.
  func isExpired(on today: PolicyDate) -> Bool {
    expires.map { $0 < today } ?? false
  }
}
