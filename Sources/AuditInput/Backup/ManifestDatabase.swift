import AuditCore
import CSQLite

/// The database of a backup, read in one pass.
struct ManifestDatabase {
  /// The largest value of a column, in bytes.
  private static let valueLimit: Int32 = 16 << 20

  /// Where the database is.
  enum Place {
    /// By its absolute path.
    case file([UInt8])
    /// The bytes of the file, decrypted.
    case memory(Secret)
  }

  private let place: Place

  init(_ place: Place) { self.place = place }

  /// Calls `body` for every row of `Files`, in the order of the table.
  ///
  /// No index is used: one that is damaged could hide rows.
  func forEachRow(
    _ body: (Verification.Row, _ record: () -> BackupRecord) throws -> Void
  ) throws {
    let database = try Connection(place)
    let kind = try Statement(
      database, "SELECT type, rootpage FROM sqlite_schema WHERE name = 'Files'")
    // A view or a virtual table could be made to run for ever.
    guard try kind.step(), kind.bytes(0).elementsEqual("table".utf8), kind.integer(1) > 0 else {
      throw database.problem("no-table", "Manifest.db has no table called Files")
    }
    let rows = try Statement(
      database, "SELECT domain, relativePath, flags, file FROM Files NOT INDEXED")
    while try rows.step() {
      let domain = rows.bytes(0)
      let row = Verification.Row(
        domain: domain, path: rows.bytes(1), isDirectory: rows.integer(2) == 2)
      try body(row) {
        let item = BackupItem(Array(rows.bytes(3)))
        return BackupRecord(
          domain: Array(domain), size: item?.size, protectionClass: item?.protectionClass,
          hasMark: item?.hasMark)
      }
    }
  }

  /// An open database; closed with its last reference.
  private final class Connection {
    let handle: OpaquePointer?
    /// What SQLite reads from, and does not keep alive.
    private let memory: Secret?

    init(_ place: Place) throws {
      var handle: OpaquePointer?
      let flags = SQLITE_OPEN_READONLY | SQLITE_OPEN_URI | SQLITE_OPEN_NOMUTEX
      let name: String
      switch place {
      case .file(let path): (name, memory) = (Self.uri(path), nil)
      case .memory(let bytes): (name, memory) = (":memory:", bytes)
      }
      let code = sqlite3_open_v2(name, &handle, flags, nil)
      self.handle = handle
      guard code == SQLITE_OK else { throw problem() }
      if let memory {
        let size = sqlite3_int64(memory.count)
        let code = sqlite3_deserialize(
          handle, "main", memory.bytes.baseAddress?.assumingMemoryBound(to: UInt8.self), size, size,
          UInt32(SQLITE_DESERIALIZE_READONLY))
        guard code == SQLITE_OK else { throw problem() }
      }
      sqlite3_limit(handle, SQLITE_LIMIT_LENGTH, ManifestDatabase.valueLimit)
      for setting in ["trusted_schema = OFF", "cell_size_check = ON", "mmap_size = 0"] {
        guard sqlite3_exec(handle, "PRAGMA " + setting, nil, nil, nil) == SQLITE_OK else {
          throw problem()
        }
      }
    }

    deinit { sqlite3_close_v2(handle) }

    /// A URI with every byte escaped that could mean something in one.
    private static func uri(_ path: [UInt8]) -> String {
      let digits = Array("0123456789ABCDEF".unicodeScalars)
      var uri = "file://"
      for byte in path {
        switch byte {
        case 0x2F, 0x30...0x39, 0x41...0x5A, 0x61...0x7A, 0x2D, 0x2E, 0x5F:
          uri.unicodeScalars.append(Unicode.Scalar(byte))
        default:
          uri.unicodeScalars.append("%")
          uri.unicodeScalars.append(digits[Int(byte >> 4)])
          uri.unicodeScalars.append(digits[Int(byte & 15)])
        }
      }
      return uri + "?mode=ro&immutable=1"
    }

    /// What SQLite says of the last call.
    func problem() -> InputProblem {
      let text = sqlite3_errmsg(handle).map { String(cString: $0) } ?? "out of memory"
      return problem("damaged", "cannot read Manifest.db: \(text)")
    }

    func problem(_ error: String, _ message: SafeText) -> InputProblem {
      InputProblem(
        path: Array("Manifest.db".utf8), operation: "read", error: error, message: message)
    }
  }

  /// A prepared statement.
  private final class Statement {
    private let connection: Connection
    private let handle: OpaquePointer?

    init(_ connection: Connection, _ text: String) throws {
      self.connection = connection
      var handle: OpaquePointer?
      let code = sqlite3_prepare_v2(connection.handle, text, -1, &handle, nil)
      self.handle = handle
      guard code == SQLITE_OK else { throw connection.problem() }
    }

    deinit { sqlite3_finalize(handle) }

    /// Whether there is another row.
    func step() throws -> Bool {
      switch sqlite3_step(handle) {
      case SQLITE_ROW: return true
      case SQLITE_DONE: return false
      default: throw connection.problem()
      }
    }

    func integer(_ column: Int32) -> Int {
      Int(truncatingIfNeeded: sqlite3_column_int64(handle, column))
    }

    /// The bytes of a text or blob, valid until the next step; empty for NULL.
    func bytes(_ column: Int32) -> UnsafeBufferPointer<UInt8> {
      let start = sqlite3_column_blob(handle, column)
      let count = Int(sqlite3_column_bytes(handle, column))
      return UnsafeBufferPointer(
        start: start?.assumingMemoryBound(to: UInt8.self), count: start == nil ? 0 : count)
    }
  }
}
