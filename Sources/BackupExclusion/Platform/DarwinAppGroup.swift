#if canImport(Darwin)
  import Foundation

  extension Platform {
    /// The container of an app group, or `nil` when the app is not entitled to it.
    static func groupContainer(_ identifier: String) -> String? {
      FileManager.default.containerURL(forSecurityApplicationGroupIdentifier: identifier)?.path
    }
  }

  extension LocalOnlyStore {
    /// The store's directory, created, marked and verified on disk; `nil` if anything fails.
    ///
    /// A caller that gets `nil` stores nothing. `directory()` tells the reason.
    public func url() -> URL? {
      path().map { URL(fileURLWithPath: $0, isDirectory: true) }
    }
  }
#endif
