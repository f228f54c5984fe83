import BackupExclusion
import Testing

@testable import AuditCore
@testable import AuditInput

@Suite struct ArchiveTarTests {
  private let plist = ExclusionMark.backupdPlist

  @Test func bothHeadersAndTheSidecarOfMacOS() throws {
    var tar = TarBuilder()
    tar.directory("C")
    tar.sidecar("C/._kept")
    tar.directory("C/kept", pax: markHeaders)
    tar.file("C/kept/db.sqlite")
    tar.sidecar("C/._own.bin")
    tar.file("C/own.bin", pax: markHeaders)
    tar.file("C/plain.txt")
    let list = try Listing(tar.finished)
    #expect(list.contents.format == "pax")
    #expect(list.evidence == .proven)
    #expect(list.order == ["/", "C/", "C/own.bin", "C/plain.txt", "C/kept/", "C/kept/db.sqlite"])
    #expect(list.marked == ["C/own.bin", "C/kept/"])
    #expect(list.marks["C/own.bin"] == OwnMark(state: .marked, form: .backupdPlist, bytes: 61))
    #expect(list.sidecars == 2)
    #expect(list.details["C/own.bin"]?.remark == nil)
    #expect(list.contents.problems.isEmpty)
  }

  @Test(arguments: ["", "user.", "osx.", "user.rsync."])
  func headersInLinuxDress(prefix: String) throws {
    var tar = TarBuilder()
    tar.file("a", pax: [schily(prefix + markName, plist)])
    tar.file("b")
    let list = try Listing(tar.finished)
    #expect(list.marked == ["a"])
    #expect(list.evidence == .proven)
  }

  @Test func percentEncodedSambaNameAndItsNul() throws {
    var tar = TarBuilder()
    let name = "user.DosStream.com.apple.metadata%EF%80%A2com_apple_backup_excludeItem:$DATA"
    tar.file("a", pax: [schily(name, plist + [0])])
    tar.file("e", pax: [schily(name, [0])])
    let list = try Listing(tar.finished)
    #expect(list.marks["a"] == OwnMark(state: .marked, form: .backupdPlist, bytes: 61))
    #expect(list.marks["e"]?.state == .empty)
  }

