/// The part a file plays in a store, as far as its name tells.
public enum StoreRole: Equatable, Sendable {
  /// Nothing known.
  case none
  /// Named like a database that SQLite may hold.
  case database
  /// A file that SQLite keeps beside a database; the database's name is the first `baseLength`
  /// bytes of the file's name.
  case sqliteSidecar(baseLength: Int, kind: SidecarKind)
  /// A file that another store's library creates anew by itself.
  case member(StoreLibrary)
  /// A temporary file of an atomic save.
  case atomicSave
}

/// The files that SQLite keeps beside a database.
public enum SidecarKind: UInt8, Sendable {
  case wal, sharedMemory, journal, superJournal

  /// A clause with a full stop that says what such a file holds.
  public var content: String {
    switch self {
    case .wal: "the -wal file holds the newest rows until a checkpoint."
    case .sharedMemory: "the -shm file is the index of the -wal file, which holds the newest rows."
    case .journal: "the -journal file holds the old pages of what a transaction changes."
    case .superJournal:
      "a super-journal names the journals of a transaction over several databases."
    }
  }
}

/// Libraries whose files are known by name.
public enum StoreLibrary: UInt8, Sendable {
  case realm, levelDB, lmdb

  /// The name for people.
  public var word: String {
    switch self {
    case .realm: "Realm"
    case .levelDB: "LevelDB or RocksDB"
    case .lmdb: "LMDB"
    }
  }
}

/// Tells from a name what store a file belongs to. Nothing here allocates or looks at a disk.
public enum StoreFamily {
  /// What is known of a file name (not a path).
  public static func role(_ name: UnsafeBufferPointer<UInt8>) -> StoreRole {
    if let (length, kind) = sidecar(name) {
      return .sqliteSidecar(baseLength: length, kind: kind)
    }
    if isRealm(name) { return .member(.realm) }
    if isLMDB(name) { return .member(.lmdb) }
    if looksLikeDatabase(name) { return .database }
    if isLevelDB(name) { return .member(.levelDB) }
    if isAtomicSave(name) { return .atomicSave }
    return .none
  }

  /// How many bytes of a sidecar's name are its database's name; nil where it is no sidecar.
  ///
  /// Sidecars are `X-wal`, `X-shm`, `X-journal`. Most names are rejected by their last byte.
  @inlinable
  public static func sidecarBaseLength(_ name: UnsafeBufferPointer<UInt8>) -> Int? {
    guard let last = name.last else { return nil }
    switch last {
    case UInt8(ascii: "l"):
      if ends(name, "-wal") { return name.count > 4 ? name.count - 4 : nil }
      return ends(name, "-journal") && name.count > 8 ? name.count - 8 : nil
    case UInt8(ascii: "m"):
      return ends(name, "-shm") && name.count > 4 ? name.count - 4 : nil
    default:
      return nil
    }
  }

  /// The sidecar a name stands for, super-journals included.
  static func sidecar(_ name: UnsafeBufferPointer<UInt8>) -> (Int, SidecarKind)? {
    if let length = sidecarBaseLength(name) {
      switch name[name.count - 2] {
      case UInt8(ascii: "a"): return (length, name[length + 1] == 0x77 ? .wal : .journal)
      default: return (length, .sharedMemory)
      }
    }
    // SQLite spells it "X-mj" + six hexadecimal digits + "9" + two more.
    let length = name.count - 12
    guard length > 0, name[length] == 0x2D, name[length + 1] == 0x6D, name[length + 2] == 0x6A,
      name[length + 9] == 0x39
    else { return nil }
    for index in (length + 3)..<name.count where !isHexDigit(name[index]) { return nil }
    return (length, .superJournal)
  }

  /// Whether a file is named like a database that SQLite may hold: by its extension, in any case.
  @inlinable
  public static func looksLikeDatabase(_ name: UnsafeBufferPointer<UInt8>) -> Bool {
    // The last letters of the extensions below; all but a few names end here.
    guard let last = name.last else { return false }
    switch last | 0x20 {
    case UInt8(ascii: "e"):
      return endsIgnoringCase(name, ".sqlite") || endsIgnoringCase(name, ".store")
    case UInt8(ascii: "b"):
      return endsIgnoringCase(name, ".db") || endsIgnoringCase(name, ".sqlitedb")
        || endsIgnoringCase(name, ".s3db")
    case 0x33:  // "3"
      return endsIgnoringCase(name, ".sqlite3") || endsIgnoringCase(name, ".db3")
        || endsIgnoringCase(name, ".sl3")
    case UInt8(ascii: "a"): return endsIgnoringCase(name, ".storedata")
    case UInt8(ascii: "s"): return endsIgnoringCase(name, ".mbtiles")
    case UInt8(ascii: "g"): return endsIgnoringCase(name, ".gpkg")
    default: return false
    }
  }

  /// The names of the sidecars that a database will get, in SQLite's order.
  ///
  /// - Parameters:
  ///   - database: the database's name.
  ///   - header: what its first bytes say; nil if they were not read.
  ///   - exists: whether a name is there already; such names are left out.
  public static func predictedSidecars(
    of database: some Collection<UInt8>, header: SQLiteHeader?, exists: ([UInt8]) -> Bool
  ) -> [[UInt8]] {
    predictedSidecars(header).map { Array(database) + Array($0.utf8) }.filter { !exists($0) }
  }

