import Testing

@testable import AuditCore
@testable import AuditInput

/// A zip is what its index says; whatever contradicts it is damage that is named.
@Suite struct ArchiveZipIndexTests {
  /// A marked folder with a file, and where the index begins.
  private func zip() -> (bytes: [UInt8], index: Int, end: Int) {
    var zip = ZipBuilder()
    zip.add("C/")
    zip.add("C/._keep", markedSidecar)
    zip.add("C/keep/")
    zip.add("C/keep/aaaa", [1, 2, 3])
    let bytes = zip.finished
    let end = bytes.count - 22
    let index = Int(bytes[end + 16]) | Int(bytes[end + 17]) << 8
    return (bytes, index, end)
  }

  /// The place of text, the last one or the first.
  private func place(_ text: String, in bytes: [UInt8], from start: Int) throws -> Int {
    let text = Array(text.utf8)
    return try #require(
      (start..<(bytes.count - text.count)).first { bytes[$0..<($0 + text.count)] == text[...] })
  }

  @Test func wholeOnesAreClean() throws {
    let list = try Listing(zip().bytes)
    #expect(list.errors.isEmpty && list.marked == ["C/keep/"])
  }

  /// Offsets in the member's own header and in the index's, and what is changed.
  @Test(arguments: [
    ("name", 34, 50), ("method", 8, 10), ("encryption", 6, 8), ("compressed", 18, 20),
    ("size", 22, 24), ("signature", 3, 42),
  ])
  func everyDisagreementIsNamed(what: String, own: Int, listed: Int) throws {
    let (bytes, index, _) = zip()
    let header = try place("C/keep/aaaa", in: bytes, from: 0) - 30
    let entry = try place("C/keep/aaaa", in: bytes, from: index) - 46
    for at in [header + own, entry + listed] {
      var changed = bytes
      changed[at] ^= 1
      let list = try Listing(changed)
      #expect(list.errors.contains("two-headers"), "\(what) at \(at): \(list.errors)")
      #expect(list.contents.isPartial)
      #expect(list.contents.problems.contains { !$0.path.isEmpty })
    }
  }

  @Test func whatAMemberIs() throws {
    let (bytes, index, _) = zip()
    let entry = try place("C/keep/aaaa", in: bytes, from: index) - 46
    var changed = bytes
    changed[entry + 41] = 0x41
    #expect(try Listing(changed).errors.contains("two-headers"))
  }

  @Test func sizesThatFollowTheBody() throws {
    let (bytes, index, _) = zip()
    var changed = bytes
    let header = try place("C/keep/aaaa", in: bytes, from: 0) - 30
    let entry = try place("C/keep/aaaa", in: bytes, from: index) - 46
    changed[header + 6] = 8
    changed[entry + 8] = 8
    for at in 18..<26 { changed[header + at] = 0 }
    #expect(!(try Listing(changed).errors.contains("two-headers")))
    // Without that mark they have to be there.
    changed[header + 6] = 0
    #expect(try Listing(changed).errors.contains("two-headers"))
  }

  @Test func theEndRecord() throws {
    let (bytes, index, end) = zip()
    func change(_ at: Int, _ by: UInt8, _ error: String) throws {
      var changed = bytes
      changed[end + at] = changed[end + at] &+ by
      let errors = try Listing(changed).errors
      #expect(errors.contains(error), "\(at): \(errors)")
    }
    try change(8, 1, "miscounted")
    try change(16, 1, "misplaced")
    try change(12, 1, "misplaced")
    try change(20, 1, "misplaced")
    // Both counts, as one who changes them would.
    for by: UInt8 in [1, 255] {
      var changed = bytes
      changed[end + 8] &+= by
      changed[end + 10] &+= by
      #expect(try Listing(changed).errors.contains("miscounted"))
    }
    // An index that is shorter than stated, and one with a member less.
    let longer = Array(bytes[..<index]) + [0] + Array(bytes[index...])
    #expect(try !Listing(longer).errors.isEmpty)
  }

  @Test func aPathTwice() throws {
    var zip = ZipBuilder()
    zip.add("C/own", [1])
    zip.add("C/._own", markedSidecar)
    zip.add("C/._own", appleDouble([]))
    #expect(try Listing(zip.finished).errors == ["repeated"])
    var folders = ZipBuilder()
    folders.add("C/")
    folders.add("C/")
    folders.add("C/a", [1])
    #expect(!(try Listing(folders.finished).errors.contains("repeated")))
  }

  @Test func onAPipeItsIndexIsNotSeen() throws {
    let piped = try Listing(piped: zip().bytes)
    #expect(piped.errors == ["no-index"])
    #expect(piped.contents.problems[0].message.contains("as a file"))
  }
}
