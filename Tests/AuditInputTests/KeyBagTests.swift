import CCrypto
import Testing

@testable import AuditInput

@Suite struct KeyBagTests {
  private func number(_ value: UInt32) -> [UInt8] {
    (0..<4).map { UInt8(truncatingIfNeeded: value >> (24 - 8 * $0)) }
  }

  private func field(_ tag: String, _ value: [UInt8]) -> [UInt8] {
    Array(tag.utf8) + number(UInt32(value.count)) + value
  }

  private func bag(
    iter: UInt32? = 10, dpic: UInt32? = 10, dpsl: Bool = true, wrap: UInt32 = 2, size: Int = 40
  ) -> [UInt8] {
    var bytes = field("VERS", number(5)) + field("UUID", [1]) + field("WRAP", number(1))
    bytes += field("SALT", [1, 2, 3]) + (iter.map { field("ITER", number($0)) } ?? [])
    bytes += (dpic.map { field("DPIC", number($0)) } ?? []) + (dpsl ? field("DPSL", [4]) : [])
    bytes += field("UUID", [2]) + field("CLAS", number(4)) + field("WRAP", number(wrap))
    return bytes + field("WPKY", [UInt8](repeating: 7, count: size))
  }

  private let manifestKey: [UInt8] = [4, 0, 0, 0] + [UInt8](repeating: 9, count: 40)

  private func refusal(_ bytes: [UInt8], _ key: [UInt8]? = nil) -> String? {
    do throws(KeyBag.Refused) {
      _ = try BackupKeys(bag: KeyBag(bytes), manifestKey: key ?? manifestKey)
      return nil
    } catch {
      return error.reason
    }
  }

  @Test func whatIsTakenAndWhatIsRefused() throws {
    #expect(refusal(bag()) == nil)
    // Before iOS 10.2 there was one derivation.
    #expect(refusal(bag(dpic: nil, dpsl: false)) == nil)
    let cases: [([UInt8], String)] = [
      ([], "no SALT"), (bag(iter: nil), "no ITER"), (bag(iter: 0), "ITER of its key bag is 0"),
      (bag(iter: 1_000_001), "more than 1000000"), (bag(dpic: 20_000_001), "more than 20000000"),
      (bag(dpic: 1 << 31), "2147483648 rounds"), (bag(dpic: nil), "DPSL without DPIC"),
      (bag(dpsl: false), "DPIC without DPSL"), (bag(wrap: 3), "not one that a password opens"),
      (bag(wrap: 1), "not one that a password opens"), (bag(size: 39), "39 bytes, not 40"),
      (field("SALT", []) + field("WPKY", []), "belongs to no class"),
      (field("ITER", [1]), "has 1 bytes, not 4"), (Array(bag().dropLast()), "ends within a field"),
      (bag() + [1, 2], "ends within the head"),
      (Array("SALT".utf8) + [255, 255, 255, 255], "ends within a field of 4294967295"),
      ([UInt8](repeating: 0, count: KeyBag.sizeLimit + 1), "real ones"),
      (bag() + (0..<300).flatMap { _ in field("UUID", []) }, "more than 256 classes"),
    ]
    for (bytes, part) in cases { #expect(refusal(bytes)?.contains(part) == true, "\(part)") }
    #expect(refusal(bag(), [4])?.contains("ManifestKey has 1 bytes") == true)
    let other: [UInt8] = [3, 0, 0, 0] + [UInt8](repeating: 9, count: 40)
    #expect(refusal(bag(), other)?.contains("no key for protection class 3") == true)
  }

  /// Damage of any kind is refused or taken, and neither traps nor asks for unbounded work.
  @Test func mutations() {
    var random = SystemRandomNumberGenerator.Seeded(seed: 12)
    let whole = bag()
    for _ in 0..<20_000 {
      var bytes = whole
      for _ in 0...Int(random.next() % 3) {
        let place = Int(random.next() % UInt64(bytes.count))
        switch random.next() % 4 {
        case 0: bytes[place] = UInt8(truncatingIfNeeded: random.next())
        case 1: bytes.removeSubrange(place..<min(bytes.count, place + Int(random.next() % 9)))
        case 2: bytes.insert(contentsOf: whole.prefix(Int(random.next() % 60)), at: place)
        default: bytes[place] = [0, 0x7F, 0x80, 0xFF][Int(random.next() % 4)]
        }
        if bytes.isEmpty { bytes = [0] }
      }
      if let keys = try? BackupKeys(bag: KeyBag(bytes), manifestKey: manifestKey) {
        #expect(keys.rounds <= 21_000_000)
      }
    }
  }

  @Test func wrongPasswordIsNotDamage() throws {
    try #require(cc_load() == nil)
    let keys = try BackupKeys(bag: KeyBag(bag()), manifestKey: manifestKey)
    #expect(throws: BackupKeys.Failure.wrongPassword) { try keys.open(Secret("x".utf8)) }
  }

  @Test func formsOfAPassword() {
    func forms(_ bytes: [UInt8]) -> [[UInt8]] {
      PasswordForms.all(Secret(bytes)).map { Array($0.bytes) }
    }
    let composed: [UInt8] = [0xC3, 0xA9]
    let decomposed: [UInt8] = [0x65, 0xCC, 0x81]
    #expect(forms(composed) == [composed, decomposed])
    #expect(forms(decomposed) == [decomposed, composed])
    #expect(forms([0x61]) == [[0x61]])
    #expect(forms([0xFF, 0x61]) == [[0xFF, 0x61]])
  }

  @Test func padding() {
    func length(_ bytes: [UInt8]) -> Int {
      let secret = Secret(bytes)
      return withExtendedLifetime(secret) { ManifestDecryption.unpadded(secret.bytes) }
    }
    let block = [UInt8](repeating: 1, count: 16)
    #expect(length(block + [UInt8](repeating: 16, count: 16)) == 16)
    #expect(length(block + [UInt8](repeating: 3, count: 3)) == 16)
    for other: [UInt8] in [[2, 3, 3], [0], [17]] {
      #expect(length(block + other) == 16 + other.count)
    }
  }
}

extension SystemRandomNumberGenerator {
  /// The same numbers each time (SplitMix64).
  fileprivate struct Seeded {
    var seed: UInt64
    mutating func next() -> UInt64 {
      seed &+= 0x9E37_79B9_7F4A_7C15
      var value = seed
      value = (value ^ value >> 30) &* 0xBF58_476D_1CE4_E5B9
      value = (value ^ value >> 27) &* 0x94D0_49BB_1331_11EB
      return value ^ value >> 31
    }
  }
}
