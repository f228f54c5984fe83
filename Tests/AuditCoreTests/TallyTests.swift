import Testing

@testable import AuditCore

/// Sums of numbers from an input stay at the highest instead of trapping or starting again.
@Suite struct TallyTests {
  @Test func sumsStayAtTheHighest() {
    var one = Counts()
    one.bytes[.exposed] = Int.max - 1
    one.bytes[.unknown] = 5
    var both = one
    both += one
    #expect(both.bytes[.exposed] == Int.max)
    #expect(both.bytes[.unknown] == 10)
    #expect(both.bytes.total == Int.max)
    both += both
    #expect(both.bytes[.exposed] == Int.max)
  }

  @Test func anInputWithSuchSizesIsNamed() throws {
    let report = try sizes([Int64.max, Int64.max])
    #expect(report.counts.bytes[.exposed] == Int.max)
    #expect(report.errors.map(\.error) == ["sizes"])
    #expect(try sizes([Int64.max - 1, 0]).errors.isEmpty)
  }

  private func sizes(_ sizes: [Int64]) throws -> InputReport {
    let directory = Directory(
      path: [], own: EntryRecord(), recordCount: sizes.count, nameBytes: sizes.count)
    for (index, size) in sizes.enumerated() {
      directory.arena[index] = UInt8(0x61 + index)
      var record = EntryRecord()
      record.nameOffset = UInt32(index)
      record.nameLength = 1
      record.size = size
      record.key = UInt64(0x61 + index) << 56
      (directory.records + index).initialize(to: record)
    }
    directory.fileCount = sizes.count
    let auditor = Auditor(options: AuditOptions(), gate: Gate(), sinks: [])
    _ = auditor.add(layer: Layer(format: "test", evidence: .proven))
    auditor.enter(directory)
    // One after the other, as runs come from a large directory.
    for index in sizes.indices { try auditor.classify(directory, index..<(index + 1)) }
    return auditor.finish(
      info: InputInfo(path: [], kind: "directory"), format: "test", allowEmpty: false)
  }
}
