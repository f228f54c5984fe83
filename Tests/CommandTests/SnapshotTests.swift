import Foundation
import TestSupport
import Testing

/// What people read, held against files under `Snapshots`; `AUDIT_RECORD=1` writes them anew.
@Suite struct SnapshotTests {
  private static let folder = URL(filePath: #filePath).deletingLastPathComponent()
    .appending(path: "Snapshots")
  private static let top = folder.appending(path: "../../..").standardizedFileURL

  @Test(arguments: [
    ("help", ["--help"]),
    ("help-explain", ["explain", "--help"]),
    ("rules", ["rules"]),
    ("blueguard", ["-q", "Fixtures/blueguard.tar"]),
    ("blueguard-color", ["-q", "--color", "always", "Fixtures/blueguard.tar"]),
    ("blueguard-findings", ["-q", "--list", "findings", "Fixtures/blueguard.tar"]),
    ("containers", ["containers", "Fixtures/blueguard-dump.tar.gz"]),
  ])
  func output(_ name: String, _ arguments: [String]) throws {
    var command = Audit.command(arguments)
    command.directory = Self.top.path
    let text = try command.run().outputText
    let file = Self.folder.appending(path: "\(name).txt")
    #expect(try text == Recording.kept(in: file, for: text))
  }

  /// A name can neither begin a line of the report nor send a byte that a terminal obeys.
  @Test(.disabled(if: !TemporaryDirectory.isPossible)) func hostileNames() throws {
    let place = try TemporaryDirectory()
    _ = try place.directory("c")
    for name in ["x\nPASSED  1 file", "\u{1B}[2Jx", "\u{202E}gpj", "\r  covered", "a\u{7}b"] {
      _ = try place.file("c/\(name)", [1])
    }
    for format in ["text", "json", "csv", "markdown", "junit"] {
      let result = try Audit.run(["-q", "-f", format, place.at("c")])
      #expect(result.status == 1)
      let bytes = result.output
      #expect(!bytes.contains { $0 < 0x20 && $0 != 0x0A && $0 != 0x0D }, "\(format)")
      #expect(!result.outputText.unicodeScalars.contains("\u{202E}"), "\(format)")
      #expect(
        !result.outputText.split(separator: "\n").contains { $0.hasPrefix("PASSED") }, "\(format)")
    }
  }
}
