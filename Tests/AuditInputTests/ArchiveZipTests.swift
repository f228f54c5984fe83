import BackupExclusion
import Testing

@testable import AuditCore
@testable import AuditInput

/// GrayKey's block with attributes, as an extra field.
private func grayKey(
  _ attributes: [(String, [UInt8])], number: Int = 0x4B47, inode: Int? = nil
) -> [UInt8] {
  var body = Packed()
  body.little(1, 1)
  body.little(attributes.isEmpty ? 1 : 3, 1)
  body.little(3, 4)
  if !attributes.isEmpty { body.little(attributes.count, 4) }
  for (name, value) in attributes {
    body.little(name.utf8.count + 1 + value.count, 4)
    body.text(name + "\u{0}")
    body.raw(value)
  }
  var extra = Packed()
  if let inode {
    extra.little(0x4E49, 2)
    extra.little(12, 2)
    extra.little(inode, 8)
    extra.little(1, 4)
  }
  extra.little(number, 2)
  extra.little(body.all.count, 2)
  extra.raw(body.all)
  return extra.all
}

/// A MessagePack value.
private indirect enum Pack {
  case text(String), bytes([UInt8]), number(Int), map([(String, Pack)])

  var encoded: [UInt8] {
    var out = Packed()
    switch self {
    case .text(let text):
      out.little(0xD9, 1)
      out.big(text.utf8.count, 1)
      out.text(text)
    case .bytes(let bytes):
      out.little(0xC5, 1)
      out.big(bytes.count, 2)
      out.raw(bytes)
    case .number(let number):
      out.little(0xD3, 1)
      out.big(number, 8)
    case .map(let pairs):
      out.little(0xDE, 1)
      out.big(pairs.count, 2)
      for (key, value) in pairs { out.raw(Pack.text(key).encoded + value.encoded) }
    }
    return out.all
  }

  /// What Cellebrite tells of a path.
  static func entry(mode: Int, size: Int = 1, mark: [UInt8]? = nil) -> Pack {
    let attributes: [(String, Pack)] = mark.map { [(markName, .bytes($0))] } ?? []
    return .map([
      ("mode", .number(mode)), ("size", .number(size)), ("inode", .number(7)),
      ("links", .number(1)), ("mtime", .number(1)), ("xattr", .map(attributes)),
    ])
  }
}

@Suite struct ArchiveZipTests {
  private let plist = ExclusionMark.backupdPlist

  @Test func findersZip() throws {
    var zip = ZipBuilder()
    zip.add("C/")
    zip.add("C/kept/")
    zip.add("__MACOSX/")
    zip.add("__MACOSX/C/")
    zip.add("__MACOSX/C/._kept", markedSidecar)
    zip.add("C/kept/db.sqlite", [1])
    zip.add("C/own", [1])
    zip.add("__MACOSX/C/._own", markedSidecar)
    zip.add("__MACOSX/C/._gone", markedSidecar)
    zip.add("__MACOSX/C/hidden.db", [1])
    zip.add("__MACOSX/C/kept/._db.sqlite", appleDouble([]))
    let list = try Listing(zip.finished)
    #expect(list.contents.format == "zip")
    #expect(list.evidence == .proven)
    #expect(list.marked == ["C/own", "C/kept/"])
    #expect((list.sidecars, list.orphans) == (4, 1))
    // What is no sidecar is not lost in there.
    #expect(list.order.contains("__MACOSX/C/hidden.db"))
    #expect(list.contents.problems.isEmpty)
  }

  @Test func sidecarsBesideAndOnAPipe() throws {
    var zip = ZipBuilder()
    zip.add("C/")
    zip.add("C/own", [1, 2, 3])
    zip.add("C/._own", markedSidecar)
    #expect(try Listing(zip.finished).marked == ["C/own"])
    let piped = try Listing(piped: zip.finished)
    #expect(piped.marked == ["C/own"])
    #expect(piped.records["C/own"]?.size == 3)
  }

  @Test func aZipWithoutSidecarsCannotTell() throws {
    var zip = ZipBuilder()
    zip.add("a", [1])
    #expect(try Listing(zip.finished).evidence == .impossible)
    let reason = try Listing(piped: zip.finished).contents.layers[0].reason
    #expect(reason?.contains("Pass it as a file") == true)
    var apples = ZipBuilder()
    apples.madeBy = 0x0315
    apples.add("a", [1], extra: [0x55, 0x58, 0, 0])
    #expect(try Listing(apples.finished).evidence == .possible)
  }

  @Test(arguments: [0x4B47, 0x0004])
  func grayKeysBlock(number: Int) throws {
    var zip = ZipBuilder()
    zip.add("var/kept/", extra: grayKey([(markName, plist)], number: number, inode: 9))
    zip.add("var/kept/a", [1], extra: grayKey([], number: number, inode: 10))
    zip.add(
      "var/b", [1],
      extra: grayKey([("com.apple.quarantine", [1]), (markName, [])], number: number, inode: 11))
    zip.add("var/c", [1], extra: grayKey([], number: number, inode: 10))
    let list = try Listing(zip.finished)
    #expect(list.contents.format == "graykey")
    #expect(list.evidence == .proven)
    #expect(list.marked == ["var/kept/"])
    #expect(list.marks["var/b"]?.state == .empty)
    let record = try #require(list.records["var/c"])
    #expect(record.links == 2 && record.inode == list.records["var/kept/a"]?.inode)
    #expect(list.records["var/b"]?.links == 1)
  }

