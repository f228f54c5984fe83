/// A directory for files that must stay on the device: created, marked, and verified on disk.
///
/// The mark stands on the directory, so it still covers files that are replaced or come later.
/// The store fails closed: when anything goes wrong there is no directory, and a caller without a
/// directory stores nothing. Ask again each time a database or file is opened, and above all after
/// a restore: a marked directory is not part of a backup and comes back neither made nor marked.
public struct LocalOnlyStore: Equatable, Sendable {
  /// What a store stands in.
  public enum Container: Equatable, Sendable {
    /// The shared container of an app group, by the group's identifier. Apple systems only.
    case appGroup(String)
    /// A container at a path, which must exist.
    case path(String)
  }

  /// The container.
  public let container: Container
  /// The path of the store's parent directory in the container; empty for the container itself.
  public let parent: String
  /// The name of the store's directory.
  public let name: String
  /// The bundle identifier that the name has to follow below `Library`.
  public let bundleIdentifier: String

  /// Describes a store; nothing is touched until a directory is asked for.
  ///
  /// `name` is the bundle identifier with `.localonly` unless given. `parent` is a relative path
  /// such as `Library/Application Support`; missing directories in it are made, unmarked.
  public init(
    in container: Container, parent: String = "", name: String? = nil, bundleIdentifier: String
  ) {
    self.container = container
    self.parent = parent
    self.name = name ?? bundleIdentifier + ".localonly"
    self.bundleIdentifier = bundleIdentifier
  }

  /// The store's directory, created, marked and verified on disk; an error says why there is none.
  ///
  /// Several processes may ask at once. A mark that was removed is put back. A symbolic link or a
  /// file in the place of the directory is refused and left alone.
  public func directory() throws(Failure) -> String {
    switch container {
    case .path(let path): return try directory(in: path)
    case .appGroup(let identifier):
      guard let path = Platform.groupContainer(identifier) else {
        throw .noContainer(identifier)
      }
      return try directory(in: path)
    }
  }

  /// The store's directory in another container than the store's own, such as a test's.
  public func directory(in container: String) throws(Failure) -> String {
    try directory(in: container, system: .live)
  }

  /// The path of the store's directory, or `nil` if anything fails: then store nothing.
  ///
  /// `directory()` does the same and tells the reason.
  public func path() -> String? { try? directory() }
}

extension LocalOnlyStore {
  func directory(in container: String, system: SystemCalls) throws(Failure) -> String {
    try checkNames(container: container)
    var path = Array(container.utf8)
    // The container itself may be reached through a link (`/var` on Apple systems is one).
    let found = try kind(of: path + Array("/.".utf8), system)
    guard found == .directory else {
      throw .notADirectory(path: shown(path), found: found?.word ?? "nothing")
    }
    for component in components(of: parent) + [name] {
      if path.last != slash { path.append(slash) }
      path += Array(component.utf8)
      try makeDirectory(path, system)
    }
    try mark(path, system)
    return String(decoding: path, as: UTF8.self)
  }

  /// Makes sure of a directory; whether this process or another one made it is the same.
  private func makeDirectory(_ path: [UInt8], _ system: SystemCalls) throws(Failure) {
    var found = try kind(of: path, system)
    if found == nil {
      do {
        _ = try SystemCalls.perform("mkdir", path, system.makeDirectory)
      } catch  where error.code == Platform.exists {
        // Another process was faster; what it made is looked at below.
      } catch {
        throw .system(error)
      }
      found = try kind(of: path, system)
    }
    guard found == .directory else {
      throw .notADirectory(path: shown(path), found: found?.word ?? "nothing")
    }
  }

  /// Marks a directory unless it is marked, and believes only what is then read from disk.
  private func mark(_ path: [UInt8], _ system: SystemCalls) throws(Failure) {
    do {
      if try ExclusionMark.state(ofItemAt: path, system: system).isMarked == false {
        try ExclusionMark.set(onItemAt: path, system: system)
      }
      guard try ExclusionMark.state(ofItemAt: path, system: system).isMarked else {
        throw Failure.notMarked(path: shown(path))
      }
    } catch let error as MarkError {
      throw .system(error)
    } catch let error as Failure {
      throw error
    } catch {
      throw .notMarked(path: shown(path))
    }
    // A link that took the directory's place meanwhile can carry a mark of its own on Apple systems.
    guard try kind(of: path, system) == .directory else {
      throw .notADirectory(path: shown(path), found: "another item")
    }
  }

  /// What stands at a path, a final link not followed; `nil` for nothing.
  private func kind(of path: [UInt8], _ system: SystemCalls) throws(Failure) -> ItemKind? {
    do {
      return ItemKind(mode: try SystemCalls.perform("lstat", path, system.mode))
    } catch  where error.code == Platform.noSuchItem {
      return nil
    } catch {
      throw .system(error)
    }
  }
}

private let slash = UInt8(ascii: "/")
