import BackupExclusion
import Foundation

/// One thing that happens to files, tried twice: with marks on the files, and on their directory.
struct Scenario: Sendable {
  var store: String
  var operation: String
  var body: @Sendable (Stage) throws -> Void

  init(_ store: String, _ operation: String, _ body: @escaping @Sendable (Stage) throws -> Void) {
    self.store = store
    self.operation = operation
    self.body = body
  }
}

/// Where a scenario plays: it prepares files, marks, does its work, and observes.
final class Stage {
  enum Marking { case files, directory }

  let marking: Marking
  let scratch: Scratch
  let directory: String
  private var before: Set<String> = []
  private(set) var outcomes: [String: Set<String>] = [:]
  private(set) var directoryMark = ""
  /// The directory whose mark counts in the end; another one where the scenario is about that.
  var observedDirectory: String

  init(_ marking: Marking) throws {
    self.marking = marking
    scratch = try Scratch()
    directory = try scratch.directory("store")
    observedDirectory = directory
  }

  func callAsFunction(_ name: String) -> String { directory + "/" + name }
  func url(_ name: String) -> URL { URL(fileURLWithPath: self(name)) }

  /// Sets the marks: on every file that is there now, or on the directory alone.
  func mark() throws {
    before = Set(try files())
    switch marking {
    case .files: for name in before { try ExclusionMark.set(onItemAt: self(name)) }
    case .directory: try ExclusionMark.set(onItemAt: directory)
    }
  }

  /// Looks at what is there now, on disk and by path.
  func observe() throws {
    let now = Set(try files())
    for name in before.union(now) {
      let isMarked = ExclusionMark.isExcludedOnDisk(observedDirectory + "/" + name)
      let outcome =
        switch (before.contains(name), now.contains(name)) {
        case (true, true): isMarked ? "kept" : "**lost**"
        case (true, false): "gone"
        default: isMarked ? "new, marked" : "**new, unmarked**"
        }
      outcomes[Self.pattern(name), default: []].insert(outcome)
    }
    let isMarked = ExclusionMark.isExcludedOnDisk(observedDirectory)
    directoryMark =
      isMarked ? "kept, covers every file" : "**lost**, covers nothing"
  }

  private func files() throws -> [String] {
    try FileManager.default.contentsOfDirectory(atPath: observedDirectory)
  }

  /// Names with counters or random parts, as one name.
  static func pattern(_ name: String) -> String {
    if let range = name.range(of: "-mj") { return name[..<range.upperBound] + "…" }
    if name.hasPrefix("MANIFEST-") { return "MANIFEST-…" }
    for suffix in [".log", ".ldb"] where name.hasSuffix(suffix) { return "…" + suffix }
    return name
  }
}

/// What a scenario did to the marks: a row of the table.
struct Row: Sendable {
  var store: String
  var operation: String
  /// By name of the file; more than one outcome where a pattern stands for several files.
  var files: [String: Set<String>]
  var directory: String

  struct Failure: Error {
    var scenario: String
    var cause: String
  }

  static func measure(_ scenario: Scenario) throws -> Row {
    let onFiles = try Stage(.files)
    let onDirectory = try Stage(.directory)
    do {
      try scenario.body(onFiles)
      try scenario.body(onDirectory)
    } catch {
      throw Failure(scenario: "\(scenario.store): \(scenario.operation)", cause: "\(error)")
    }
    return Row(
      store: scenario.store, operation: scenario.operation, files: onFiles.outcomes,
      directory: onDirectory.directoryMark)
  }

  /// The row in Markdown.
  var line: String {
    let cells = files.sorted { $0.key < $1.key }
      .map { "`\($0.key)` \($0.value.sorted().joined(separator: " or "))" }
    return "| \(store) | \(operation) | \(cells.joined(separator: "; ")) | \(directory) |"
  }
}
