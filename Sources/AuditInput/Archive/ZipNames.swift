/// The names of a zip's members as the index has them, byte for byte.
///
/// libarchive delivers the members of a zip in the order in which they lie in the file, and
/// composes names that are marked as UTF-8. Only names outside ASCII are kept here.
struct ZipNames {
  private var offsets: [(offset: UInt64, name: Int32)] = []
  private var names: [[UInt8]] = []
  private var next = 0
  private var isSorted = false

  /// How many members the index has.
  var count: Int { offsets.count }

  /// Notes a member of the index.
  mutating func add(_ member: ZipIndex.Member) {
    var name: Int32 = -1
    if member.name.contains(where: { $0 >= 0x80 }) {
      name = Int32(names.count)
      names.append(Array(member.name))
    }
    offsets.append((member.offset, name))
  }

  /// The name of the next member, if libarchive's may differ: `given` is what it delivered.
  ///
  /// Nil for a plain name, and for good as soon as the orders are seen to differ.
  mutating func name(given: UnsafeBufferPointer<UInt8>?) -> [UInt8]? {
    if !isSorted {
      if !names.isEmpty {
        offsets.sort { $0.offset < $1.offset }
        // Members at one place are one member to libarchive.
        var last: UInt64?
        offsets.removeAll { member in
          defer { last = member.offset }
          return member.offset == last
        }
      }
      isSorted = true
    }
    guard !names.isEmpty, next < offsets.count else { return nil }
    let expected = offsets[next].name
    next += 1
    let isPlain = given.map { !$0.contains { $0 >= 0x80 } } ?? false
    guard isPlain == (expected < 0) else {
      names = []
      return nil
    }
    guard expected >= 0 else { return nil }
    let name = names[Int(expected)]
    // The same text, whatever its Unicode form; a directory's slash may have been added.
    if let given, let one = String(validating: given, as: UTF8.self),
      let other = String(validating: name, as: UTF8.self), one != other, one != other + "/"
    {
      names = []
      return nil
    }
    return name
  }
}
