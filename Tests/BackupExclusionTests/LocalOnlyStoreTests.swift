import Foundation
import Testing

@testable import BackupExclusion

@Suite(.enabled(if: Marks.canBeTested, Marks.skipReason))
struct LocalOnlyStoreTests {
  let scratch: Scratch
  let id = "io.example.app"

  init() throws { scratch = try Scratch() }

  private func store(parent: String = "", name: String? = nil) -> LocalOnlyStore {
    LocalOnlyStore(
      in: .path(scratch.path), parent: parent, name: name, bundleIdentifier: id)
  }

  @Test func theDirectoryIsMadeAndMarked() throws {
    let path = try store().directory()
    #expect(path == scratch("io.example.app.localonly"))
    try requireExcludedOnDisk(path)
    #expect(store().path() == path)
    #expect(!ExclusionMark.isExcludedOnDisk(scratch.path))
  }

  @Test func missingParentsAreMadeUnmarked() throws {
    let path = try store(parent: "Library/Application Support", name: id).directory()
    #expect(path == scratch("Library/Application Support/io.example.app"))
    try requireExcludedOnDisk(path)
    #expect(!ExclusionMark.isExcludedOnDisk(scratch("Library")))
    #expect(!ExclusionMark.isExcludedOnDisk(scratch("Library/Application Support")))
  }

  @Test func onlyTheOwnerMayEnter() throws {
    let path = try store().directory()
    let attributes = try FileManager.default.attributesOfItem(atPath: path)
    #expect((attributes[.posixPermissions] as? NSNumber)?.intValue == 0o700)
  }

  @Test func aRemovedMarkIsPutBack() throws {
    let path = try store().directory()
    try ExclusionMark.remove(fromItemAt: path)
    #expect(try store().directory() == path)
    try requireExcludedOnDisk(path)
  }

  @Test func anExistingMarkIsNotWrittenAgain() throws {
    _ = try store().directory()
    var system = SystemCalls.live
    system.setMark = { _, _ in -Int(Platform.notPermitted) }
    #expect(throws: Never.self) { try store().directory(in: scratch.path, system: system) }
  }

  @Test func contentSurvives() throws {
    let path = try store().directory()
    try scratch.file("io.example.app.localonly/data", "kept")
    _ = try store().directory()
    #expect(try String(contentsOfFile: path + "/data", encoding: .utf8) == "kept")
  }

  @Test func aLinkInItsPlaceIsRefusedAndItsTargetLeftAlone() throws {
    let target = try scratch.directory("target")
    try FileManager.default.createSymbolicLink(
      atPath: scratch("io.example.app.localonly"), withDestinationPath: target)
    let error = #expect(throws: LocalOnlyStore.Failure.self) { try store().directory() }
    #expect(error?.description.contains("symbolic link") == true)
    #expect(!ExclusionMark.isExcludedOnDisk(target))
    #expect(store().path() == nil)
  }

  @Test func aLinkToNothingIsRefused() throws {
    try FileManager.default.createSymbolicLink(
      atPath: scratch("io.example.app.localonly"), withDestinationPath: scratch("nowhere"))
    #expect(store().path() == nil)
    #expect(!FileManager.default.fileExists(atPath: scratch("nowhere")))
  }

  @Test func aFileInItsPlaceIsRefusedAndLeftAlone() throws {
    let path = try scratch.file("io.example.app.localonly", "precious")
    #expect(store().path() == nil)
    #expect(try String(contentsOfFile: path, encoding: .utf8) == "precious")
    #expect(!ExclusionMark.isExcludedOnDisk(path))
  }

  @Test func aLinkAmongTheParentsIsRefused() throws {
    let target = try scratch.directory("target")
    try FileManager.default.createSymbolicLink(
      atPath: scratch("Library"), withDestinationPath: target)
    #expect(store(parent: "Library", name: id).path() == nil)
    #expect(try FileManager.default.contentsOfDirectory(atPath: target).isEmpty)
  }

  @Test func theContainerMayBeReachedThroughALink() throws {
    let container = try scratch.directory("container")
    let link = scratch("link")
    try FileManager.default.createSymbolicLink(atPath: link, withDestinationPath: container)
    _ = try store().directory(in: link)
    try requireExcludedOnDisk(container + "/io.example.app.localonly")
  }

  @Test func aMissingContainerIsNotMade() {
    #expect(throws: LocalOnlyStore.Failure.self) {
      try store().directory(in: scratch("missing"))
    }
    #expect(!FileManager.default.fileExists(atPath: scratch("missing")))
  }

  @Test func anUnknownAppGroupHasNoStore() {
    let store = LocalOnlyStore(
      in: .appGroup("group.io.example.unknown"), bundleIdentifier: id)
    #expect(throws: LocalOnlyStore.Failure.noContainer("group.io.example.unknown")) {
      try store.directory()
    }
    #expect(store.path() == nil)
  }

  @Test func processesThatRaceAllGetTheSameMarkedDirectory() throws {
    for round in 0..<3 {
      let container = try scratch.directory("container\(round)")
      let processes = try (0..<8).map { _ in
        let process = Process()
        process.executableURL = Helper.url
        process.arguments = ["local-only-store", container]
        process.standardOutput = FileHandle.nullDevice
        try process.run()
        return process
      }
      for process in processes {
        process.waitUntilExit()
        #expect(process.terminationStatus == 0)
      }
      try requireExcludedOnDisk(
        container + "/Library/Application Support/io.example.app.localonly")
    }
  }
}
