import Foundation
import TestSupport
import Testing

/// No string from an input, a policy or the command line acts where it is shown.
@Suite struct StrangersTextTests {
  private static let marker =
    "x\u{1B}[2J\r\nerror forged\u{9B}\u{202E}\u{2028}|`<script>::error::%0A"

  private let place: TemporaryDirectory

  init() throws { place = try TemporaryDirectory() }

  /// A tar with a hostile name, and a hard link whose hostile target is not in it.
  private func archive() throws -> String {
    let name = Array(Self.marker.utf8)
    var out = Self.member("x", "Library/\(Self.marker).db", nil)
    out += Self.member("0", "Library/link.db", name)
    return try place.file("hostile.tar", out + [UInt8](repeating: 0, count: 1024))
  }

  /// A member of a pax archive; a path and a target of any bytes go into its records.
  private static func member(_ first: String, _ path: String, _ target: [UInt8]?) -> [UInt8] {
    var records = record("path", Array(path.utf8))
    if let target { records += record("linkpath", target) }
    return header("records", "x", records.count) + padded(records)
      + header("plain", target == nil ? "0" : "1", 0)
  }

  private static func record(_ key: String, _ value: [UInt8]) -> [UInt8] {
    let rest = Array(" \(key)=".utf8) + value + [0x0A]
    var length = rest.count + 1
    while length != rest.count + String(length).utf8.count {
      length = rest.count + String(length).utf8.count
    }
    return Array(String(length).utf8) + rest
  }

  private static func padded(_ bytes: [UInt8]) -> [UInt8] {
    bytes + [UInt8](repeating: 0, count: (512 - bytes.count % 512) % 512)
  }

  private static func header(_ name: String, _ type: Character, _ size: Int) -> [UInt8] {
    var block = [UInt8](repeating: 0, count: 512)
    func put(_ text: String, at offset: Int) {
      block.replaceSubrange(offset..<(offset + text.utf8.count), with: Array(text.utf8))
    }
    func octal(_ number: Int, _ digits: Int) -> String {
      let text = String(number, radix: 8)
      return String(repeating: "0", count: digits - text.count) + text
    }
    put(name, at: 0)
    put("0000644", at: 100)
    put(octal(size, 11), at: 124)
    put("00000000000", at: 136)
    put("        ", at: 148)
    put(String(type), at: 156)
    put("ustar\u{0}00", at: 257)
    put(octal(block.reduce(0) { $0 + Int($1) }, 6) + "\u{0} ", at: 148)
    return block
  }

  /// Nothing acts: no control but the line feed (and a carriage return that ends a CSV row or a
  /// tab of ours), nothing bidirectional, no line that a name began.
  private func expectHarmless(_ output: [UInt8], _ what: String) {
    let text = String(decoding: output, as: UTF8.self)
    for scalar in text.replacingOccurrences(of: "\r\n", with: "\n").unicodeScalars {
      let isHidden =
        switch scalar.value {
        case 0x0A: false
        case 0x00...0x1F, 0x7F...0x9F, 0x2028...0x202E, 0x2066...0x2069: true
        default: false
        }
      if isHidden {
        Issue.record("\(what) holds U+\(String(scalar.value, radix: 16))")
        return
      }
    }
    for line in text.split(whereSeparator: \.isNewline) {
      #expect(!line.hasPrefix("error forged"), "\(what): \(line)")
      #expect(!line.contains("<script>") || what != "junit", "\(what): \(line)")
    }
  }

  @Test(
    arguments: [
      "text", "json", "ndjson", "sarif", "junit", "github", "gitlab", "markdown", "csv", "html",
    ])
  func everyFormat(_ format: String) throws {
    let folder = "com.x" + Self.marker.replacingOccurrences(of: "/", with: "")
    _ = try place.directory("tree")
    _ = try place.directory("tree/" + folder)
    _ = try place.directory("tree/" + folder + "/Documents")
    _ = try place.file("tree/" + folder + "/Documents/" + folder, Array("data".utf8))
    let policy = try place.file(
      "policy.json5",
      Array(
        #"{ version: 1, exceptions: [{ rule: "exposed-file","#.utf8)
        + Array(
          #" path: "**", reason: "\u001b[2J\nerror forged" }] }"#
            .utf8))
    for extra in [[], ["--policy", policy]] {
      let result = try Audit.run(["-f", format] + extra + [archive(), place.at("tree")])
      #expect(result.status != 64, "\(result.errorText)")
      expectHarmless(result.error, "standard error")
      guard format != "html" else {
        #expect(!result.outputText.contains("\u{1B}") && !result.outputText.contains("\u{202E}"))
        continue
      }
      expectHarmless(result.output, format)
      if format == "markdown" {
        for line in result.outputText.split(separator: "\n") where line.hasPrefix("|") {
          let cells = line.replacingOccurrences(of: "\\|", with: "").filter { $0 == "|" }
          #expect(cells.count == 8, "\(line)")
        }
      }
    }
  }

  @Test func everyVerb() throws {
    let tar = try archive()
    let missing = place.at(Self.marker.replacingOccurrences(of: "/", with: ""))
    for arguments in [
      [missing], ["check", missing], ["explain", missing], ["containers", missing],
      ["policy", missing], ["diff", missing, tar], ["diff", tar, tar], ["rules", Self.marker],
      ["verify", missing, "--container", missing], ["containers", tar], ["policy", tar],
      ["--" + Self.marker, tar], ["-f", Self.marker, tar], ["--policy", missing, tar],
      ["--baseline", missing, tar], ["--report", Self.marker, tar], ["-o", missing + "/x", tar],
      ["--policy", tar, tar], ["--baseline", tar, tar], ["-j", Self.marker, tar],
    ] {
      let result = try Audit.run(arguments)
      expectHarmless(result.output, "\(arguments.first ?? "") output")
      expectHarmless(result.error, "\(arguments.first ?? "") error")
    }
  }
}
