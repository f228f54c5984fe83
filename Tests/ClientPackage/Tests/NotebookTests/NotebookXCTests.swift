import BackupExclusion
import Foundation
import Notebook
import XCTest

/// The same checks under XCTest: the library links neither test framework.
final class NotebookXCTests: XCTestCase {
  func testTheStoreIsExcludedOnDisk() throws {
    let container = NSTemporaryDirectory() + "/notebook-" + UUID().uuidString
    try FileManager.default.createDirectory(
      atPath: container, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(atPath: container) }
    let notebook = try XCTUnwrap(Notebook(container: container))
    let directory = (notebook.path as NSString).deletingLastPathComponent
    try requireExcludedOnDisk(directory)
    try ExclusionMark.remove(fromItemAt: directory)
    XCTAssertThrowsError(try requireExcludedOnDisk(directory)) { error in
      XCTAssertTrue("\(error)".contains("never marked, or it was replaced"), "\(error)")
    }
  }
}
