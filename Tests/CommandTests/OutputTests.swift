import Foundation
import TestSupport
import Testing

/// Where reports go: never over what is read, never into standard streams, never left half.
@Suite struct OutputTests {
  private let place: TemporaryDirectory

  init() throws { place = try TemporaryDirectory() }

  /// The command behind a shell, which closes streams, sets limits or sends signals.
  private func shell(_ script: String, _ arguments: [String]) throws -> Command.Result {
    var command = Command("/bin/sh", ["-c", script, Audit.binary] + arguments)
    command.directory = place.text
    return try command.run()
  }

  private func contents(_ name: String) throws -> [UInt8] {
    try Array(Data(contentsOf: URL(filePath: place.at(name))))
  }

  private func leftovers(in folder: String = "") throws -> [String] {
    try FileManager.default.contentsOfDirectory(atPath: place.at(folder))
      .filter { $0.contains(".audit-") }
  }

  @Test(arguments: [">&-", "2>&-", "<&-", ">&- 2>&-", "<&- >&- 2>&-"])
  func closedStreamsTakeNoReport(_ closing: String) throws {
    _ = try place.directory("c")
    _ = try place.file("c/f", [1])
    let result = try shell(
      "\"$0\" \"$@\" \(closing)",
      ["-f", "json", "-o", "r.json", "--report", "csv=r.csv", "--write-baseline", "b.json", "c"])
    #expect(result.status == 1)
    #expect(try Report(contents("r.json")).exitStatus == 1)
    #expect(try contents("r.csv").starts(with: "input,path".utf8))
    #expect(try contents("b.json").starts(with: "{\n  \"version\": 1".utf8))
    #expect(result.outputText.isEmpty)
    #expect(try leftovers() == [])
  }

  @Test(arguments: [
    ["-o", "e.tar", "e.tar"], ["--report", "json=e.tar", "e.tar"], ["-o", "link.tar", "e.tar"],
    ["-o", "e.tar", "link.tar"], ["-o", "hard.tar", "e.tar"], ["-o", "c/r.json", "c"],
    ["-o", "c/sub/r.json", "c"], ["-o", "down/r.json", "c"], ["-o", "c/f", "c"],
    ["-o", "p.json5", "--policy", "p.json5", "c"], ["-o", "b.json", "--baseline", "b.json", "c"],
    ["--write-baseline", "c/b.json", "c"], ["diff", "-o", "c/r", "e.tar", "c"],
    ["containers", "-o", "c/r", "c"], ["policy", "-o", "c/p.json5", "c"],
  ])
  func nothingThatIsReadIsReplaced(_ arguments: [String]) throws {
    _ = try place.directory("c")
    _ = try place.directory("c/sub")
    _ = try place.file("c/f", [1])
    let tar = try place.file("e.tar", Array(repeating: 0, count: 1024))
    _ = try place.file("p.json5", Array("{version: 1}".utf8))
    _ = try place.file("b.json", Array("{\"version\": 1, \"findings\": []}".utf8))
    symlink("e.tar", place.at("link.tar"))
    symlink("c/sub", place.at("down"))
    link(tar, place.at("hard.tar"))
    let before = try Self.tree(place.text)
    let result = try shell("\"$0\" \"$@\"", arguments)
    #expect(result.status == 64)
    #expect(result.errorText.contains("would "), "\(result.errorText)")
    #expect(try Self.tree(place.text) == before)
  }

  @Test func aBaselineIsWrittenOverItselfAndReportsBesideTheInput() throws {
    _ = try place.directory("c")
    _ = try place.file("c/f", [1])
    _ = try place.file("b.json", Array("{\"version\": 1, \"findings\": []}".utf8))
    let result = try shell(
      "\"$0\" \"$@\"", ["-o", "c.txt", "--baseline", "b.json", "--write-baseline", "b.json", "c"])
    #expect(result.status == 1)
    #expect(String(decoding: try contents("b.json"), as: UTF8.self).contains("\"f\""))
    #expect(try !contents("c.txt").isEmpty)
  }

  @Test func decisionsWithoutEndAreRefused() throws {
    _ = try place.directory("c")
    _ = try place.file("c/f", [1])
    for option in ["--policy", "--baseline"] {
      let result = try shell(
        "ulimit -v 2000000; \"$0\" \"$@\"", ["-j", "1", option, "/dev/zero", "c"])
      #expect(result.status == 2)
      #expect(result.errorText.contains("64 MiB"), "\(result.errorText)")
    }
  }

  /// Every signal that would end the program takes its unfinished files with it.
  @Test(arguments: ["HUP", "INT", "QUIT", "TERM", "USR1", "USR2", "ALRM", "XCPU", "ABRT", "SEGV"])
  func signalsLeaveNothing(_ name: String) throws {
    _ = try place.directory("o")
    var arguments = ["-o", "o/main"]
    for number in 0..<70 { arguments += ["--report", "csv=o/r\(number)"] }
    // The shell becomes the program, so that nothing ignores INT and QUIT for it.
    let script = """
      ulimit -c 0
      mkfifo hold; exec 3<>hold; pid=$$
      (
        n=0
        while [ "$(ls -A o | wc -l)" -lt 71 ] && [ $n -lt 1000 ]; do sleep 0.02; n=$((n + 1)); done
        ls -A o | wc -l
        kill -\(name) $pid
      ) &
      exec "$0" "$@" - <hold
      """
    let result = try shell(script, arguments)
    #expect(result.status > 128, "\(result.errorText)")
    #expect(result.outputText.trimmingCharacters(in: .whitespacesAndNewlines) == "71")
    #expect(try leftovers(in: "o") == [])
  }

  @Test func aFileSizeLimitIsAnErrorOfTheWrite() throws {
    _ = try place.directory("c")
    for number in 0..<200 {
      _ = try place.file("c/\(String(repeating: "n", count: 200))\(number)", [])
    }
    let result = try shell("ulimit -f 8; \"$0\" \"$@\"", ["-f", "json", "-o", "r.json", "c"])
    #expect(result.status == 2)
    #expect(result.errorText.contains("cannot write r.json"), "\(result.errorText)")
    #expect(try leftovers() == [])
  }

  /// Every name below a directory with what it holds.
  private static func tree(_ path: String) throws -> [String: Data?] {
    var result: [String: Data?] = [:]
    for name in try FileManager.default.subpathsOfDirectory(atPath: path) {
      result[name] = FileManager.default.contents(atPath: "\(path)/\(name)")
    }
    return result
  }
}
