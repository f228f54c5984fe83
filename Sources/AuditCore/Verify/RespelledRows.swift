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

  private let entries: [Key: [(index: Int, path: [UInt8])]]
  private var rows: [Key: [Row]] = [:]
  private var order: [Key] = []

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
  mutating func keep(_ path: [UInt8], container: Int, _ record: () -> BackupRecord) -> Bool {
    guard !entries.isEmpty, Spelling.isPossible(path) else { return false }
    let key = Key(container: container, spelling: Spelling(path))
    guard entries[key] != nil else { return false }
    let known = rows[key, default: []]
    if known.isEmpty { order.append(key) }
    // A row that comes twice counts once.
    if !known.contains(where: { $0.path == path }) {
      rows[key, default: []].append(Row(path: path, record: record()))
    }
    return true
  }

  /// The rows by name, with the entries that are still without one, in the input's order.
  func groups(_ seen: [Bool]) -> [Group] {
    order.map { key in
      Group(
        container: key.container, rows: rows[key] ?? [],
        entries: (entries[key] ?? []).filter { !seen[$0.index] })
    }
  }
}
