import AuditCore
import CCrypto

/// How the password of an encrypted backup is come by; asked for only where there is need.
public struct BackupUnlocking {
  /// The password; nil where nobody can be asked.
  public var password: () throws -> Secret?
  /// Called before the key is derived, with the number of rounds.
  public var willDerive: (_ rounds: Int) -> Void
  /// Called after that.
  public var didDerive: () -> Void

  /// Makes a way to come by it; what deriving calls can be left out.
  public init(
    password: @escaping () throws -> Secret?,
    willDerive: @escaping (_ rounds: Int) -> Void = { _ in }, didDerive: @escaping () -> Void = {}
  ) {
    (self.password, self.willDerive, self.didDerive) = (password, willDerive, didDerive)
  }
}

/// What an encrypted backup's `Manifest.plist` holds of its keys.
struct LockedManifest {
  var keyBag: [UInt8]?
  var manifestKey: [UInt8]?

  /// Decrypts `Manifest.db`.
  ///
  /// - Parameter database: Reads the file as it is.
  /// - Throws: `InputProblem`, or what asking for the password throws.
  func open(
    _ unlocking: BackupUnlocking?, database: () throws -> Secret
  ) throws -> Secret {
    guard let keyBag, let manifestKey else {
      throw Self.problem(
        "damaged-keys",
        "the backup is encrypted, but its Manifest.plist has no "
          + (self.keyBag == nil ? "BackupKeyBag" : "ManifestKey" as SafeText)
          + ": no password opens it; is it from iOS 9 or older, or damaged?")
    }
    if let reason = cc_load() {
      throw Self.problem(
        "no-libcrypto",
        "encrypted backups cannot be read without libcrypto: \(String(cString: reason)); install "
          + "it (Debian: libssl3)")
    }
    let keys: BackupKeys
    do throws(KeyBag.Refused) {
      keys = try BackupKeys(bag: KeyBag(keyBag), manifestKey: manifestKey)
    } catch {
      throw Self.refused(error)
    }
    guard let unlocking, let password = try unlocking.password() else {
      throw Self.problem(
        "encrypted",
        "the backup is encrypted, and so is its Manifest.db; give a file that holds the password "
          + "with --password-file FILE, or run audit on a terminal, where it asks for it")
    }
    let key: Secret
    do {
      unlocking.willDerive(keys.rounds)
      defer {
        unlocking.didDerive()
        password.wipe()
      }
      key = try Self.key(keys, password)
    }
    return try ManifestDecryption.decrypt(database(), key)
  }

  /// The first form of the password that opens it.
  private static func key(_ keys: BackupKeys, _ password: Secret) throws -> Secret {
    for form in PasswordForms.all(password) {
      do throws(BackupKeys.Failure) {
        return try keys.open(form)
      } catch {
        if case .refused(let reason) = error { throw refused(reason) }
      }
    }
    throw problem("wrong-password", "the password does not open this backup")
  }

  private static func refused(_ error: KeyBag.Refused) -> InputProblem {
    problem("damaged-keys", "the backup is encrypted and cannot be opened: \(error.reason)")
  }

  static func problem(_ error: String, _ message: SafeText) -> InputProblem {
    InputProblem(path: [], operation: "open", error: error, message: message)
  }
}
