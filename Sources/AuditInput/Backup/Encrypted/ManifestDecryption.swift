import AuditCore
import CCrypto

/// `Manifest.db` of an encrypted backup: AES-256 in CBC mode, beginning with a vector of zeros.
enum ManifestDecryption {
  static let header = Array("SQLite format 3".utf8) + [0]
  static let blockSize = 16
  /// The largest that is taken into memory. A million files need about 700 MB.
  static let sizeLimit = 4 << 30

  /// Reads the file as it is; a link is not followed.
  static func read(_ directory: Int32, _ name: StaticString) throws -> Secret {
    let path = Array(name.description.utf8)
    let fd = DirectoryOpener.withCString(path) { System.openFile(directory, $0) }
    guard fd >= 0 else { throw ErrorText.problem(path, "open", Int(-fd)) }
    defer { System.close(fd) }
    var status = FileStatus()
    let code = DirectoryOpener.withCString(path) { System.status(directory, $0, &status) }
    guard code == 0 else { throw ErrorText.problem(path, "stat", Int(-code)) }
    guard status.size <= sizeLimit else {
      throw InputProblem(
        path: path, operation: "read", error: "too-large",
        message:
          "Manifest.db is encrypted and has \(status.size) bytes; it is decrypted in memory, "
          + "and not beyond \(sizeLimit) bytes")
    }
    let database = Secret(count: Int(status.size))
    var count = 0
    while count < database.count {
      let read = System.readFile(
        fd, UnsafeMutableRawBufferPointer(rebasing: database.bytes[count...]))
      guard read >= 0 else { throw ErrorText.problem(path, "read", -read) }
      if read == 0 { break }
      count += read
    }
    // One that became shorter meanwhile is damaged, and told to be.
    database.shorten(to: count)
    return database
  }

  /// Decrypts in place, and leaves out padding where it is valid. Without any it is accepted:
  /// SQLite's header tells that the key is right.
  static func decrypt(_ database: Secret, _ key: Secret) throws -> Secret {
    guard database.count >= header.count, database.count % blockSize == 0 else {
      throw damaged("has \(database.count) bytes, which is no multiple of \(blockSize)")
    }
    let vector = [UInt8](repeating: 0, count: blockSize)
    let bytes = database.bytes
    let done = withExtendedLifetime((key, database)) {
      cc_decrypt_cbc(key.bytes.baseAddress, vector, bytes.baseAddress, bytes.count)
    }
    guard done == 1 else {
      throw damaged("cannot be decrypted by the cryptographic library")
    }
    guard bytes.starts(with: header) else {
      throw damaged("is no SQLite database once it is decrypted")
    }
    database.shorten(to: unpadded(bytes))
    // SQLite keeps no write-ahead log of what lies in memory, and refuses a database that asks for
    // one. There is none: a backup with such a log has been told of already.
    for place in 18...19 where database.count > place { database.bytes[place] = 1 }
    return database
  }

  /// The length without valid padding (PKCS #7); all of it where there is none.
  static func unpadded(_ bytes: UnsafeMutableRawBufferPointer) -> Int {
    guard let last = bytes.last, (1...UInt8(blockSize)).contains(last),
      bytes.count > Int(last), bytes.suffix(Int(last)).allSatisfy({ $0 == last })
    else { return bytes.count }
    return bytes.count - Int(last)
  }

  private static func damaged(_ what: String) -> InputProblem {
    InputProblem(
      path: Array("Manifest.db".utf8), operation: "read", error: "damaged",
      message: "the password is right, but Manifest.db \(what): it is damaged")
  }
}
