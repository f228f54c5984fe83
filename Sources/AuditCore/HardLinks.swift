/// The names of inodes that have more than one, as far as the audit sees them.
struct HardLinks {
  struct Key: Hashable {
    var layer: Int
    var inode: UInt64
  }
  struct Names {
    var links: Int
    var seen = 0
    var covered: (path: [UInt8], container: Int)?
    var exposed: (path: [UInt8], container: Int)?
  }

  private(set) var table: [Key: Names] = [:]

  mutating func add(
    layer: Int, inode: UInt64, links: Int, verdict: Verdict, directory: [UInt8],
    name: UnsafeBufferPointer<UInt8>, container: Int
  ) {
    var names = table[Key(layer: layer, inode: inode)] ?? Names(links: links)
    names.seen += 1
    switch verdict {
    case .coveredByAncestor, .markedAndCovered:
      if names.covered == nil { names.covered = (Bytes.join(directory, name), container) }
    case .exposed, .unknown:
      if names.exposed == nil { names.exposed = (Bytes.join(directory, name), container) }
    case .selfMarked, .outsideBackup: break
    }
    table[Key(layer: layer, inode: inode)] = names
  }

  /// The inodes with a covered name and another that is exposed or was not seen, in a fixed order.
  var escapes: [Names] {
    table.values.filter { $0.covered != nil && ($0.exposed != nil || $0.seen < $0.links) }
      .sorted { ($0.covered?.path ?? []).lexicographicallyPrecedes($1.covered?.path ?? []) }
  }
}
