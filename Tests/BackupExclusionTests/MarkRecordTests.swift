import Foundation
import Testing

@testable import BackupExclusion

@Suite(.enabled(if: Marks.canBeTested, Marks.skipReason))
struct MarkRecordTests {
  let scratch: Scratch

  init() throws { scratch = try Scratch() }

  @Test func nothingMarkedIsAnErrorNotAPass() throws {
    try scratch.file("file")
    #expect(throws: NothingMarked.self) { try recordMarks(below: scratch.path) }
  }

  @Test func aMissingDirectoryIsAnError() throws {
    #expect(throws: MarkError.self) { try recordMarks(below: scratch("missing")) }
    try ExclusionMark.set(onItemAt: scratch.directory("directory"))
    let record = try recordMarks(below: scratch("directory"))
    try FileManager.default.removeItem(atPath: scratch("directory"))
    #expect(throws: MarkError.self) { try lostMarks(since: record) }
  }

  @Test func lostMarksAreNamedInOrder() throws {
    try scratch.directory("a/b")
    for name in ["z", "a/b/x", "a/kept", "gone"] {
      try ExclusionMark.set(onItemAt: scratch.file(name))
    }
    try scratch.file("never")
    let record = try recordMarks(below: scratch.path)
    #expect(
      record.marked.map { String(decoding: $0, as: UTF8.self) } == ["a/b/x", "a/kept", "gone", "z"])
    #expect(try lostMarks(since: record).isEmpty)
    for name in ["z", "a/b/x"] {
      try Data().write(to: URL(fileURLWithPath: scratch(name)), options: .atomic)
    }
    try FileManager.default.removeItem(atPath: scratch("gone"))
    let lost = try lostMarks(since: record)
    #expect(lost.map { String(decoding: $0.path, as: UTF8.self) } == ["a/b/x", "z"])
    #expect(lost.allSatisfy { !$0.isStillCovered })
    #expect(lost.last?.description.contains("nothing covers it") == true)
  }

  @Test func aDirectoryThatStillCoversIsMentioned() throws {
    try ExclusionMark.set(onItemAt: scratch.directory("a"))
    try scratch.directory("a/b")
    try ExclusionMark.set(onItemAt: scratch.file("a/b/file"))
    let record = try recordMarks(below: scratch.path)
    try ExclusionMark.remove(fromItemAt: scratch("a/b/file"))
    #expect(try lostMarks(since: record).map(\.isStillCovered) == [true])
    try ExclusionMark.remove(fromItemAt: scratch("a"))
    #expect(try lostMarks(since: record).map(\.isStillCovered) == [false, false])
  }

  @Test func theDirectoryItselfCounts() throws {
    try ExclusionMark.set(onItemAt: scratch.path)
    let record = try recordMarks(below: scratch.path)
    #expect(record.marked == [[]])
    try ExclusionMark.remove(fromItemAt: scratch.path)
    #expect(try lostMarks(since: record).map(\.path) == [[]])
  }

  @Test func linksAreNotFollowed() throws {
    try ExclusionMark.set(onItemAt: scratch.directory("outside"))
    try ExclusionMark.set(onItemAt: scratch.file("outside/file"))
    try ExclusionMark.set(onItemAt: scratch.directory("inside"))
    try FileManager.default.createSymbolicLink(
      atPath: scratch("inside/link"), withDestinationPath: scratch("outside"))
    #expect(try recordMarks(below: scratch("inside")).marked == [[]])
  }

  @Test func whatCannotBeReadIsAnError() throws {
    let closed = try scratch.directory("closed")
    try ExclusionMark.set(onItemAt: scratch.path)
    try FileManager.default.setAttributes([.posixPermissions: 0], ofItemAtPath: closed)
    defer {
      try? FileManager.default.setAttributes([.posixPermissions: 0o700], ofItemAtPath: closed)
    }
    // The superuser reads it all the same.
    if getuid() == 0 {
      #expect(throws: Never.self) { try recordMarks(below: scratch.path) }
    } else {
      #expect(throws: MarkError.self) { try recordMarks(below: scratch.path) }
    }
  }

  @Test func anItemOutOfReachIsAnErrorForTheSuperuserToo() throws {
    let name = String(repeating: "n", count: 100)
    try ExclusionMark.set(onItemAt: scratch.path)
    try scratch.file(name)
    // The directory's path just fits into PATH_MAX; the file's does not.
    let room = Int(PATH_MAX) - 50 - scratch.path.utf8.count
    let long = scratch.path + String(repeating: "/.", count: room / 2)
    let error = #expect(throws: MarkError.self) { try recordMarks(below: long) }
    #expect(error?.name == "ENAMETOOLONG")
  }
}
