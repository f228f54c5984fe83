#if canImport(Darwin)
  import BackupExclusion
  import Foundation

  extension LocalOnlyStore {
    /// The store that the app shares with its extensions. All of them name the app's identifier.
    public static let sharedNotes = LocalOnlyStore(
      in: .appGroup("group.io.example.notebook"), bundleIdentifier: "io.example.notebook")
  }

  /// Where SQLite, Core Data or SwiftData may keep the notes; `nil`: open no database at all.
  public func notesDatabase() -> URL? {
    LocalOnlyStore.sharedNotes.url()?.appendingPathComponent("notes.sqlite")
  }
#endif
