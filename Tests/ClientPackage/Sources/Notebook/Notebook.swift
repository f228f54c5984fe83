import BackupExclusion
import Foundation

/// Notes that must not leave the device through a backup.
public struct Notebook {
  private let file: URL

  /// Opens the notebook, or answers `nil`: then there is no place where notes may be stored.
  public init?(_ store: LocalOnlyStore) {
    guard let directory = store.path() else { return nil }
    file = URL(fileURLWithPath: directory, isDirectory: true)
      .appendingPathComponent("notes.txt")
  }

  /// Replaces the notes. The new file is unmarked; the directory covers it.
  public func save(_ text: String) throws {
    try Data(text.utf8).write(to: file, options: .atomic)
  }

  /// Where the notes are, for tests.
  public var path: String { file.path }
}

extension LocalOnlyStore {
  /// The notebook's store in a container, given by path: the app's own, or a test's.
  public static func notes(in container: String) -> LocalOnlyStore {
    LocalOnlyStore(
      in: .path(container), parent: "Library/Application Support",
      bundleIdentifier: "io.example.notebook")
  }
}
