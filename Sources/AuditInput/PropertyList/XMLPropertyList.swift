import AuditCore
import CExpat

/// Reads an XML property list with expat, which neither recurses nor fetches anything.
///
/// What lists have no use for is refused: declarations in the document itself, entities among them,
/// and elements that are not theirs.
enum XMLPropertyList {
  /// Reads a whole list.
  static func tree(_ bytes: [UInt8]) throws(PropertyList.Malformed) -> PropertyList {
    // Expat takes nothing before the declaration; other readers do.
    let text = bytes.drop { [0x20, 0x09, 0x0A, 0x0D].contains($0) }
    guard text.contains(0x3C), let count = Int32(exactly: text.count) else {
      throw PropertyList.Malformed("it is neither a binary nor an XML list")
    }
    guard let parser = XML_ParserCreate(nil) else {
      throw PropertyList.Malformed("there is no memory for it")
    }
    defer { XML_ParserFree(parser) }
    let builder = XMLListBuilder(parser)
    let status = withExtendedLifetime(builder) {
      XML_SetUserData(parser, Unmanaged.passUnretained(builder).toOpaque())
      XML_SetElementHandler(
        parser,
        { builder, name, _ in
          guard let builder = XMLListBuilder.from(builder), let name else { return }
          builder.start(String(cString: name))
        },
        { builder, _ in XMLListBuilder.from(builder)?.end() })
      XML_SetCharacterDataHandler(parser) { builder, text, count in
        guard let builder = XMLListBuilder.from(builder), let text, count > 0 else { return }
        builder.add(UnsafeRawBufferPointer(start: text, count: Int(count)))
      }
      XML_SetStartDoctypeDeclHandler(parser) { builder, _, _, _, hasInternalSubset in
        if hasInternalSubset != 0 {
          XMLListBuilder.from(builder)?.stop("it declares things of its own")
        }
      }
      XML_SetSkippedEntityHandler(parser) { builder, _, _ in
        XMLListBuilder.from(builder)?.stop("it uses what is declared elsewhere")
      }
      return text.withUnsafeBytes { bytes in
        XML_Parse(parser, bytes.bindMemory(to: CChar.self).baseAddress, count, 1)
      }
    }
    if let problem = builder.problem { throw problem }
    guard status == XML_STATUS_OK else {
      throw PropertyList.Malformed("it is cut off or no well-formed XML")
    }
    guard let root = builder.root else { throw PropertyList.Malformed("there is no value in it") }
    return root
  }
}

/// Puts values together from the elements that expat finds.
private final class XMLListBuilder {
  /// An element that is open. A class, so that what it holds is changed in its place.
  private final class Element {
    enum Kind: Equatable {
      case plist, array, dictionary
      /// An element that holds text.
      case scalar(Scalar)
    }
    let kind: Kind
    var elements: [PropertyList] = []
    var members: [String: PropertyList] = [:]
    var key: String?

    init(_ kind: Kind) { self.kind = kind }
  }

  fileprivate enum Scalar: String {
    case key, string, integer, real, date, data
    case yes = "true"
    case no = "false"
  }

  private(set) var root: PropertyList?
  private(set) var problem: PropertyList.Malformed?
  private var open: [Element] = []
  private var text: [UInt8] = []
  private let parser: XML_Parser

  init(_ parser: XML_Parser) { self.parser = parser }

  static func from(_ pointer: UnsafeMutableRawPointer?) -> XMLListBuilder? {
    pointer.map { Unmanaged<XMLListBuilder>.fromOpaque($0).takeUnretainedValue() }
  }

  /// Ends the parsing; the first reason counts.
  func stop(_ reason: StaticString) {
    guard problem == nil else { return }
    problem = PropertyList.Malformed(reason)
    XML_StopParser(parser, 0)
  }

