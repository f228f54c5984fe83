import Foundation
import Testing

@testable import AuditCore
@testable import AuditInput

/// Looking for sidecars before a tree's first verdict.
@Suite struct SidecarScanTests {
  private static let tail = ":com.apple.metadata_com_apple_backup_excludeItem"

  private func withTree(
    _ files: [(String, [UInt8])], _ body: (Handle) throws -> Void
  ) throws {
    let root = FileManager.default.temporaryDirectory.appending(path: "scan-\(UUID())")
    try FileManager.default.createDirectory(at: root, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: root) }
    for (name, content) in files {
      let file = root.appending(path: name)
      try FileManager.default.createDirectory(
        at: file.deletingLastPathComponent(), withIntermediateDirectories: true)
      try Data(content).write(to: file)
    }
    let fd = DirectoryOpener.withCString(Array(root.path.utf8)) { System.openInput($0) }
    try #require(fd >= 0)
    try body(Handle(fd))
  }

  @Test func oneAppleDoubleFileAnywhereIsFound() throws {
    try withTree([("a", [1]), ("b/c/d/._x", appleDouble([]))]) {
      #expect(SidecarScan.findsAppleDouble(below: $0))
    }
  }

  @Test func whatIsOnlyCalledLikeASidecarIsNot() throws {
    try withTree([("._a", [1]), ("._b", []), ("._c/d", [0, 5, 0x16, 7])]) {
      #expect(!SidecarScan.findsAppleDouble(below: $0))
    }
  }

  @Test func sideFilesOfDirectories() throws {
    try withTree([("a/x", []), ("a/x" + Self.tail, [1]), ("gone" + Self.tail, [1])]) {
      #expect(!SidecarScan.findsSevenZipOnDirectory(below: $0))
    }
    try withTree([("a/b/x", []), ("a/b:com.apple.quarantine", [1])]) {
      #expect(SidecarScan.findsSevenZipOnDirectory(below: $0))
    }
  }
}
