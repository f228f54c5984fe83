import TestSupport
import Testing

/// The oracle and the hand-written verdicts check each other: neither is the product.
@Suite struct OracleTests {
  /// The oracle knows containers by the metadata of iOS only, and no option.
  static let names = SpecTests.names.filter { name in
    guard let spec = try? SpecTests.spec(name) else { return true }
    return spec.options.isEmpty
      && !["device.tree", "mac.tree", "places.tree", "xcappdata.tree"].contains(name)
  }

  @Test(.disabled(if: !TemporaryDirectory.isPossible), arguments: names)
  func agreesWithTheSpecification(_ name: String) throws {
    let spec = try SpecTests.spec(name)
    let place = try TemporaryDirectory()
    let root = try place.directory("tree")
    try spec.build(below: root)
    let input = spec.input.isEmpty ? root : root + [UInt8(ascii: "/")] + spec.input
    let eyes: Oracle.Eyes = spec.asUser && Audit.plainUser != nil ? .stranger : .own
    let oracle = try Oracle(input, as: eyes)
    for entry in spec.entries where entry.kind != .directory {
      guard let path = spec.seenFromInput(entry.path) else { continue }
      let shown = String(decoding: path.suffix(120), as: UTF8.self)
      #expect(entry.verdict != nil, "no verdict is written beside \(shown)")
      #expect(oracle.items[path]?.verdict == entry.verdict, "\(shown)")
    }
    #expect(oracle.closed == Set(spec.errors))
  }

  @Test func mistakesInASpecificationAreNamed() {
    for line in [
      "x a", "f", "f a nonsense", "f a [no-such-mark]", "% unknown", "f <3*a", "f a\\x4",
    ] {
      #expect(throws: TreeSpecError.self, "\(line)") {
        try TreeSpec(parsing: Array("# fine\n\(line)\n".utf8))
      }
    }
  }

  @Test func escapesAndRepeats() throws {
    let spec = try TreeSpec(parsing: Array("f <2*a<2*\\x41\\>>/>\\ b\\\\  size=3 exposed".utf8))
    #expect(spec.entries.map(\.path) == [Array("aA>A>/aA>A>/ b\\".utf8)])
    #expect(spec.entries.map(\.size) == [3])
  }
}