  func start(_ name: String) {
    // Expat may call once more after it was told to stop.
    guard problem == nil else { return }
    guard open.count < PropertyList.depthLimit else {
      return stop("its values lie too deep in each other")
    }
    let outer = open.last
    if case .scalar = outer?.kind { return stop("a value lies in a text") }
    if let outer, outer.kind == .dictionary,
      (outer.key == nil) != (name == Scalar.key.rawValue)
    {
      return stop("a name or its value is missing")
    }
    switch name {
    case "plist" where open.isEmpty: open.append(Element(.plist))
    case "array": open.append(Element(.array))
    case "dict": open.append(Element(.dictionary))
    default:
      guard let scalar = Scalar(rawValue: name) else {
        return stop("it has an element that lists do not have")
      }
      if scalar == .key && outer?.kind != .dictionary {
        return stop("a name lies outside of a dictionary")
      }
      text.removeAll(keepingCapacity: true)
      open.append(Element(.scalar(scalar)))
    }
  }

  func add(_ bytes: UnsafeRawBufferPointer) {
    guard problem == nil else { return }
    if case .scalar = open.last?.kind {
      text.append(contentsOf: bytes)
    } else if !bytes.allSatisfy({ Self.isSpace($0) }) {
      stop("there is text between its values")
    }
  }

  func end() {
    guard problem == nil, let element = open.popLast() else { return }
    switch element.kind {
    case .plist: return
    case .array: put(.array(element.elements))
    case .dictionary:
      if element.key != nil { return stop("a name or its value is missing") }
      put(.dictionary(element.members))
    case .scalar(.key): open.last?.key = String(decoding: text, as: UTF8.self)
    case .scalar(let scalar):
      guard let value = value(scalar) else { return stop("a value in it is not of its type") }
      put(value)
    }
  }

  private func put(_ value: PropertyList) {
    guard let outer = open.last, outer.kind != .plist else {
      if root != nil { stop("it has more than one value") }
      root = value
      return
    }
    if outer.kind == .array { return outer.elements.append(value) }
    guard let key = outer.key.take() else { return stop("a name or its value is missing") }
    if outer.members.updateValue(value, forKey: key) != nil { stop("a name is in it twice") }
  }

  private static func isSpace(_ byte: UInt8) -> Bool {
    byte == 0x20 || byte == 0x09 || byte == 0x0A || byte == 0x0D
  }

  /// The value of the text; nil where it is not what its element says.
  private func value(_ scalar: Scalar) -> PropertyList? {
    var word = text[...]
    while let first = word.first, Self.isSpace(first) { word.removeFirst() }
    while let last = word.last, Self.isSpace(last) { word.removeLast() }
    switch scalar {
    case .key: return nil
    case .string: return .string(String(decoding: text, as: UTF8.self))
    case .yes: return word.isEmpty ? .boolean(true) : nil
    case .no: return word.isEmpty ? .boolean(false) : nil
    case .integer: return Self.integer(word)
    case .real: return word.isEmpty ? nil : .other
    case .date:
      let date = Array(word)
      return PropertyListDate.isDate(date) ? .date(String(decoding: date, as: UTF8.self)) : nil
    case .data: return Self.data(text)
    }
  }

  /// Decimal, or hexadecimal after `0x`; out of range it is a number nobody asks for.
  private static func integer(_ word: ArraySlice<UInt8>) -> PropertyList? {
    let isNegative = word.first == UInt8(ascii: "-")
    var digits = isNegative || word.first == UInt8(ascii: "+") ? word.dropFirst() : word
    let isHex = digits.starts(with: "0x".utf8) || digits.starts(with: "0X".utf8)
    if isHex { digits = digits.dropFirst(2) }
    let radix = isHex ? 16 : 10
    guard !digits.isEmpty,
      digits.allSatisfy({
        switch $0 {
        case 0x30...0x39: true
        case 0x41...0x46, 0x61...0x66: isHex
        default: false
        }
      })
    else { return nil }
    let text = (isNegative ? "-" : "") + String(decoding: digits, as: UTF8.self)
    return Int(text, radix: radix).map { .integer($0) } ?? .other
  }

  /// Base64, with white space anywhere in it.
  private static func data(_ text: [UInt8]) -> PropertyList? {
    Base64.decoded(text.filter { !isSpace($0) }).map { .data($0) }
  }
}
