import Foundation
import Testing

@testable import AuditCore

struct JSON5Tests {
  private func string(_ text: String) -> String? {
    guard let node = try? JSON5.read(Array(text.utf8)), case .string(let bytes) = node.value else {
      return nil
    }
    return String(decoding: bytes, as: UTF8.self)
  }

  private func number(_ text: String) -> Double? {
    guard let node = try? JSON5.read(Array(text.utf8)), case .number(let value) = node.value else {
      return nil
    }
    return value
  }

  @Test(arguments: [
    (#""a""#, "a"), ("'a\"b'", "a\"b"), (#"'\x41\u0042\0\n\'\z'"#, "AB\0\n'z"),
    (#""\uD83D\uDE00""#, "\u{1F600}"), ("'a\\\nb'", "ab"), ("'a\\\r\nb'", "ab"),
    ("'\\é'", "é"), ("'a\u{2028}b'", "a\u{2028}b"), ("'a\\\u{2029}b'", "ab"), ("/* */'a'// b", "a"),
    ("\u{FEFF}\u{A0}\u{2003}'a'", "a"),
  ])
  func strings(text: String, value: String) {
    #expect(string(text) == value)
  }

  @Test(arguments: [
    ("0", 0), ("-1.5e3", -1500), (".5", 0.5), ("5.", 5), ("+1", 1), ("0x1F", 31), ("-0xa", -10),
    ("1E-2", 0.01), ("Infinity", .infinity), ("-Infinity", -.infinity), ("5.e1", 50),
  ])
  func numbers(text: String, value: Double) {
    #expect(number(text) == value)
  }

  @Test func objectsKeepOrderAndPlaces() throws {
    let node = try JSON5.read(Array("{a: 1, 'b c': [true, null,], $d_1\\u0061: {},}".utf8))
    guard case .object(let members) = node.value else {
      Issue.record("no object")
      return
    }
    #expect(members.map(\.name) == ["a", "b c", "$d_1a"])
    #expect(members.map(\.offset) == [1, 7, 29])
    guard case .array(let elements) = members[1].node.value else {
      Issue.record("no array")
      return
    }
    #expect(elements.count == 2)
  }

  @Test(arguments: [
    ("", 1, 1, "the file is empty"), ("// x", 1, 5, "the file is empty"),
    ("{\n  a: 1\n  b: 2\n}", 3, 3, "expected , or }, not b"),
    ("{\n  a 1}", 2, 5, "expected : after a, not 1"), ("{a: }", 1, 5, "unexpected }"),
    ("\n\n[1, 2", 3, 1, "this [ is never closed"), ("{a: 'x}", 1, 5, "this string is never"),
    ("{a: 'x\n'}", 1, 5, "does not end on its line"), ("/* a", 1, 1, "comment is never closed"),
    ("{a: 1, a: 2}", 1, 8, "a is given twice"), ("{a: yes}", 1, 5, "yes is no value"),
    ("{} {}", 1, 4, "unexpected { after the end"), ("[1,,2]", 1, 4, "unexpected ,"),
    ("01", 1, 1, "01 is no number"), ("1e", 1, 1, "1e is no number"), ("0x", 1, 1, "no number"),
    (".", 1, 1, "no number"), ("'\\01'", 1, 2, "octal"), ("'\\ud800'", 1, 2, "half of a surrogate"),
    ("'\\ud800\\u0041'", 1, 2, "half of a"), ("'\\xg0'", 1, 4, "expected 2 hexadecimal digits"),
    ("{é: 1, ü 2}", 1, 10, "expected :"), ("\r\n\r[x]", 3, 2, "x is no value"),
    ("{1a: 2}", 1, 2, "the name of a member"), ("/", 1, 1, "unexpected /"),
  ])
  func errorsSayWhere(text: String, line: Int, column: Int, message: String) {
    do {
      _ = try JSON5.read(Array(text.utf8))
      Issue.record("\(text) was accepted")
    } catch {
      let found = ConfigurationError(file: "p", error, in: Array(text.utf8))
      #expect(found.line == line && found.column == column, "\(found)")
      #expect(found.message.contains(message), "\(found)")
    }
  }

  @Test func depthIsLimitedAndBytesAreChecked() {
    #expect(throws: JSON5.Failure.self) {
      try JSON5.read([UInt8](repeating: UInt8(ascii: "["), count: 100_000))
    }
    let text = Array("{a: '".utf8) + [0xC3, 0x28] + Array("'}".utf8)
    #expect(throws: JSON5.Failure(offset: 5, message: "the file is not UTF-8 here")) {
      try JSON5.read(text)
    }
  }

  /// Whatever is thrown at it, it ends; and what it accepts, Foundation accepts too.
  @Test func agreesWithFoundationOnMutations() {
    let seed = Array(
      #"{version: 1, "a": ['x', .5, 0x1f, -2e3, true, null,], /* c */ b: {c: "\u00e9",}} // e"#
        .utf8)
    let spice = Array("{}[]:,'\"\\/*.+-0e1x\n \u{E9}".utf8)
    var state: UInt64 = 42
    func random(_ bound: Int) -> Int {
      state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
      return Int(state >> 33) % bound
    }
    let decoder = JSONDecoder()
    decoder.allowsJSON5 = true
    var accepted = 0
    for _ in 0..<4000 {
      var text = seed
      for _ in 0...random(3) {
        let place = random(text.count)
        switch random(3) {
        case 0: text.remove(at: place)
        case 1: text.insert(spice[random(spice.count)], at: place)
        default: text[place] = spice[random(spice.count)]
        }
      }
      let ours = (try? JSON5.read(text)) != nil
      let theirs = (try? decoder.decode(Anything.self, from: Data(text))) != nil
      if ours { accepted += 1 }
      // The other way round there are differences: Foundation is laxer with numbers and escapes.
      if ours && !theirs { Issue.record("only ours: \(String(decoding: text, as: UTF8.self))") }
    }
    #expect(accepted > 300)
  }

  /// Lines are looked up for every entry and counted for every error: both must say the same.
  @Test(arguments: ["", "a", "a\nb\n", "a\r\nb\rc\n\rd", "\n\n\n", "\r", "\r\n"])
  func linesAreThoseOfPositions(_ text: String) {
    let bytes = Array(text.utf8)
    let lines = JSON5.Lines(bytes)
    for offset in 0...bytes.count {
      #expect(lines.line(of: offset) == JSON5.position(of: offset, in: bytes).line)
    }
  }
}

/// Any JSON value.
private struct Anything: Decodable {
  struct Name: CodingKey {
    var stringValue: String
    var intValue: Int? { nil }
    init(stringValue: String) { self.stringValue = stringValue }
    init?(intValue: Int) { nil }
  }

  init(from decoder: any Decoder) throws {
    if let object = try? decoder.container(keyedBy: Name.self) {
      for key in object.allKeys { _ = try object.decode(Anything.self, forKey: key) }
    } else if var array = try? decoder.unkeyedContainer() {
      while !array.isAtEnd { _ = try array.decode(Anything.self) }
    }
  }
}
