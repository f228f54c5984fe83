import Testing

@testable import AuditCore

struct StoreFamilyTests {
  private func role(_ name: String) -> StoreRole {
    Array(name.utf8).withUnsafeBufferPointer { StoreFamily.role($0) }
  }

  private func baseLength(_ name: String) -> Int? {
    Array(name.utf8).withUnsafeBufferPointer { StoreFamily.sidecarBaseLength($0) }
  }

  @Test(arguments: [
    ("h.sqlite-wal", 8, SidecarKind.wal), ("h.sqlite-shm", 8, .sharedMemory),
    ("h.sqlite-journal", 8, .journal), ("x-wal", 1, .wal), ("x-journal", 1, .journal),
    ("h.db-mj0A1B2C9DE", 4, .superJournal),
  ])
  func sidecarsAreKnownByTheirEnding(name: String, length: Int, kind: SidecarKind) {
    #expect(role(name) == .sqliteSidecar(baseLength: length, kind: kind))
    #expect(baseLength(name) == (kind == .superJournal ? nil : length))
  }

  @Test(arguments: [
    "", "l", "m", "-wal", "-shm", "-journal", "wal", "hwal", "h.sqlite-WAL", "h.sqlite-wal2",
    "film", "journal", "h.db-mj0A1B2C8DE", "h.db-mjgggggg9gg", "-mj0A1B2C9DE",
  ])
  func otherNamesAreNoSidecars(name: String) {
    #expect(baseLength(name) == nil)
    if case .sqliteSidecar = role(name) { Issue.record("\(name) is no sidecar") }
  }

  @Test(arguments: [
    "a.sqlite", "A.SQLite", "a.sqlite3", "a.db", "a.DB", "a.store", "a.sqlitedb", "a.storedata",
    "default.store", "tiles.mbtiles",
  ])
  func databasesAreKnownByTheirExtension(name: String) {
    #expect(role(name) == .database)
    #expect(Array(name.utf8).withUnsafeBufferPointer { StoreFamily.looksLikeDatabase($0) })
  }

  @Test(arguments: [
    ("default.realm", StoreRole.member(.realm)), ("default.realm.lock", .member(.realm)),
    ("default.realm.note", .member(.realm)), ("data.mdb", .member(.lmdb)),
    ("CURRENT", .member(.levelDB)), ("MANIFEST-000004", .member(.levelDB)),
    ("000003.log", .member(.levelDB)), ("000005.ldb", .member(.levelDB)),
    ("LOG.old", .member(.levelDB)), ("a.plist.sb-0123abcd-Ab12Cd", .atomicSave),
    ("com.a.plist.AbCdEfG", .atomicSave), (".dat.nosync1a2b.xyz", .atomicSave),
    ("notes.txt", .none), ("server.log", .none), ("MANIFEST-x", .none), ("CURRENT2", .none),
    ("a.plist", .none), ("a.plist.AbCdEfGh", .none), (".db", .none),
    ("a.sb-0123abcx-Ab12Cd", .none), ("log", .none),
  ])
  func otherStoresAreKnownByTheirNames(name: String, expected: StoreRole) {
    #expect(role(name) == expected)
  }

  @Test func theHeaderTellsTheJournalMode() {
    var header = [UInt8](repeating: 0, count: 100)
    header.replaceSubrange(0..<16, with: "SQLite format 3\0".utf8)
    header.replaceSubrange(18..<20, with: [2, 2])
    #expect(SQLiteHeader.parse(header) == .wal)
    header[18] = 1
    header[19] = 1
    #expect(SQLiteHeader.parse(header) == .rollback)
    #expect(SQLiteHeader.parse(header[..<18]) == .encryptedOrOther)
    header[0] = 0x9E
    #expect(SQLiteHeader.parse(header) == .encryptedOrOther)
    #expect(SQLiteHeader.parse([]) == .empty)
  }

  @Test func onlyDatabasesGetSidecars() {
    func missing(_ name: String, _ header: [UInt8]?) -> [String] {
      Array(name.utf8).withUnsafeBufferPointer {
        StoreFamily.missingSidecars(of: $0, header: header) { suffix in
          suffix.description == "-shm"
        }
      }
    }
    var header = [UInt8](repeating: 1, count: 100)
    header.replaceSubrange(0..<16, with: "SQLite format 3\0".utf8)
    #expect(missing("cache", header) == ["-journal"])
    header[18] = 2
    #expect(missing("cache", header) == ["-wal"])
    header[0] = 0
    #expect(missing("cache", header) == [])
    #expect(missing("cache.db", header) == ["-wal", "-journal"])
    #expect(missing("cache.db", []) == ["-wal", "-journal"])
    #expect(missing("cache", nil) == [])
  }

  @Test func whatComesBackDependsOnTheMode() {
    func names(_ header: SQLiteHeader?, existing: [String] = []) -> [String] {
      StoreFamily.predictedSidecars(
        of: "h".utf8, header: header,
        exists: { existing.contains(String(decoding: $0, as: UTF8.self)) }
      ).map { String(decoding: $0, as: UTF8.self) }
    }
    #expect(names(.wal) == ["h-wal", "h-shm"])
    #expect(names(.wal, existing: ["h-wal"]) == ["h-shm"])
    #expect(names(.rollback) == ["h-journal"])
    #expect(names(.encryptedOrOther) == ["h-wal", "h-shm", "h-journal"])
    #expect(names(.empty) == names(nil))
  }
}
