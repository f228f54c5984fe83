/// SHA-256 (FIPS 180-4), for the tests only: what a browser computes of an inline script.
func sha256(_ message: [UInt8]) -> [UInt8] {
  let primes = [
    2, 3, 5, 7, 11, 13, 17, 19, 23, 29, 31, 37, 41, 43, 47, 53, 59, 61, 67, 71, 73, 79, 83, 89, 97,
    101, 103, 107, 109, 113, 127, 131, 137, 139, 149, 151, 157, 163, 167, 173, 179, 181, 191, 193,
    197, 199, 211, 223, 227, 229, 233, 239, 241, 251, 257, 263, 269, 271, 277, 281, 283, 293, 307,
    311,
  ]
  // The constants are the first bits of the fractions of the primes' cube and square roots.
  let constants = primes.map { root(of: $0, power: 3) }
  var state = primes.prefix(8).map { root(of: $0, power: 2) }
  var padded = message + [0x80]
  while padded.count % 64 != 56 { padded.append(0) }
  for shift in stride(from: 56, through: 0, by: -8) {
    padded.append(UInt8(truncatingIfNeeded: (message.count * 8) >> shift))
  }
  for block in stride(from: 0, to: padded.count, by: 64) {
    var words = (0..<16).map { index in
      padded[(block + 4 * index)..<(block + 4 * index + 4)].reduce(UInt32(0)) {
        $0 << 8 | UInt32($1)
      }
    }
    for index in 16..<64 {
      let a = words[index - 15]
      let b = words[index - 2]
      let first = turn(a, 7) ^ turn(a, 18) ^ a >> 3
      let second = turn(b, 17) ^ turn(b, 19) ^ b >> 10
      words.append(words[index - 16] &+ first &+ words[index - 7] &+ second)
    }
    var s = state
    for index in 0..<64 {
      let big = turn(s[4], 6) ^ turn(s[4], 11) ^ turn(s[4], 25)
      let choice = s[4] & s[5] ^ ~s[4] & s[6]
      let one = s[7] &+ big &+ choice &+ constants[index] &+ words[index]
      let small = turn(s[0], 2) ^ turn(s[0], 13) ^ turn(s[0], 22)
      let majority = s[0] & s[1] ^ s[0] & s[2] ^ s[1] & s[2]
      s = [one &+ small &+ majority, s[0], s[1], s[2], s[3] &+ one, s[4], s[5], s[6]]
    }
    for index in 0..<8 { state[index] = state[index] &+ s[index] }
  }
  return state.flatMap { word in
    [24, 16, 8, 0].map { UInt8(truncatingIfNeeded: word >> UInt32($0)) }
  }
}

private func turn(_ word: UInt32, _ count: UInt32) -> UInt32 {
  word >> count | word << (32 - count)
}

/// The first 32 bits of the fraction of a root, by bisection in whole numbers.
private func root(of number: Int, power: Int) -> UInt32 {
  var low: UInt64 = 0
  var high: UInt64 = 1 << 37
  func isAtMost(_ candidate: UInt64) -> Bool {
    // candidate / 2^32, to the power, against the number: in 128 bits without loss.
    let value = UInt128(candidate)
    let square = value * value
    if power == 2 { return square <= UInt128(number) << 64 }
    let target = UInt128(number) << 96
    return square <= target / value
  }
  while high - low > 1 {
    let middle = (low + high) / 2
    if isAtMost(middle) { low = middle } else { high = middle }
  }
  return UInt32(truncatingIfNeeded: low)
}
