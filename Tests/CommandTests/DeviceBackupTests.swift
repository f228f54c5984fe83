import TestSupport
import Testing

/// A backup given where containers are wanted: said by name, status 2, and none of it is judged.
@Suite(.disabled(if: !TemporaryDirectory.isPossible)) struct DeviceBackupTests {
  private let place: TemporaryDirectory

  init() throws { place = try TemporaryDirectory() }

  private func files(_ names: [String], below top: String) throws {
    for name in names {
      var path = ""
      for part in (top + "/" + name).split(separator: "/").dropLast() {
        path += path.isEmpty ? String(part) : "/\(part)"
        _ = try? place.directory(path)
      }
      _ = try place.file("\(top)/\(name)", [1])
    }
  }

  @Test(arguments: [
    ["Manifest.db", "Manifest.plist", "7c/7c7fba66680ef796b916b067077cc246adacf01d"],
    ["Manifest.mbdb", "Info.plist", "7c7fba66680ef796b916b067077cc246adacf01d"],
    ["AppDomainGroup-group.io.example.chat/Store/chat.sqlite", "HomeDomain/Library/SMS/sms.db"],
    ["AppDomain-io.example.chat/Documents/a"],
  ])
  func aBackupIsNamed(_ names: [String]) throws {
    for top in ["backup", "parent/UDID"] {
      try files(names, below: top)
      let result = try Audit.run(["-f", "json", place.at(String(top.split(separator: "/")[0]))])
      #expect(result.status == 2)
      #expect(result.errorText.contains("audit verify"), "\(result.errorText)")
      let report = try Report(result.output)
      #expect(report.inputs[0].files.allSatisfy { $0.verdict == "unknown" })
      #expect(report.inputs[0].errors.contains { $0.error == "device-backup" })
      #expect(!report.inputs[0].findings.contains { $0.rule == "exposed-file" })
    }
  }

  @Test func verifyNamesTheBackupsBelow() throws {
    try files(["A/Manifest.db", "B/Manifest.db", "C/other"], below: "Backup")
    try files(["Documents/a", "Library/b"], below: "app")
    let result = try Audit.run(["verify", place.at("Backup"), "--container", place.at("app")])
    #expect(result.status == 2)
    #expect(result.errorText.contains("holds several: A, B; give one"), "\(result.errorText)")
  }

  /// An app may keep files of such names.
  @Test func withinAContainerTheyAreTheApps() throws {
    try files(
      [
        "Documents/b/Manifest.db", "Documents/b/Info.plist", "Documents/AppDomain-x/a", "Library/a",
      ],
      below: "app")
    let report = try Report(Audit.run(["-f", "json", place.at("app")]).output)
    #expect(report.inputs[0].files.allSatisfy { $0.verdict == "exposed" })
    #expect(report.exitStatus == 1)
  }

  /// The beginning says what a file is; nothing inside of it can be taken for the whole.
  @Test(
    arguments: [
      (Array("!<arch>\n".utf8), 0, "ar archive"), (Array("H+".utf8), 1024, "Mount it read-only"),
      (Array("NXSB".utf8), 32, "Mount it read-only"), (Array("Rar!".utf8), 0, "RAR archive"),
      (Array("hsqs".utf8), 0, "squashfs"), (Array("MSWIM\0\0\0".utf8), 0, "WIM"),
      (Array("CD001".utf8), 32_769, "Mount it read-only"),
      (Array("SQLite format 3\0".utf8), 0, "audit verify"),
    ] as [([UInt8], Int, String)])
  func otherFormsAreRefusedByName(_ magic: [UInt8], _ offset: Int, _ says: String) throws {
    var bytes = [UInt8](repeating: 0, count: 65_536)
    bytes.replaceSubrange(offset..<(offset + magic.count), with: magic)
    // A whole zip without members at its end.
    bytes += Array("PK\u{5}\u{6}".utf8) + [UInt8](repeating: 0, count: 18)
    let file = try place.file("input", bytes)
    let result = try Audit.run(["-q", file])
    #expect(result.status == 2)
    #expect(result.errorText.contains(says), "\(result.errorText)")
  }
}
