import Foundation
import Testing

@testable import BackupExclusion

@Suite(.enabled(if: Marks.canBeTested, Marks.skipReason))
struct CarryTests {
  let scratch: Scratch
  let old: String
  let new: String

  init() throws {
    scratch = try Scratch()
    old = try scratch.file("old")
    new = try scratch.file("new")
  }

  @Test func theValueIsCarriedByteForByte() throws {
    let value = Array("a value of someone else's".utf8)
    _ = try SystemCalls.perform("setxattr", Array(old.utf8)) { path in
      value.withUnsafeBytes { Platform.setMark(path, $0) }
    }
    #expect(try ExclusionMark.carry(from: old, to: new))
    #expect(try ExclusionMark.state(ofItemAt: new) == .marked(.other, bytes: value.count))
  }

  @Test func noOtherAttributeIsCarried() throws {
    try ExclusionMark.set(onItemAt: old)
    try setOtherAttribute(old)
    try ExclusionMark.carry(from: old, to: new)
    #expect(try attributeNames(old).contains("org.example.other"))
    #expect(try attributeNames(new).contains(ExclusionMark.name))
    #expect(try !attributeNames(new).contains("org.example.other"))
  }

  @Test func anUnmarkedOriginalLeavesTheNewFileAlone() throws {
    try ExclusionMark.set(onItemAt: new)
    #expect(try !ExclusionMark.carry(from: old, to: new))
    #expect(ExclusionMark.isExcludedOnDisk(new))
  }

  @Test func anEmptyMarkIsNotCarriedOverAMark() throws {
    _ = try SystemCalls.perform("setxattr", Array(old.utf8)) { path in
      Platform.setMark(path, UnsafeRawBufferPointer(start: nil, count: 0))
    }
    try ExclusionMark.set(onItemAt: new)
    #expect(try !ExclusionMark.carry(from: old, to: new))
    #expect(ExclusionMark.isExcludedOnDisk(new))
  }

  @Test func missingItemsAreErrors() throws {
    try ExclusionMark.set(onItemAt: old)
    let missing = scratch("missing")
    #expect(throws: MarkError.self) { try ExclusionMark.carry(from: missing, to: new) }
    let error = #expect(throws: MarkError.self) {
      try ExclusionMark.carry(from: old, to: missing)
    }
    #expect(error?.path == Array(missing.utf8))
    #expect(error?.name == "ENOENT")
  }

  @Test func aCopyThatLeavesNothingOnDiskIsAnError() throws {
    try ExclusionMark.set(onItemAt: old)
    var system = SystemCalls.live
    system.copyMark = { _, _ in 0 }
    #expect(throws: MarkError.self) {
      try ExclusionMark.carry(from: Array(old.utf8), to: Array(new.utf8), system: system)
    }
  }

  private func attributeNames(_ path: String) throws -> [String] {
    var names: [String] = []
    _ = try SystemCalls.perform("listxattr", Array(path.utf8)) {
      Platform.attributeNames($0, into: &names)
    }
    return names
  }

  private func setOtherAttribute(_ path: String) throws {
    try OtherAttribute.set("org.example.other", on: path)
  }
}
