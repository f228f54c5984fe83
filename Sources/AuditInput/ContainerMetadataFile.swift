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
  ///
  /// Lenient: some tools write the content class as a string.
  public static func decode(_ bytes: [UInt8]) -> ContainerMetadata? {
    try? metadata(bytes)
  }

  /// Reads a property list.
  ///
  /// - Throws: why it is none, or says nothing of a container: then nothing that is said of this
  ///   container by its identifier can apply, and nobody may be told that it did.
  static func metadata(_ bytes: [UInt8]) throws(PropertyList.Malformed) -> ContainerMetadata {
    guard bytes.count <= sizeLimit else {
      throw PropertyList.Malformed("it is larger than such lists are")
    }
    let list = try PropertyList(bytes)
    let identifier = list["MCMMetadataIdentifier"]?.string
    let contentClass = list["MCMMetadataContentClass"]?.number
    if identifier != nil || contentClass != nil {
      return ContainerMetadata(identifier: identifier, contentClass: contentClass)
    }
    // AppDataInfo.plist: the bundle identifier of an app data container.
    guard let bundle = list["CFBundleIdentifier"]?.string else {
      throw PropertyList.Malformed("it names no container")
    }
    return ContainerMetadata(identifier: bundle, contentClass: 2)
  }
}
