/// Which places are never backed up whatever the marks say.
public enum LocationRules: UInt8, CaseIterable, Sendable {
  /// What Apple documents: `tmp` and `Library/Caches` of an app data or plug-in container.
  case documented
  /// Also what iOS 18 and 26.1 were observed to skip; undocumented by Apple.
  case observed
  /// None: marks alone decide.
  case none

  /// The word on the command line.
  public var word: String {
    switch self {
    case .documented: "documented"
    case .observed: "observed"
    case .none: "none"
    }
  }
}

/// What the rules say of a directory, as far as its path decides it.
///
/// A place is made for a container root and then handed down from directory to directory: below the
/// second level only what was inherited counts.
public struct Place: Equatable, Sendable {
  /// Where in the container a directory lies, as far as rules ask.
  private enum Level {
    case root, library, systemData, other
  }

  /// Documented by Apple: the whole directory is outside backups.
  public private(set) var documented = Reason.none
  /// Observed: the whole directory is skipped.
  public private(set) var observed = Reason.none
  /// The container's kind.
  public let kind: ContainerKind
  private var level = Level.root
  /// Whether the directory lies at or below a `binarycookies_tmp`.
  private var isCookieDirectory = false
  /// The length of the directory's container-relative path in bytes.
  private var pathLength = 0

  /// The place of the root of a container.
  public init(kind: ContainerKind) { self.kind = kind }

  /// Whether there are rules for containers of this kind.
  private var hasRules: Bool { kind == .app || kind == .plugin || kind == .group }

  /// The place of a subdirectory.
  public func child(_ name: UnsafeBufferPointer<UInt8>) -> Place {
    guard hasRules else { return self }
    var child = self
    child.level = .other
    child.pathLength += name.count + (pathLength == 0 ? 0 : 1)
    if Bytes.equal(name, "binarycookies_tmp") { child.isCookieDirectory = true }
    switch level {
    case .root: child.judgeFirst(name)
    case .library: child.judgeInLibrary(name)
    case .systemData:
      if Bytes.equal(name, "com.apple.AuthenticationServices")
        || Bytes.equal(name, "com.apple.chrono")
      {
        child.observed = .observedLocation
      }
    case .other: break
    }
    return child
  }

  private mutating func judgeFirst(_ name: UnsafeBufferPointer<UInt8>) {
    if Bytes.equal(name, "Library") { level = .library }
    if kind == .group {
      if Bytes.equal(name, "SystemData") { level = .systemData }
      return
    }
    if Bytes.equal(name, "tmp") { documented = .temporaryDirectory }
    if !Self.isBackedUpAtRoot(name) { observed = .observedLocation }
  }

  private mutating func judgeInLibrary(_ name: UnsafeBufferPointer<UInt8>) {
    if Bytes.equal(name, "Caches") {
      if kind == .group { observed = .observedLocation } else { documented = .cachesDirectory }
    } else if Bytes.equal(name, "SyncedPreferences")
      || Bytes.equal(name, "Saved Application State") || Bytes.equal(name, "SplashBoard")
    {
      observed = .observedLocation
    }
  }

  private static func isBackedUpAtRoot(_ name: UnsafeBufferPointer<UInt8>) -> Bool {
    Bytes.equal(name, "Documents") || Bytes.equal(name, "Library")
      || Bytes.equal(name, "GeoJSON")
  }

  /// Judges one name that is no directory; called only where the directory itself is not skipped.
  ///
  /// - Returns: the observed reason to skip it, or `.none`.
  public func observed(name: UnsafeBufferPointer<UInt8>) -> Reason {
    guard hasRules else { return .none }
    if level == .root {
      let isSkipped =
        kind == .group
        ? Bytes.equal(name, ContainerDetector.metadataName) : !Self.isBackedUpAtRoot(name)
      if isSkipped { return .observedLocation }
    }
    let count = name.count
    if count >= 14 {
      let tail = UnsafeBufferPointer(rebasing: name[(count - 14)..<(count - 7)])
      if tail[0] == UInt8(ascii: ".") && Bytes.equal(tail, ".plist.") { return .observedName }
    }
    if count >= 11 && name[0] == UInt8(ascii: ".")
      && Bytes.equal(UnsafeBufferPointer(rebasing: name[..<11]), ".dat.nosync")
    {
      return .observedName
    }
    if isCookieDirectory && count >= 4
      && Bytes.equal(UnsafeBufferPointer(rebasing: name[(count - 4)...]), ".dat")
    {
      return .observedName
    }
    if pathLength + 1 + count >= 998 { return .observedName }
    return .none
  }
}
