import Foundation
import Testing

@testable import BackupExclusion

/// Every call that can fail does: the store then gives no directory.
@Suite(.enabled(if: Marks.canBeTested, Marks.skipReason))
struct StoreFailureTests {
  let scratch: Scratch
  let store: LocalOnlyStore

  init() throws {
    scratch = try Scratch()
    store = LocalOnlyStore(in: .path(scratch.path), bundleIdentifier: "io.example.app")
  }

  private func failure(_ change: (inout SystemCalls) -> Void) -> LocalOnlyStore.Failure? {
    var system = SystemCalls.live
    change(&system)
    return #expect(throws: LocalOnlyStore.Failure.self) {
      try store.directory(in: scratch.path, system: system)
    }
  }

  private func operation(_ failure: LocalOnlyStore.Failure?) -> String? {
    guard case .system(let error) = failure else { return nil }
    return error.operation
  }

  @Test func makingFails() {
    let failure = failure { $0.makeDirectory = { _ in -Int(Platform.notPermitted) } }
    #expect(operation(failure) == "mkdir")
    #expect(failure?.description.hasSuffix("Nothing may be stored.") == true)
  }

  @Test func makingDoesNothing() {
    let failure = failure { $0.makeDirectory = { _ in 0 } }
    #expect(
      failure
        == .notADirectory(path: scratch("io.example.app.localonly"), found: "nothing"))
  }

  @Test func markingFails() {
    let failure = failure { $0.setMark = { _, _ in -Int(Platform.notSupported) } }
    #expect(operation(failure) == "setxattr")
    #expect(failure?.description.contains("this file system cannot hold the mark") == true)
  }

  @Test func markingDoesNothing() {
    let failure = failure { $0.setMark = { _, _ in 0 } }
    #expect(failure == .notMarked(path: scratch("io.example.app.localonly")))
  }

  @Test func onlyAnEmptyValueArrives() {
    let failure = failure {
      $0.setMark = { path, _ in
        Platform.setMark(path, UnsafeRawBufferPointer(start: nil, count: 0))
      }
    }
    #expect(failure == .notMarked(path: scratch("io.example.app.localonly")))
  }

  @Test func readingFails() throws {
    _ = try store.directory()
    let failure = failure { $0.getMark = { _, _ in -Int(Platform.notPermitted) } }
    #expect(operation(failure) == "getxattr")
  }

  @Test func lookingFails() {
    let failure = failure { $0.mode = { _ in -Int(Platform.notPermitted) } }
    #expect(operation(failure) == "lstat")
  }

  @Test func aLinkTakesThePlaceAtTheLastMoment() throws {
    let target = try scratch.directory("target")
    try ExclusionMark.set(onItemAt: target)
    let place = scratch("io.example.app.localonly")
    let failure = failure {
      $0.setMark = { path, value in
        let result = Platform.setMark(path, value)
        do {
          try FileManager.default.removeItem(atPath: place)
          try FileManager.default.createSymbolicLink(
            atPath: place, withDestinationPath: target)
        } catch { return -Int(Platform.notPermitted) }
        return result
      }
    }
    #expect(failure != nil)
  }

  @Test func aMarkedLinkIsStillNoDirectory() throws {
    // As on Apple systems, where a link can carry the mark itself.
    let place = scratch("io.example.app.localonly")
    try scratch.directory("target")
    let failure = failure {
      $0.getMark = { _, _ in
        try? FileManager.default.removeItem(atPath: place)
        symlink("target", place)
        return 1
      }
    }
    #expect(failure == .notADirectory(path: place, found: "another item"))
  }

  @Test func anotherProcessIsFaster() throws {
    var system = SystemCalls.live
    system.makeDirectory = { path in
      _ = Platform.makeDirectory(path)
      return -Int(Platform.exists)
    }
    let path = try store.directory(in: scratch.path, system: system)
    try requireExcludedOnDisk(path)
  }

  @Test func aSignalDoesNotCountAsFailure() throws {
    let calls = Counter()
    var system = SystemCalls.live
    system.setMark = { path, value in
      calls.next() < 3 ? -Int(Platform.interrupted) : Platform.setMark(path, value)
    }
    try requireExcludedOnDisk(store.directory(in: scratch.path, system: system))
    #expect(calls.next() == 4)
  }
}

/// Counts calls from any thread.
final class Counter: @unchecked Sendable {
  private let lock = NSLock()
  private var count = 0

  func next() -> Int {
    lock.withLock {
      count += 1
      return count
    }
  }
}