  @Test func headersThatDisagreeAreTold() throws {
    var tar = TarBuilder()
    tar.file("a", pax: [libarchive(markName, plist), schily(markName, [])])
    tar.file("b", pax: [libarchive(markName, []), schily(markName, plist)])
    tar.sidecar("._c", appleDouble([(markName, [1])]))
    tar.file("c", pax: markHeaders)
    let list = try Listing(tar.finished)
    #expect(list.marked == ["a", "b", "c"])
    for name in ["a", "b", "c"] { #expect(list.details[name]?.remark != nil) }
  }

  @Test func oldTarWithOtherPrefixesInAnyOrder() throws {
    var tar = TarBuilder()
    tar.file("dir/x")
    tar.sidecar("./._dir")
    tar.file("./dir/y")
    tar.sidecar("dir/._y")
    let list = try Listing(tar.finished)
    #expect(list.contents.format == "ustar")
    #expect(list.evidence == .proven)
    #expect(list.marked == ["dir/", "dir/y"])
    #expect(list.order == ["/", "dir/", "dir/x", "dir/y"])
  }

  @Test func theRootsOwnMark() throws {
    var inside = TarBuilder()
    inside.sidecar("./._.")
    inside.directory(".")
    inside.file("./a")
    #expect(try Listing(inside.finished).marked == ["/"])
    var header = TarBuilder()
    header.directory(".", pax: markHeaders)
    header.file("./a")
    #expect(try Listing(header.finished).marked == ["/"])
  }

  @Test func whatLooksLikeASidecarStaysAnEntry() throws {
    var tar = TarBuilder()
    tar.sidecar("._gone")
    tar.file("._notes.txt", "an ordinary file")
    tar.file("notes.txt")
    tar.directory("._odd")
    tar.file("._odd/in")
    let list = try Listing(tar.finished)
    #expect(list.marked.isEmpty)
    #expect(list.order == ["/", "._notes.txt", "notes.txt", "._odd/", "._odd/in"])
    #expect((list.sidecars, list.orphans) == (1, 1))
    #expect(list.evidence == .proven)
  }

  @Test func aDamagedSidecarMakesItsOwnerUnknown() throws {
    var tar = TarBuilder()
    tar.sidecar("._a", Array(markedSidecar.prefix(200)))
    tar.file("a")
    let list = try Listing(tar.finished)
    #expect(list.marks["a"]?.state == .unknown)
    #expect(list.details["a"]?.problem?.path == Array("a".utf8))
    // Where members state attributes themselves it is no matter, but a file.
    tar.sidecar("._b", Array(markedSidecar.prefix(200)))
    tar.file("b", pax: markHeaders)
    let stated = try Listing(tar.finished)
    #expect(stated.marks["a"]?.state == .absent)
    #expect(stated.marks["b"]?.state == .marked)
    #expect(stated.order.contains("._a") && stated.order.contains("._b"))
  }

  @Test func hardLinksShareTheFirstNamesAttributes() throws {
    var tar = TarBuilder()
    tar.hardLink("C/early", to: "C/first")
    tar.file("C/first", "body", pax: [schily("user." + markName, plist)])
    tar.hardLink("C/second", to: "./C/first")
    tar.hardLink("C/chain", to: "C/second")
    tar.file("C/other")
    let list = try Listing(tar.finished)
    #expect(list.marked == ["C/chain", "C/early", "C/first", "C/second"])
    let first = try #require(list.records["C/first"])
    for name in ["C/chain", "C/early", "C/second"] {
      let record = try #require(list.records[name])
      #expect(record.inode == first.inode && record.links == 4 && record.size == 4)
    }
    #expect(list.records["C/other"]?.links == 0)
  }

  @Test func aSidecarOfOneNameMeansAllNames() throws {
    var tar = TarBuilder()
    tar.file("a")
    tar.hardLink("b", to: "a")
    tar.sidecar("._b")
    #expect(try Listing(tar.finished).marked == ["a", "b"])
  }

  @Test func hardLinksToNothingAreUnknown() throws {
    var tar = TarBuilder()
    tar.hardLink("gone", to: "nowhere")
    tar.hardLink("self", to: "self")
    tar.hardLink("x", to: "y")
    tar.hardLink("y", to: "x")
    tar.directory("d")
    tar.hardLink("z", to: "d")
    let list = try Listing(tar.finished)
    for name in ["gone", "self", "x", "y", "z"] {
      #expect(list.marks[name]?.state == .unknown)
      #expect(list.details[name]?.problem?.error == "hard-link")
    }
  }

  @Test func theLastMemberOfAPathCounts() throws {
    var tar = TarBuilder()
    tar.file("a", "old", pax: markHeaders)
    tar.file("a", "newer")
    tar.file("b", "old")
    tar.file("b", "newer", pax: markHeaders)
    tar.directory("d")
    tar.directory("d")
    let list = try Listing(tar.finished)
    #expect(list.marked == ["b"])
    #expect(list.records["a"]?.size == 5)
    #expect(list.details["a"]?.remark?.contains("more than once") == true)
    #expect(list.details["d/"] == nil)
    #expect(list.contents.problems.isEmpty)
  }

  @Test func concatenatedArchivesAreReadToTheEnd() throws {
    var first = TarBuilder()
    first.file("a")
    var second = TarBuilder()
    second.file("b", pax: markHeaders)
    let list = try Listing(first.finished + second.finished)
    #expect(list.order == ["/", "a", "b"])
    #expect(list.marked == ["b"])
    #expect(list.contents.problems.isEmpty)
  }

  @Test func globalHeadersPassBy() throws {
    var tar = TarBuilder()
    tar.pax([("comment", Array("made by a test".utf8))], type: "g")
    tar.file("a", pax: markHeaders)
    tar.file("b")
    let list = try Listing(tar.finished)
    #expect(list.marked == ["a"])
    #expect(list.order == ["/", "a", "b"])
  }

  @Test func sparseFilesHaveTheirLogicalSize() throws {
    var tar = TarBuilder()
    tar.pax([
      ("GNU.sparse.major", [0x31]), ("GNU.sparse.minor", [0x30]),
      ("GNU.sparse.name", Array("big.db".utf8)), ("GNU.sparse.realsize", Array("1048576".utf8)),
      schily("user." + markName, plist),
    ])
    let map = Array("1\n0\n3\n".utf8)
    tar.add(
      Array("GNUSparseFile.0/big.db".utf8),
      body: map + [UInt8](repeating: 0, count: 512 - map.count) + Array("abc".utf8))
    let list = try Listing(tar.finished)
    #expect(list.marked == ["big.db"])
    #expect(list.records["big.db"]?.size == 1_048_576)
  }

  @Test func namesThatAreNotUTF8StayBytes() throws {
    var tar = TarBuilder()
    tar.pax([("path", [0x61, 0xFF, 0x62]), schily("user." + markName, plist)])
    tar.add([0x61], body: [1])
    tar.add([0xC3, 0x28], body: [1])
    let list = try Listing(tar.finished)
    var names: [[UInt8]] = []
    list.contents.forEachDirectory { directory in
      for index in 0..<directory.count {
        names.append(Array(directory.name(directory.records[index])))
      }
    }
    #expect(names == [[0x61, 0xFF, 0x62], [0xC3, 0x28]])
    #expect(list.marked.count == 1)
    #expect(list.contents.problems.isEmpty)
  }

  @Test func namesOfOneTextInTwoFormsStayApart() throws {
    let composed = Array("caf\u{E9}".utf8)
    let decomposed = Array("cafe\u{301}".utf8)
    var tar = TarBuilder()
    var zip = ZipBuilder()
    for (name, headers) in [(composed, []), (decomposed, markHeaders)] {
      tar.pax([("path", name)] + headers)
      tar.add([0x61])
      zip.add(String(decoding: name, as: UTF8.self), [1], flags: 0x800)
    }
    for bytes in [tar.finished, zip.finished] {
      var names: [[UInt8]] = []
      try Listing(bytes).contents.forEachDirectory { directory in
        for index in 0..<directory.count {
          names.append(Array(directory.name(directory.records[index])))
        }
      }
      #expect(names == [decomposed, composed])
    }
  }

  @Test func aTarWithoutAnyExtendedHeaderCannotTell() throws {
    var tar = TarBuilder()
    tar.file("a")
    let plain = try Listing(tar.finished)
    #expect(plain.contents.format == "ustar")
    #expect(plain.evidence == .impossible)
    #expect(plain.contents.layers[0].reason?.contains("tar -cf") == true)
    tar.file("b", pax: [("mtime", Array("1700000000.5".utf8))])
    #expect(try Listing(tar.finished).evidence == .possible)
    tar.file("c", pax: [schily("user.xdg.origin.url", [1])])
    #expect(try Listing(tar.finished).evidence == .possible)
    tar.file("d", pax: [schily("com.apple.quarantine", [1])])
    #expect(try Listing(tar.finished).evidence == .proven)
  }

  @Test func containersAndDatabasesAreKnownByTheirFirstBytes() throws {
    let list = """
      <?xml version="1.0"?><plist version="1.0"><dict><key>MCMMetadataIdentifier</key>\
      <string>io.example.app</string><key>MCMMetadataContentClass</key><integer>2</integer>\
      </dict></plist>
      """
    let magic = "SQLite format 3\u{0}" + String(repeating: "x", count: 200)
    var tar = TarBuilder()
    tar.file("C/.com.apple.mobile_container_manager.metadata.plist", list)
    tar.file("C/by-extension.sqlite", magic, pax: markHeaders)
    tar.file("C/by-sibling", magic, pax: markHeaders)
    tar.file("C/by-sibling-wal")
    tar.file("C/neither", magic, pax: markHeaders)
    tar.file("C/unmarked.sqlite", magic)
    let read = try Listing(tar.finished)
    #expect(read.metadata["C/"]?.identifier == "io.example.app")
    #expect(read.metadata["C/"]?.contentClass == 2)
    #expect(read.details["C/by-extension.sqlite"]?.header == Array(magic.utf8.prefix(100)))
    #expect(read.details["C/by-sibling"]?.header?.count == 100)
    #expect(read.details["C/neither"]?.header == nil)
    #expect(read.details["C/unmarked.sqlite"] == nil)
  }

  @Test func nearMissesAreKept() throws {
    var tar = TarBuilder()
    let sibling = "com.apple.metadata:com_apple_cloudBackup_excludeItem"
    tar.file("a", pax: [schily(sibling, ExclusionMark.mobileBackup)])
    let list = try Listing(tar.finished)
    #expect(
      list.details["a"]?.nearMisses == [
        NearMiss(kind: .partial, name: Array(sibling.utf8), bytes: 22)
      ])
    #expect(list.records["a"]?.attributes.contains(.nearMiss) == true)
    #expect(list.marked.isEmpty)
  }

  @Test func aPipeGivesTheSame() throws {
    var tar = TarBuilder()
    tar.sidecar("._kept")
    tar.directory("kept")
    tar.file("kept/big", String(repeating: "b", count: 200_000))
    let piped = try Listing(piped: tar.finished)
    let filed = try Listing(tar.finished)
    #expect(piped.order == filed.order)
    #expect(piped.marked == ["kept/"])
    #expect(piped.records["kept/big"]?.size == 200_000)
    #expect(piped.contents.problems.isEmpty)
  }
}
