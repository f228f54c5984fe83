import BackupExclusion
import Foundation
import Testing

@testable import AuditCore
@testable import AuditInput

@Suite struct ArchiveHostileTests {
  @Test func namesThatLeadOutAreNeverFollowed() throws {
    var tar = TarBuilder()
    tar.file("/etc/passwd")
    tar.file("a/../../b")
    tar.file("..")
    tar.file("c")
    let list = try Listing(tar.finished)
    #expect(list.order == ["/", "c", "a/", "etc/", "etc/passwd"])
    #expect(list.errors == ["absolute-path", "parent-path"])
    #expect(!list.contents.isPartial)
    #expect(list.contents.problems[1].message.contains("2 members"))
    #expect(list.contents.problems[1].path == Array("a/../../b".utf8))
  }

  @Test func aFileWithoutANameDoesNotSpeakForTheRoot() throws {
    for name in [".", "./."] {
      var tar = TarBuilder()
      tar.pax(markHeaders)
      tar.add(Array(name.utf8))
      tar.file("a")
      let list = try Listing(tar.finished)
      #expect(list.marked.isEmpty, "\(name)")
      #expect(list.errors == ["no-name"], "\(name)")
    }
    var zip = ZipBuilder()
    zip.add("", [1])
    #expect(try Listing(zip.finished).errors.contains("no-name"))
  }

  @Test func aChainOfLinksIsWalkedOnce() throws {
    var tar = TarBuilder()
    tar.file("l0", pax: markHeaders)
    for number in 1..<2000 { tar.hardLink("l\(number)", to: "l\(number - 1)") }
    let list = try Listing(tar.finished)
    #expect(list.marked.count == 2000)
    #expect(list.records["l1999"]?.links == 2000)
  }

  @Test func aFileCannotHoldMembers() throws {
    var tar = TarBuilder()
    tar.file("x", pax: markHeaders)
    tar.file("x/y")
    tar.file("z/y")
    tar.file("z")
    let list = try Listing(tar.finished)
    #expect(list.order == ["/", "x/", "x/y", "z/", "z/y"])
    #expect(list.errors == ["file-and-directory"])
  }

  @Test func aTarThatWasCutOffIsNoticedWhereverItWasCut() throws {
    var tar = TarBuilder()
    tar.file("a", String(repeating: "a", count: 2000))
    let between = tar.bytes.count
    tar.file("b", String(repeating: "b", count: 100_000))
    let whole = tar.finished
    #expect(try Listing(whole).contents.problems.isEmpty)
    for length in [between, between + 100, between + 512 + 5000, tar.bytes.count, 700] {
      let cut = Array(whole.prefix(length))
      for list in [try Listing(cut), try Listing(piped: cut)] {
        #expect(!list.contents.problems.isEmpty, "cut at \(length)")
        #expect(list.order.contains("a"))
      }
    }
  }

  @Test(
    arguments: [
      [], Array("no archive at all, only text that goes on and on".utf8), [0x1F, 0x8B, 8, 0],
      Array("AA01".utf8) + [UInt8](repeating: 1, count: 600), Array("7z\u{BC}".utf8),
    ] as [[UInt8]])
  func whatIsNoArchiveIsAProblem(bytes: [UInt8]) throws {
    for list in [try Listing(bytes), try Listing(piped: bytes)] {
      #expect(list.contents.problems.count == 1)
      #expect(list.order == ["/"])
      #expect(list.evidence == .impossible)
    }
  }

  @Test func aFileThatCannotBeOpenedIsAProblem() {
    #expect(readArchive(path: "/nonexistent/dump.tar").problems.first?.error == "ENOENT")
    #expect(readArchive(path: "/").problems.first?.error == "EISDIR")
    #expect(readArchive(path: "a\u{0}b").problems.first?.error == "ENOENT")
  }

  @Test func limitsStopReadingAndNameThemselves() throws {
    var tar = TarBuilder()
    for number in 0..<50 { tar.file("directory-\(number)/file", pax: markHeaders) }
    var few = ArchiveLimits()
    few.entries = 20
    var small = ArchiveLimits()
    small.headerBytes = 2000
    for (limits, option) in [(few, "--max-entries"), (small, "--max-header-bytes")] {
      let list = try Listing(tar.finished, limits: limits)
      #expect(list.errors == ["limit"])
      #expect(list.contents.problems[0].message.contains(option))
      #expect(list.order.count < 100)
      #expect(!list.marked.isEmpty)
    }
  }

