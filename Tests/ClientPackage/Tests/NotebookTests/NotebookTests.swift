import BackupExclusion
import Foundation
import Notebook
import Testing

@Suite struct NotebookTests {
  @Test func notesStayCoveredWhenTheyAreReplaced() throws {
    let container = try makeContainer()
    defer { removeContainer(container) }
    let store = LocalOnlyStore.notes(in: container)
    let notebook = try #require(Notebook(store))
    try requireExcludedOnDisk(store.directory())

    let before = try recordMarks(below: container)
    try notebook.save("first")
    try notebook.save("second")
    try requireCoveredOnDisk(notebook.path, in: container)
    #expect(try lostMarks(since: before).isEmpty)
  }

  @Test func aMarkOnTheFileAloneIsLost() throws {
    let container = try makeContainer()
    defer { removeContainer(container) }
    let path = container + "/notes.txt"
    try Data("first".utf8).write(to: URL(fileURLWithPath: path))
    try ExclusionMark.set(onItemAt: path)
    let before = try recordMarks(below: container)

    try replace(path, with: Data("second".utf8))
    #expect(try lostMarks(since: before).isEmpty)

    try Data("third".utf8).write(to: URL(fileURLWithPath: path), options: .atomic)
    let lost = try lostMarks(since: before)
    #expect(lost.map(\.description).first?.contains("notes.txt lost its mark") == true)
    #expect(throws: NotExcluded.self) { try requireExcludedOnDisk(path) }
  }

  @Test func withoutTheMarkThereIsNoNotebook() throws {
    let container = try makeContainer()
    defer { removeContainer(container) }
    // A file where the store's directory should be.
    try Data().write(to: URL(fileURLWithPath: container + "/Library"))
    #expect(Notebook(.notes(in: container)) == nil)
  }
}

func makeContainer() throws -> String {
  let path = NSTemporaryDirectory() + "/notebook-" + UUID().uuidString
  try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
  return path
}

func removeContainer(_ path: String) {
  try? FileManager.default.removeItem(atPath: path)
}
