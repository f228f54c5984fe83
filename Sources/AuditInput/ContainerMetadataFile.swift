import AuditCore

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

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

  /// Reads a property list; nil if it says nothing of a container.
  ///
  /// Lenient: some tools write the content class as a string.
  public static func decode(_ bytes: [UInt8]) -> ContainerMetadata? {
    guard bytes.count <= sizeLimit, isHarmless(bytes),
      let list = try? PropertyListDecoder().decode(PropertyList.self, from: Data(bytes))
    else { return nil }
    if list.identifier == nil, list.contentClass == nil {
      // AppDataInfo.plist: the bundle identifier of an app data container.
      return list.bundleIdentifier.map { ContainerMetadata(identifier: $0, contentClass: 2) }
    }
    return ContainerMetadata(identifier: list.identifier, contentClass: list.contentClass)
  }

  /// Whether the decoder can take it: its XML parser recurses for every nested element.
  static func isHarmless(_ bytes: [UInt8]) -> Bool {
    if bytes.starts(with: "bplist".utf8) { return true }
    // UTF-16 and the old text format, which no system writes here, are left out.
    guard !bytes.contains(0), bytes.contains(0x3C) else { return false }
    var containers = 0
    for index in bytes.indices.dropLast(4) where bytes[index] == 0x61 || bytes[index] == 0x64 {
      let rest = bytes[index...]
      if rest.starts(with: "array".utf8) || rest.starts(with: "dict".utf8) { containers += 1 }
    }
    return containers <= 512
  }

  private struct PropertyList: Decodable {
    var identifier: String?
    var contentClass: Int?
    var bundleIdentifier: String?

    enum CodingKeys: String, CodingKey {
      case identifier = "MCMMetadataIdentifier"
      case contentClass = "MCMMetadataContentClass"
      case bundleIdentifier = "CFBundleIdentifier"
    }

    init(from decoder: any Decoder) throws {
      let values = try decoder.container(keyedBy: CodingKeys.self)
      // What is not there must not throw: errors cost more than all the rest.
      identifier = try? values.decodeIfPresent(String.self, forKey: .identifier)
      bundleIdentifier = try? values.decodeIfPresent(String.self, forKey: .bundleIdentifier)
      contentClass = try? values.decodeIfPresent(Int.self, forKey: .contentClass)
      if contentClass == nil,
        let text = try? values.decodeIfPresent(String.self, forKey: .contentClass)
      {
        contentClass = Int(text)
      }
    }
  }
}
