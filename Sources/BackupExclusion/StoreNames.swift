extension LocalOnlyStore {
  /// Why there is no store.
  public enum Failure: Error, Equatable, Sendable, CustomStringConvertible {
    /// The system knows no container for this app group: the entitlement is missing, or this is
    /// no Apple system.
    case noContainer(String)
    /// The store's description breaks a rule; the text says which.
    case badName(String)
    /// Something else than a directory stands at the path.
    case notADirectory(path: String, found: String)
    /// Marking reported success, but reading from disk by path finds no mark.
    case notMarked(path: String)
    /// A system call failed.
    case system(MarkError)

    /// A sentence that says what is wrong and that nothing may be stored.
    public var description: String {
      switch self {
      case .noContainer(let group):
        "no container for the app group \(group): is the entitlement there? Nothing may be stored."
      case .badName(let rule): rule
      case .notADirectory(let path, let found):
        "\(path) should be a directory, found: \(found). Nothing may be stored."
      case .notMarked(let path):
        "\(path) was marked, but the mark is not on disk. Nothing may be stored."
      case .system(let error): "\(error). Nothing may be stored."
      }
    }
  }

  /// The components of a path in the container; `.` and doubled slashes say nothing.
  func components(of path: String) -> [String] {
    path.utf8.split(separator: UInt8(ascii: "/")).map { String(decoding: $0, as: UTF8.self) }
      .filter { $0 != "." }
  }

  /// Refuses names that would leave the container, mark what others own, or collide.
  func checkNames(container: String) throws(Failure) {
    let parents = components(of: parent)
    if parent.utf8.first == UInt8(ascii: "/") || parents.contains("..") {
      throw .badName("the store's parent \"\(parent)\" must be a path within the container.")
    }
    if name.isEmpty || name == "." || name == ".." || name.utf8.contains(UInt8(ascii: "/")) {
      throw .badName("the store's name \"\(name)\" must be one name, not a path.")
    }
    if (container + parent + name).utf8.contains(0) {
      throw .badName("the store's path must not contain a zero byte.")
    }
    if container.isEmpty { throw .badName("the container's path is empty.") }
    if parents.isEmpty && ["documents", "library", "tmp"].contains(name.lowercased()) {
      throw .badName(
        "\(name) belongs to the system: marking it would keep the user's own files out of backups."
      )
    }
    try checkIdentifier()
    if isBelowLibrary(container: container, parents: parents) && !isNamedAfterBundle {
      throw .badName(
        "below Library the store's name \"\(name)\" must be the bundle identifier "
          + "\(bundleIdentifier), or begin with it and a dot.")
    }
  }

  /// A bundle identifier: at least two parts of ASCII letters, digits and hyphens.
  private func checkIdentifier() throws(Failure) {
    let parts = bundleIdentifier.utf8.split(
      separator: UInt8(ascii: "."), omittingEmptySubsequences: false)
    let isPlain = parts.allSatisfy { part in
      !part.isEmpty
        && part.allSatisfy { byte in
          switch byte {
          case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
            UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"), UInt8(ascii: "_"):
            true
          default: false
          }
        }
    }
    if parts.count < 2 || !isPlain {
      throw .badName("\"\(bundleIdentifier)\" is no bundle identifier such as io.example.app.")
    }
  }

  private var isNamedAfterBundle: Bool {
    let name = Array(name.utf8)
    let identifier = Array(bundleIdentifier.utf8)
    return name == identifier || name.starts(with: identifier + [UInt8(ascii: ".")])
  }

  /// Whether the store stands below a `Library`, also when that was given as the container.
  private func isBelowLibrary(container: String, parents: [String]) -> Bool {
    let container = components(of: container).map { $0.lowercased() }
    return parents.first?.lowercased() == "library" || container.last == "library"
      || container.suffix(2) == ["library", "application support"]
  }
}
