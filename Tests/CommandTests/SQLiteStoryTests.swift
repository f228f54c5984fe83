import BackupExclusion
import CSQLite
import TestSupport
import Testing

/// The story that the tool exists for, with a real database: the last connection closes, the
/// sidecars are unlinked, and on reopening they come back without a mark.
@Suite(.disabled(if: !TemporaryDirectory.isPossible)) struct SQLiteStoryTests {
  private struct Database {
    let handle: OpaquePointer?

    init(_ path: String) throws {
      var opened: OpaquePointer?
      try #require(sqlite3_open(path, &opened) == SQLITE_OK)
      handle = opened
      try run("PRAGMA journal_mode = WAL")
      try run("CREATE TABLE IF NOT EXISTS visit (id INTEGER PRIMARY KEY, note TEXT)")
      try run("INSERT INTO visit (note) VALUES ('kept on this device only')")
    }

    func run(_ statement: String) throws {
      try #require(sqlite3_exec(handle, statement, nil, nil, nil) == SQLITE_OK)
    }

    func close() { sqlite3_close(handle) }
  }

  private func mark(_ path: String) throws {
    let descriptor = open(path, O_RDONLY | O_CLOEXEC)
    try #require(descriptor >= 0)
    defer { close(descriptor) }
    try setAttribute(descriptor, Array(ExclusionMark.name.utf8), ExclusionMark.mobileBackup)
  }

  private func audit(_ place: TemporaryDirectory) throws -> (Report.Input, Int32) {
    let result = try Audit.run(["-q", "-f", "json", "--", place.at("container")])
    let input = try #require(try Report(result.output).inputs.first)
    return (input, result.status)
  }

  private func verdicts(_ input: Report.Input) -> [String: String] {
    Dictionary(input.files.map { ($0.path, $0.verdict) }, uniquingKeysWith: { first, _ in first })
  }

  @Test func marksOnFilesAreLostWhenTheDatabaseIsReopened() throws {
    let place = try TemporaryDirectory()
    _ = try place.directory("container")
    let path = place.at("container/history.sqlite")

    var database = try Database(path)
    for suffix in ["", "-wal", "-shm"] { try mark(path + suffix) }
    var (input, status) = try audit(place)
    #expect(
      verdicts(input) == [
        "history.sqlite": "self-marked", "history.sqlite-wal": "self-marked",
        "history.sqlite-shm": "self-marked",
      ])
    #expect(status == 0)
    #expect(input.findings.contains { $0.rule == "fragile-mark" })

    database.close()
    database = try Database(path)
    defer { database.close() }
    (input, status) = try audit(place)
    #expect(
      verdicts(input) == [
        "history.sqlite": "self-marked", "history.sqlite-wal": "exposed",
        "history.sqlite-shm": "exposed",
      ])
    #expect(status == 1)
    let sidecars = input.findings.filter { $0.rule == "exposed-sidecar" }
    #expect(Set(sidecars.map(\.path)) == ["history.sqlite-wal", "history.sqlite-shm"])
    #expect(sidecars.allSatisfy { $0.severity == "error" })
  }

  @Test func aMarkedDirectoryCoversWhatComesBack() throws {
    let place = try TemporaryDirectory()
    _ = try place.directory("container")
    _ = try place.directory("container/io.example.app.localonly")
    try mark(place.at("container/io.example.app.localonly"))
    let path = place.at("container/io.example.app.localonly/history.sqlite")

    for _ in 1...3 {
      let database = try Database(path)
      let (input, status) = try audit(place)
      #expect(input.files.count == 3)
      #expect(input.files.allSatisfy { $0.verdict == "covered-by-ancestor" })
      #expect(input.files.allSatisfy { $0.ancestor == "io.example.app.localonly" })
      #expect(status == 0)
      database.close()
    }
  }
}
