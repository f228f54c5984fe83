import Foundation

/// The same pseudo-random numbers for the same seed, on every system.
package struct SeededGenerator: RandomNumberGenerator {
  private var state: UInt64

  /// Starts the sequence of a seed.
  package init(seed: UInt64) { state = seed &* 0x2545_F491_4F6C_DD1D &+ 7 }

  /// Starts another sequence in each run, or that of `AUDIT_SEED`, and prints the seed, with which
  /// a failure can be repeated.
  package static func announced(_ test: String = #function) -> SeededGenerator {
    let given = getenv("AUDIT_SEED").flatMap { UInt64(String(cString: $0)) }
    let seed = given ?? UInt64.random(in: 0...UInt64(UInt32.max))
    print("seed of \(test): AUDIT_SEED=\(seed)")
    return SeededGenerator(seed: seed)
  }

  package mutating func next() -> UInt64 {
    state &+= 0x9E37_79B9_7F4A_7C15
    var z = state
    z = (z ^ (z >> 30)) &* 0xBF58_476D_1CE4_E5B9
    z = (z ^ (z >> 27)) &* 0x94D0_49BB_1331_11EB
    return z ^ (z >> 31)
  }
}
