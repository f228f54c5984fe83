import TestSupport
import Testing

/// Random trees: the live walk, an archive of the same tree and a naive oracle agree.
@Suite struct PropertyTests {
  static let seeds: [UInt64] = Array(1...12)

  /// What two ways of reading a tree must have in common.
  private struct Seen: Equatable {
    var type: String
    var verdict: String
    var size: Int?
    var mark: Report.Mark?
  }

  private func entries(_ report: Report, sizes: Bool) -> [[UInt8]: Seen] {
    let files = report.inputs.first?.files ?? []
    #expect(Set(files.map(\.bytes)).count == files.count, "a path is reported twice")
    return Dictionary(
      files.map { file in
        let sized = sizes && file.type == "file"
        return (
          file.bytes,
          Seen(
            type: file.type, verdict: file.verdict, size: sized ? file.size : nil, mark: file.mark)
        )
      }, uniquingKeysWith: { first, _ in first })
  }

  private func entries(_ oracle: Oracle, sizes: Bool) -> [[UInt8]: Seen] {
    oracle.items.mapValues { item in
      let sized = sizes && item.type == "file"
      return Seen(
        type: item.type, verdict: item.verdict, size: sized ? item.size : nil, mark: item.mark)
    }
  }

  private func differences(_ a: [[UInt8]: Seen], _ b: [[UInt8]: Seen]) -> [String] {
    func shown(_ seen: Seen?) -> String {
      guard let seen else { return "not there" }
      return "\(seen.type) \(seen.verdict) \(seen.size ?? -1) \(seen.mark?.form ?? "-")"
    }
    return Set(a.keys).union(b.keys).filter { a[$0] != b[$0] }.prefix(5).map { path in
      let name = String(decoding: path.suffix(60), as: UTF8.self).debugDescription
      return "\(shown(a[path])) | \(shown(b[path])): \(name)"
    }
  }

  @Test(.disabled(if: !TemporaryDirectory.isPossible), arguments: seeds)
  func everyReaderAgrees(seed: UInt64) throws {
    let spec = TreeSpec.random(seed: seed, size: 40 + Int(seed) * 30)
    let place = try TemporaryDirectory()
    let root = try place.directory("tree")
    try spec.build(below: root)
    let oracle = try Oracle(root)

    let live = try Audit.run(["-q", "-f", "json", "--jobs", "1", "--", place.at("tree")])
    let report = try Report(live.output)
    #expect(report.complete)
    let unlike = differences(entries(report, sizes: true), entries(oracle, sizes: true))
    #expect(unlike.isEmpty, "live walk and oracle, seed \(seed)")

    for jobs in ["2", "4", "7"] {
      let other = try Audit.run(["-q", "-f", "json", "--jobs", jobs, "--", place.at("tree")])
      #expect(other.output == live.output, "--jobs \(jobs), seed \(seed)")
      #expect(other.status == live.status)
    }

    let tar = try place.file("tree.tar", spec.tar())
    let packed = try Report(try Audit.run(["-q", "-f", "json", "--", tar]).output)
    let lost = differences(entries(packed, sizes: false), entries(oracle, sizes: false))
    #expect(lost.isEmpty, "archive and oracle, seed \(seed)")
  }

  @Test(.disabled(if: !TemporaryDirectory.isPossible), arguments: seeds.prefix(4))
  func closedDoorsAreNamed(seed: UInt64) throws {
    let spec = TreeSpec.random(seed: seed + 100, size: 150, closedDoors: true)
    let place = try TemporaryDirectory()
    let root = try place.directory("tree")
    try spec.build(below: root)
    let oracle = try Oracle(root, as: Audit.plainUser == nil ? .own : .stranger)
    try #require(!oracle.closed.isEmpty, "the tree has no closed directory")

    var outputs: [[UInt8]] = []
    for jobs in ["1", "2", "4", "7"] {
      let result = try Audit.run(
        ["-q", "-f", "json", "--jobs", jobs, "--", place.at("tree")], as: Audit.plainUser)
      #expect(result.status == 2)
      outputs.append(result.output)
    }
    #expect(outputs.allSatisfy { $0 == outputs[0] })
    let report = try Report(outputs[0])
    #expect(!report.complete)
    let unlike = differences(entries(report, sizes: true), entries(oracle, sizes: true))
    #expect(unlike.isEmpty, "live walk and oracle, seed \(seed)")
    let errors = Set((report.inputs.first?.errors ?? []).map(\.path))
    let closed = Set(oracle.closed.map { String(decoding: $0, as: UTF8.self) })
    #expect(closed.isSubset(of: errors), "closed but not named: \(closed.subtracting(errors))")
  }

  @Test func randomTreesHoldWhatTheyPromise() {
    let entries = Self.seeds.flatMap { TreeSpec.random(seed: $0, size: 40 + Int($0) * 30).entries }
    let kinds = Set(entries.map(\.kind))
    #expect(kinds == [.directory, .file, .symlink, .fifo, .hardLink])
    #expect(entries.contains { String(validating: $0.path, as: UTF8.self) == nil })
    #expect(entries.contains { $0.mark == [] })
    #expect(entries.contains { $0.mark?.isEmpty == false && $0.kind == .directory })
    #expect(entries.contains { $0.path.components.count > 8 })
    let again = TreeSpec.random(seed: 5, size: 190)
    #expect(again.tar() == TreeSpec.random(seed: 5, size: 190).tar())
  }
}
