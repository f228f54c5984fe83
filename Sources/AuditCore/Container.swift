/// Tells where containers start: by their metadata property list, by a known path, by `.xcappdata`.
public enum ContainerDetector {
  /// The metadata file of iOS containers.
  public static let metadataName: StaticString =
    ".com.apple.mobile_container_manager.metadata.plist"
  /// The metadata file of macOS containers.
  public static let macMetadataName: StaticString = ".com.apple.containermanagerd.metadata.plist"
  /// The directory of a macOS app container that holds its data; the metadata file lies beside it.
  public static let macDataName: StaticString = "Data"
  /// The directory of an `.xcappdata` folder that is the container.
  public static let appDataName: StaticString = "AppData"
  /// The file beside `AppData` in an `.xcappdata` folder.
  public static let appDataInfoName: StaticString = "AppDataInfo.plist"

  /// A container root.
  public struct Match: Equatable, Sendable {
    /// The kind the path or the metadata tells.
    public var kind: ContainerKind
    /// The identifier, if the path tells it.
    public var identifier: String?
  }

  /// Whether a directory at this path is a container root by its path alone.
  ///
  /// Nearly every directory is told by its own name to be none.
  ///
  /// - Parameters:
  ///   - path: the path within the input.
  ///   - base: the input's absolute path; empty for an archive.
  public static func match(path: [UInt8], below base: [UInt8] = []) -> Match? {
    path.withUnsafeBufferPointer { path in
      base.withUnsafeBufferPointer { match(LastComponents(path, below: $0)) }
    }
  }

  private static func match(_ parts: LastComponents) -> Match? {
    let name = parts.last
    let parent = parts.second
    if name.count == 36 {
      guard let kind = kindAbove(parts), isUUID(name) else { return nil }
      return Match(kind: kind)
    }
    if Bytes.equal(name, "AppData") {
      let isBundle =
        parent.count > 10
        && Bytes.equal(UnsafeBufferPointer(rebasing: parent.suffix(10)), ".xcappdata")
      return isBundle ? Match(kind: .app) : nil
    }
    if Bytes.equal(name, "Data") && Bytes.equal(parts.third, "Containers")
      && Bytes.equal(parts.fourth, "Library")
    {
      return Match(kind: .macApp, identifier: String(decoding: parent, as: UTF8.self))
    }
    if Bytes.equal(parent, "Group Containers") && Bytes.equal(parts.third, "Library") {
      return Match(kind: .macGroup, identifier: String(decoding: name, as: UTF8.self))
    }
    return nil
  }

  /// The kind of the containers that lie in a directory of this path.
  private static func kindAbove(_ parts: LastComponents) -> ContainerKind? {
    if Bytes.equal(parts.second, "Application") || Bytes.equal(parts.second, "PluginKitPlugin") {
      guard Bytes.equal(parts.third, "Data") && Bytes.equal(parts.fourth, "Containers") else {
        return nil
      }
      return parts.second.count == 11 ? .app : .plugin
    }
    return Bytes.equal(parts.second, "AppGroup") && Bytes.equal(parts.third, "Shared")
      && Bytes.equal(parts.fourth, "Containers") ? .group : nil
  }

  /// The kind that a metadata property list tells.
  ///
  /// Content class 2 is an app data container; 4 and 7 are what plug-in and group containers are
  /// said to carry. A group identifier starts with `group.`.
  public static func kind(of metadata: ContainerMetadata, onMac: Bool) -> ContainerKind {
    let isGroup =
      metadata.contentClass == 7 || metadata.identifier?.hasPrefix("group.") == true
    if onMac { return isGroup ? .macGroup : .macApp }
    if isGroup { return .group }
    switch metadata.contentClass {
    case 2: return .app
    case 4: return .plugin
    default: return .unknown
    }
  }

  /// Eight, four, four, four and twelve hexadecimal digits.
  static func isUUID(_ name: UnsafeBufferPointer<UInt8>) -> Bool {
    guard name.count == 36 else { return false }
    for (index, byte) in name.enumerated() {
      switch index {
      case 8, 13, 18, 23: if byte != UInt8(ascii: "-") { return false }
      default:
        switch byte {
        case 0x30...0x39, 0x41...0x46, 0x61...0x66: continue
        default: return false
        }
      }
    }
    return true
  }
}

/// The last four components of a path, found from its end; empty where there are fewer.
private struct LastComponents {
  let last: UnsafeBufferPointer<UInt8>
  let second: UnsafeBufferPointer<UInt8>
  let third: UnsafeBufferPointer<UInt8>
  let fourth: UnsafeBufferPointer<UInt8>

  /// - Parameters:
  ///   - path: a relative path.
  ///   - base: the absolute path it is relative to, or nothing.
  init(_ path: UnsafeBufferPointer<UInt8>, below base: UnsafeBufferPointer<UInt8>) {
    var rest = path
    var above = base
    func next() -> UnsafeBufferPointer<UInt8> {
      if rest.isEmpty { swap(&rest, &above) }
      let name = Bytes.last(rest)
      let left = rest.count - name.count
      rest = UnsafeBufferPointer(rebasing: rest[..<max(left - 1, 0)])
      return name
    }
    last = next()
    second = next()
    third = next()
    fourth = next()
  }
}
