/// A container in both states, or in one of them.
public struct DiffPair: Equatable, Sendable {
  /// How the two containers were recognised as one.
  public enum Match: String, Sendable {
    /// By their identifier.
    case identifier
    /// By kind and path, with a device's random directory names taken for equal.
    case place
    /// Each is the only container of its state.
    case only
  }

  /// The index of the older container, if there is one.
  public var old: Int?
  /// The index of the newer container, if there is one.
  public var new: Int?
  /// How they were matched; nil where one is missing.
  public var match: Match?
  /// What changed in it.
  public var tally = DiffTally()

  /// Pairs the containers of two states; the order is that of the newer one, then what is gone.
  static func pairs(_ old: [ContainerReport], _ new: [ContainerReport]) -> [DiffPair] {
    var pairing = Pairing(old, new)
    pairing.match(.identifier) { container in
      container.identifier.map { Array((container.kind.word + " " + $0).utf8) }
    }
    // The kind may have been told on one side and not on the other.
    pairing.match(.identifier) { $0.identifier.map { Array($0.utf8) } }
    pairing.match(.place) { Array(($0.kind.word + " ").utf8) + $0.path }
    pairing.match(.place) { container in
      Array((container.kind.word + " ").utf8) + withoutUUIDs(container.path)
    }
    pairing.matchRest()
    return pairing.result
  }

  /// The path with every component that is a UUID replaced: a reinstalled app gets a new one.
  static func withoutUUIDs(_ path: [UInt8]) -> [UInt8] {
    let parts = path.split(separator: Bytes.slash, omittingEmptySubsequences: false)
    return Array(
      parts.map { part in
        part.withUnsafeBufferPointer { ContainerDetector.isUUID($0) }
          ? Array("*".utf8) : Array(part)
      }
      .joined(separator: [Bytes.slash]))
  }

  private struct Pairing {
    private let old: [ContainerReport]
    private let new: [ContainerReport]
    private var partner: [Int?]
    private var reason: [Match?]
    private var taken: [Bool]

    init(_ old: [ContainerReport], _ new: [ContainerReport]) {
      self.old = old
      self.new = new
      partner = Array(repeating: nil, count: new.count)
      reason = Array(repeating: nil, count: new.count)
      taken = Array(repeating: false, count: old.count)
    }

    /// Pairs what has the same key, where one on each side has it.
    mutating func match(_ reason: Match, _ key: (ContainerReport) -> [UInt8]?) {
      var found: [[UInt8]: [Int]] = [:]
      for index in old.indices where !taken[index] {
        if let key = key(old[index]) { found[key, default: []].append(index) }
      }
      var wanted: [[UInt8]: [Int]] = [:]
      for index in new.indices where partner[index] == nil {
        if let key = key(new[index]) { wanted[key, default: []].append(index) }
      }
      for (key, indices) in wanted where indices.count == 1 {
        guard let candidates = found[key], candidates.count == 1,
          reason == .identifier || mayBeOne(old[candidates[0]], new[indices[0]])
        else { continue }
        pair(candidates[0], indices[0], reason)
      }
    }

    /// Whether no identifier says that two containers are different ones.
    private func mayBeOne(_ a: ContainerReport, _ b: ContainerReport) -> Bool {
      a.identifier == nil || b.identifier == nil || a.identifier == b.identifier
    }

    /// Pairs the only two, if each side has one.
    mutating func matchRest() {
      let oldRest = old.indices.filter { !taken[$0] }
      let newRest = new.indices.filter { partner[$0] == nil }
      if old.count == 1 && new.count == 1, let a = oldRest.first, let b = newRest.first {
        pair(a, b, .only)
      }
    }

    private mutating func pair(_ a: Int, _ b: Int, _ reason: Match) {
      taken[a] = true
      partner[b] = a
      self.reason[b] = reason
    }

    var result: [DiffPair] {
      new.indices.map { DiffPair(old: partner[$0], new: $0, match: reason[$0]) }
        + old.indices.filter { !taken[$0] }.map { DiffPair(old: $0, new: nil, match: nil) }
    }
  }
}
