import BackupExclusion
import Testing

@testable import AuditCore
@testable import AuditInput

/// What libarchive passes over in a tar's extended headers.
@Suite struct ArchivePaxHeaderTests {
  private static let mark = schily(markName, ExclusionMark.backupdPlist)

  @Test(arguments: [0, 1, 40, 127, 128, 129])
  func globalAttributesMakeTheArchivePartial(filesBefore: Int) throws {
    var tar = TarBuilder()
    // The header comes to lie at other places of the blocks that are read, and across two.
    for index in 0..<filesBefore { tar.file("f\(index)") }
    tar.pax([("comment", [UInt8](repeating: 0x78, count: 900)), Self.mark], type: "g")
    tar.file("a")
    let list = try Listing(tar.finished)
    #expect(list.contents.problems.map(\.error) == ["global-attributes"])
    #expect(list.contents.isPartial)
  }

  @Test func globalHeadersWithoutAttributesAreHarmless() throws {
    var tar = TarBuilder()
    tar.pax([("comment", Array("0123456789abcdef".utf8))], type: "g")
    tar.file("a", pax: [Self.mark])
    tar.file("b")
    let list = try Listing(tar.finished)
    #expect(list.contents.problems.isEmpty)
    #expect(list.marked == ["a"])
  }

  @Test func globalAttributesOfATarThatFollowsAnother() throws {
    var first = TarBuilder()
    first.file("a")
    var second = TarBuilder()
    second.pax([Self.mark], type: "g")
    second.file("b")
    let list = try Listing(first.finished + second.finished)
    #expect(list.contents.problems.map(\.error) == ["global-attributes"])
  }

  @Test func aGlobalHeaderThatCannotBeRead() throws {
    var tar = TarBuilder()
    tar.add(Array("PaxHeader".utf8), type: "g", body: Array("99 SCHILY.xattr.a=b\n".utf8))
    tar.file("a")
    let list = try Listing(tar.finished)
    #expect(list.contents.problems.contains { $0.error == "global-attributes" })
  }

  @Test func aMalformedRecordIsNotHiddenByAName() throws {
    var tar = TarBuilder()
    let name = "\u{E9}"
    let path = "12 path=\(name)xx\n"
    #expect(path.utf8.count == 13)
    let record = "13 path=\(name)xx\n" + "80 SCHILY.xattr.\(markName)=x\n"
    tar.add(Array("PaxHeader".utf8), type: "x", body: Array(record.utf8))
    tar.add([0xE9, 0x78], body: [1])
    tar.file("after", pax: [("path", Array("\(name)-good".utf8)), Self.mark])
    let list = try Listing(tar.finished)
    #expect(list.contents.problems.map(\.error) == ["damaged"])
    #expect(list.marks["\(name)-good"]?.state == .marked)
    #expect(list.marks.values.contains { $0.state == .unknown })
  }
}
