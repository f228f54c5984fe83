import AuditCore
import BackupExclusion

/// What the `file` column of a backup's `Files` table holds: a keyed archive of an `MBFile`.
struct BackupItem: Equatable {
  /// The largest archive that is read, in bytes. Real ones have a few hundred.
  static let sizeLimit = 1 << 20

  /// `Size`, in bytes.
  var size: Int64?
  /// `ProtectionClass`.
  var protectionClass: Int?
  /// The names of its extended attributes, without those that have no value.
  var attributes: [[UInt8]] = []

  /// Whether one of the attributes is the mark.
  var hasMark: Bool { attributes.contains { $0.elementsEqual(ExclusionMark.name.utf8) } }

  /// Reads an archive; nil if it is none.
  init?(_ bytes: [UInt8]) {
    guard bytes.count <= Self.sizeLimit, let list = BinaryPropertyList(bytes),
      let archive = list.dictionary(list.top), let objects = archive["$objects"],
      let top = archive["$top"].flatMap({ list.dictionary($0) }), let root = top["root"],
      case .array(let references)? = list[objects], case .uid(let index)? = list[root],
      references.indices.contains(index), let file = list.dictionary(references[index])
    else { return nil }

    /// A member, or what it refers to.
    func member(_ name: String) -> BinaryPropertyList.Object? {
      guard let reference = file[name], let object = list[reference] else { return nil }
      guard case .uid(let index) = object else { return object }
      guard references.indices.contains(index), let target = list[references[index]] else {
        return nil
      }
      // NSMutableData is a dictionary with the bytes in it.
      if case .dictionary = target, let inner = list.dictionary(references[index])?["NS.data"] {
        return list[inner]
      }
      return target
    }
    if case .integer(let size)? = member("Size") { self.size = Int64(size) }
    if case .integer(let number)? = member("ProtectionClass") { protectionClass = number }
    switch member("ExtendedAttributes") {
    case .data(let data):
      // Damaged attributes are not "no mark".
      guard let names = Self.names(data) else { return nil }
      attributes = names
    case .string(let text) where text.elementsEqual("$null".utf8): break
    case nil where file["ExtendedAttributes"] == nil: break
    default: return nil
    }
  }

  /// The names in a property list of attributes.
  private static func names(_ data: [UInt8]) -> [[UInt8]]? {
    guard case .dictionary(let members)? = try? PropertyList(data) else { return nil }
    return members.compactMap { name, value in
      value == .data([]) ? nil : Array(name.utf8)
    }
  }
}
