import Testing

@testable import AuditCore

/// What is put into a sentence cannot act; what is safe already stays as it is.
@Suite struct SafeTextTests {
  private static let hostile = "\u{1B}[2J\r\nerror forged\u{9B}\u{202E}\u{2028}\u{FEFF}"

  @Test func everythingPutInIsMadeVisible() {
    let shown = #"\e[2J\r\nerror forged\u{009B}\u{202E}\u{2028}\u{FEFF}"#
    let bytes = Array(Self.hostile.utf8)
    let texts: [SafeText] = [
      "<\(bytes)>", "<\(bytes[...])>", "<\(Self.hostile)>", "<\(Self.hostile.dropFirst(0))>",
      bytes.withUnsafeBufferPointer { "<\($0)>" },
    ]
    for text in texts { #expect(text.string == "<" + shown + ">") }
  }

  @Test func invalidBytesBecomeVisible() {
    let text: SafeText = "\([UInt8]([0x61, 0xFF, 0x9B])) and \(3)"
    #expect(text.string == #"a\xFF\x9B and 3"#)
  }

  @Test func nothingIsEscapedTwice() {
    let name: SafeText = "\(Array("a\\\n".utf8))"
    #expect(name.string == #"a\\\n"#)
    let sentence: SafeText = "\(name)"
    #expect(sentence == name)
    let again: SafeText = "\(sentence.string)"
    #expect(again == name)
  }

  @Test func whatTheSourceSaysPasses() {
    let text: SafeText = "one\n" + "“two” \("three")"
    #expect(text.string == "one\n“two” three")
  }
}
