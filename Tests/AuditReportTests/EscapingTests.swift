import AuditCore
import TestSupport
import Testing

@testable import AuditReport

@Suite struct EscapingTests {
  private func bytes(_ body: (ByteWriter) -> Void) throws -> String {
    var bytes: [UInt8] = []
    let writer = ByteWriter { bytes += $0 }
    body(writer)
    try writer.flush()
    return text(bytes)
  }

  @Test(arguments: [
    ("plain name.db", #""plain name.db""#),
    ("a\"b\\c", #""a\"b\\c""#),
    ("12345678\"", #""12345678\"""#),
    ("\u{0}\u{8}\t\n\u{C}\r\u{1B}[31m", #""\u0000\b\t\n\f\r\u001b[31m""#),
    ("\u{7F}\u{9B}\u{2028}\u{2029}", #""\u007f\u009b\u2028\u2029""#),
    ("\u{202E}gnp.exe\u{2066}\u{61C}\u{FEFF}", #""\u202egnp.exe\u2066\u061c\ufeff""#),
    ("\u{E0041}", #""\udb40\udc41""#),
    ("cafe\u{301} café 日本 👩", "\"cafe\u{301} café 日本 👩\""),
  ])
  func json(name: String, expected: String) throws {
    #expect(
      try bytes { $0.appendJSON(Array(name.utf8)) }.unicodeScalars.elementsEqual(
        expected.unicodeScalars))
  }

  @Test(
    arguments: [
      ([0xFF], 1), ([0xC0, 0x80], 2), ([0xE2, 0x82], 1), ([0xED, 0xA0, 0x80], 3),
      ([0xF0, 0x9F, 0x98], 1), ([0xF0, 0x80, 0x80, 0x80], 4), ([0xF4, 0x90, 0x80, 0x80], 4),
      ([0xC3, 0x41], 1), ([0x80, 0x80, 0x80, 0x80, 0x80], 5), ([0xE2, 0xE2, 0x82, 0xAC], 1),
    ] as [([UInt8], Int)])
  func invalidSequences(name: [UInt8], replacements: Int) throws {
    // The standard library replaces by maximal subparts too: an oracle of somebody else's.
    let expected = "\"" + String(decoding: name, as: UTF8.self) + "\""
    var isValid = true
    #expect(try bytes { isValid = $0.appendJSON(name) } == expected)
    #expect(!isValid)
    #expect(expected.unicodeScalars.count { $0 == "\u{FFFD}" } == replacements)
  }

  @Test func randomBytesAgreeWithTheStandardLibrary() throws {
    var generator = SeededGenerator.announced()
    for _ in 0..<2000 {
      // Bytes that make sequences likely, and none that JSON escapes.
      let alphabet: [UInt8] = [0x41, 0xA0, 0xB1, 0xBF, 0xC3, 0xE3, 0xED, 0xF1, 0xF4, 0x8F, 0xFF]
      let name = (0..<Int.random(in: 0..<40, using: &generator)).map { _ in
        alphabet.randomElement(using: &generator) ?? 0x41
      }
      #expect(
        try bytes { $0.appendJSON(name) } == "\"\(String(decoding: name, as: UTF8.self))\"",
        "\(name)")
    }
  }

  @Test(
    arguments: [
      ([0x61], "YQ=="), ([0x61, 0x62], "YWI="), ([0x61, 0x62, 0x63], "YWJj"),
      ([0xFF, 0xFE, 0xFD, 0xFC], "//79/A=="), ([], ""),
    ] as [([UInt8], String)])
  func base64(input: [UInt8], expected: String) throws {
    #expect(try bytes { $0.appendBase64(input) } == expected)
  }

  @Test func namesAreShownAsEverywhereElse() throws {
    var generator = SeededGenerator.announced()
    let pieces: [[UInt8]] = [
      [0x61], [0x5C], [0x0A], [0x1B], [0x07], [0x7F], [0xFF], [0xC3], [0xE2, 0x80, 0xAE],
      [0xE2, 0x80], [0xF3, 0xA0, 0x81, 0x81], [0xEF, 0xB8, 0x8F], [0xC2, 0x9B], [0xC3, 0xA9],
    ]
    for _ in 0..<500 {
      let name = (0..<8).flatMap { _ in pieces.randomElement(using: &generator) ?? [] }
      #expect(try bytes { $0.appendVisible(name) } == Shown.text(name), "\(name)")
    }
    #expect(try bytes { $0.appendVisible([0x1B, 0xFF]) } == #"\e\xFF"#)
  }

  @Test func markupIsHarmless() throws {
    let name = Array("<b>&\"'\u{1B}".utf8)
    #expect(
      try bytes { $0.appendVisible(name, in: .markup) } == #"&lt;b&gt;&amp;&quot;&#39;\e"#)
    #expect(try bytes { $0.appendMarkup("a\\<\n\u{1}") } == "a\\&lt;&#10;\u{FFFD}")
  }

  @Test(arguments: [0, 7, -1, 10, 99, 100, 1_234_567_890, Int.max, Int.min])
  func numbers(number: Int) throws {
    #expect(try bytes { $0.append(number) } == String(number))
  }
}
