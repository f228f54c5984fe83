import CSQLite
import Foundation
import Synchronization

/// A connection to a real SQLite database.
final class Database {
  struct Failure: Error { var message: String }

  private var handle: OpaquePointer?

  /// Opens or creates a database with one table.
  init(_ path: String, mode: String? = nil, vfs: String? = nil) throws {
    let flags = SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE
    guard sqlite3_open_v2(path, &handle, flags, vfs) == SQLITE_OK else { throw failure(path) }
    if let mode { try run("PRAGMA journal_mode=\(mode)") }
    try run("CREATE TABLE IF NOT EXISTS t(x)")
  }

  deinit { sqlite3_close(handle) }

  func run(_ sql: String) throws {
    guard sqlite3_exec(handle, sql, nil, nil, nil) == SQLITE_OK else { throw failure(sql) }
  }

  func insert() throws { try run("INSERT INTO t VALUES(hex(randomblob(2000)))") }

  func checkpoint(_ mode: Int32) throws {
    guard sqlite3_wal_checkpoint_v2(handle, nil, mode, nil, nil) == SQLITE_OK else {
      throw failure("checkpoint")
    }
  }

  /// Keeps the `-wal` file when the last connection closes.
  func persistWAL() throws {
    var on: Int32 = 1
    guard sqlite3_file_control(handle, nil, SQLITE_FCNTL_PERSIST_WAL, &on) == SQLITE_OK else {
      throw failure("PERSIST_WAL")
    }
  }

  /// Copies the whole database into another one with the backup interface.
  func backUp(into other: Database) throws {
    let backup = sqlite3_backup_init(other.handle, "main", handle, "main")
    defer { sqlite3_backup_finish(backup) }
    guard sqlite3_backup_step(backup, -1) == SQLITE_DONE else { throw failure("backup") }
  }

  func close() throws {
    guard sqlite3_close(handle) == SQLITE_OK else { throw failure("close") }
    handle = nil
  }

  private func failure(_ what: String) -> Failure {
    Failure(message: what + ": " + (sqlite3_errmsg(handle).map { String(cString: $0) } ?? ""))
  }
}

/// SQLite's own file layer, except that it tells of a super-journal before that is deleted:
/// it exists only within a commit.
enum WatchingVFS {
  static let name = "watching"
  nonisolated(unsafe) private static var observer: (() throws -> Void)?
  nonisolated(unsafe) private static var original: UnsafeMutablePointer<sqlite3_vfs>?
  nonisolated(unsafe) private static var seen = 0
  private static let lock = NSRecursiveLock()

  /// Runs a body; calls the observer each time a super-journal is about to go. Returns how often.
  static func watch(_ observer: @escaping () throws -> Void, _ body: () throws -> Void) throws
    -> Int
  {
    lock.lock()
    defer { lock.unlock() }
    register()
    seen = 0
    Self.observer = observer
    defer { Self.observer = nil }
    try body()
    return seen
  }

  private static func register() {
    guard original == nil, let base = sqlite3_vfs_find(nil) else { return }
    original = base
    let copy = UnsafeMutablePointer<sqlite3_vfs>.allocate(capacity: 1)
    copy.initialize(to: base.pointee)
    copy.pointee.pNext = nil
    copy.pointee.zName = UnsafePointer(strdup(name))
    copy.pointee.xDelete = { _, path, sync in
      if let path, String(cString: path).contains("-mj") {
        WatchingVFS.seen += 1
        do { try WatchingVFS.observer?() } catch { return SQLITE_IOERR }
      }
      return WatchingVFS.original?.pointee.xDelete(WatchingVFS.original, path, sync)
        ?? SQLITE_IOERR
    }
    sqlite3_vfs_register(copy, 0)
  }
}
