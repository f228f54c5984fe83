import BackupExclusion
import CSQLite
import Foundation
import TestSupport
import Testing

/// Real stores on real files, and the document that shows what was measured.
@Suite(.enabled(if: Marks.canBeTested, Marks.skipReason))
struct WhatKeepsAMark {
  static let rows = Result {
    try (FileScenarios.all + SQLiteScenarios.all + KeyValueScenarios.all).map(Row.measure)
  }

  static let document = URL(fileURLWithPath: #filePath)
    .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
    .deletingLastPathComponent().appendingPathComponent("docs/what-keeps-a-mark.md")

  private func row(_ store: String, _ operation: String) throws -> Row {
    try #require(
      Self.rows.get().first { $0.store == store && $0.operation.hasPrefix(operation) })
  }

  /// The document shows Linux; with `AUDIT_RECORD=1` its table is written anew.
  @Test(.enabled(if: FileManager.default.fileExists(atPath: "/proc/self")))
  func theDocumentShowsWhatIsMeasured() throws {
    let table = try Self.rows.get().map(\.line).joined(separator: "\n") + "\n"
    let text = try String(contentsOf: Self.document, encoding: .utf8)
    let begin = try #require(text.range(of: "| --- | --- | --- | --- |\n"))
    let end = try #require(text.range(of: "<!-- end of the table -->"))
    let new = text[..<begin.upperBound] + table + "\n" + text[end.lowerBound...]
    _ = try Recording.kept(in: Self.document, for: String(new))
    let shown = text[begin.upperBound..<end.lowerBound].split(separator: "\n").map(String.init)
    let measured = table.split(separator: "\n").map(String.init)
    for line in measured where !shown.contains(line) {
      Issue.record("measured, but not in the document: \(line)")
    }
    for line in shown where !measured.contains(line) {
      Issue.record("in the document, but not measured: \(line)")
    }
    #expect(shown == measured)
  }

  @Test func theDirectoryKeepsItsMarkUnlessItIsReplacedItself() throws {
    for row in try Self.rows.get() where row.store != "directory" {
      #expect(row.directory == "kept, covers every file", "\(row.operation)")
    }
    #expect(try row("directory", "deleted").directory == "**lost**, covers nothing")
  }

  @Test func sidecarsComeBackUnmarkedAfterTheLastClose() throws {
    let row = try row("SQLite, WAL", "the last connection closes; opened again")
    #expect(row.files["x.sqlite"] == ["kept"])
    #expect(row.files["x.sqlite-wal"] == ["**lost**"])
    #expect(row.files["x.sqlite-shm"] == ["**lost**"])
  }

  @Test(arguments: ["PASSIVE", "FULL", "RESTART", "TRUNCATE"])
  func checkpointsKeepAllThree(_ mode: String) throws {
    let row = try row("SQLite, WAL", "checkpoint `\(mode)`")
    #expect(row.files.count == 3)
    #expect(row.files.values.allSatisfy { $0 == ["kept"] })
  }

  @Test func aRollbackJournalIsNewInEveryTransaction() throws {
    let row = try row("SQLite, DELETE", "within the next transaction")
    #expect(row.files["x.sqlite-journal"] == ["**new, unmarked**"])
  }

  @Test func anAtomicWriteLosesTheMarkAndCarryKeepsIt() throws {
    #expect(try row("file", "`Data.write`, `.atomic`").files == ["file": ["**lost**"]])
    #expect(try row("file", "`ExclusionMark.carry`").files == ["file": ["kept"]])
  }

  @Test func lostMarksTellsOfTheSidecars() throws {
    let scratch = try Scratch()
    let first = try Database(scratch("x.sqlite"), mode: "WAL")
    try first.insert()
    for name in ["x.sqlite", "x.sqlite-wal", "x.sqlite-shm"] {
      try ExclusionMark.set(onItemAt: scratch(name))
    }
    let record = try recordMarks(below: scratch.path)
    try first.checkpoint(SQLITE_CHECKPOINT_TRUNCATE)
    #expect(try lostMarks(since: record).isEmpty)
    try first.close()
    #expect(try lostMarks(since: record).isEmpty)
    let second = try Database(scratch("x.sqlite"))
    try second.insert()
    let lost = try lostMarks(since: record)
    #expect(
      lost.map { String(decoding: $0.path, as: UTF8.self) } == ["x.sqlite-shm", "x.sqlite-wal"])
    #expect(lost.allSatisfy { !$0.isStillCovered })
    try second.close()
  }
}
