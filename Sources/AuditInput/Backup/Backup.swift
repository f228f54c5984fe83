import AuditCore

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

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
  public private(set) var problems: [InputProblem] = []
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
    guard System.status(fd)?.kind == .directory else {
      return .failure(
        problem("not-a-backup", "\(Shown.text(path)) is no folder; pass the backup's folder"))
    }
    let header: [UInt8]
    switch FolderFile.read(fd, "Manifest.db", limit: 16) {
    case .absent:
      return .failure(
        problem(
          "not-a-backup",
          "\(Shown.text(path)) holds no Manifest.db; a backup's folder is named after the device, "
            + "below MobileSync/Backup"))
    case .failed(let code):
      return .failure(ErrorText.problem(Array("Manifest.db".utf8), "open", code))
    case .bytes(let bytes): header = bytes
    }
    let manifest = FolderFile.plist(fd, "Manifest.plist", Manifest.self)
    let isEncrypted = manifest?.isEncrypted == true
    let isPlain = header.elementsEqual(ManifestDecryption.header)
    guard isPlain || isEncrypted else {
      return .failure(
        problem("damaged", "Manifest.db is no SQLite database; it is damaged, or it is encrypted"))
    }
    let database: ManifestDatabase
    if isPlain {
      let absolute = System.path(of: fd)
      guard !absolute.isEmpty else { return .failure(ErrorText.problem(path, "open", 0)) }
      database = ManifestDatabase(.file(Bytes.join(absolute, Array("Manifest.db".utf8))))
    } else {
      do {
        let locked = LockedManifest(
          keyBag: manifest?.keyBag.map { Array($0) },
          manifestKey: manifest?.manifestKey.map { Array($0) })
        database = ManifestDatabase(
          .memory(
            try locked.open(unlocking) { try ManifestDecryption.read(fd, "Manifest.db") }))
      } catch let problem as InputProblem {
        return .failure(problem)
      }
    }
    var backup = Backup(
      path: path, date: manifest?.date?.ISO8601Format(),
      systemVersion: manifest?.lockdown?.productVersion,
      isEncrypted: isEncrypted, wasDecrypted: !isPlain, database: database)
    backup.look(fd)
    return .success(backup)
  }

  /// Looks for signs that the backup was not finished.
  private mutating func look(_ fd: Int32) {
    if case .bytes(let bytes) = FolderFile.read(fd, "Manifest.db-wal", limit: 1), !bytes.isEmpty {
      problems.append(
        Self.problem(
          "unfinished",
          "Manifest.db-wal holds rows that are not in Manifest.db yet: the backup is "
            + "being made, or was not finished"))
    }
    let status = FolderFile.plist(fd, "Status.plist", Status.self)
    if let state = status?.snapshotState, state != "finished" {
      problems.append(
        Self.problem(
          "unfinished",
          "Status.plist says that the backup is \(Shown.text(Array(state.utf8))), not "
            + "finished"))
    }
  }

  private static func problem(_ error: String, _ message: String) -> InputProblem {
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

  private struct Manifest: Decodable {
    struct Lockdown: Decodable {
      var productVersion: String?
      enum CodingKeys: String, CodingKey { case productVersion = "ProductVersion" }
      init(from decoder: any Decoder) throws {
        let values = try decoder.container(keyedBy: CodingKeys.self)
        productVersion = try? values.decode(String.self, forKey: .productVersion)
      }
    }
    var isEncrypted: Bool
    var date: Date?
    var lockdown: Lockdown?
    var keyBag: Data?
    var manifestKey: Data?

    enum CodingKeys: String, CodingKey {
      case isEncrypted = "IsEncrypted"
      case date = "Date"
      case lockdown = "Lockdown"
      case keyBag = "BackupKeyBag"
      case manifestKey = "ManifestKey"
    }

    /// Lenient: what is of another type is left out.
    init(from decoder: any Decoder) throws {
      let values = try decoder.container(keyedBy: CodingKeys.self)
      isEncrypted =
        (try? values.decode(Bool.self, forKey: .isEncrypted))
        ?? ((try? values.decode(Int.self, forKey: .isEncrypted)).map { $0 != 0 } ?? false)
      date = try? values.decode(Date.self, forKey: .date)
      lockdown = try? values.decode(Lockdown.self, forKey: .lockdown)
      keyBag = try? values.decode(Data.self, forKey: .keyBag)
      manifestKey = try? values.decode(Data.self, forKey: .manifestKey)
    }
  }

  private struct Status: Decodable {
    var snapshotState: String?
    enum CodingKeys: String, CodingKey { case snapshotState = "SnapshotState" }
  }
}

/// A file in the backup's folder.
private enum FolderFile {
  case bytes([UInt8])
  case absent
  /// With the error number.
  case failed(Int)

  /// Reads at most `limit` bytes of a regular file; links are not followed.
  static func read(_ directory: Int32, _ name: StaticString, limit: Int) -> FolderFile {
    let fd = DirectoryOpener.withCString(Array(name.description.utf8)) {
      System.openFile(directory, $0)
    }
    guard fd >= 0 else { return ErrorText.isGone(Int(-fd)) ? .absent : .failed(Int(-fd)) }
    defer { System.close(fd) }
    guard System.status(fd)?.kind == .file else { return .absent }
    var bytes = [UInt8](repeating: 0, count: min(limit, 1 << 16))
    var count = 0
    while count < limit {
      if count == bytes.count {
        bytes.append(contentsOf: repeatElement(0, count: min(bytes.count, limit - bytes.count)))
      }
      let read = bytes.withUnsafeMutableBytes { buffer in
        System.readFile(fd, UnsafeMutableRawBufferPointer(rebasing: buffer[count...]))
      }
      if read < 0 { return .failed(-read) }
      if read == 0 { break }
      count += read
    }
    return .bytes(Array(bytes[..<count]))
  }

  /// Reads a property list; nil where it is not there or not to be read.
  static func plist<List: Decodable>(
    _ directory: Int32, _ name: StaticString, _ type: List.Type
  ) -> List? {
    guard case .bytes(let bytes) = read(directory, name, limit: Backup.plistLimit),
      ContainerMetadataFile.isHarmless(bytes)
    else { return nil }
    return try? PropertyListDecoder().decode(type, from: Data(bytes))
  }
}
