/// A stable name for a finding: FNV-1a over rule, container and container-relative path, the path
/// without its volatile parts (`VolatilePath`).
///
/// Equal on every machine for the same three; no secret, no protection against forgery.
public struct Fingerprint {
  private var high: UInt64 = 0xCBF2_9CE4_8422_2325
  private var low: UInt64 = 0x8422_2325_CBF2_9CE4

  /// Starts with nothing.
  public init() {}

  /// Adds bytes and a separator.
  public mutating func add(_ bytes: some Sequence<UInt8>) {
    for byte in bytes { step(byte) }
    step(0)
  }

  private mutating func step(_ byte: UInt8) {
    high = (high ^ UInt64(byte)) &* 0x100_0000_01B3
    low = (low ^ UInt64(byte)) &* 0x100_0000_01B3 &+ 0x9E37_79B9
  }

  /// 32 hexadecimal digits.
  public var hex: String {
    let digits = Array("0123456789abcdef".utf8)
    var out: [UInt8] = []
    out.reserveCapacity(32)
    for word in [high, low] {
      for shift in stride(from: 60, through: 0, by: -4) {
        out.append(digits[Int((word >> UInt64(shift)) & 15)])
      }
    }
    return String(decoding: out, as: UTF8.self)
  }

  /// The fingerprint of a finding.
  public static func of(_ rule: RuleID, container: ContainerReport?, path: [UInt8]) -> String {
    var print = Fingerprint()
    print.add(rule.word.utf8)
    print.add((container?.identifier ?? container?.kind.word ?? "").utf8)
    print.add(VolatilePath.normalised(path))
    return print.hex
  }
}
