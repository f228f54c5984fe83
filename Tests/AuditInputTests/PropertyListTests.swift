import Foundation
import TestSupport
import Testing

@testable import AuditInput

private func list(_ text: String) -> PropertyList? { try? PropertyList(Array(text.utf8)) }

private func xml(_ text: String) -> PropertyList? { list("<plist version=\"1.0\">\(text)</plist>") }

@Suite struct PropertyListTests {
  @Test func whatXMLHolds() {
    let head = """
      <?xml version="1.0" encoding="UTF-8"?>
      <!DOCTYPE plist PUBLIC "-//Apple//DTD PLIST 1.0//EN" \
      "http://www.apple.com/DTDs/PropertyList-1.0.dtd">
      """
    #expect(
      list(
        head + """
          <plist version="1.0"><dict>
            <key>a &amp; b</key><string> é&#x1F600;<![CDATA[<x>]]> </string>
            <key>numbers</key><array><integer>-7</integer><integer>0x1F</integer>
            <integer> 9223372036854775807 </integer><integer>9223372036854775808</integer>
            <real>1e400</real></array>
            <key>flags</key><array><true/><false></false></array>
            <key>data</key><data> aG Vs\nbG8= </data>
            <key>date</key><date>2026-01-31T23:59:59Z</date>
            <key>nothing</key><array/>
          </dict></plist>
          """)
        == .dictionary([
          "a & b": .string(" é😀<x> "),
          "numbers": .array([.integer(-7), .integer(31), .integer(.max), .other, .other]),
          "flags": .array([.boolean(true), .boolean(false)]),
          "data": .data(Array("hello".utf8)),
          "date": .date("2026-01-31T23:59:59Z"), "nothing": .array([]),
        ]))
    #expect(list("<dict/>") == .dictionary([:]))
  }

  @Test(arguments: [
    "", " ", "{ a = b; }", "( 1 )", "<plist/>", "<plist><dict></plist>", "<dict/><dict/>",
    "<plist><dict/><dict/></plist>", "<plist><dict><key>a</key></dict></plist>",
    "<plist><dict><string>a</string></dict></plist>", "<plist><key>a</key></plist>",
    "<plist><dict><key>a</key><true/><key>a</key><false/></dict></plist>",
    "<plist><dict><key>a</key><key>b</key></dict></plist>", "<plist><html/></plist>",
    "<plist><string>a<true/></string></plist>", "<plist>text<dict/></plist>",
    "<plist><integer>1x</integer></plist>", "<plist><integer/></plist>",
    "<plist><integer>-</integer></plist>", "<plist><data>a</data></plist>",
    "<plist><data>====</data></plist>", "<plist><data>YQ=Y</data></plist>",
    "<plist><date>2026-01-31</date></plist>", "<plist><true>no</true></plist>",
    "<!DOCTYPE plist [<!ENTITY a \"b\">]><plist><string>&a;</string></plist>",
    "<!DOCTYPE plist SYSTEM \"x\"><plist><string>&a;</string></plist>",
    "<!DOCTYPE plist [<!ENTITY a SYSTEM \"file:///etc/passwd\">]><plist><string/></plist>",
    "<?xml version=\"1.0\" encoding=\"klingon\"?><dict/>", "<plist><string>\u{1}</string></plist>",
  ])
  func whatIsNoList(text: String) { #expect(list(text) == nil, "\(text)") }

  @Test func nothingLiesTooDeep() {
    func nested(_ depth: Int) -> PropertyList? {
      list(
        String(repeating: "<array>", count: depth) + String(repeating: "</array>", count: depth))
    }
    #expect(nested(PropertyList.depthLimit) != nil)
    #expect(nested(PropertyList.depthLimit + 1) == nil)
    var binary = BinaryPlist.integer(1)
    for _ in 1..<PropertyList.depthLimit { binary = .array([binary]) }
    #expect((try? PropertyList(binary.bytes)) != nil)
    #expect((try? PropertyList(BinaryPlist.array([binary]).bytes)) == nil)
  }

  /// Objects, each one's bytes; references and offsets have a byte.
  private func binary(_ objects: [[UInt8]]) -> PropertyList? {
    var bytes = Array("bplist00".utf8)
    var offsets: [UInt8] = []
    for object in objects {
      offsets.append(UInt8(bytes.count))
      bytes += object
    }
    let table = UInt8(bytes.count)
    func eight(_ number: UInt8) -> [UInt8] { [0, 0, 0, 0, 0, 0, 0, number] }
    bytes += offsets + [0, 0, 0, 0, 0, 0, 1, 1]
    bytes += eight(UInt8(objects.count)) + eight(0) + eight(table)
    return try? PropertyList(bytes)
  }

  @Test func whatABinaryListMayClaim() {
    func date(_ seconds: Double) -> PropertyList? {
      let bytes = (0..<8).map { UInt8(truncatingIfNeeded: seconds.bitPattern >> (56 - 8 * $0)) }
      return binary([[0x33] + bytes])
    }
    #expect(date(0) == .date("2001-01-01T00:00:00Z"))
    #expect(date(-0.5) == .date("2000-12-31T23:59:59Z"))
    #expect(date(791_596_799) == .date("2026-01-31T23:59:59Z"))
    #expect(date(-63_113_904_000) == .date("0001-01-01T00:00:00Z"))
    #expect(date(252_423_993_599) == .date("9999-12-31T23:59:59Z"))
    for odd in [Double.nan, .infinity, -.infinity, 1e300, -1e300, 252_423_993_600] {
      #expect(date(odd) == .other)
    }
    #expect(binary([[0x14] + Array(repeating: 0xFF, count: 16)]) == .other)
    let huge: [UInt8] = [0x13, 0x7F] + Array(repeating: 0xFF, count: 7)
    let negative: [UInt8] = [0x13] + Array(repeating: 0xFF, count: 8)
    for kind: UInt8 in [0x4F, 0x5F, 0x6F, 0xAF, 0xDF] {
      for count in [huge, negative] { #expect(binary([[kind] + count]) == nil) }
    }
    #expect(binary([[0xA1, 0]]) == nil, "an array in itself")
    #expect(binary([[0xA1, 9]]) == nil, "a reference to nothing")
    #expect(binary([[0xD1, 1, 1], [0x08]]) == nil, "a name that is no text")
    #expect(binary([[0x22, 0, 0]]) == nil, "a number that is cut off")
    // Sixteen times sixteen times …: small to say, and far too much to read.
    let bomb = (1..<16).map { [0xAE] + Array(repeating: UInt8($0), count: 14) }
    #expect(binary(bomb + [[0x08]]) == nil)
  }

  @Test func mutationsNeverEndTheProcessAndAreBounded() throws {
    var random = Xorshift(state: 20_261)
    let content: [String: Any] = [
      "MCMMetadataIdentifier": "io.example.app", "MCMMetadataContentClass": 2,
      "MCMMetadataInfo": [
        "a": [1, -2, 3.5, ["b": Data([1, 2, 3])], true], "é😀": Date(timeIntervalSince1970: 1e9),
        "long": String(repeating: "x", count: 300),
      ],
    ]
    var read = 0
    let start = ContinuousClock.now
    for format in [PropertyListSerialization.PropertyListFormat.binary, .xml] {
      let seed = Array(
        try PropertyListSerialization.data(fromPropertyList: content, format: format, options: 0))
      #expect((try? PropertyList(seed)) != nil)
      for length in seed.indices.dropLast(1) {
        let isWhole = (try? PropertyList(Array(seed[..<length]))) != nil
        // A line break may be missing at the end of XML, and nothing else.
        #expect(!isWhole || length > seed.count - 2, "\(length) of \(seed.count)")
      }
      for _ in 0..<4000 where (try? PropertyList(random.mutate(seed))) != nil { read += 1 }
    }
    #expect(read > 0)
    #expect(start.duration(to: .now) < .seconds(120))
  }

  /// What Python's `plistlib` writes is read as what it was.
  @Test(.enabled(if: FileManager.default.isExecutableFile(atPath: "/usr/bin/python3")))
  func whatPlistlibWrites() throws {
    let script = """
      import plistlib, sys, datetime
      value = {'text': 'a<&>\\u00e9\\U0001f600', 'ascii': 'x' * 40, 'numbers': [0, 1, 255, 256, 65536,
          2**31, 2**32, 2**63 - 1, -1, -2**63, 2**64 - 1], 'real': 0.5, 'flags': [True, False],
          'data': bytes(range(256)), 'date': datetime.datetime(2024, 2, 29, 12, 34, 56),
          'many': list(range(300)), 'empty': {}, 'list': []}
      form = plistlib.FMT_BINARY if sys.argv[1] == 'binary' else plistlib.FMT_XML
      sys.stdout.buffer.write(plistlib.dumps(value, fmt=form))
      """
    let expected = PropertyList.dictionary([
      "text": .string("a<&>é😀"), "ascii": .string(String(repeating: "x", count: 40)),
      "numbers": .array(
        [0, 1, 255, 256, 65536, 1 << 31, 1 << 32, .max, -1, .min].map { .integer($0) } + [.other]),
      "real": .other, "flags": .array([.boolean(true), .boolean(false)]),
      "data": .data((0...255).map { UInt8($0) }), "date": .date("2024-02-29T12:34:56Z"),
      "many": .array((0..<300).map { .integer($0) }), "empty": .dictionary([:]),
      "list": .array([]),
    ])
    for form in ["binary", "xml"] {
      let written = try Command("/usr/bin/python3", ["-c", script, form]).run()
      #expect(written.status == 0, "\(written.errorText)")
      #expect(try PropertyList(Array(written.output)) == expected, "\(form)")
    }
  }
}
