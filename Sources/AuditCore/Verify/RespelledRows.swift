/// The rows of a backup whose name no audited entry has byte for byte, but in another spelling.
struct RespelledRows {
  /// A row that waits for the end, when it is known what was matched by its bytes.
  struct Row {
    var path: [UInt8]
    var record: BackupRecord
  }

  /// Rows and entries of one name.
  struct Group {
    var container: Int
    var rows: [Row]
    /// Entries that no row matched by its bytes.
    var entries: [(index: Int, path: [UInt8])]
    /// Whether there is one of each, so that nothing is guessed.
    var isClear: Bool { rows.count == 1 && entries.count == 1 }
  }

  private struct Key: Hashable {
    var container: Int
    var spelling: Spelling
  }

  private var entries: [Key: [(index: Int, path: [UInt8])]]
  private var rows: [Key: [Row]] = [:]
  private var order: [Key] = []
  /// Rows kept so far: there may be very many spellings of one name.
  private var known: Set<[UInt8]> = []

  /// Looks for names that can have another spelling.
  init(_ snapshot: Snapshot) {
    var entries: [Key: [(index: Int, path: [UInt8])]] = [:]
    snapshot.withNames { names in
      for directory in snapshot.directories {
        let isPossible = Spelling.isPossible(directory.path)
        for index in directory.entries {
          let name = names[snapshot.entries[index]]
          guard isPossible || Spelling.isPossible(name) else { continue }
          let path = Bytes.join(directory.path, name)
          let key = Key(container: directory.container, spelling: Spelling(path))
          entries[key, default: []].append((index, path))
        }
      }
    }
    self.entries = entries
  }

  /// Keeps a row if some entry has its name in another spelling; else says no.
  mutating func keep(
    _ path: [UInt8], container: Int, in snapshot: Snapshot, _ record: () -> BackupRecord
  ) -> Bool {
    let isPossible = Spelling.isPossible(path)
    guard isPossible || !entries.isEmpty else { return false }
    let key = Key(container: container, spelling: Spelling(path))
    if entries[key] == nil {
      guard isPossible, let plain = Spelling.inASCII(path),
        let index = snapshot.index(of: plain, container: container)
      else { return false }
      entries[key] = [(index, plain)]
    }
    // A row that comes twice counts once.
    guard known.insert(path).inserted else { return true }
    if rows[key] == nil { order.append(key) }
    rows[key, default: []].append(Row(path: path, record: record()))
    return true
  }

  /// The rows by name as they came, with the entries that are still without one.
  func groups(_ seen: [Bool]) -> [Group] {
    order.map { key in
      Group(
        container: key.container, rows: rows[key] ?? [],
        entries: (entries[key] ?? []).filter { !seen[$0.index] })
    }
  }
}
