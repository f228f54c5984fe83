import AuditCore
import TestSupport
import Testing

/// What `audit explain` says of one path is what `audit check` says of it among all others.
@Suite struct ExplainTests {
  private func explain(_ path: [UInt8], in directory: String) throws -> Command.Result {
    var command = Audit.command(["explain"])
    command.arguments += [Array("--".utf8), path]
    command.directory = directory
    return try command.run()
  }

  private func verdict(_ result: Command.Result) -> String? {
    result.outputText.split(separator: "\n").first { $0.hasPrefix("verdict: ") }
      .flatMap { $0.dropFirst(9).split(separator: " ").first.map(String.init) }
  }

  @Test(.disabled(if: !TemporaryDirectory.isPossible), arguments: [UInt64](201...208))
  func agreesWithCheck(seed: UInt64) throws {
    let place = try TemporaryDirectory()
    try TreeSpec.random(seed: seed, size: 150).build(below: place.directory("tree"))
    var check = Audit.command(["-q", "-f", "json", "."])
    check.directory = place.at("tree")
    let files = try Report(check.run().output).inputs.first?.files ?? []
    var random = SeededGenerator(seed: seed)
    for file in files.shuffled(using: &random).prefix(15) {
      let result = try explain(file.bytes, in: place.at("tree"))
      let said = verdict(result)
      #expect(said == file.verdict, "seed \(seed): \(Shown.text(file.bytes))")
      let expected: Int32 =
        switch file.verdict {
        case "exposed": 1
        case "unknown": 2
        default: 0
        }
      #expect(result.status == expected, "seed \(seed): \(Shown.text(file.bytes))")
    }
  }

  @Test(.disabled(if: !TemporaryDirectory.isPossible))
  func aDirectoryIsJudgedAsANewFileInIt() throws {
    let place = try TemporaryDirectory()
    for name in ["c", "c/tmp", "c/tmp/deep", "c/Documents"] { _ = try place.directory(name) }
    _ = try place.file(
      "c/.com.apple.mobile_container_manager.metadata.plist",
      TreeSpec.metadata(contentClass: "2", identifier: "io.example.app"))
    let temporary = try explain(Array("c/tmp/deep/".utf8), in: place.at(""))
    #expect(verdict(temporary) == "outside-backup")
    #expect(temporary.status == 0)
    let documents = try explain(Array("c/Documents".utf8), in: place.at(""))
    #expect(verdict(documents) == "exposed")
    #expect(documents.status == 1)
  }

  @Test(.disabled(if: !TemporaryDirectory.isPossible))
  func saysWhatItCannotExplain() throws {
    let place = try TemporaryDirectory()
    _ = try place.directory("t")
    _ = try place.file("t/f", [1])
    _ = try place.file("t/x.tar", [1])
    let below = try explain(Array("t/f/".utf8), in: place.at(""))
    #expect(below.status == 2)
    #expect(below.errorText.contains("not a directory"))
    let archive = try explain(Array("t/x.tar".utf8), in: place.at(""))
    #expect(archive.errorText.contains("'audit t/x.tar' reads what is in it"))
    let missing = try explain(Array("t/none".utf8), in: place.at(""))
    #expect(missing.status == 2)
    #expect(missing.errorText.contains("nothing at this path"))
  }
}
