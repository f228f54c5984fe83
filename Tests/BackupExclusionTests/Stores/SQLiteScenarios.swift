import CSQLite
import Foundation
import Testing

/// Real SQLite databases in each journal mode.
enum SQLiteScenarios {
  static let all = wal + checkpoints + rollback

  static let wal = [
    Scenario("SQLite, WAL", "write") { stage in
      let database = try opened(stage, "WAL")
      try stage.mark()
      try database.insert()
      try stage.observe()
    },
    Scenario("SQLite, WAL", "`VACUUM`") { stage in
      let database = try opened(stage, "WAL")
      try stage.mark()
      try database.run("VACUUM")
      try stage.observe()
    },
    Scenario("SQLite, WAL", "a second connection opens, writes and closes; the first lives") {
      stage in
      let database = try opened(stage, "WAL")
      try stage.mark()
      let second = try Database(stage("x.sqlite"))
      try second.insert()
      try second.close()
      try stage.observe()
      try database.close()
    },
    Scenario("SQLite, WAL", "the last connection closes") { stage in
      let database = try opened(stage, "WAL")
      try stage.mark()
      try database.close()
      try stage.observe()
    },
    Scenario("SQLite, WAL", "the last connection closes; opened again, write") { stage in
      let database = try opened(stage, "WAL")
      try stage.mark()
      try database.close()
      let again = try opened(stage)
      try stage.observe()
      try again.close()
    },
    Scenario("SQLite, WAL", "the same with `SQLITE_FCNTL_PERSIST_WAL`") { stage in
      let database = try opened(stage, "WAL")
      try database.persistWAL()
      try stage.mark()
      try database.close()
      let again = try opened(stage)
      try stage.observe()
      try again.close()
    },
    Scenario("SQLite, WAL", "the process is killed (`SIGKILL`); opened again, write") { stage in
      try opened(stage, "WAL").close()
      let helper = try Helper.holdOpen("sqlite-wal", stage("x.sqlite"))
      try stage.mark()
      Helper.kill(helper)
      let database = try opened(stage)
      try stage.observe()
      try database.close()
    },
    Scenario("SQLite, WAL", "change to journal mode `DELETE`") { stage in
      let database = try opened(stage, "WAL")
      try stage.mark()
      try database.run("PRAGMA journal_mode=DELETE")
      try stage.observe()
    },
  ]

  static let checkpoints = [
    ("PASSIVE", SQLITE_CHECKPOINT_PASSIVE), ("FULL", SQLITE_CHECKPOINT_FULL),
    ("RESTART", SQLITE_CHECKPOINT_RESTART), ("TRUNCATE", SQLITE_CHECKPOINT_TRUNCATE),
  ].map { name, mode in
    Scenario("SQLite, WAL", "checkpoint `\(name)`, write") { stage in
      let database = try opened(stage, "WAL")
      try stage.mark()
      try database.checkpoint(mode)
      try database.insert()
      try stage.observe()
    }
  }

  static let rollback =
    ["DELETE", "TRUNCATE", "PERSIST", "MEMORY"].map { mode in
      Scenario("SQLite, \(mode)", "within the next transaction") { stage in
        let database = try opened(stage, mode)
        try stage.mark()
        try database.run("BEGIN IMMEDIATE")
        try database.insert()
        try stage.observe()
        try database.run("COMMIT")
      }
    } + [
      Scenario("SQLite, DELETE", "between two transactions") { stage in
        let database = try opened(stage, "DELETE")
        try database.run("BEGIN IMMEDIATE")
        try database.insert()
        try stage.mark()
        try database.run("COMMIT")
        try stage.observe()
      },
      Scenario("SQLite, DELETE", "the next transaction after that") { stage in
        let database = try opened(stage, "DELETE")
        try database.run("BEGIN IMMEDIATE")
        try database.insert()
        try stage.mark()
        try database.run("COMMIT")
        try database.run("BEGIN IMMEDIATE")
        try database.insert()
        try stage.observe()
        try database.run("COMMIT")
      },
      Scenario("SQLite, DELETE", "killed within a transaction; opened again (rolled back)") {
        stage in
        try opened(stage, "DELETE").close()
        let helper = try Helper.holdOpen("sqlite-delete", stage("x.sqlite"))
        try stage.mark()
        Helper.kill(helper)
        let database = try Database(stage("x.sqlite"))
        try stage.observe()
        try database.close()
      },
      Scenario("SQLite, DELETE", "`VACUUM`") { stage in
        let database = try opened(stage, "DELETE")
        try stage.mark()
        try database.run("VACUUM")
        try stage.observe()
      },
      Scenario("SQLite, DELETE", "within a commit over two databases (`ATTACH`)") { stage in
        try Database(stage("y.sqlite"), mode: "DELETE").close()
        let database = try Database(stage("x.sqlite"), mode: "DELETE", vfs: nil)
        try database.close()
        try stage.mark()
        let seen = try WatchingVFS.watch(stage.observe) {
          let both = try Database(stage("x.sqlite"), vfs: WatchingVFS.name)
          try both.run("ATTACH '\(stage("y.sqlite"))' AS y")
          try both.run("BEGIN; INSERT INTO main.t VALUES(1); INSERT INTO y.t VALUES(2); COMMIT")
          try both.close()
        }
        try #require(seen == 1)
      },
      Scenario("SQLite", "`VACUUM INTO` a new file") { stage in
        let database = try opened(stage, "DELETE")
        try stage.mark()
        try database.run("VACUUM INTO '\(stage("new.sqlite"))'")
        try stage.observe()
      },
      Scenario("SQLite", "online backup over an existing database") { stage in
        let source = try opened(stage, "DELETE")
        let target = try Database(stage("copy.sqlite"))
        try stage.mark()
        try source.backUp(into: target)
        try stage.observe()
      },
      Scenario("SQLite", "database deleted and made anew") { stage in
        try opened(stage, "DELETE").close()
        try stage.mark()
        try FileManager.default.removeItem(atPath: stage("x.sqlite"))
        try opened(stage, "DELETE").close()
        try stage.observe()
      },
    ]

  /// A connection that has written: all files of its mode are there.
  private static func opened(_ stage: Stage, _ mode: String? = nil) throws -> Database {
    let database = try Database(stage("x.sqlite"), mode: mode)
    try database.insert()
    return database
  }
}
