/// Occurrences of one rule at one severity, in bounded memory.
///
/// Up to `limit` they are kept one by one. Beyond it they are folded: first by the directory they
/// lie in, then by ever shorter paths, until they are few again. The input's order makes occurrences
/// of one subtree neighbours, so folding looks at the last group only, and the result depends on
/// the input alone, never on timing.
struct FindingFold {
  struct Group: Equatable {
    /// The entry's own path, or once folded the directory's. Relative to the input.
    var path: [UInt8]
    var container: Int?
    var count: Int
    /// What the rule needs for its message; only ever set on single occurrences.
    var detail: FindingDetail
    var source: String?
    var suppression: Suppression?
  }

  private(set) var groups: [Group] = []
  /// Folded paths have at most this many components; nil while occurrences are kept one by one.
  private(set) var depth: Int?
  private(set) var total = 0
  let limit: Int
  /// The directory of the last occurrence, once occurrences are folded: it went into the last
  /// group.
  private var lastDirectory: [UInt8]?

  init(limit: Int) { self.limit = limit }

  /// Whether `add` keeps the names it is given.
  var keepsNames: Bool { depth == nil }

  /// Adds occurrences below `directory`; with a `name` exactly one of them.
  mutating func add(
    directory: [UInt8], name: UnsafeBufferPointer<UInt8>?, count: Int = 1, container: Int?,
    detail: @autoclosure () -> FindingDetail = .none, source: String? = nil,
    suppression: Suppression? = nil
  ) {
    total += count
    if let depth {
      if directory == lastDirectory, let last = groups.indices.last {
        groups[last].count += count
        return
      }
      lastDirectory = directory
      append(Bytes.prefix(directory, components: depth), count, container)
    } else {
      let path = name.map { Bytes.join(directory, $0) } ?? directory
      groups.append(
        Group(
          path: path, container: container, count: count, detail: detail(), source: source,
          suppression: suppression))
    }
    if groups.count > limit { fold() }
  }

  private mutating func append(_ path: ArraySlice<UInt8>, _ count: Int, _ container: Int?) {
    if let last = groups.indices.last, isSame(groups[last].path, path) {
      groups[last].count += count
      if groups[last].container != container { groups[last].container = nil }
    } else {
      groups.append(
        Group(
          path: Array(path), container: container, count: count, detail: .none, source: nil,
          suppression: nil))
    }
  }

  private func isSame(_ a: [UInt8], _ b: ArraySlice<UInt8>) -> Bool {
    a.withUnsafeBufferPointer { a in b.withUnsafeBufferPointer { Bytes.equal(a, $0) } }
  }

  /// Takes note that the first container is gone and all others moved down by one.
  mutating func dropFirstContainer() {
    for index in groups.indices {
      groups[index].container = groups[index].container.flatMap { $0 == 0 ? nil : $0 - 1 }
    }
  }

  /// Folds to the greatest depth at which no more than half the limit is left.
  private mutating func fold() {
    lastDirectory = nil
    let old = groups
    let directories = old.map { depth == nil ? Array(Bytes.parent($0.path)) : $0.path }
    // Neighbours become one group at every depth up to what their paths share. Trying one depth
    // after the other would take forever on a tree of thousands of levels.
    let shared = zip(directories, directories.dropFirst()).compactMap { a, b in
      a == b ? nil : Self.sharedComponents(a, b)
    }.sorted()
    var next = depth.map { $0 - 1 } ?? directories.lazy.map { Bytes.depth($0) }.max() ?? 0
    let allowed = max(limit / 2 - 1, 0)
    if shared.count > allowed { next = min(next, shared[allowed]) }
    next = max(next, 0)
    groups = []
    groups.reserveCapacity(limit / 2)
    depth = next
    for (group, directory) in zip(old, directories) {
      append(Bytes.prefix(directory, components: next), group.count, group.container)
    }
  }

  /// How many components two paths have in common at their starts.
  private static func sharedComponents(_ a: [UInt8], _ b: [UInt8]) -> Int {
    a.withUnsafeBufferPointer { a in
      b.withUnsafeBufferPointer { b in
        let shared = Bytes.sharedCount(a, b)
        let components = Bytes.depth(a[..<shared])
        let endsThere =
          (shared == a.count || a[shared] == Bytes.slash)
          && (shared == b.count || b[shared] == Bytes.slash)
        // What ends within a component has that one not in common.
        return endsThere ? components : max(components - 1, 0)
      }
    }
  }
}

/// What a message needs beyond the path.
enum FindingDetail: Equatable, Sendable {
  case none
  case reason(Reason)
  case mark(OwnMark, isDirectory: Bool)
  case nearMiss(NearMiss)
  case remark(String)
  case sidecar(database: [UInt8], header: SQLiteHeader?)
  case predicted([[UInt8]], header: SQLiteHeader?)
  case links(others: [[UInt8]], outside: Int)
  case covered(Verdict, ancestor: [UInt8]?)
  case path([UInt8])
  case format(String)
  case lost(before: Verdict, replaced: Bool)
  case lostByDirectory
  case inBackup(Verdict, record: BackupRecord)
  case lookAlikes(Int)
  case spellings(Int)
}
