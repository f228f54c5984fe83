/// Tells where containers start: by their metadata property list, by a known path, by `.xcappdata`.
public enum ContainerDetector {
  /// The metadata file of iOS containers.
  public static let metadataName: StaticString =
    ".com.apple.mobile_container_manager.metadata.plist"
  /// The metadata file of macOS containers.
  public static let macMetadataName: StaticString = ".com.apple.containermanagerd.metadata.plist"
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
  /// - Parameter path: the absolute path, or for an archive the path within it.
  public static func match(path: [UInt8]) -> Match? {
    let parts = path.split(separator: Bytes.slash).suffix(4).map { Array($0) }
    guard parts.count >= 2 else { return nil }
    let name = parts[parts.count - 1]
    let parent = parts[parts.count - 2]
    if parts.count == 4 && isUUID(name) && equal(parts[0], "Containers") {
      if equal(parts[1], "Data") && equal(parent, "Application") { return Match(kind: .app) }
      if equal(parts[1], "Data") && equal(parent, "PluginKitPlugin") {
        return Match(kind: .plugin)
      }
      if equal(parts[1], "Shared") && equal(parent, "AppGroup") { return Match(kind: .group) }
    }
    if equal(name, "AppData") && parent.count > 10
      && parent.suffix(10).elementsEqual(".xcappdata".utf8)
    {
      return Match(kind: .app)
    }
    if parts.count == 4 && equal(name, "Data") && equal(parts[1], "Containers")
      && equal(parts[0], "Library")
    {
      return Match(kind: .macApp, identifier: String(decoding: parent, as: UTF8.self))
    }
    if parts.count >= 3 && equal(parent, "Group Containers")
      && equal(parts[parts.count - 3], "Library")
    {
      return Match(kind: .macGroup, identifier: String(decoding: name, as: UTF8.self))
    }
    return nil
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
  static func isUUID(_ name: [UInt8]) -> Bool {
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

  private static func equal(_ a: [UInt8], _ b: StaticString) -> Bool {
    a.withUnsafeBufferPointer { Bytes.equal($0, b) }
  }
}
