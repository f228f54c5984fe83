import Foundation
import Testing

@testable import BackupExclusion

@Suite(.enabled(if: Marks.canBeTested, Marks.skipReason))
struct RequirementTests {
  let scratch: Scratch

  init() throws { scratch = try Scratch() }

  private func explanation(_ path: String) -> String {
    let error = #expect(throws: NotExcluded.self) { try requireExcludedOnDisk(path) }
    return error?.description ?? ""
  }

  @Test func aMarkedItemPasses() throws {
    let path = try scratch.file("file")
    try ExclusionMark.set(onItemAt: path)
    try requireExcludedOnDisk(path)
  }

  @Test func eachCauseIsExplained() throws {
    let path = try scratch.file("file")
    #expect(explanation(path).hasPrefix(path + ": the attribute com.apple.metadata:"))
    #expect(explanation(path).contains("never marked, or it was replaced"))
    #expect(explanation(scratch("missing")).contains("there is nothing at this path"))
    #expect(explanation(path + "/below").contains("there is nothing at this path"))
    _ = try SystemCalls.perform("setxattr", Array(path.utf8)) {
      Platform.setMark($0, UnsafeRawBufferPointer(start: nil, count: 0))
    }
    #expect(explanation(path).contains("exists but is empty"))
  }

  @Test func aSimilarNameIsPointedOut() throws {
    let path = try scratch.file("file")
    try OtherAttribute.set(ExclusionMark.name + "#S", on: path)
    #expect(explanation(path).contains("excludeItem#S, which is a different attribute"))
  }

  @Test func aCoveredItemIsToldFromAnExposedOne() throws {
    try ExclusionMark.set(onItemAt: scratch.directory("directory"))
    let path = try scratch.file("directory/file")
    #expect(explanation(path).contains("Its directory is marked"))
  }

  @Test func coverComesFromTheContainerDownToTheParent() throws {
    let container = try scratch.directory("container")
    try scratch.directory("container/a/b")
    let path = try scratch.file("container/a/b/file")
    func isCovered() -> Bool { (try? requireCoveredOnDisk(path, in: container)) != nil }
    #expect(!isCovered())
    try ExclusionMark.set(onItemAt: path)
    #expect(!isCovered())
    for directory in ["container", "container/a", "container/a/b"] {
      try ExclusionMark.set(onItemAt: scratch(directory))
      #expect(isCovered())
      try ExclusionMark.remove(fromItemAt: scratch(directory))
      #expect(!isCovered())
    }
    try ExclusionMark.set(onItemAt: scratch.path)
    #expect(!isCovered())
  }

  @Test func coverNeedsAnItemBelowTheContainer() throws {
    let container = try scratch.directory("container")
    try ExclusionMark.set(onItemAt: container)
    let beside = try scratch.file("container2")
    let file = try scratch.file("container/file")
    try requireCoveredOnDisk(file, in: container + "/")
    // A marked directory whose name only begins like the container's.
    try ExclusionMark.set(onItemAt: scratch.directory("containers"))
    let stranger = try scratch.file("containers/file")
    for path in [container, beside, stranger, container + "/missing", container + "/../container2"]
    {
      #expect(throws: NotExcluded.self) { try requireCoveredOnDisk(path, in: container) }
    }
  }
}
