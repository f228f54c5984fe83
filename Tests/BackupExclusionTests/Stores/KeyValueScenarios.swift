import CLMDB
import CLevelDB
import Foundation
import Testing

/// LMDB and LevelDB, as a distribution ships them.
enum KeyValueScenarios {
  static let all = lmdb + levelDB

  static let lmdb = [
    Scenario("LMDB", "write") { stage in
      let store = try LMDB(stage("x"))
      try stage.mark()
      try store.put()
      try stage.observe()
    },
    Scenario("LMDB", "closed; opened again, write") { stage in
      try LMDB(stage("x")).close()
      try stage.mark()
      let again = try LMDB(stage("x"))
      try stage.observe()
      again.close()
    },
    Scenario("LMDB", "the process is killed within a transaction; opened again, write") { stage in
      try LMDB(stage("x")).close()
      let helper = try Helper.holdOpen("lmdb", stage("x"))
      try stage.mark()
      Helper.kill(helper)
      let again = try LMDB(stage("x"))
      try stage.observe()
      again.close()
    },
    Scenario("LMDB", "compacting copy to a new file") { stage in
      let store = try LMDB(stage("x"))
      try stage.mark()
      try store.copy(to: stage("copy"))
      try stage.observe()
    },
  ]

  static let levelDB = [
    Scenario("LevelDB", "write") { stage in
      let store = try LevelDB(stage.directory)
      try stage.mark()
      try store.put()
      try stage.observe()
    },
    Scenario("LevelDB", "closed; opened again, write") { stage in
      try LevelDB(stage.directory).close()
      try stage.mark()
      let again = try LevelDB(stage.directory)
      try stage.observe()
      again.close()
    },
    Scenario("LevelDB", "compaction") { stage in
      let store = try LevelDB(stage.directory)
      try stage.mark()
      store.compact()
      try stage.observe()
    },
    Scenario("LevelDB", "the process is killed; opened again, write") { stage in
      let helper = try Helper.holdOpen("leveldb", stage.directory)
      try stage.mark()
      Helper.kill(helper)
      let again = try LevelDB(stage.directory)
      try stage.observe()
      again.close()
    },
  ]
}

/// An LMDB environment in one file with its lock file beside it; opening it writes once.
final class LMDB {
  private var environment: OpaquePointer?

  init(_ path: String) throws {
    try #require(mdb_env_create(&environment) == 0)
    try #require(mdb_env_open(environment, path, UInt32(MDB_NOSUBDIR), 0o600) == 0)
    try put()
  }

  deinit { close() }

  func put() throws {
    var transaction: OpaquePointer?
    var table: MDB_dbi = 0
    try #require(mdb_txn_begin(environment, nil, 0, &transaction) == 0)
    try #require(mdb_dbi_open(transaction, nil, 0, &table) == 0)
    var bytes = Array("key".utf8)
    try bytes.withUnsafeMutableBytes { bytes in
      var key = MDB_val(mv_size: bytes.count, mv_data: bytes.baseAddress)
      var value = key
      try #require(mdb_put(transaction, table, &key, &value, 0) == 0)
    }
    try #require(mdb_txn_commit(transaction) == 0)
  }

  func copy(to path: String) throws {
    try #require(mdb_env_copy2(environment, path, UInt32(MDB_CP_COMPACT)) == 0)
  }

  func close() {
    if environment != nil { mdb_env_close(environment) }
    environment = nil
  }
}

/// A LevelDB database; opening it writes once.
final class LevelDB {
  private var database: OpaquePointer?

  init(_ path: String) throws {
    var message: UnsafeMutablePointer<CChar>?
    let options = leveldb_options_create()
    defer { leveldb_options_destroy(options) }
    leveldb_options_set_create_if_missing(options, 1)
    database = leveldb_open(options, path, &message)
    try #require(message == nil)
    try put()
  }

  deinit { close() }

  func put() throws {
    var message: UnsafeMutablePointer<CChar>?
    let options = leveldb_writeoptions_create()
    defer { leveldb_writeoptions_destroy(options) }
    leveldb_put(database, options, "key", 3, "value", 5, &message)
    try #require(message == nil)
  }

  func compact() { leveldb_compact_range(database, nil, 0, nil, 0) }

  func close() {
    if database != nil { leveldb_close(database) }
    database = nil
  }
}
