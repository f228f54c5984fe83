import BackupExclusion
import Foundation
import TestSupport
import Testing

/// Trees whose marks lie in sidecar files, in part outside what is audited.
@Suite(.disabled(if: !TemporaryDirectory.isPossible)) struct CarrierTests {
  private static let tail = ":com.apple.metadata_com_apple_backup_excludeItem"

  /// An AppleDouble file with the mark.
  private static let sidecar: [UInt8] = {
    func big(_ number: Int, _ width: Int) -> [UInt8] {
      (0..<width).reversed().map { UInt8(truncatingIfNeeded: number >> (8 * $0)) }
    }
    let name = Array(ExclusionMark.name.utf8) + [0]
    let padded = (11 + name.count + 3) & ~3
    let value = ExclusionMark.backupdPlist
    let end = 120 + padded + value.count
    var file = big(0x0005_1607, 4) + big(0x0002_0000, 4) + Array("Mac OS X        ".utf8)
    file += big(2, 2) + [9, 50, end - 50, 2, end, 0].flatMap { big($0, 4) }
    file += [UInt8](repeating: 0, count: 34) + Array("ATTR".utf8)
    file += [0, end, 120 + padded, value.count, 0, 0, 0].flatMap { big($0, 4) }
    file += [0, 0] + big(1, 2)
    file += big(120 + padded, 4) + big(value.count, 4) + [0, 0, UInt8(name.count)] + name
    return file + [UInt8](repeating: 0, count: padded - 11 - name.count) + value
  }()

  private func tree(_ files: [String: [UInt8]]) throws -> TemporaryDirectory {
    let place = try TemporaryDirectory()
    for (path, content) in files {
      let file = URL(filePath: place.at(path))
      try FileManager.default.createDirectory(
        at: file.deletingLastPathComponent(), withIntermediateDirectories: true)
      try Data(content).write(to: file)
    }
    return place
  }

  private func audit(_ path: String) throws -> (report: Report, status: Int32) {
    let result = try Audit.run(["-q", "-f", "json", "--", path])
    return (try Report(result.output), result.status)
  }

  private func verdicts(_ report: Report) -> [String: String] {
    Dictionary(
      uniqueKeysWithValues: report.inputs.flatMap(\.files).map { ($0.path, $0.verdict) })
  }

  @Test func aPartOfAFindersZip() throws {
    let place = try tree([
      "X/C/keep/a": [1], "X/C/own": [1], "X/C/sub/deep/own": [1], "X/C/open": [1],
      "X/__MACOSX/C/._keep": Self.sidecar, "X/__MACOSX/C/._own": Self.sidecar,
      "X/__MACOSX/C/sub/deep/._own": Self.sidecar,
    ])
    let whole = try audit(place.at("X/C")).report
    #expect(
      verdicts(whole) == [
        "keep/a": "covered-by-ancestor", "own": "self-marked", "sub/deep/own": "self-marked",
        "open": "exposed",
      ])
    #expect(verdicts(try audit(place.at("X/C/sub/deep")).report) == ["own": "self-marked"])
    // The folder's own mark lies beside it, in __MACOSX.
    #expect(verdicts(try audit(place.at("X/C/keep")).report) == ["a": "covered-by-ancestor"])
  }

  @Test func aSidecarNeverOverrulesTheVolume() throws {
    let files: [String: [UInt8]] = [
      "C/Documents/secret": [1], "C/._Documents": Self.sidecar, "C/kept/a": [1],
      "C/._kept": Self.sidecar, "C/own": [1], "__MACOSX/C/._own": Self.sidecar,
    ]
    let place = try tree(files)
    // Nothing else is known: they speak alone.
    #expect(
      verdicts(try audit(place.at("")).report) == [
        "C/Documents/secret": "covered-by-ancestor", "C/kept/a": "covered-by-ancestor",
        "C/own": "self-marked",
      ])
    try ExclusionMark.set(onItemAt: place.at("C/kept"))
    let stated = try audit(place.at(""))
    #expect(
      verdicts(stated.report) == [
        "C/Documents/secret": "exposed", "C/._Documents": "exposed",
        "C/kept/a": "covered-by-ancestor", "C/own": "exposed", "__MACOSX/C/._own": "exposed",
      ])
    #expect(stated.status == 1)
    let text = try Audit.run(["--", place.at("C")])
    #expect(text.outputText.contains("attributes-disagree"))
  }

  @Test func sideFilesOnFilesOnlyLeaveTheRestUnknown() throws {
    let place = try tree(["a": [1], "z/b": [1], "z/b" + Self.tail: ExclusionMark.backupdPlist])
    let (report, status) = try audit(place.text)
    #expect(verdicts(report) == ["a": "unknown", "z/b": "self-marked"])
    #expect(status == 2)
  }

  @Test func sideFilesOnADirectoryProveTheRest() throws {
    let place = try tree([
      "a": [1], "d/b": [1], "d/b" + Self.tail: ExclusionMark.backupdPlist, "y/z/c": [1],
      "y/z" + Self.tail: ExclusionMark.backupdPlist,
    ])
    let (report, status) = try audit(place.text)
    #expect(
      verdicts(report) == ["a": "exposed", "d/b": "self-marked", "y/z/c": "covered-by-ancestor"])
    #expect(status == 1)
  }

  @Test func aSideFileThatComesLateCallsTheRestIntoQuestion() throws {
    var files: [String: [UInt8]] = [
      "z/a": [1], "z/b": [1], "z/b" + Self.tail: ExclusionMark.backupdPlist,
    ]
    for index in 0..<4200 { files["a/\(index)"] = [] }
    let place = try tree(files)
    let (report, status) = try audit(place.text)
    let found = verdicts(report)
    #expect((found["a/7"], found["z/a"], found["z/b"]) == ("exposed", "unknown", "self-marked"))
    #expect(report.inputs.flatMap(\.errors).contains { $0.error == "directory-marks-lost" })
    #expect(status == 2)
  }
}
