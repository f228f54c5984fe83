/// Many patterns, of which few have to be tried on a path.
///
/// A pattern that spells out four bytes in a row can only match a path that holds them. Of these
/// groups of four the index keeps for each pattern the one that the fewest patterns share, and looks
/// for all of them in one pass over the path. So a policy of thousands of entries costs about as
/// much as one of ten.
struct GlobIndex {
  private static let width = 4
  /// The bits of a small table that answers for nearly all groups that no pattern has.
  private static let filterBits = 16

  /// Patterns that spell out too little: they are always tried.
  private let always: [Int]
  private var groups: [UInt32: [Int]] = [:]
  private var filter: [UInt64] = []

  /// Prepares patterns, which are called by their place in the list.
  init(_ globs: [Glob]) {
    var shared: [UInt32: Int] = [:]
    let found = globs.map { Self.groups(in: $0) }
    for groups in found { for group in groups { shared[group, default: 0] += 1 } }
    var always: [Int] = []
    for (index, own) in found.enumerated() {
      let rarest = own.min { (shared[$0] ?? 0, $0) < (shared[$1] ?? 0, $1) }
      if let rarest { groups[rarest, default: []].append(index) } else { always.append(index) }
    }
    self.always = always
    guard !groups.isEmpty else { return }
    filter = [UInt64](repeating: 0, count: 1 << (Self.filterBits - 6))
    for group in groups.keys {
      let bit = Self.bit(group)
      filter[bit >> 6] |= 1 << UInt64(bit & 63)
    }
  }

  /// Calls `body` with every pattern that may match, in no particular order; it can be called twice
  /// with the same one.
  func forEachCandidate(in path: UnsafeBufferPointer<UInt8>, _ body: (Int) -> Void) {
    for index in always { body(index) }
    guard !groups.isEmpty, path.count >= Self.width else { return }
    var group: UInt32 = 0
    for place in path.indices {
      group = group << 8 | UInt32(path[place])
      if place < Self.width - 1 { continue }
      let bit = Self.bit(group)
      guard filter[bit >> 6] >> UInt64(bit & 63) & 1 == 1, let indices = groups[group] else {
        continue
      }
      for index in indices { body(index) }
    }
  }

  private static func groups(in glob: Glob) -> Set<UInt32> {
    var result: Set<UInt32> = []
    for run in glob.literalRuns where run.count >= width {
      var group: UInt32 = 0
      for (place, byte) in run.enumerated() {
        group = group << 8 | UInt32(byte)
        if place >= width - 1 { result.insert(group) }
      }
    }
    return result
  }

  /// Multiplication spreads the bits of a group over the upper half of the product.
  private static func bit(_ group: UInt32) -> Int {
    Int((group &* 0x9E37_79B1) >> UInt32(32 - filterBits))
  }
}
