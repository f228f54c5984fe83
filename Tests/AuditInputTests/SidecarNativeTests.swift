import BackupExclusion
import Testing

@testable import AuditCore
@testable import AuditInput

/// A sidecar never overrules a carrier that states attributes itself.
@Suite struct SidecarNativeTests {
  private let other = [schily("com.apple.quarantine", [1])]

  @Test func whatSaysMoreIsAFileLikeOthers() throws {
    var tar = TarBuilder()
    tar.directory("C")
    tar.file("C/stated", pax: other)
    tar.directory("C/Documents")
    tar.file("C/Documents/secret")
    tar.sidecar("C/._Documents")
    tar.file("C/own")
    tar.sidecar("C/._own")
    tar.sidecar("C/._gone")
    tar.sidecar("C/._.")
    let list = try Listing(tar.finished)
    #expect(list.marked == [])
    #expect(list.sidecars == 0)
    for name in ["C/._Documents", "C/._own", "C/._gone", "C/._."] {
      #expect(list.order.contains(name))
      #expect(list.details[name]?.remark?.contains("marks nothing") == true)
    }
    #expect(list.errors.isEmpty)
  }

  @Test func whatAgreesIsFolded() throws {
    var tar = TarBuilder()
    tar.directory("C/kept", pax: markHeaders)
    tar.sidecar("C/._kept")
    tar.file("C/plain", pax: other)
    tar.sidecar("C/._plain", appleDouble([("com.apple.quarantine", [1])]))
    tar.file("C/marked", pax: markHeaders)
    // Says less than the member itself.
    tar.sidecar("C/._marked", appleDouble([]))
    let list = try Listing(tar.finished)
    #expect(list.marked == ["C/marked", "C/kept/"])
    #expect(list.sidecars == 2)
    #expect(list.order.contains("C/._marked"))
  }

  @Test func withNothingStatedTheySpeakAlone() throws {
    var tar = TarBuilder()
    tar.directory("C")
    tar.file("C/own")
    tar.sidecar("C/._own")
    tar.sidecar("C/._.")
    let list = try Listing(tar.finished)
    #expect(list.marked == ["C/", "C/own"])
    #expect(list.sidecars == 2)
  }

  @Test func inFindersFolder() throws {
    var tar = TarBuilder()
    tar.file("C/stated", pax: markHeaders)
    tar.sidecar("__MACOSX/C/._stated")
    tar.file("C/own")
    tar.sidecar("__MACOSX/C/._own")
    tar.sidecar("__MACOSX/C/._gone")
    let list = try Listing(tar.finished)
    #expect(list.marked == ["C/stated"])
    #expect(list.sidecars == 1)
    #expect(list.order.contains("__MACOSX/C/._own") && list.order.contains("__MACOSX/C/._gone"))
  }

  @Test func hardLinksTakeNothingFromThem() throws {
    var tar = TarBuilder()
    tar.file("stated", pax: other)
    tar.file("a")
    tar.hardLink("b", to: "a")
    tar.sidecar("._b")
    #expect(try Listing(tar.finished).marked == [])
  }

  @Test func aCompleteCarrierHasNone() throws {
    let block: [UInt8] = [0x47, 0x4B, 6, 0, 1, 1, 3, 0, 0, 0]
    var zip = ZipBuilder()
    zip.add("C/", extra: block)
    zip.add("C/a", [1], extra: block)
    zip.add("C/._a", appleDouble([]), extra: block)
    zip.add("C/Documents/", extra: block)
    zip.add("C/._Documents", markedSidecar, extra: block)
    let list = try Listing(zip.finished)
    #expect(list.contents.format == "graykey")
    #expect(list.marked == [] && list.sidecars == 0)
    #expect(list.order.contains("C/._a"))
    #expect(list.details["C/._Documents"]?.remark != nil)
  }
}
