import BackupExclusion
import Testing

@testable import AuditCore
@testable import AuditInput

/// A directory of files (and directories, whose names end in a slash), sorted.
private func directory(_ names: [String], path: String = "D") -> Directory {
  let files = names.filter { !$0.hasSuffix("/") }.map { Array($0.utf8) }
  let folders = names.filter { $0.hasSuffix("/") }.map { Array($0.utf8.dropLast()) }
  let sorted =
    files.sorted { $0.lexicographicallyPrecedes($1) }
    + folders.sorted { $0.lexicographicallyPrecedes($1) }
  let bytes = sorted.flatMap { $0 }
  let result = Directory(
    path: Array(path.utf8), own: EntryRecord(), recordCount: sorted.count, nameBytes: bytes.count)
  result.arena.initialize(from: bytes, count: bytes.count)
  var offset = 0
  for (index, name) in sorted.enumerated() {
    var record = EntryRecord()
    record.nameOffset = UInt32(offset)
    record.nameLength = UInt16(name.count)
    record.kind = index < files.count ? .file : .directory
    offset += name.count
    (result.records + index).initialize(to: record)
  }
  result.fileCount = files.count
  result.directoryCount = folders.count
  return result
}

private func names(_ directory: Directory) -> [String] {
  (0..<directory.count).map {
    String(decoding: directory.name(directory.records[$0]), as: UTF8.self)
  }
}

private func marked(_ directory: Directory, _ state: OwnMark.State = .marked) -> [String] {
  (0..<directory.count).filter { directory.records[$0].mark.state == state }.map {
    String(decoding: directory.name(directory.records[$0]), as: UTF8.self)
  }
}

private func content(_ bytes: [UInt8]) -> SidecarContent {
  bytes.withUnsafeBufferPointer { SidecarContent.appleDouble($0) }
}

@Suite struct SidecarFoldingTests {
  @Test func sidecarsBesideFilesAndDirectories() {
    let folder = directory(["._a", "._b", "._gone", "._text", "a", "b", "._c", "c/", "text"])
    folder.records[0].mark = .absent
    SidecarFolding.fold(folder) { record, place in
      switch String(decoding: place.name(record), as: UTF8.self) {
      case "._text": .ordinary
      case "._b": content(appleDouble([]))
      default: content(markedSidecar)
      }
    }
    #expect(names(folder) == ["._text", "a", "b", "text", "c"])
    #expect(marked(folder) == ["a", "c"])
    #expect((folder.sidecars, folder.orphanSidecars) == (4, 1))
    #expect(folder.records[1].attributes == [.foreign, .carried])
    #expect(folder.records[2].attributes == .foreign)
    #expect((folder.fileCount, folder.directoryCount) == (4, 1))
  }

  @Test func theDirectorysOwn() {
    let folder = directory(["._.", "a"])
    SidecarFolding.fold(folder) { _, _ in content(markedSidecar) }
    #expect(folder.own.mark.state == .marked)
    #expect(names(folder) == ["a"])
    let other = directory(["a"])
    #expect(SidecarFolding.apply(content(markedSidecar), toOwn: other))
    #expect(!SidecarFolding.apply(.ordinary, toOwn: other))
    #expect(other.own.mark.state == .marked)
  }

  @Test func damagedAndUnreadableMakeTheOwnerUnknown() {
    let problem = InputProblem(
      path: Array("D/._b".utf8), operation: "open", error: "EACCES", message: "closed")
    let folder = directory(["._a", "._b", "._c", "a", "b", "c"])
    folder.records[5].mark = OwnMark(state: .marked, form: .other, bytes: 1)
    SidecarFolding.fold(folder) { record, place in
      switch place.name(record)[2] {
      case 0x62: .unreadable(problem)
      default: .damaged("for a test")
      }
    }
    // What could not be read may be an ordinary file: it stays an entry, and unknown.
    #expect(names(folder) == ["._b", "a", "b", "c"])
    #expect(marked(folder, .unknown) == ["._b", "a", "b"])
    #expect(marked(folder) == ["c"])
    #expect(folder.details[Int(folder.records[2].detail)].problem == problem)
    #expect(folder.details[Int(folder.records[1].detail)].problem?.path == Array("D/a".utf8))
  }

  @Test func eitherCarrierMarksAndDisagreementIsTold() {
    let folder = directory(["._a", "._b", "._c", "a", "b", "c"])
    folder.records[3].mark = OwnMark(state: .marked, form: .mobileBackup, bytes: 22)
    folder.records[4].mark = OwnMark(state: .marked, form: .backupdPlist, bytes: 61)
    folder.records[5].attributes = .foreign
    SidecarFolding.fold(folder) { _, _ in content(markedSidecar) }
    #expect(marked(folder) == ["a", "b", "c"])
    #expect(folder.details[Int(folder.records[0].detail)].remark != nil)
    #expect(folder.records[1].detail < 0)
    #expect(folder.details[Int(folder.records[2].detail)].remark != nil)
  }

  @Test func companionsOfAFindersZip() {
    let folder = directory(["a", "b", "sub/"])
    let companion = directory(["._a", "._sub", "._gone", "x"], path: "__MACOSX/D")
    SidecarFolding.fold(folder, companions: [companion]) { record, place in
      place === companion ? content(markedSidecar) : .ordinary
    }
    #expect(marked(folder) == ["a", "sub"])
    SidecarFolding.fold(
      companion,
      ownerElsewhere: { $0.elementsEqual("gone".utf8) ? .missing : .there(isMarked: false) }
    ) { _, _ in content(markedSidecar) }
    #expect(names(companion) == ["x"])
    #expect((companion.sidecars, companion.orphanSidecars) == (3, 1))
  }

  @Test func theSameTextInAnotherUnicodeForm() {
    let folder = directory(["._e\u{301}", "\u{E9}", "._o\u{308}", "o\u{308}", "\u{F6}"])
    SidecarFolding.fold(folder) { _, _ in content(markedSidecar) }
    #expect(
      marked(folder).map { Array($0.utf8) } == [Array("o\u{308}".utf8), Array("\u{E9}".utf8)])
    #expect(folder.orphanSidecars == 0)
  }

  @Test func sidecarsOfSidecarsMarkNothing() {
    let folder = directory(["._._a", "._a", "a"])
    SidecarFolding.fold(folder) { _, _ in content(markedSidecar) }
    #expect(names(folder) == ["a"])
    #expect((folder.sidecars, folder.orphanSidecars) == (2, 1))
  }

  @Test func sideFilesOf7Zip() {
    let tail = ":com.apple.metadata_com_apple_backup_excludeItem"
    let folder = directory([
      "a", "a" + tail, "a:com.apple.quarantine", "b", "gone" + tail, "gone:com.apple.x", "sub/",
      "sub" + tail,
    ])
    let value = ExclusionMark.backupdPlist
    SidecarFolding.fold(folder) { _, _ in
      value.withUnsafeBufferPointer { SidecarContent.sevenZipMark($0) }
    }
    #expect(names(folder) == ["a", "b", "gone" + tail, "gone:com.apple.x", "sub"])
    #expect(marked(folder) == ["a", "sub"])
    #expect((folder.sevenZipOnFiles, folder.sevenZipOnDirectories) == (2, 1))
    #expect(folder.records[1].attributes.isEmpty)
  }
}
