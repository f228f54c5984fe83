/// A binary property list in the making, for files that only a device writes.
package indirect enum BinaryPlist {
  case integer(Int)
  case boolean(Bool)
  case string(String)
  case data([UInt8])
  case uid(Int)
  case array([BinaryPlist])
  case dictionary([(String, BinaryPlist)])

  /// The bytes of a file with this at its top. References are two bytes, offsets four.
  package var bytes: [UInt8] {
    var objects: [[UInt8]] = []
    _ = write(&objects)
    var out = Array("bplist00".utf8)
    var offsets: [UInt8] = []
    for object in objects {
      offsets += Self.big(out.count, 4)
      out += object
    }
    let table = out.count
    return out + offsets + [0, 0, 0, 0, 0, 0, 4, 2] + Self.big(objects.count, 8) + Self.big(0, 8)
      + Self.big(table, 8)
  }

  private static func big(_ number: Int, _ size: Int) -> [UInt8] {
    stride(from: 8 * (size - 1), through: 0, by: -8).map {
      UInt8(truncatingIfNeeded: number >> $0)
    }
  }

  private static func head(_ kind: UInt8, _ count: Int) -> [UInt8] {
    count < 15 ? [kind << 4 | UInt8(count)] : [kind << 4 | 15, 0x12] + big(count, 4)
  }

  /// Appends this and what it holds; gives its reference.
  private func write(_ objects: inout [[UInt8]]) -> Int {
    let reference = objects.count
    objects.append([])
    switch self {
    case .integer(let number): objects[reference] = [0x13] + Self.big(number, 8)
    case .boolean(let flag): objects[reference] = [flag ? 9 : 8]
    case .string(let text): objects[reference] = Self.head(5, text.utf8.count) + Array(text.utf8)
    case .data(let bytes): objects[reference] = Self.head(4, bytes.count) + bytes
    case .uid(let number): objects[reference] = [0x80, UInt8(number)]
    case .array(let elements):
      let references = elements.map { $0.write(&objects) }
      objects[reference] = Self.head(10, elements.count) + references.flatMap { Self.big($0, 2) }
    case .dictionary(let members):
      let keys = members.map { BinaryPlist.string($0.0).write(&objects) }
      let values = members.map { $0.1.write(&objects) }
      objects[reference] =
        Self.head(13, members.count) + (keys + values).flatMap { Self.big($0, 2) }
    }
    return reference
  }

  /// A keyed archive of an `MBFile`, as the `file` column of a backup holds one.
  package static func backupItem(
    size: Int, protectionClass: Int = 3, attributes: [(String, [UInt8])] = [],
    inData: Bool = false
  ) -> BinaryPlist {
    var file: [(String, BinaryPlist)] = [
      ("$class", .uid(2)), ("Size", .integer(size)), ("ProtectionClass", .integer(protectionClass)),
      ("RelativePath", .uid(3)),
    ]
    var objects: [BinaryPlist] = [
      .string("$null"), .integer(0),
      .dictionary([("$classname", .string("MBFile"))]), .string("a path"),
    ]
    if !attributes.isEmpty {
      file.append(("ExtendedAttributes", .uid(4)))
      let list = BinaryPlist.dictionary(attributes.map { ($0.0, .data($0.1)) }).bytes
      objects.append(inData ? .dictionary([("NS.data", .data(list))]) : .data(list))
    }
    objects[1] = .dictionary(file)
    return .dictionary([
      ("$archiver", .string("NSKeyedArchiver")), ("$objects", .array(objects)),
      ("$top", .dictionary([("root", .uid(1))])), ("$version", .integer(100000)),
    ])
  }
}
