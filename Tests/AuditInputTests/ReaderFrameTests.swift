import AuditCore
import TestSupport
import Testing

@testable import AuditInput

/// What the archive's process says is taken apart as if the archive had said it.
@Suite struct ReaderFrameTests {
  private func sample() -> Directory {
    let names: [[UInt8]] = [Array("a".utf8), Array("history.sqlite".utf8), [0xFF, 0x0A], [0x64]]
    let directory = Directory(
      path: Array("Library/x".utf8), own: EntryRecord(), recordCount: names.count, nameBytes: 64)
    var offset = 0
    for (index, name) in names.enumerated() {
      var record = EntryRecord()
      record.nameOffset = UInt32(offset)
      record.nameLength = UInt16(name.count)
      record.kind = index == 3 ? .directory : .file
      record.size = Int64(index * 1000)
      record.mark = index == 1 ? OwnMark(state: .marked, form: .backupdPlist, bytes: 61) : .absent
      record.detail = index == 1 ? 0 : -1
      for byte in name {
        (directory.arena + offset).initialize(to: byte)
        offset += 1
      }
      (directory.records + index).initialize(to: record)
    }
    directory.fileCount = 3
    directory.directoryCount = 1
    var detail = EntryDetail()
    detail.nearMisses = [NearMiss(kind: .legacy, name: Array("com.apple.MobileBackup".utf8))]
    detail.header = Array("SQLite format 3\u{0}".utf8)
    directory.details = [detail]
    directory.problems = [
      InputProblem(path: [1], operation: "read", error: "EIO", message: "it broke")
    ]
    directory.metadata = ContainerMetadata(identifier: "io.example.app", contentClass: 2)
    directory.sidecars = 7
    return directory
  }

  private func encoded(_ directory: Directory) -> [UInt8] {
    var writer = FrameWriter()
    writer.put(directory)
    return writer.bytes
  }

  @Test func aDirectoryComesBackAsItWas() throws {
    let bytes = encoded(sample())
    var reader = FrameReader(bytes[...])
    let back = try reader.directory(layers: 1)
    #expect(reader.left == 0)
    #expect(encoded(back) == bytes)
    #expect(back.name(back.records[1]).elementsEqual("history.sqlite".utf8))
    #expect(back.records[1].key == 0x6869_7374_6F72_792E)
    #expect(back.metadata?.identifier == "io.example.app")
  }

  @Test func everyCutIsNoticed() {
    let bytes = encoded(sample())
    for length in 0..<bytes.count {
      var reader = FrameReader(bytes[..<length])
      #expect(throws: FrameReader.Garbled.self) { try reader.directory(layers: 1) }
    }
  }

  /// Nothing that is said is believed where it would lead outside of the frame.
  @Test(arguments: [1, 2, 3, 4] as [UInt64]) func changedBytesAreContained(seed: UInt64) {
    var generator = SeededGenerator(seed: seed)
    let bytes = encoded(sample())
    for _ in 0..<5000 {
      var changed = bytes
      for _ in 0..<Int.random(in: 1...4, using: &generator) {
        changed[Int.random(in: 0..<changed.count, using: &generator)] = .random(
          in: 0...255, using: &generator)
      }
      var reader = FrameReader(changed[...])
      guard let directory = try? reader.directory(layers: 1) else { continue }
      for index in 0..<directory.count {
        #expect(!directory.name(directory.records[index]).isEmpty, "seed \(seed)")
        #expect(directory.records[index].detail < Int32(directory.details.count), "seed \(seed)")
      }
      #expect(directory.layer == 0, "seed \(seed)")
    }
  }

  /// A file read again is no progress; whatever comes out of a pipe is.
  @Test func onlyReadingOnIsProgress() {
    var file = FurthestRead()
    let places: [Int64] = [0, 65_536, 0, 65_536, 131_072, 131_072]
    #expect(places.map { file.isPassed(by: $0) } == [true, true, false, false, true, false])
    var pipe = FurthestRead()
    #expect((0..<3).allSatisfy { _ in pipe.isPassed(by: nil) })
  }
}
