import CCrypto

/// From the password to the key of `Manifest.db`.
struct BackupKeys {
  /// Why there is no key.
  enum Failure: Error, Equatable {
    case wrongPassword
    case refused(KeyBag.Refused)
  }

  static let keySize = 32
  /// A key as RFC 3394 wraps it.
  static let wrappedSize = keySize + 8

  private let bag: KeyBag
  private let classKey: KeyBag.ClassKey
  private let manifestKey: ArraySlice<UInt8>

  /// Takes in what `Manifest.plist` says; nothing is derived yet.
  init(bag: KeyBag, manifestKey: [UInt8]) throws(KeyBag.Refused) {
    guard manifestKey.count == 4 + Self.wrappedSize else {
      throw KeyBag.Refused(
        reason: "its ManifestKey has \(manifestKey.count) bytes, not \(4 + Self.wrappedSize)")
    }
    // Little-endian, unlike everything in the bag.
    let number = manifestKey.prefix(4).reversed().reduce(UInt32(0)) { $0 << 8 | UInt32($1) }
    self.bag = bag
    self.classKey = try bag.key(number)
    self.manifestKey = manifestKey.dropFirst(4)
  }

  /// How many rounds one password takes.
  var rounds: Int { Int(bag.rounds) + Int(bag.first?.rounds ?? 0) }

  /// The key of the manifest, for one way to write the password.
  func open(_ password: Secret) throws(Failure) -> Secret {
    let key = try derive(password)
    guard let opened = Self.unwrap(classKey.wrapped[...], with: key) else {
      // One bad key does not make the password wrong that opens others.
      let others = bag.classes.contains { other in
        other.isForPassword && other != classKey
          && Self.unwrap(other.wrapped[...], with: key) != nil
      }
      guard others else { throw .wrongPassword }
      throw .refused(
        KeyBag.Refused(
          reason: "the key for protection class \(classKey.number ?? 0) is damaged; the password "
            + "opens others"))
    }
    guard let manifest = Self.unwrap(manifestKey, with: opened) else {
      throw .refused(KeyBag.Refused(reason: "its ManifestKey is damaged; the password is right"))
    }
    return manifest
  }

  private func derive(_ password: Secret) throws(Failure) -> Secret {
    var input = password
    if let first = bag.first {
      input = try Self.pbkdf2(CC_HASH_SHA256, password, first.salt, first.rounds)
    }
    return try Self.pbkdf2(CC_HASH_SHA1, input, bag.salt, bag.rounds)
  }

  private static func pbkdf2(
    _ hash: cc_hash, _ password: Secret, _ salt: [UInt8], _ rounds: UInt32
  ) throws(Failure) -> Secret {
    let key = Secret(count: keySize)
    let done = withExtendedLifetime((password, key)) {
      cc_pbkdf2(
        hash, password.bytes.baseAddress, password.count, salt, salt.count, rounds,
        key.bytes.baseAddress, key.count)
    }
    guard done == 1 else {
      throw .refused(KeyBag.Refused(reason: "the cryptographic library refuses PBKDF2"))
    }
    return key
  }

  private static func unwrap(_ wrapped: ArraySlice<UInt8>, with key: Secret) -> Secret? {
    guard wrapped.count == wrappedSize else { return nil }
    let opened = Secret(count: keySize)
    let done = withExtendedLifetime((key, opened)) {
      cc_unwrap(
        key.bytes.baseAddress, key.count, Array(wrapped), wrapped.count, opened.bytes.baseAddress)
    }
    return done == 1 ? opened : nil
  }
}
