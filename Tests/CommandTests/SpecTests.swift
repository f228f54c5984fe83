import Foundation
import TestSupport
import Testing

/// Every `.tree` file: the live tree and its archive get the verdicts that stand beside the names.
@Suite struct SpecTests {
  static let folder = URL(filePath: #filePath)
    .deletingLastPathComponent().appending(path: "../../Fixtures/trees").standardizedFileURL

  static let names: [String] = {
    let files = (try? FileManager.default.contentsOfDirectory(atPath: folder.path)) ?? []
    return files.filter { $0.hasSuffix(".tree") }.sorted()
  }()

  static func spec(_ name: String) throws -> TreeSpec {
    try TreeSpec(parsing: Array(try Data(contentsOf: folder.appending(path: name))))
  }

  @Test func specificationsAreThere() { #expect(Self.names.count >= 20) }

  @Test(.disabled(if: !TemporaryDirectory.isPossible), arguments: names)
  func liveTree(_ name: String) throws {
    let spec = try Self.spec(name)
    let place = try TemporaryDirectory()
    let root = try place.directory("tree")
    try spec.build(below: root)
    let input = place.at("tree/" + String(decoding: spec.input, as: UTF8.self))
    let result = try Audit.run(
      ["-q", "-f", "json"] + spec.options + ["--", input],
      as: spec.asUser ? Audit.plainUser : nil)
    let report = try Report(result.output)
    expectVerdicts(of: spec, in: report)
    expectRest(of: spec, in: report, result)
  }

  @Test(arguments: names)
  func archive(_ name: String) throws {
    let spec = try Self.spec(name)
    guard spec.archive else { return }
    let place = try TemporaryDirectory()
    for (namespace, prefix) in [("", "./"), ("user.", "")] {
      let tar = try place.file("tree.tar", spec.tar(namespace: namespace, prefix: prefix))
      let result = try Audit.run(["-q", "-f", "json"] + spec.options + ["--", tar])
      let report = try Report(result.output)
      expectVerdicts(of: spec, in: report)
      if let status = spec.status { #expect(result.status == status, "\(result.errorText)") }
    }
  }

  private func expectVerdicts(of spec: TreeSpec, in report: Report) {
    guard let input = report.inputs.first else {
      Issue.record("no input in the report")
      return
    }
    let found = Dictionary(grouping: input.files, by: \.bytes)
    #expect(found.values.allSatisfy { $0.count == 1 }, "a path is reported twice")
    var wanted: Set<[UInt8]> = []
    let byPath = Dictionary(
      spec.entries.map { ($0.path, $0) }, uniquingKeysWith: { first, _ in first })
    for entry in spec.entries where entry.kind != .directory {
      guard let path = spec.seenFromInput(entry.path), let verdict = entry.verdict else { continue }
      wanted.insert(path)
      let name = String(decoding: path.suffix(120), as: UTF8.self)
      guard let file = found[path]?.first else {
        Issue.record("\(name) is not in the report")
        continue
      }
      #expect(file.verdict == verdict, "\(name)")
      if entry.kind == .file { #expect(file.size == entry.size, "\(name)") }
      if entry.kind == .symlink { #expect(file.type == "symlink", "\(name)") }
      if entry.kind == .fifo { #expect(file.type == "fifo", "\(name)") }
      let inode = entry.kind == .hardLink ? byPath[entry.target] : entry
      #expect(file.mark?.bytes ?? 0 == inode?.mark?.count ?? 0, "\(name)")
    }
    let surplus = Set(found.keys).subtracting(wanted)
    #expect(surplus.isEmpty, "\(surplus.map { String(decoding: $0, as: UTF8.self) })")
    for container in spec.containers {
      let path = container.path.isEmpty ? Array(".".utf8) : container.path
      let same = input.containers.first { Array($0.path.utf8) == path }
      #expect(same?.kind == container.kind, "\(String(decoding: path, as: UTF8.self))")
      if let identifier = container.identifier { #expect(same?.identifier == identifier) }
    }
  }

  private func expectRest(of spec: TreeSpec, in report: Report, _ result: Command.Result) {
    guard let input = report.inputs.first else { return }
    for entry in spec.entries {
      guard let path = spec.seenFromInput(entry.path) else { continue }
      let shown = path.isEmpty ? Array(".".utf8) : path
      for rule in entry.findings {
        let hit = input.findings.contains { $0.rule == rule && $0.bytes == shown }
        #expect(hit, "\(rule) at \(String(decoding: shown, as: UTF8.self))")
      }
    }
    for path in spec.errors {
      #expect(input.errors.contains { Array($0.path.utf8) == path })
    }
    #expect(report.exitStatus == result.status)
    if let status = spec.status { #expect(result.status == status, "\(result.errorText)") }
  }
}
