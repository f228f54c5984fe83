/// Reads single objects of a binary property list, keyed archives included.
///
/// `BackupItem` follows a keyed archive's references with it; `PropertyList` reads whole lists. It
/// looks at one object at a time and never descends by itself, so that no nesting and no loop can
/// harm it; an offset that points out of the bytes gives nil.
struct BinaryPropertyList {
  /// One object; what lies inside it is given as references.
  enum Object: Equatable {
    case integer(Int)
    case boolean(Bool)
    case data([UInt8])
    /// As UTF-8.
    case string([UInt8])
    /// A reference within a keyed archive's `$objects`.
    case uid(Int)
    case array([Int])
    case dictionary(keys: [Int], values: [Int])
    /// In seconds since the start of 2001: any number at all, or none.
    case date(Double)
    /// A real number, a null.
    case other
  }

  private let bytes: [UInt8]
  private let offsetSize: Int
  private let referenceSize: Int
  private let count: Int
  private let table: Int
  /// The reference of the outermost object.
  let top: Int

  /// Takes in the trailer; nil for what is no binary property list.
  init?(_ bytes: [UInt8]) {
    guard bytes.starts(with: "bplist0".utf8), bytes.count >= 8 + 32 else { return nil }
    self.bytes = bytes
    let trailer = bytes.count - 32
    offsetSize = Int(bytes[trailer + 6])
    referenceSize = Int(bytes[trailer + 7])
    guard (1...8).contains(offsetSize), (1...8).contains(referenceSize),
      let count = Self.number(bytes, trailer + 8, 8), let top = Self.number(bytes, trailer + 16, 8),
      let table = Self.number(bytes, trailer + 24, 8), table <= trailer,
      count <= (trailer - table) / offsetSize
    else { return nil }
    (self.count, self.top, self.table) = (count, top, table)
  }

  /// A big-endian number of `size` bytes; nil where it lies outside or is too large.
  private static func number(_ bytes: [UInt8], _ offset: Int, _ size: Int) -> Int? {
    guard offset >= 0, size <= 8, offset <= bytes.count - size else { return nil }
    var value: UInt64 = 0
    for byte in bytes[offset..<offset + size] { value = value << 8 | UInt64(byte) }
    return Int(exactly: value)
  }

  /// The object that a reference stands for.
  subscript(_ reference: Int) -> Object? {
    guard (0..<count).contains(reference),
      let offset = Self.number(bytes, table + reference * offsetSize, offsetSize),
      offset >= 8, offset < table
    else { return nil }
    let kind = bytes[offset] >> 4
    let low = Int(bytes[offset] & 15)
    switch kind {
    case 0x0:
      return low == 8 ? .boolean(false) : low == 9 ? .boolean(true) : .other
    case 0x1:
      guard low <= 3 else { return low == 4 && slice(offset + 1, 16) != nil ? .other : nil }
      // Eight bytes are signed; a smaller number never is.
      let size = 1 << low
      if size == 8, offset + 8 < table {
        let word = bytes[(offset + 1)...(offset + 8)].reduce(UInt64(0)) { $0 << 8 | UInt64($1) }
        return .integer(Int(truncatingIfNeeded: Int64(bitPattern: word)))
      }
      return Self.number(bytes, offset + 1, size).map { .integer($0) }
    case 0x2:
      return low <= 4 && slice(offset + 1, 1 << low) != nil ? .other : nil
    case 0x3:
      guard low == 3, let word = slice(offset + 1, 8) else { return nil }
      return .date(Double(bitPattern: word.reduce(0) { $0 << 8 | UInt64($1) }))
    case 0x8:
      return Self.number(bytes, offset + 1, low + 1).map { .uid($0) }
    default: break
    }
    guard let (length, start) = length(low, offset + 1) else { return nil }
    switch kind {
    case 0x4: return slice(start, length).map { .data(Array($0)) }
    case 0x5: return slice(start, length).map { .string(Array($0)) }
    case 0x6:
      guard length <= bytes.count / 2, let units = slice(start, 2 * length) else { return nil }
      return .string(Self.utf8(units))
    case 0xA: return references(start, length).map { .array($0) }
    case 0xD:
      guard let keys = references(start, length),
        let values = references(start + length * referenceSize, length)
      else { return nil }
      return .dictionary(keys: keys, values: values)
    default: return .other
    }
  }

  /// A length of up to 14, or one that is written as an integer behind.
  private func length(_ low: Int, _ offset: Int) -> (length: Int, start: Int)? {
    if low < 15 { return (low, offset) }
    guard offset < table, bytes[offset] >> 4 == 1, bytes[offset] & 15 <= 3 else { return nil }
    let size = 1 << Int(bytes[offset] & 15)
    guard let length = Self.number(bytes, offset + 1, size) else { return nil }
    return (length, offset + 1 + size)
  }

  private func slice(_ start: Int, _ length: Int) -> ArraySlice<UInt8>? {
    guard length >= 0, start <= table, length <= table - start else { return nil }
    return bytes[start..<start + length]
  }

  private func references(_ start: Int, _ length: Int) -> [Int]? {
    guard length <= bytes.count, slice(start, length * referenceSize) != nil else { return nil }
    return (0..<length).map {
      Self.number(bytes, start + $0 * referenceSize, referenceSize) ?? -1
    }
  }

  private static func utf8(_ units: ArraySlice<UInt8>) -> [UInt8] {
    let words = stride(from: units.startIndex, to: units.endIndex - 1, by: 2).map {
      UInt16(units[$0]) << 8 | UInt16(units[$0 + 1])
    }
    return Array(String(decoding: words, as: UTF16.self).utf8)
  }

  /// The values of a dictionary by name; nil if the reference is no dictionary.
  func dictionary(_ reference: Int) -> [String: Int]? {
    guard case .dictionary(let keys, let values)? = self[reference], keys.count <= 4096 else {
      return nil
    }
    var members: [String: Int] = [:]
    for (key, value) in zip(keys, values) {
      if case .string(let name)? = self[key] {
        members[String(decoding: name, as: UTF8.self)] = value
      }
    }
    return members
  }
}
