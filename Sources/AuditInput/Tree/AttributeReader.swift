import AuditCore

/// Reads the extended attributes of one entry and says what they mean.
///
/// One call asks how long the list of names is; only the mark's own value is read. No names are the
/// common case and cost nothing more.
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

  private typealias List = (UnsafeMutableRawBufferPointer) -> Int
  private typealias Get = (UnsafePointer<CChar>, UnsafeMutableRawBufferPointer) -> Int

  private let nothing = UnsafeMutableRawBufferPointer(start: nil, count: 0)
  private let list = UnsafeMutableRawBufferPointer.allocate(byteCount: 65_536, alignment: 8)
  /// The beginning of `list`, which nearly every list fits into. Linux allocates as many bytes as
  /// it is offered, for each call: 64 KiB cost it as much as the rest of the call.
  private let start: UnsafeMutableRawBufferPointer
  private let value = UnsafeMutableRawBufferPointer.allocate(byteCount: 4096, alignment: 8)
  /// Whether the entry before had more than the mark, so that this one probably has, too: then
  /// the names are asked for at once.
  private var expectsNames = false
  /// The name under which the mark was found, with its NUL. A list of just this length can only
  /// be this name, if it is there at all, so the value is asked for without the list.
  private var known: (name: [CChar], rule: NamingRule, trailingNul: Bool)?

  init() { start = UnsafeMutableRawBufferPointer(rebasing: list[..<1024]) }

  deinit {
    list.deallocate()
    value.deallocate()
  }

  /// Reads the attributes of an entry of a directory; nil where it has none.
  ///
  /// - Parameter mustAnswer: whether "no attributes here" is no answer.
  @inline(__always)
  func read(
    _ directory: Int32, _ name: UnsafePointer<CChar>, rule: NamingRule, mustAnswer: Bool
  ) -> Result? {
    let size = expectsNames ? 1 : System.listAttributes(directory, name, nothing)
    if size == 0 { return nil }
    return read(
      size, rule, mustAnswer, list: { System.listAttributes(directory, name, $0) },
      get: { System.attribute(directory, name, $0, $1) })
  }

  /// Reads the attributes of an open directory; nil where it has none.
  func read(open directory: Int32, rule: NamingRule, mustAnswer: Bool) -> Result? {
    let size = expectsNames ? 1 : System.listAttributes(directory, nothing)
    if size == 0 { return nil }
    return read(
      size, rule, mustAnswer, list: { System.listAttributes(directory, $0) },
      get: { System.attribute(directory, $0, $1) })
  }

  /// - Parameter size: the length of the list, a guess if names are expected, or a negated error
  ///   number.
  private func read(
    _ size: Int, _ rule: NamingRule, _ mustAnswer: Bool, list ask: List, get: Get
  ) -> Result? {
    var count = size
    if size > 0 {
      if let mark = markAlone(size, rule, get) { return Result(mark: mark) }
      count = ask(start)
      if ErrorText.isTooSmall(-count) { count = ask(list) }
      expectsNames = count > 0
    }
    if count == 0 { return nil }
    if !mustAnswer && (ErrorText.isAbsent(-count) || ErrorText.isUnsupported(-count)) {
      return nil
    }
    return interpret(count, rule, get)
  }

  /// The mark, if the list is so long that it cannot hold anything else.
  private func markAlone(_ size: Int, _ rule: NamingRule, _ get: Get) -> OwnMark? {
    guard let known, known.name.count == size, known.rule == rule else { return nil }
    let count = known.name.withUnsafeBufferPointer { $0.baseAddress.map { get($0, value) } ?? -1 }
    guard count >= 0 else { return nil }
    let bytes = UnsafeRawBufferPointer(rebasing: value[..<count])
    return AttributeName.mark(
      value: bytes.bindMemory(to: UInt8.self), trailingNul: known.trailingNul)
  }

  private func interpret(_ count: Int, _ rule: NamingRule, _ get: Get) -> Result {
    var result = Result()
    guard count > 0 else {
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
    _ name: UnsafeBufferPointer<UInt8>, _ rule: NamingRule, _ get: Get, _ result: inout Result
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
      if known?.rule != rule {
        known = (name.map { CChar(bitPattern: $0) } + [0], rule, trailingNul)
      }
    }
  }
}