  @Test func grayKeysBlocksFindNamesOutsideASCII() throws {
    var zip = ZipBuilder()
    for name in ["plain", "cafe\u{301}", "caf\u{E9}", "\u{65E5}/"] {
      zip.add(name, extra: grayKey([(markName, plist)]), flags: 0x800)
    }
    zip.add("unflagged-\u{E9}", [1], extra: grayKey([(markName, plist)]))
    let list = try Listing(zip.finished)
    #expect(list.contents.problems.isEmpty)
    #expect(list.marked.count == 5)
  }

  @Test func aDamagedBlockMakesTheMarkUnknown() throws {
    var zip = ZipBuilder()
    zip.add("a", [1], extra: grayKey([]))
    var broken = grayKey([(markName, plist)])
    broken[10] = 200
    zip.add("b", [1], extra: broken)
    let list = try Listing(zip.finished)
    #expect(list.marks["a"] == .absent)
    #expect(list.marks["b"]?.state == .unknown)
  }

  @Test(arguments: [true, false])
  func cellebritesMetadataBeforeOrAfterTheFiles(first: Bool) throws {
    let metadata = Pack.map([
      ("mobile", .entry(mode: 0o040755)), ("mobile/kept", .entry(mode: 0o040755, mark: plist)),
      ("mobile/kept/a.db", .entry(mode: 0o100644, size: 5)),
      ("mobile/own", .entry(mode: 0o100644, mark: plist)),
      ("mobile/no-body", .entry(mode: 0o100644, size: 77)),
    ]).encoded
    var zip = ZipBuilder()
    zip.add("version", Array("CLBX-0.3.0".utf8))
    if first { zip.add("metadata2/metadata.msgpack", metadata) }
    zip.add("filesystem2/mobile/kept/", [])
    zip.add("filesystem2/mobile/kept/a.db", [1, 2, 3, 4, 5])
    zip.add("filesystem2/mobile/own", [1])
    if !first { zip.add("metadata2/metadata.msgpack", metadata) }
    zip.add("metadata2/filesystem.msgpack", Pack.map([("mount_point", .text("/"))]).encoded)
    let list = try Listing(zip.finished)
    #expect(list.contents.format == "clbx")
    #expect(list.evidence == .proven)
    #expect(list.marked == ["filesystem2/mobile/own", "filesystem2/mobile/kept/"])
    #expect(list.records["filesystem2/mobile/no-body"]?.size == 77)
    #expect(list.records["filesystem2/mobile/no-body"]?.kind == .file)
    #expect(list.records.keys.count == 3)
    #expect(list.contents.problems.isEmpty)
  }

  @Test func cellebritesMetadataCutOffIsAProblem() throws {
    let metadata = Pack.map([
      ("a", .entry(mode: 0o100644, mark: plist)), ("b", .entry(mode: 0o100644, mark: plist)),
    ]).encoded
    var zip = ZipBuilder()
    zip.add("version", Array("CLBX-0.3.0".utf8))
    zip.add("metadata/metadata.msgpack", Array(metadata.dropLast(20)))
    let list = try Listing(zip.finished)
    #expect(list.marked == ["filesystem/a"])
    #expect(list.errors == ["truncated"])
    var other = ZipBuilder()
    other.add("metadata/metadata.msgpack", Array("an app's own file".utf8))
    #expect(try Listing(other.finished).contents.problems.isEmpty)
  }

  @Test func zipsThatCannotBeReadWhole() throws {
    var zip = ZipBuilder()
    zip.add("a", [1])
    zip.add("b", [UInt8](repeating: 7, count: 3000))
    for length in [zip.finished.count - 10, 3000, 40, 20] {
      let cut = try Listing(Array(zip.finished.prefix(length)))
      #expect(!cut.contents.problems.isEmpty && cut.contents.isPartial)
    }
    var secret = ZipBuilder()
    secret.add("a", [UInt8](repeating: 1, count: 20), flags: 1)
    #expect(try Listing(secret.finished).errors.contains("encrypted"))
    var split = zip.finished
    split[split.count - 18] = 1
    let part = try Listing(split)
    #expect(part.errors.contains("split") && part.contents.isPartial)
  }

  @Test func cpioOfDitto() throws {
    var cpio = Packed()
    func add(_ name: String, _ mode: Int, _ body: [UInt8]) {
      let number = { (value: Int, width: Int) in
        let digits = String(value, radix: 8)
        return String(repeating: "0", count: width - digits.count) + digits
      }
      cpio.text("070707" + number(1, 6) + number(cpio.all.count + 1 & 0xFFFF, 6) + number(mode, 6))
      cpio.text(number(501, 6) + number(20, 6) + number(1, 6) + number(0, 6))
      cpio.text(number(1_700_000_000, 11) + number(name.utf8.count + 1, 6))
      cpio.text(number(body.count, 11) + name + "\u{0}")
      cpio.raw(body)
    }
    add("./C", 0o040755, [])
    add("./C/own", 0o100644, [1])
    add("./C/._own", 0o100644, markedSidecar)
    add("TRAILER!!!", 0, [])
    let list = try Listing(cpio.all)
    #expect(list.contents.format == "cpio")
    #expect(list.marked == ["C/own"])
    #expect(list.evidence == .proven)
  }
}
