extension JSON5 {
  /// Reads one document from front to back.
  struct Reader {
    let text: [UInt8]
    var index = 0
    /// Policies are flat; a deep one is a mistake or an attack on the stack.
    private static let depthLimit = 64

    init(text: [UInt8]) { self.text = text }

    // MARK: Structure

    mutating func document() throws(Failure) -> Node {
      try requireUTF8()
      try skipSpace()
      guard index < text.count else { throw fail("the file is empty") }
      let node = try value(depth: 0)
      try skipSpace()
      guard index == text.count else { throw fail("unexpected \(seen()) after the end") }
      return node
    }

    mutating func value(depth: Int) throws(Failure) -> Node {
      let start = index
      guard let byte = peek() else { throw fail("the file ends where a value is expected") }
      guard depth < Self.depthLimit else { throw fail("nested too deeply") }
      switch byte {
      case UInt8(ascii: "{"):
        return Node(offset: start, value: .object(try members(depth: depth + 1)))
      case UInt8(ascii: "["):
        return Node(offset: start, value: .array(try elements(depth: depth + 1)))
      case UInt8(ascii: "\""), UInt8(ascii: "'"):
        return Node(offset: start, value: .string(try string()))
      case 0x30...0x39, UInt8(ascii: "+"), UInt8(ascii: "-"), UInt8(ascii: "."):
        return Node(offset: start, value: .number(try number()))
      default:
        guard isWord(byte) else { throw fail("unexpected \(seen()) where a value is expected") }
        let word = try name()
        switch word {
        case "null": return Node(offset: start, value: .null)
        case "true": return Node(offset: start, value: .bool(true))
        case "false": return Node(offset: start, value: .bool(false))
        case "Infinity": return Node(offset: start, value: .number(.infinity))
        case "NaN": return Node(offset: start, value: .number(.nan))
        default:
          throw Failure(offset: start, message: "\(word) is no value; strings need quotes")
        }
      }
    }

    private mutating func members(depth: Int) throws(Failure) -> [Member] {
      let opening = index
      var members: [Member] = []
      var names: Set<String> = []
      index += 1
      while true {
        try skipSpace()
        guard let byte = peek() else { throw unclosed("{", at: opening) }
        if byte == UInt8(ascii: "}") { break }
        let start = index
        let key: String
        if byte == UInt8(ascii: "\"") || byte == UInt8(ascii: "'") {
          key = String(decoding: try string(), as: UTF8.self)
        } else if isWord(byte) {
          key = try name()
        } else {
          throw fail("unexpected \(seen()) where the name of a member is expected")
        }
        guard names.insert(key).inserted else {
          throw Failure(offset: start, message: "\(Shown.text(key.utf8)) is given twice")
        }
        try skipSpace()
        guard peek() == UInt8(ascii: ":") else {
          throw fail("expected : after \(Shown.text(key.utf8)), not \(seen())")
        }
        index += 1
        try skipSpace()
        members.append(Member(name: key, offset: start, node: try value(depth: depth)))
        if try !separator(closing: "}", opened: "{", at: opening) { break }
      }
      index += 1
      return members
    }

    private mutating func elements(depth: Int) throws(Failure) -> [Node] {
      let opening = index
      var nodes: [Node] = []
      index += 1
      while true {
        try skipSpace()
        guard let byte = peek() else { throw unclosed("[", at: opening) }
        if byte == UInt8(ascii: "]") { break }
        nodes.append(try value(depth: depth))
        if try !separator(closing: "]", opened: "[", at: opening) { break }
      }
      index += 1
      return nodes
    }

    /// Whether a comma follows; false where the closing bracket does.
    private mutating func separator(
      closing: Unicode.Scalar, opened: String, at opening: Int
    ) throws(Failure) -> Bool {
      try skipSpace()
      guard let byte = peek() else { throw unclosed(opened, at: opening) }
      if byte == UInt8(ascii: closing) { return false }
      guard byte == UInt8(ascii: ",") else {
        throw fail("expected , or \(closing), not \(seen())")
      }
      index += 1
      return true
    }

    private func unclosed(_ bracket: String, at offset: Int) -> Failure {
      Failure(offset: offset, message: "this \(bracket) is never closed")
    }

    // MARK: Space and comments

    mutating func skipSpace() throws(Failure) {
      while let byte = peek() {
        if byte == UInt8(ascii: "/") {
          try skipComment()
        } else if let length = spaceLength() {
          index += length
        } else {
          return
        }
      }
    }

    private mutating func skipComment() throws(Failure) {
      let start = index
      switch peek(1) {
      case UInt8(ascii: "/"):
        while index < text.count, lineEndLength() == nil { index += 1 }
      case UInt8(ascii: "*"):
        index += 2
        while index + 1 < text.count {
          if text[index] == UInt8(ascii: "*") && text[index + 1] == UInt8(ascii: "/") {
            index += 2
            return
          }
          index += 1
        }
        throw Failure(offset: start, message: "this comment is never closed")
      default:
        throw fail("unexpected /")
      }
    }

    private func spaceLength() -> Int? {
      if let length = lineEndLength() { return length }
      switch text[index] {
      case 0x09, 0x0B, 0x0C, 0x20: return 1
      case 0..<0x80: return nil
      default:
        let (scalar, length) = scalar(at: index)
        if scalar.value == 0xFEFF { return length }
        return scalar.properties.generalCategory == .spaceSeparator ? length : nil
      }
    }

    /// The length of a line end at the current place: LF, CR, U+2028, U+2029.
    func lineEndLength() -> Int? {
      switch text[index] {
      case 0x0A, 0x0D: return 1
      case 0xE2:
        guard index + 2 < text.count, text[index + 1] == 0x80 else { return nil }
        return text[index + 2] == 0xA8 || text[index + 2] == 0xA9 ? 3 : nil
      default: return nil
      }
    }

    // MARK: Small things

    func peek(_ ahead: Int = 0) -> UInt8? {
      index + ahead < text.count ? text[index + ahead] : nil
    }

    func fail(_ message: String) -> Failure { Failure(offset: index, message: message) }

    /// The character at the current place, for messages.
    func seen() -> String {
      guard index < text.count else { return "the end of the file" }
      let (_, length) = scalar(at: index)
      return Shown.text(text[index..<(index + length)])
    }

    /// The scalar at an offset and its length; the text is known to be valid.
    func scalar(at offset: Int) -> (Unicode.Scalar, Int) {
      var parser = UTF8.ForwardParser()
      var bytes = text[offset...].makeIterator()
      guard case .valid(let encoded) = parser.parseScalar(from: &bytes) else {
        return (Unicode.Scalar(UInt8(0)), 1)
      }
      return (UTF8.decode(encoded), encoded.count)
    }

    private func requireUTF8() throws(Failure) {
      var parser = UTF8.ForwardParser()
      var bytes = text.makeIterator()
      var offset = 0
      while true {
        switch parser.parseScalar(from: &bytes) {
        case .valid(let encoded): offset += encoded.count
        case .emptyInput: return
        case .error: throw Failure(offset: offset, message: "the file is not UTF-8 here")
        }
      }
    }
  }
}
