// Another process for the tests: it holds a store open until it is killed, or races for a
// local-only store. Usage: StoreHelper KIND PATH
import BackupExclusion
import CLMDB
import CLevelDB
import CSQLite
import Foundation

func fail(_ message: String) -> Never {
  FileHandle.standardError.write(Data("StoreHelper: \(message)\n".utf8))
  exit(1)
}

/// Tells the parent that the files are there, and waits to be killed.
func waitToBeKilled() -> Never {
  FileHandle.standardOutput.write(Data("ready\n".utf8))
  while true { sleep(60) }
}

func openSQLite(_ path: String, _ statements: [String]) {
  var database: OpaquePointer?
  guard sqlite3_open(path, &database) == SQLITE_OK else { fail("cannot open \(path)") }
  for statement in statements {
    guard sqlite3_exec(database, statement, nil, nil, nil) == SQLITE_OK else {
      fail("\(statement): \(sqlite3_errmsg(database).map { String(cString: $0) } ?? "?")")
    }
  }
}

func openLMDB(_ path: String) {
  var environment: OpaquePointer?
  var transaction: OpaquePointer?
  guard mdb_env_create(&environment) == 0,
    mdb_env_open(environment, path, UInt32(MDB_NOSUBDIR), 0o600) == 0,
    mdb_txn_begin(environment, nil, 0, &transaction) == 0
  else { fail("cannot open \(path)") }
}

func openLevelDB(_ path: String) {
  var message: UnsafeMutablePointer<CChar>?
  let options = leveldb_options_create()
  leveldb_options_set_create_if_missing(options, 1)
  let database = leveldb_open(options, path, &message)
  guard message == nil else { fail("cannot open \(path)") }
  leveldb_put(database, leveldb_writeoptions_create(), "k", 1, "v", 1, &message)
  guard message == nil else { fail("cannot write \(path)") }
}

let arguments = CommandLine.arguments
guard arguments.count == 3 else { fail("usage: StoreHelper KIND PATH") }
let path = arguments[2]
switch arguments[1] {
case "sqlite-wal":
  openSQLite(path, ["PRAGMA journal_mode=WAL", "INSERT INTO t VALUES('written by the helper')"])
  waitToBeKilled()
case "sqlite-delete":
  // More rows than the cache holds: the journal is on disk and needed when the process dies.
  openSQLite(
    path,
    [
      "PRAGMA cache_size=4", "BEGIN IMMEDIATE", "UPDATE t SET x = 'changed'",
      "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 500) "
        + "INSERT INTO t SELECT hex(randomblob(200)) FROM n",
    ])
  waitToBeKilled()
case "lmdb":
  openLMDB(path)
  waitToBeKilled()
case "leveldb":
  openLevelDB(path)
  waitToBeKilled()
case "local-only-store":
  let store = LocalOnlyStore(
    in: .path(path), parent: "Library/Application Support", bundleIdentifier: "io.example.app")
  do {
    print(try store.directory())
  } catch {
    fail("\(error)")
  }
default: fail("unknown kind \(arguments[1])")
}
