/// What is wrong with a tree specification, and where.
package struct TreeSpecError: Error, CustomStringConvertible {
  package let description: String
}

extension TreeSpec {
  /// Reads a specification.
  package init(parsing text: [UInt8]) throws {
    self.init()
    let lines = text.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false)
    for (index, line) in lines.enumerated() {
      do {
        try read(Self.tokens(line))
      } catch {
        throw TreeSpecError(description: "line \(index + 1): \(error)")
      }
    }
  }

  /// The words of a line, still escaped. A backslash takes the byte after it along.
  private static func tokens(_ line: ArraySlice<UInt8>) -> [[UInt8]] {
    var words: [[UInt8]] = []
    var word: [UInt8] = []
    var escaped = false
    for byte in line {
      if !escaped, byte == UInt8(ascii: " ") || byte == UInt8(ascii: "\t") {
        if !word.isEmpty { words.append(word) }
        word = []
        continue
      }
      escaped = !escaped && byte == UInt8(ascii: "\\")
      word.append(byte)
    }
    if !word.isEmpty { words.append(word) }
    return words
  }

  private mutating func read(_ words: [[UInt8]]) throws {
    guard let first = words.first, first[0] != UInt8(ascii: "#") else { return }
    let rest = Array(words.dropFirst())
    if first == Array("%".utf8) { return try readDirective(rest) }
    guard first.count == 1, let kind = Entry.Kind(rawValue: first[0]), !rest.isEmpty else {
      throw TreeSpecError(description: "a kind (d f l p h) and a path expected")
    }
    var entry = Entry(kind, try Self.path(rest[0]))
    var words = rest.dropFirst()
    while let word = words.popFirst() { try Self.read(word, &words, into: &entry) }
    if kind == .file { entry.size = max(entry.size, entry.content.count) }
    entries.append(entry)
  }

  private mutating func readDirective(_ words: [[UInt8]]) throws {
    let name = words.first.map(Self.text) ?? ""
    let rest = Array(words.dropFirst())
    switch (name, rest.count) {
    case ("input", 1): input = try Self.path(rest[0])
    case ("options", 1...): options = rest.map(Self.text)
    case ("status", 1): status = Int32(Self.text(rest[0]))
    case ("no-archive", _): archive = false
    case ("as-user", 0): asUser = true
    case ("error", 1): errors.append(try Self.path(rest[0]))
    case ("container", 2...3):
      containers.append(
        Container(
          path: try Self.path(rest[0]), kind: Self.text(rest[1]),
          identifier: rest.count > 2 ? Self.text(rest[2]) : nil))
    default: throw TreeSpecError(description: "unknown directive \(name)")
    }
  }

  private static func read(
    _ word: [UInt8], _ rest: inout ArraySlice<[UInt8]>, into entry: inout Entry
  ) throws {
    let written = text(word)
    if written == "->", let target = rest.popFirst() {
      entry.target = try unescape(target[...])
    } else if word.first == UInt8(ascii: "["), word.last == UInt8(ascii: "]") {
      entry.attributes.append(Attribute(markName, try mark(word.dropFirst().dropLast())))
    } else if word.first == UInt8(ascii: "{"), word.last == UInt8(ascii: "}") {
      let parts = word.dropFirst().dropLast().split(
        separator: UInt8(ascii: "="), maxSplits: 1, omittingEmptySubsequences: false)
      guard parts.count == 2 else { throw TreeSpecError(description: "{name=value} expected") }
      entry.attributes.append(Attribute(try unescape(parts[0]), try unescape(parts[1])))
    } else if written.hasPrefix("!") {
      entry.findings.append(String(written.dropFirst()))
    } else if let size = number(written, after: "size=", radix: 10) {
      entry.size = size
    } else if let mode = number(written, after: "mode=", radix: 8) {
      entry.mode = UInt32(mode)
    } else if written.hasPrefix("text=") {
      entry.content = try unescape(word.dropFirst(5))
    } else if written.hasPrefix("container=") {
      let parts = written.dropFirst(10).split(separator: ":", maxSplits: 1)
      guard parts.count == 2 else { throw TreeSpecError(description: "CLASS:ID expected") }
      entry.content = metadata(
        contentClass: String(parts[0]), identifier: String(parts[1]))
    } else if verdicts.contains(written), entry.verdict == nil {
      entry.verdict = written
    } else {
      throw TreeSpecError(description: "what is \(written)?")
    }
  }

  static let verdicts = [
    "covered-by-ancestor", "self-marked", "marked-and-covered", "exposed", "outside-backup",
    "unknown",
  ]

  /// The property list that makes a directory a container; a class in quotes is a string.
  package static func metadata(
    contentClass: String, identifier: String
  ) -> [UInt8] {
    let quoted = contentClass.hasPrefix("\"")
    let digits = contentClass.filter { $0 != "\"" }
    let value = quoted ? "<string>\(digits)</string>" : "<integer>\(digits)</integer>"
    return Array(
      """
      <?xml version="1.0" encoding="UTF-8"?>
      <plist version="1.0"><dict>
      <key>MCMMetadataIdentifier</key><string>\(identifier)</string>
      <key>MCMMetadataContentClass</key>\(value)
      </dict></plist>

      """.utf8)
  }

  private static func number(_ word: String, after prefix: String, radix: Int) -> Int? {
    word.hasPrefix(prefix) ? Int(word.dropFirst(prefix.count), radix: radix) : nil
  }

  private static func mark(_ form: ArraySlice<UInt8>) throws -> [UInt8] {
    switch text(Array(form)) {
    case "backupd-plist": return backupdPlist
    case "mobile-backup": return Array("com.apple.MobileBackup".utf8)
    case "empty": return []
    case let other where other.hasPrefix("text:"): return try unescape(form.dropFirst(5))
    case let other where other.hasPrefix("hex:"):
      return try unescape(ArraySlice(pairs(other.dropFirst(4)).flatMap { "\\x\($0)".utf8 }))
    case let other: throw TreeSpecError(description: "no such mark: \(other)")
    }
  }

  private static func pairs(_ digits: Substring) -> [String] {
    stride(from: 0, to: digits.count, by: 2).map { String(digits.dropFirst($0).prefix(2)) }
  }

  private static func path(_ word: [UInt8]) throws -> [UInt8] {
    let components = try unescape(word[...]).components.filter { $0 != [UInt8(ascii: ".")] }
    return Array(components.joined(separator: [UInt8(ascii: "/")]))
  }

  private static func text(_ word: [UInt8]) -> String { String(decoding: word, as: UTF8.self) }

  private static func unescape(_ word: ArraySlice<UInt8>) throws -> [UInt8] {
    var rest = word
    return try unescape(&rest, inside: false)
  }

  /// Resolves escapes (`\xHH`, `\n`, `\t`, `\` before anything else) and repeats (`<3*ab>`),
  /// up to the end of the word or of the repeat that this is inside of.
  private static func unescape(_ rest: inout ArraySlice<UInt8>, inside: Bool) throws -> [UInt8] {
    var out: [UInt8] = []
    while let byte = rest.popFirst() {
      switch byte {
      case UInt8(ascii: "\\"): out.append(try escaped(&rest))
      case UInt8(ascii: "<"): out += try repeated(&rest)
      case UInt8(ascii: ">") where inside: return out
      default: out.append(byte)
      }
    }
    if inside { throw TreeSpecError(description: "< without >") }
    return out
  }

  private static func escaped(_ rest: inout ArraySlice<UInt8>) throws -> UInt8 {
    switch rest.popFirst() {
    case UInt8(ascii: "n"): return UInt8(ascii: "\n")
    case UInt8(ascii: "t"): return UInt8(ascii: "\t")
    case UInt8(ascii: "x"):
      guard rest.count >= 2, let value = UInt8(text(Array(rest.prefix(2))), radix: 16) else {
        throw TreeSpecError(description: "two hexadecimal digits expected")
      }
      rest = rest.dropFirst(2)
      return value
    case let other?: return other
    case nil: throw TreeSpecError(description: "nothing after the backslash")
    }
  }

  private static func repeated(_ rest: inout ArraySlice<UInt8>) throws -> [UInt8] {
    guard let star = rest.firstIndex(of: UInt8(ascii: "*")),
      let count = Int(text(Array(rest[..<star])))
    else { throw TreeSpecError(description: "<N*text> expected") }
    rest = rest[(star + 1)...]
    let part = try unescape(&rest, inside: true)
    return Array(repeatElement(part, count: count).joined())
  }
}
