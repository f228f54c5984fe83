import CSQLite
import Foundation
import TestSupport
import Testing

/// A backup folder in the making.
struct BackupFolder {
  /// A row of the table of files.
  struct Row {
    var domain: String
    var path: [UInt8]
    var flags = 1
    var file: [UInt8]

    init(
      _ domain: String, _ path: String, flags: Int = 1,
      file: [UInt8] = BinaryPlist.backupItem(size: 7).bytes
    ) {
      self.domain = domain
      self.path = Array(path.utf8)
      self.flags = flags
      self.file = file
    }
  }

  static let table =
    "CREATE TABLE Files (fileID TEXT PRIMARY KEY, domain TEXT, relativePath TEXT, "
    + "flags INTEGER, file BLOB)"

  /// Makes the folder; its name is one that a careless URI would trip over.
  static func make(
    in place: TemporaryDirectory, _ rows: [Row], schema: String = table,
    manifest: BinaryPlist = .dictionary([
      ("IsEncrypted", .boolean(false)),
      ("Lockdown", .dictionary([("ProductVersion", .string("17.5"))])),
    ])
  ) throws -> String {
    let name = "backup ?mode=rw#%41"
    _ = try place.directory(name)
    _ = try place.file(name + "/Manifest.plist", manifest.bytes)
    var handle: OpaquePointer?
    try #require(sqlite3_open(place.at(name + "/Manifest.db"), &handle) == SQLITE_OK)
    defer { sqlite3_close(handle) }
    try #require(sqlite3_exec(handle, schema, nil, nil, nil) == SQLITE_OK)
    var insert: OpaquePointer?
    guard schema == table else { return place.at(name) }
    let text = "INSERT INTO Files VALUES (?1, ?2, CAST(?3 AS TEXT), ?4, ?5)"
    try #require(sqlite3_prepare_v2(handle, text, -1, &insert, nil) == SQLITE_OK)
    defer { sqlite3_finalize(insert) }
    sqlite3_exec(handle, "BEGIN", nil, nil, nil)
    for (number, row) in rows.enumerated() {
      let transient = unsafeBitCast(-1, to: sqlite3_destructor_type.self)
      sqlite3_bind_text(insert, 1, "\(number)", -1, transient)
      sqlite3_bind_text(insert, 2, row.domain, -1, transient)
      sqlite3_bind_blob(insert, 3, row.path, Int32(row.path.count), transient)
      sqlite3_bind_int(insert, 4, Int32(row.flags))
      sqlite3_bind_blob(insert, 5, row.file, Int32(row.file.count), transient)
      try #require(sqlite3_step(insert) == SQLITE_DONE)
      sqlite3_reset(insert)
    }
    sqlite3_exec(handle, "COMMIT", nil, nil, nil)
    return place.at(name)
  }
}