  @Test func compressionHasLimitsToo() throws {
    var tar = TarBuilder()
    tar.file("zeros", String(repeating: "\u{0}", count: 3_000_000))
    let once = try #require(try gzip(tar.finished))
    #expect(try Listing(once).contents.problems.isEmpty)
    var limits = ArchiveLimits()
    limits.expansion = 10
    limits.expansionFloor = 100_000
    let bomb = try Listing(once, limits: limits)
    #expect(bomb.contents.problems.first?.message.contains("--max-expansion") == true)
    let twice = try #require(try gzip(once))
    #expect(try Listing(twice).contents.problems.isEmpty)
    limits = ArchiveLimits()
    limits.nesting = 1
    let nested = try Listing(twice, limits: limits)
    #expect(nested.contents.problems.first?.message.contains("--max-nesting") == true)
    // Cut before and after compression.
    let early = try #require(try gzip(Array(tar.bytes)))
    #expect(try Listing(early).errors == ["truncated"])
    #expect(!(try Listing(Array(once.dropLast(20))).contents.problems.isEmpty))
  }

  @Test func deepAndLongNamesAreCounted() throws {
    var tar = TarBuilder()
    tar.pax([("path", Array(String(repeating: "d/", count: 3000).utf8) + [0x78])])
    tar.add([0x61])
    tar.pax([("path", [UInt8](repeating: 0x6E, count: 70_000))])
    tar.add([0x62])
    tar.file("c")
    let list = try Listing(tar.finished)
    #expect(list.errors == ["path-too-long"])
    #expect(list.contents.problems[0].message.contains("2 members"))
    #expect(list.order.contains("c"))
  }

  @Test func anyBytesAreReadWithoutHarm() throws {
    var random = Xorshift(state: 0x9E37_79B9_7F4A_7C15)
    for seed in Self.seeds {
      for _ in 0..<150 {
        let list = try Listing(random.mutate(seed))
        // Whatever it was, directories come out in order and once.
        #expect(Set(list.order).count == list.order.count || !list.contents.problems.isEmpty)
      }
    }
  }

  private static let seeds: [[UInt8]] = {
    var tar = TarBuilder()
    tar.sidecar("C/._kept")
    tar.directory("C/kept", pax: markHeaders)
    tar.file("C/kept/a.sqlite", "abc", pax: markHeaders)
    tar.hardLink("C/link", to: "C/kept/a.sqlite")
    var zip = ZipBuilder()
    zip.add("version", Array("CLBX-0.3.0".utf8))
    zip.add("a/", extra: [0x47, 0x4B, 6, 0, 1, 1, 3, 0, 0, 0])
    zip.add("__MACOSX/._a", markedSidecar)
    zip.add(
      "metadata/metadata.msgpack",
      [0x81, 0xA1, 0x61, 0x82, 0xA4] + Array("mode".utf8) + [0xCD, 0x81, 0xA4, 0xA5]
        + Array("xattr".utf8) + [0x80])
    return [tar.finished, zip.finished]
  }()

  private func gzip(_ bytes: [UInt8]) throws -> [UInt8]? { try packed(bytes, by: ["gzip", "-c"]) }
}

/// Numbers that are the same in every run.
struct Xorshift {
  var state: UInt64

  mutating func next(below bound: Int) -> Int {
    state ^= state << 13
    state ^= state >> 7
    state ^= state << 17
    return Int(state % UInt64(max(1, bound)))
  }

  /// A copy with a few bytes changed, cut off, doubled or left out.
  mutating func mutate(_ bytes: [UInt8]) -> [UInt8] {
    var result = bytes
    for _ in 0...next(below: 4) where !result.isEmpty {
      let at = next(below: result.count)
      switch next(below: 8) {
      case 0: result.removeLast(next(below: result.count))
      case 1: result.remove(at: at)
      case 2: result[at] = [0, 0xFF, 0x7F, 0x80, 1][next(below: 5)]
      case 3:
        let end = min(result.count, at + next(below: 600))
        result.insert(contentsOf: result[at..<end], at: at)
      default: result[at] ^= UInt8(1 << next(below: 8))
      }
    }
    return result
  }
}
