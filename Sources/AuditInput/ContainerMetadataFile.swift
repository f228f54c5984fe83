import AuditCore

/// Reads the property list that names a container.
///
/// iOS and its simulator keep one at the root of each container, macOS another; Xcode writes a
/// third beside the container it downloaded. All are property lists, binary or XML.
public enum ContainerMetadataFile {
  /// The largest file that is read, in bytes. Real ones have a few thousand.
  public static let sizeLimit = 256 * 1024

  /// Whose container a property list describes.
  public enum Place: Sendable {
    /// The directory that holds it.
    case directory
    /// The folder `AppData` beside it: an `.xcappdata` bundle's `AppDataInfo.plist`.
    case appDataBeside
  }

  /// Tells whether a name is that of such a property list.
  public static func place(of name: UnsafeBufferPointer<UInt8>) -> Place? {
    guard let first = name.first, first == 0x2E || first == 0x41 else { return nil }
    if Bytes.equal(name, ContainerDetector.metadataName)
      || Bytes.equal(name, ContainerDetector.macMetadataName)
    {
      return .directory
    }
    return Bytes.equal(name, ContainerDetector.appDataInfoName) ? .appDataBeside : nil
  }

  /// Whether a property list speaks of the directory `Data` beside it, if there is one: that is
  /// where a macOS app container keeps its data. Group containers have no such directory.
  static func isBesideData(_ metadata: ContainerMetadata) -> Bool {
    metadata.isMac && ContainerDetector.kind(of: metadata, onMac: true) == .macApp
  }

  /// Reads a property list; nil if it is none, or says nothing of a container.
  public static func decode(_ bytes: [UInt8]) -> ContainerMetadata? {
    let metadata = read(bytes, .directory).metadata
    return metadata == ContainerMetadata() ? nil : metadata
  }

  /// Reads a property list, and says why it does not tell whose container this is: then nothing
  /// that is said of the container by its identifier can apply, and nobody may be told that it did.
  ///
  /// Lenient: some tools write the content class as a string.
  static func read(
    _ bytes: [UInt8], _ place: Place
  ) -> (metadata: ContainerMetadata, problem: PropertyList.Malformed?) {
    guard bytes.count <= sizeLimit else {
      return (ContainerMetadata(), PropertyList.Malformed("it is larger than such lists are"))
    }
    let list: PropertyList
    do throws(PropertyList.Malformed) {
      list = try PropertyList(bytes)
    } catch {
      return (ContainerMetadata(), error)
    }
    var metadata = ContainerMetadata(
      identifier: list["MCMMetadataIdentifier"]?.string,
      contentClass: list["MCMMetadataContentClass"]?.number)
    if metadata == ContainerMetadata(), let bundle = list["CFBundleIdentifier"]?.string {
      // AppDataInfo.plist: the bundle identifier of an app data container.
      metadata = ContainerMetadata(identifier: bundle, contentClass: 2)
    }
    // Not every AppDataInfo.plist has it.
    let isNamed = metadata.identifier != nil || place == .appDataBeside
    return (metadata, isNamed ? nil : PropertyList.Malformed("it names no container"))
  }
}
