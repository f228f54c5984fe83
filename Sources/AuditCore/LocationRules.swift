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
public struct Place: Equatable, Sendable {
  /// Documented by Apple: the whole directory is outside backups.
  public var documented: Reason = .none
  /// Observed: the whole directory is skipped.
  public var observed: Reason = .none
  /// Whether single names have to be looked at (the container root).
  public var isRoot = false
  /// Whether the directory lies at or below a `binarycookies_tmp`.
  public var isCookieDirectory = false
  /// The container-relative length of the directory's path in bytes.
  public var pathLength = 0
  /// The container's kind.
  public var kind: ContainerKind = .unknown

  /// Judges a directory by its container's kind and its container-relative path.
  public init(kind: ContainerKind, path: [UInt8]) {
    self.kind = kind
    pathLength = path.count
    guard kind == .app || kind == .plugin || kind == .group else { return }
    guard !path.isEmpty else {
      isRoot = true
      return
    }
    let parts = path.split(separator: Bytes.slash, maxSplits: 2, omittingEmptySubsequences: true)
    let first = parts[0]
    let second = parts.count > 1 ? parts[1] : []
    let inLibrary = first.elementsEqual("Library".utf8)
    let skippedInLibrary = inLibrary && Self.contains(Self.skippedInLibrary, second)
    let isCaches = inLibrary && second.elementsEqual("Caches".utf8)
    if kind == .group {
      if isCaches || skippedInLibrary { observed = .observedLocation }
      if first.elementsEqual("SystemData".utf8) && Self.contains(Self.skippedInSystemData, second) {
        observed = .observedLocation
      }
    } else {
      if first.elementsEqual("tmp".utf8) { documented = .temporaryDirectory }
      if isCaches { documented = .cachesDirectory }
      if !Self.contains(Self.backedUpAtRoot, first) || skippedInLibrary {
        observed = .observedLocation
      }
    }
    isCookieDirectory = path.split(separator: Bytes.slash).contains {
      $0.elementsEqual("binarycookies_tmp".utf8)
    }
  }

  /// Judges one name that is no directory; called only where the directory itself is not skipped.
  ///
  /// - Returns: the observed reason to skip it, or `.none`.
  public func observed(name: UnsafeBufferPointer<UInt8>) -> Reason {
    guard kind == .app || kind == .plugin || kind == .group else { return .none }
    if isRoot {
      if kind == .group {
        if Bytes.equal(name, ContainerDetector.metadataName) { return .observedLocation }
      } else if !(Bytes.equal(name, "Documents") || Bytes.equal(name, "Library")
        || Bytes.equal(name, "GeoJSON"))
      {
        return .observedLocation
      }
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

  private static func contains(_ names: [StaticString], _ name: ArraySlice<UInt8>) -> Bool {
    name.withUnsafeBufferPointer { bytes in names.contains { Bytes.equal(bytes, $0) } }
  }

  private static let backedUpAtRoot: [StaticString] = ["Documents", "Library", "GeoJSON"]
  private static let skippedInLibrary: [StaticString] = [
    "SyncedPreferences", "Saved Application State", "SplashBoard",
  ]
  private static let skippedInSystemData: [StaticString] = [
    "com.apple.AuthenticationServices", "com.apple.chrono",
  ]
}
