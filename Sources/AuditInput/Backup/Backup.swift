import AuditCore

/// A Finder or iTunes backup of a device: a folder with `Manifest.db` and the files by hash.
///
/// Only the table of files is read, never what the files hold. Nothing in the folder is changed:
/// the database is opened read-only and as immutable, and one that is encrypted is decrypted in
/// memory.
public struct Backup {
  /// The path as the user wrote it.
  public let path: [UInt8]
  /// When it was made, as `Manifest.plist` says: ISO 8601, UTC.
  public let date: String?
  /// The version of the system on the device, as `Manifest.plist` says.
  public let systemVersion: String?
  /// What speaks against trusting it as a whole.
  public let problems: [InputProblem]
  /// Whether `Manifest.plist` says that it is encrypted.
  public let isEncrypted: Bool
  /// Whether `Manifest.db` had to be decrypted; what is encrypted and was not, some tool decrypted.
  public let wasDecrypted: Bool
  private let database: ManifestDatabase

  /// The largest property list that is read, in bytes.
  static let plistLimit = 16 << 20

  /// Opens a backup.
  ///
  /// - Parameter unlocking: where the password of an encrypted one comes from.
  /// - Throws: only what asking for the password throws.
  public static func open(
    _ path: [UInt8], _ unlocking: BackupUnlocking? = nil
  ) throws -> Result<Backup, InputProblem> {
    let fd = DirectoryOpener.withCString(path) { System.openInput($0) }
    guard fd >= 0 else { return .failure(ErrorText.problem(path, "open", Int(-fd))) }
    defer { System.close(fd) }
    var status = OpenStatus()
    let code = System.status(fd, &status)
    guard code == 0 else { return .failure(ErrorText.problem(path, "stat", Int(-code))) }
    guard status.kind == .directory else {
      return .failure(
        problem("not-a-backup", "\(Shown.text(path)) is no folder; pass the backup's folder"))
    }
    let header: [UInt8]
    switch DecidingFile.head(fd, "Manifest.db", 16) {
    case .absent:
      return .failure(problem("not-a-backup", BackupsBelow.advice(path, fd)))
    case .failed(let problem): return .failure(problem)
    case .read(let bytes): header = bytes
    }
    var problems: [InputProblem] = []
    let manifest = list(fd, "Manifest.plist", &problems)
    let isEncrypted = manifest?["IsEncrypted"]?.flag == true
    let isPlain = header.elementsEqual(ManifestDecryption.header)
    guard isPlain || isEncrypted else {
      return .failure(
        problem("damaged", "Manifest.db is no SQLite database; it is damaged, or it is encrypted"))
    }
    if let problem = besideDatabase(fd) { return .failure(problem) }
    let database: ManifestDatabase
    if isPlain {
      let absolute = System.path(of: fd)
      guard !absolute.isEmpty else { return .failure(ErrorText.noPath(path)) }
      database = ManifestDatabase(.file(Bytes.join(absolute, Array("Manifest.db".utf8))))
    } else {
      do {
        let locked = LockedManifest(
          keyBag: manifest?["BackupKeyBag"]?.bytes, manifestKey: manifest?["ManifestKey"]?.bytes)
        database = ManifestDatabase(
          .memory(
            try locked.open(unlocking) { try ManifestDecryption.read(fd, "Manifest.db") }))
      } catch let problem as InputProblem {
        return .failure(problem)
      }
    }
    if let state = list(fd, "Status.plist", &problems)?["SnapshotState"],
      state != .string("finished")
    {
      let word = state.string ?? "in an unknown state"
      problems.append(
        problem(
          "unfinished",
          "Status.plist says that the backup is \(word), not finished"))
    }
    return .success(
      Backup(
        path: path, date: manifest?["Date"]?.date,
        systemVersion: manifest?["Lockdown"]?["ProductVersion"]?.string, problems: problems,
        isEncrypted: isEncrypted, wasDecrypted: !isPlain, database: database))
  }

  /// What makes the database another one than `Manifest.db` alone holds: SQLite's journals.
  ///
  /// It is opened as immutable, because nothing in the folder may be changed. SQLite then looks at
  /// no journal, so that rows would be missing, or there that never were.
  private static func besideDatabase(_ fd: Int32) -> InputProblem? {
    let journals: [(name: StaticString, what: String)] = [
      ("Manifest.db-wal", "holds rows that are not in Manifest.db yet"),
      ("Manifest.db-journal", "says that Manifest.db is half changed"),
    ]
    for journal in journals {
      switch DecidingFile.head(fd, journal.name, 1) {
      case .absent: continue
      case .failed(let problem): return problem
      case .read(let bytes):
        if bytes.isEmpty { continue }
        return InputProblem(
          path: Array(journal.name.description.utf8), operation: "open", error: "unfinished",
          message: "\(journal.name) \(journal.what): the backup is being made, or was not "
            + "finished; copy it again once it is finished, or run `sqlite3 Manifest.db 'PRAGMA "
            + "journal_mode=DELETE'` in a copy of the folder and give that copy")
      }
    }
    return nil
  }

  /// Reads a property list; nil where it is not there, or is among the problems.
  private static func list(
    _ directory: Int32, _ name: StaticString, _ problems: inout [InputProblem]
  ) -> PropertyList? {
    switch DecidingFile.whole(directory, name, limit: plistLimit) {
    case .absent: return nil
    case .failed(let problem): problems.append(problem)
    case .read(let bytes):
      do throws(PropertyList.Malformed) {
        let list = try PropertyList(bytes)
        if case .dictionary = list { return list }
        throw PropertyList.Malformed("it is no dictionary")
      } catch {
        problems.append(ErrorText.malformed(Array(name.description.utf8), error))
      }
    }
    return nil
  }

  private static func problem(_ error: String, _ message: SafeText) -> InputProblem {
    InputProblem(path: [], operation: "open", error: error, message: message)
  }

  /// Calls `body` for every row of the table of files.
  ///
  /// - Throws: `InputProblem` where the database is damaged, or what `body` throws.
  public func forEachRow(
    _ body: (Verification.Row, _ record: () -> BackupRecord) throws -> Void
  ) throws {
    try database.forEachRow(body)
  }
}
