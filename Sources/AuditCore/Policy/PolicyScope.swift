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
  /// For each rule its exceptions that hold today.
  private let exceptions: [Exceptions?]
  private let index: GlobIndex

  /// The exceptions of one rule, by their indices in the policy.
  private struct Exceptions {
    let indices: [Int]
    let globs: [Glob]
    let index: GlobIndex

    init(_ policy: Policy, _ indices: [Int]) {
      self.indices = indices
      globs = indices.map { policy.exceptions[$0].pattern.glob }
      index = GlobIndex(globs)
    }
  }

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
    index = GlobIndex(self.voices.map(\.glob))
    var exceptions = [[Int]](repeating: [], count: RuleID.allCases.count)
    for (index, exception) in policy.exceptions.enumerated()
    where !exception.isExpired(on: today) && exception.pattern.concerns(identifier: identifier) {
      exceptions[Int(exception.rule.rawValue)].append(index)
    }
    self.exceptions = exceptions.map { $0.isEmpty ? nil : Exceptions(policy, $0) }
  }

  /// The entry that speaks for a path.
  ///
  /// - Parameter matched: for each entry of the policy whether it ever matched; entries that match
  ///   without being the one to speak are noted too.
  func voice(for path: [UInt8], noting matched: inout [Bool]) -> Voice? {
    path.withUnsafeBufferPointer { bytes in
      var speaker: Int?
      index.forEachCandidate(in: bytes) { place in
        let voice = voices[place]
        if matched[voice.number], let speaker, speaker <= place { return }
        guard voice.glob.matches(bytes) else { return }
        matched[voice.number] = true
        speaker = min(speaker ?? place, place)
      }
      return speaker.map { voices[$0] }
    }
  }

  /// The first exception of a rule that matches a path, by its index in the policy.
  ///
  /// - Parameter used: for each exception whether it ever matched; all that match are noted.
  func exception(from rule: RuleID, for path: [UInt8], noting used: inout [Bool]) -> Int? {
    guard let own = exceptions[Int(rule.rawValue)] else { return nil }
    return path.withUnsafeBufferPointer { bytes in
      var first: Int?
      own.index.forEachCandidate(in: bytes) { place in
        let number = own.indices[place]
        if used[number], let first, first <= number { return }
        guard own.globs[place].matches(bytes) else { return }
        used[number] = true
        first = min(first ?? number, number)
      }
      return first
    }
  }
}

extension PolicyException {
  /// Whether its last day is over.
  func isExpired(on today: PolicyDate) -> Bool {
    expires.map { $0 < today } ?? false
  }
}
