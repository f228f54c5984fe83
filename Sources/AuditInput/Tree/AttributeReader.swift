import AuditCore

/// Reads the extended attributes of one entry and says what they mean.
///
/// One call lists the names; only the mark's own value is read. A list without names is the
/// common case and costs nothing more.
final class AttributeReader {
  /// What was found.
  struct Result {
    var mark = OwnMark.absent
    var flags: AttributeFlags = []
    var nearMisses: [NearMiss] = []
    /// The operation and the error number, where something failed.
    var failure: (operation: String, code: Int)?
    /// The entry is not there any more.
    var isGone = false
  }

  private let list = UnsafeMutableRawBufferPointer.allocate(byteCount: 65_536, alignment: 8)
  /// The beginning of `list`, which nearly every list fits into. Linux allocates as many bytes as
  /// it is offered, for each call: 64 KiB cost it as much as the rest of the call.
  private let start: UnsafeMutableRawBufferPointer
  private let value = UnsafeMutableRawBufferPointer.allocate(byteCount: 4096, alignment: 8)

  init() { start = UnsafeMutableRawBufferPointer(rebasing: list[..<1024]) }

  deinit {
    list.deallocate()
    value.deallocate()
  }

  /// Whether the entry has no attribute at all: the fast answer. Otherwise ask `read`.
  @inline(__always)
  func count(_ directory: Int32, _ name: UnsafePointer<CChar>) -> Int {
    let count = System.listAttributes(directory, name, start)
    return ErrorText.isTooSmall(-count) ? System.listAttributes(directory, name, list) : count
  }

  /// Reads what `count` has just listed for an entry of a directory.
  func read(
    _ directory: Int32, _ name: UnsafePointer<CChar>, count: Int, rule: NamingRule
  ) -> Result {
    interpret(count, rule) { System.attribute(directory, name, $0, $1) }
  }

  /// Reads the attributes of an open directory.
  func read(open directory: Int32, rule: NamingRule) -> Result {
    var count = System.listAttributes(directory, start)
    if ErrorText.isTooSmall(-count) { count = System.listAttributes(directory, list) }
    return interpret(count, rule) {
      System.attribute(directory, $0, $1)
    }
  }

  private func interpret(
    _ count: Int, _ rule: NamingRule,
    _ get: (UnsafePointer<CChar>, UnsafeMutableRawBufferPointer) -> Int
  ) -> Result {
    var result = Result()
    guard count > 0 else {
      if count == 0 || ErrorText.isAbsent(-count) || ErrorText.isUnsupported(-count) {
        return result
      }
      result.isGone = ErrorText.isGone(-count)
      result.failure = ("listxattr", -count)
      result.mark = .unknown
      return result
    }
    let names = UnsafeRawBufferPointer(rebasing: list[..<count]).bindMemory(to: UInt8.self)
    var start = 0
    while start < names.count {
      let end = names[start...].firstIndex(of: 0) ?? names.count
      if end > start { add(UnsafeBufferPointer(rebasing: names[start..<end]), rule, get, &result) }
      start = end + 1
    }
    return result
  }

  private func add(
    _ name: UnsafeBufferPointer<UInt8>, _ rule: NamingRule,
    _ get: (UnsafePointer<CChar>, UnsafeMutableRawBufferPointer) -> Int, _ result: inout Result
  ) {
    let (meaning, trailingNul) = AttributeName.meaning(of: name, rule: rule)
    switch meaning {
    case .none: return
    case .foreign, .metadata: result.flags.insert(.foreign)
    case .nearMiss(let kind):
      result.nearMisses.append(NearMiss(kind: kind, name: Array(name)))
      result.flags.insert(.nearMiss)
      if kind != .misnamed { result.flags.insert(.foreign) }
    case .mark:
      guard let start = name.baseAddress else { return }
      // The kernel ends every listed name with a NUL, so the list itself serves as C string.
      let count = UnsafeRawPointer(start).withMemoryRebound(
        to: CChar.self, capacity: name.count + 1
      ) { attribute in
        let count = get(attribute, value)
        if !ErrorText.isTooSmall(-count) { return count }
        return get(attribute, UnsafeMutableRawBufferPointer(start: nil, count: 0))
      }
      if count < 0 {
        if ErrorText.isAbsent(-count) { return }
        result.failure = ("getxattr", -count)
        if result.mark.state == .absent { result.mark = .unknown }
        return
      }
      let bytes = UnsafeRawBufferPointer(rebasing: value[..<min(count, value.count)])
      var mark = AttributeName.mark(
        value: bytes.bindMemory(to: UInt8.self), trailingNul: trailingNul)
      if count > value.count { mark = OwnMark(state: .marked, form: .other, bytes: UInt32(count)) }
      if mark.state == .marked || result.mark.state != .marked { result.mark = mark }
    }
  }
}
