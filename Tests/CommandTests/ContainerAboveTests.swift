import TestSupport
import Testing

/// The outermost container decides, wherever one starts to look.
@Suite(.disabled(if: !TemporaryDirectory.isPossible)) struct ContainerAboveTests {
  private let place: TemporaryDirectory
  private static let mirror =
    "Library/Caches/private/var/mobile/Containers/Data/Application/"
    + "33333333-3333-4333-8333-333333333333/tmp"

  init() throws { place = try TemporaryDirectory() }

  private func run(_ verb: String, _ paths: [String]) throws -> Command.Result {
    var command = Audit.command([verb, "-f", "json"] + paths)
    command.directory = place.text
    return try command.run()
  }

  @Test func anInputInsideAContainer() throws {
    let metadata = ".com.apple.mobile_container_manager.metadata.plist"
    for name in ["host", "host/Documents", "host/Documents/guest", "host/Documents/guest/tmp"] {
      _ = try place.directory(name)
    }
    for (name, id) in [("host", "io.example.host"), ("host/Documents/guest", "io.example.guest")] {
      _ = try place.file(
        "\(name)/\(metadata)", TreeSpec.metadata(contentClass: "2", identifier: id))
    }
    let secret = try place.file("host/Documents/guest/tmp/secret", [1])
    for input in ["host", "host/Documents"] {
      let report = try Report(run("check", [input]).output)
      #expect(
        report.inputs[0].files.first { $0.path.hasSuffix("secret") }?.verdict == "exposed")
      #expect(report.inputs[0].containers.count == 1)
      #expect(report.inputs[0].findings.count { $0.rule == "nested-container" } == 1)
    }
    let explained = try Audit.run(["explain", secret])
    #expect(explained.outputText.contains("verdict: exposed"))
    // Who names the guest means the guest.
    let guest = try Report(run("check", ["host/Documents/guest"]).output)
    #expect(guest.inputs[0].files.first { $0.path == "tmp/secret" }?.verdict == "outside-backup")
  }

  /// A mirror of device paths in an app's cache makes no place, even where nothing else is known.
  @Test func explainIsNotTakenInByAMirror() throws {
    _ = try Command("/bin/mkdir", ["-p", place.at("app/" + Self.mirror)]).run()
    let secret = try place.file("app/\(Self.mirror)/secret", [1])
    #expect(try Audit.run(["explain", secret]).outputText.contains("verdict: exposed"))
    let report = try Report(run("check", ["app"]).output)
    #expect(report.inputs[0].files.map(\.verdict) == ["exposed"])
  }

  /// What could decide and cannot be asked is an error where it matters, and only there.
  @Test(.disabled(if: Audit.plainUser == nil)) func aParentThatCannotBeAsked() throws {
    for name in ["closed", "closed/in", "closed/in/guest"] { _ = try place.directory(name) }
    _ = try place.file("closed/in/plain", [1])
    let copy = place.at("audit")
    _ = try Command("/bin/cp", [Audit.binary, copy]).run()
    func inside() throws -> Command.Result {
      // The shell enters the directory while it may; its children stay there.
      let script = """
        cd closed/in && chmod 700 .. && exec setpriv --reuid 65534 --clear-groups \
        "$0" check -f json .
        """
      var command = Command("/bin/sh", ["-c", script, copy])
      command.directory = place.text
      return try command.run()
    }
    let plain = try inside()
    // Its sidecars cannot be asked for either, and that always matters.
    #expect(try Report(plain.output).inputs[0].errors.allSatisfy { $0.path.hasPrefix("../") })
    #expect(!plain.errorText.contains("cannot tell whether the input lies in a container"))
    _ = try place.file(
      "closed/in/guest/.com.apple.mobile_container_manager.metadata.plist",
      TreeSpec.metadata(contentClass: "2", identifier: "io.example.guest"))
    let doubtful = try inside()
    #expect(doubtful.status == 2)
    #expect(doubtful.errorText.contains("cannot tell whether the input lies in a container"))
  }
}
