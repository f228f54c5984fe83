import BackupExclusion
import Foundation
import TestSupport
import Testing

/// Backups that are hostile, damaged, unfinished or none.
extension VerifyTests {
  @Test func hostileTables() throws {
    for (schema, words) in [
      ("CREATE TABLE Other (a)", "no table called Files"),
      ("CREATE VIEW Files AS SELECT 1 AS domain", "no table called Files"),
      (
        "CREATE VIEW Files AS WITH RECURSIVE c(x) AS (SELECT 1 UNION ALL SELECT x FROM c) "
          + "SELECT x AS domain, x AS relativePath, 1 AS flags, x AS file FROM c",
        "no table called Files"
      ),
      ("CREATE TABLE Files (fileID, domain)", "no such column"),
    ] {
      let place = try TemporaryDirectory()
      let container = try container(tree, in: place)
      let backup = try BackupFolder.make(in: place, [], schema: schema)
      let (document, status, error) = try verify(backup, container)
      #expect(status == 2)
      #expect(error.contains(words), "\(error)")
      #expect(document.inputs.first?.containers.map(\.state) == ["not-read"])
    }
  }

  @Test func hostilePaths() throws {
    let place = try TemporaryDirectory()
    let container = try container(tree, in: place)
    let paths = [
      "../../../etc/passwd", "/etc/passwd", "Documents//open.txt", "Documents/open.txt/", "/",
      "Documents/open.txt\0", ".", "..", "\u{1B}[2J\u{202E}x",
    ]
    let backup = try BackupFolder.make(
      in: place,
      paths.map { .init(Self.domain, $0) }
        + [.init(Self.domain, String(repeating: "a/", count: 100_000))])
    let (document, status, _) = try verify(backup, container)
    #expect(status == 0)
    #expect(document.summary.counts.onlyInBackup == paths.count + 1)
    #expect(document.summary.counts.exposedAndPresent == 0)
  }

  @Test func aDamagedDatabase() throws {
    let place = try TemporaryDirectory()
    let container = try container(tree, in: place)
    let rows = (0..<3000).map { BackupFolder.Row(Self.domain, "Documents/\($0)") }
    let backup = try BackupFolder.make(in: place, rows)
    let path = backup + "/Manifest.db"
    let whole = try Data(contentsOf: URL(filePath: path))
    #expect(try verify(backup, container).status == 0)
    // Cut off in the middle, and with a page of zeros in it.
    try whole.prefix(whole.count / 2).write(to: URL(filePath: path))
    let (_, cut, error) = try verify(backup, container)
    #expect(cut == 2)
    #expect(error.contains("cannot read Manifest.db"))
    var holed = whole
    holed.replaceSubrange(8192..<whole.count, with: Data(count: whole.count - 8192))
    try holed.write(to: URL(filePath: path))
    #expect(try verify(backup, container).status == 2)
    for bytes in [Data(), Data("SQLite format 3\0".utf8), Data("not a database at all".utf8)] {
      try bytes.write(to: URL(filePath: path))
      #expect(try verify(backup, container).status == 2)
    }
  }

  @Test func whatIsNoBackupOrNotFinished() throws {
    let place = try TemporaryDirectory()
    let container = try container(tree, in: place)
    let rows = [BackupFolder.Row(Self.domain, "Documents/open.txt")]
    #expect(try verify(place.text, container).error.contains("holds no Manifest.db"))
    #expect(try verify(container, container).error.contains("is no folder"))
    #expect(try verify(place.at("missing"), container).error.contains("nothing at this path"))

    let backup = try BackupFolder.make(in: place, rows)
    #expect(try verify(backup, container).status == 0)
    let wal = URL(filePath: backup + "/Manifest.db-wal")
    try Data("x".utf8).write(to: wal)
    #expect(try verify(backup, container).error.contains("Manifest.db-wal holds rows"))
    try FileManager.default.removeItem(at: wal)
    let status = BinaryPlist.dictionary([("SnapshotState", .string("uploading"))])
    try Data(status.bytes).write(to: URL(filePath: backup + "/Status.plist"))
    let (document, code, error) = try verify(backup, container)
    #expect(code == 2)
    #expect(error.contains("the backup is uploading, not finished"))
    #expect(document.summary.counts.exposedAndPresent == 1)
  }

  @Test func anEncryptedBackup() throws {
    let place = try TemporaryDirectory()
    let container = try container(tree, in: place)
    let manifest = BinaryPlist.dictionary([("IsEncrypted", .boolean(true))])
    let backup = try BackupFolder.make(
      in: place, [.init(Self.domain, "Documents/open.txt")], manifest: manifest)
    // A tool has decrypted the database: then it is read.
    #expect(try verify(backup, container).status == 0)
    try Data((0..<4096).map { UInt8(truncatingIfNeeded: $0 &* 167) })
      .write(to: URL(filePath: backup + "/Manifest.db"))
    let (_, status, error) = try verify(backup, container)
    #expect(status == 2)
    #expect(error.contains("the backup is encrypted"))
  }
}
