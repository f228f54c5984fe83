import BackupExclusion
import Notebook
import XCTest

final class NotebookXCTests: XCTestCase {
  func testTheStoreIsExcludedOnDisk() throws {
    let container = try makeContainer()
    defer { removeContainer(container) }
    try requireExcludedOnDisk(LocalOnlyStore.notes(in: container).directory())
  }

  func testAnUnmarkedStoreFailsTheCheck() throws {
    let container = try makeContainer()
    defer { removeContainer(container) }
    let directory = try LocalOnlyStore.notes(in: container).directory()
    try ExclusionMark.remove(fromItemAt: directory)
    XCTAssertThrowsError(try requireExcludedOnDisk(directory)) { error in
      XCTAssertTrue("\(error)".contains("never marked, or it was replaced"), "\(error)")
    }
  }
}
