import BackupExclusion
import Foundation
import Notebook
import Testing

@Suite struct NotebookTests {
  let container: String

  init() throws {
    container = NSTemporaryDirectory() + "/notebook-" + UUID().uuidString
    try FileManager.default.createDirectory(
      atPath: container, withIntermediateDirectories: true)
  }

  @Test func theNotesAreCoveredAlsoWhenTheyAreReplaced() throws {
    defer { try? FileManager.default.removeItem(atPath: container) }
    let notebook = try #require(Notebook(container: container))
    try requireExcludedOnDisk(container + "/Library/Application Support/io.example.notebook")
    let before = try recordMarks(below: container)
    for text in ["first", "second"] {
      try Data(text.utf8).write(to: URL(fileURLWithPath: notebook.path), options: .atomic)
      try requireCoveredOnDisk(notebook.path, in: container)
    }
    #expect(try lostMarks(since: before).isEmpty)
  }

  @Test func aMarkOnTheFileItselfWouldNotLast() throws {
    defer { try? FileManager.default.removeItem(atPath: container) }
    let path = container + "/notes.txt"
    try Data("first".utf8).write(to: URL(fileURLWithPath: path))
    try ExclusionMark.set(onItemAt: path)
    let before = try recordMarks(below: container)
    try Data("second".utf8).write(to: URL(fileURLWithPath: path), options: .atomic)
    let lost = try lostMarks(since: before)
    #expect(lost.map(\.description).first?.contains("notes.txt lost its mark") == true)
    #expect(throws: NotExcluded.self) { try requireExcludedOnDisk(path) }
  }

  @Test func withoutAContainerThereIsNoNotebook() throws {
    try FileManager.default.removeItem(atPath: container)
    #expect(Notebook(container: container) == nil)
  }
}