  /// The suffixes of the sidecars that a file will get and that do not exist yet; none where the
  /// file is no SQLite database by its header, nor named like one.
  ///
  /// - Parameters:
  ///   - header: the file's first bytes, if they were read.
  ///   - exists: whether the file's name with a suffix exists.
  public static func missingSidecars(
    of name: UnsafeBufferPointer<UInt8>, header: [UInt8]?, exists: (StaticString) -> Bool
  ) -> [String] {
    let parsed = header.map { SQLiteHeader.parse($0) }
    let isSQLite = parsed == .wal || parsed == .rollback
    guard isSQLite || looksLikeDatabase(name) else { return [] }
    return predictedSidecars(parsed).filter { suffix in
      switch suffix {
      case "-wal": !exists("-wal")
      case "-shm": !exists("-shm")
      default: !exists("-journal")
      }
    }
  }

  /// The suffixes of the sidecars that a database will get.
  public static func predictedSidecars(_ header: SQLiteHeader?) -> [String] {
    switch header {
    case .wal: ["-wal", "-shm"]
    case .rollback: ["-journal"]
    case .encryptedOrOther, .empty, nil: ["-wal", "-shm", "-journal"]
    }
  }

  // MARK: Other stores

  private static func isRealm(_ name: UnsafeBufferPointer<UInt8>) -> Bool {
    ends(name, ".realm") || ends(name, ".realm.lock") || ends(name, ".realm.note")
  }

  private static func isLMDB(_ name: UnsafeBufferPointer<UInt8>) -> Bool {
    ends(name, ".mdb") || ends(name, ".mdb-lock")
  }

  private static func isLevelDB(_ name: UnsafeBufferPointer<UInt8>) -> Bool {
    if ends(name, ".ldb") || ends(name, ".sst") { return true }
    if equal(name, "CURRENT") || equal(name, "LOCK") || equal(name, "LOG")
      || equal(name, "LOG.old")
    {
      return true
    }
    if starts(name, "MANIFEST-") { return name.count > 9 && areDigits(name[9...]) }
    return ends(name, ".log") && name.count > 4 && areDigits(name[..<(name.count - 4)])
  }

  /// `.dat.nosync…`, `X.sb-<8 hex>-<6>` or `X.plist.` and seven characters.
  private static func isAtomicSave(_ name: UnsafeBufferPointer<UInt8>) -> Bool {
    starts(name, ".dat.nosync") || temporaryStart(name) != nil
  }

  /// Where the part of an atomic save's name begins that is different each time.
  static func temporaryStart(_ name: UnsafeBufferPointer<UInt8>) -> Int? {
    let count = name.count
    if count > 14, ends(UnsafeBufferPointer(rebasing: name[..<(count - 7)]), ".plist.") {
      return count - 7
    }
    // ".sb-" + 8 + "-" + 6
    let start = count - 19
    guard start > 0, ends(UnsafeBufferPointer(rebasing: name[..<(start + 4)]), ".sb-"),
      name[start + 12] == 0x2D
    else { return nil }
    for index in (start + 4)..<(start + 12) where !isHexDigit(name[index]) { return nil }
    return start + 4
  }

  // MARK: Comparing

  static func isHexDigit(_ byte: UInt8) -> Bool {
    switch byte {
    case 0x30...0x39, 0x41...0x46, 0x61...0x66: true
    default: false
    }
  }

  private static func areDigits(_ bytes: Slice<UnsafeBufferPointer<UInt8>>) -> Bool {
    bytes.allSatisfy { 0x30...0x39 ~= $0 }
  }

  private static func equal(_ name: UnsafeBufferPointer<UInt8>, _ text: StaticString) -> Bool {
    name.count == text.utf8CodeUnitCount && ends(name, text)
  }

  private static func starts(_ name: UnsafeBufferPointer<UInt8>, _ text: StaticString) -> Bool {
    let length = text.utf8CodeUnitCount
    guard name.count >= length else { return false }
    for index in 0..<length where name[index] != text.utf8Start[index] { return false }
    return true
  }

  @usableFromInline
  static func ends(_ name: UnsafeBufferPointer<UInt8>, _ text: StaticString) -> Bool {
    let length = text.utf8CodeUnitCount
    let start = name.count - length
    guard start >= 0 else { return false }
    for index in 0..<length where name[start + index] != text.utf8Start[index] { return false }
    return true
  }

  /// Like `ends`, with letters of either case; `text` must be lower-case, and there must be
  /// something before it.
  @usableFromInline
  static func endsIgnoringCase(_ name: UnsafeBufferPointer<UInt8>, _ text: StaticString) -> Bool {
    let length = text.utf8CodeUnitCount
    let start = name.count - length
    guard start > 0 else { return false }
    for index in 0..<length {
      let byte = name[start + index]
      let lower = 0x41...0x5A ~= byte ? byte | 0x20 : byte
      if lower != text.utf8Start[index] { return false }
    }
    return true
  }
}

/// What the first bytes of a database file say.
public enum SQLiteHeader: UInt8, Sendable {
  /// SQLite with a write-ahead log: bytes 18 and 19 are 2.
  case wal
  /// SQLite with a rollback journal.
  case rollback
  /// Not SQLite by its first 16 bytes: encrypted (SQLCipher puts its salt there), or no database.
  case encryptedOrOther
  /// Not a byte yet: a database that was created and not written to.
  case empty

  /// Reads the first bytes of a file; 20 are enough.
  public static func parse(_ bytes: some Collection<UInt8>) -> SQLiteHeader {
    if bytes.isEmpty { return .empty }
    guard bytes.starts(with: "SQLite format 3\0".utf8), bytes.count >= 20 else {
      return .encryptedOrOther
    }
    let write = bytes[bytes.index(bytes.startIndex, offsetBy: 18)]
    let read = bytes[bytes.index(bytes.startIndex, offsetBy: 19)]
    return write == 2 || read == 2 ? .wal : .rollback
  }
}
