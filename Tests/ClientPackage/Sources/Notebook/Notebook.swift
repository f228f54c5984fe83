import BackupExclusion

/// An app's private notes: a file that must never leave the device through a backup.
public struct Notebook {
  private let directory: String

  /// Opens the notebook, or answers `nil`: then nothing may be written.
  public init?(container: String) {
    let store = LocalOnlyStore(
      in: .path(container), parent: "Library/Application Support",
      name: "io.example.notebook", bundleIdentifier: "io.example.notebook")
    guard let path = store.path() else { return nil }
    directory = path
  }

  /// Where the notes are.
  public var path: String { directory + "/notes.txt" }
}
