import TestSupport
import Testing

/// A file is counted once, however often the directory it lies in is named.
@Suite(.disabled(if: !TemporaryDirectory.isPossible)) struct DistinctInputsTests {
  private let place: TemporaryDirectory

  init() throws {
    place = try TemporaryDirectory()
    for name in ["app", "app/sub", "other"] { _ = try place.directory(name) }
    _ = try place.file("app/sub/a", [1])
    _ = try place.file("app/b", [1])
    _ = try place.file("other/c", [1])
    _ = try Command("/bin/ln", ["-s", "app", place.at("link")]).run()
    _ = try Command("/bin/ln", ["-s", "../other", place.at("app/away")]).run()
  }

  private func run(_ verb: String, _ paths: [String]) throws -> Command.Result {
    var command = Audit.command([verb, "-f", "json"] + paths)
    command.directory = place.text
    return try command.run()
  }

  @Test(arguments: [
    (["app", "app"], ["app"], "app is the same as app"),
    (["app", "app/sub"], ["app"], "app/sub is a part of app"),
    (["app/sub", "app"], ["app"], "app/sub is a part of app"),
    (["link", "app/"], ["link"], "app/ is the same as link"),
    (["./app/../app/sub", "link/", "app"], ["link/"], "app is the same as link/"),
    ([".", "app", "other"], ["."], "other is a part of ."),
    (["app", "app/away"], ["app", "app/away"], ""),
    (["app", "other"], ["app", "other"], ""),
    (["app/b", "app"], ["app/b", "app"], ""),
  ])
  func oneOfEach(_ paths: [String], _ counted: [String], _ says: String) throws {
    let result = try run("check", paths)
    let report = try Report(result.output)
    #expect(report.inputs.map(\.path) == counted)
    if says.isEmpty {
      #expect(!result.errorText.contains("counted there only"))
    } else {
      #expect(result.errorText.contains("audit: \(says) and is counted there only\n"))
      let alone = try Report(run("check", counted).output)
      #expect(report.summary.counts == alone.summary.counts)
    }
  }
}
