/// The keys of an encrypted backup, each locked: `BackupKeyBag` of `Manifest.plist`.
///
/// Fields follow one another, each a tag of four bytes, a length of four bytes, big-endian, and
/// the value. The first `UUID` is the bag's own; each further one begins a class.
struct KeyBag {
  /// Why a bag is not to be used, in words.
  struct Refused: Error, Equatable {
    var reason: String
  }

  /// A class of protection and its key.
  struct ClassKey: Equatable {
    var number: UInt32?
    /// Bit 0: locked with a key of the device; bit 1: with the password.
    var wrap: UInt32 = 0
    var wrapped: [UInt8] = []

    /// Whether the password alone opens it.
    var isForPassword: Bool { wrap & 3 == 2 }
  }

  /// The most bytes and classes of a bag. Real ones have fewer than 2,000 bytes and 20 classes.
  static let sizeLimit = 1 << 16
  static let classLimit = 256
  /// The most rounds: two and a hundred times what devices write. A few seconds.
  static let firstRoundLimit: UInt32 = 20_000_000
  static let secondRoundLimit: UInt32 = 1_000_000

  /// `SALT` and `ITER`.
  private(set) var salt: [UInt8] = []
  private(set) var rounds: UInt32 = 0
  /// `DPSL` and `DPIC`, since iOS 10.2.
  private(set) var first: (salt: [UInt8], rounds: UInt32)?
  private(set) var classes: [ClassKey] = []

  init(_ bytes: [UInt8]) throws(Refused) {
    guard bytes.count <= Self.sizeLimit else {
      throw Refused(reason: "its key bag has \(bytes.count) bytes; real ones have a few thousand")
    }
    var fields = Fields(bytes)
    var firstSalt: [UInt8]?
    var firstRounds: UInt32?
    var salt: [UInt8]?
    var rounds: UInt32?
    var hasOwnUUID = false
    while let (tag, value) = try fields.next() {
      switch tag {
      case "UUID":
        if hasOwnUUID {
          guard classes.count < Self.classLimit else {
            throw Refused(reason: "its key bag has more than \(Self.classLimit) classes")
          }
          classes.append(ClassKey())
        }
        hasOwnUUID = true
      case "SALT": salt = Array(value)
      case "DPSL": firstSalt = Array(value)
      case "ITER": rounds = try Self.number(tag, value)
      case "DPIC": firstRounds = try Self.number(tag, value)
      case "CLAS":
        let number = try Self.number(tag, value)
        try change(tag) { $0.number = number }
      case "WRAP":
        // There is one of the bag itself, too.
        let wrap = try Self.number(tag, value)
        if !classes.isEmpty { try change(tag) { $0.wrap = wrap } }
      case "WPKY": try change(tag) { $0.wrapped = Array(value) }
      default: break
      }
    }
    guard let salt, let rounds else {
      throw Refused(reason: "its key bag has no \(salt == nil ? "SALT" : "ITER")")
    }
    (self.salt, self.rounds) = (salt, rounds)
    try Self.check("ITER", rounds, Self.secondRoundLimit)
    switch (firstSalt, firstRounds) {
    case (nil, nil): first = nil
    case (let salt?, let rounds?):
      try Self.check("DPIC", rounds, Self.firstRoundLimit)
      first = (salt, rounds)
    case (nil, _): throw Refused(reason: "its key bag has DPIC without DPSL")
    case (_, nil): throw Refused(reason: "its key bag has DPSL without DPIC")
    }
  }

  /// The key of a class.
  func key(_ number: UInt32) throws(Refused) -> ClassKey {
    guard let key = classes.first(where: { $0.number == number }) else {
      throw Refused(reason: "its key bag has no key for protection class \(number)")
    }
    guard key.isForPassword else {
      throw Refused(
        reason: "the key for protection class \(number) is not one that a password opens")
    }
    guard key.wrapped.count == BackupKeys.wrappedSize else {
      throw Refused(
        reason: "the key for protection class \(number) has \(key.wrapped.count) bytes, not "
          + "\(BackupKeys.wrappedSize)")
    }
    return key
  }

  private mutating func change(
    _ tag: String, _ body: (inout ClassKey) -> Void
  ) throws(Refused) {
    guard !classes.isEmpty else {
      throw Refused(reason: "its key bag has a \(tag) that belongs to no class")
    }
    body(&classes[classes.count - 1])
  }

  private static func number(_ tag: String, _ value: ArraySlice<UInt8>) throws(Refused) -> UInt32 {
    guard value.count == 4 else {
      throw Refused(reason: "\(tag) of its key bag has \(value.count) bytes, not 4")
    }
    return value.reduce(0) { $0 << 8 | UInt32($1) }
  }

  private static func check(_ tag: String, _ rounds: UInt32, _ limit: UInt32) throws(Refused) {
    guard rounds > 0 else { throw Refused(reason: "\(tag) of its key bag is 0") }
    guard rounds <= limit else {
      throw Refused(
        reason: "\(tag) of its key bag asks for \(rounds) rounds; more than \(limit) are refused, "
          + "because no device writes so many and they could take hours")
    }
  }

  /// The fields, one after the other.
  private struct Fields {
    private var rest: ArraySlice<UInt8>

    init(_ bytes: [UInt8]) { rest = bytes[...] }

    mutating func next() throws(Refused) -> (tag: String, value: ArraySlice<UInt8>)? {
      if rest.isEmpty { return nil }
      guard rest.count >= 8 else {
        throw Refused(reason: "its key bag ends within the head of a field")
      }
      let tag = String(decoding: rest.prefix(4), as: UTF8.self)
      let length = rest.dropFirst(4).prefix(4).reduce(0) { $0 << 8 | Int($1) }
      rest = rest.dropFirst(8)
      guard length <= rest.count else {
        throw Refused(reason: "its key bag ends within a field of \(length) bytes")
      }
      defer { rest = rest.dropFirst(length) }
      return (tag, rest.prefix(length))
    }
  }
}
