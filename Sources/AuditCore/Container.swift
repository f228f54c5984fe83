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
    let mayMatch = (path.isEmpty ? base : path).withUnsafeBufferPointer { path in
      let name = Bytes.last(path)
      return name.count == 36 || Bytes.equal(name, "AppData") || Bytes.equal(name, "Data")
        || path.count > name.count && isGroupContainers(above: name.count, in: path)
    }
    guard mayMatch || Bytes.depth(path) == 1 else { return nil }
    let whole = base.isEmpty ? path : Bytes.join(base, path)
    return match(parts: whole.split(separator: Bytes.slash).suffix(4).map { Array($0) })
  }

  /// Whether the component before the last one is `Group Containers`.
  private static func isGroupContainers(
    above length: Int, in path: UnsafeBufferPointer<UInt8>
  ) -> Bool {
    let parent = Bytes.last(UnsafeBufferPointer(rebasing: path[..<(path.count - length - 1)]))
    return Bytes.equal(parent, "Group Containers")
  }

  private static func match(parts: [[UInt8]]) -> Match? {
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
