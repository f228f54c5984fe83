import TestSupport
import Testing

@testable import AuditCore

@Suite struct SlashesTests {
  /// Paths of every length up to 40, with slashes at random places among bytes that differ from a
  /// slash by one bit.
  @Test func agreesWithALoopOverTheBytes() {
    var random = SeededGenerator.announced()
    let bytes: [UInt8] = [0x2F, 0x2F, 0x2E, 0x0F, 0xAF, 0x6F, 0x3F, 0x2D, 0x00, 0xFF, 0x80]
    for length in 0...40 {
      for _ in 0..<50 {
        let path = (0..<length).map { _ in bytes.randomElement(using: &random) ?? 0x2F }
        let places = path.indices.filter { path[$0] == 0x2F }
        path.withUnsafeBufferPointer { buffer in
          #expect(Slashes.count(in: buffer) == places.count, "\(path)")
          #expect(Slashes.last(in: buffer) == places.last, "\(path)")
          for number in 1...(places.count + 1) {
            let place = number <= places.count ? places[number - 1] : nil
            #expect(Slashes.position(of: number, in: buffer) == place, "\(path)")
          }
        }
      }
    }
  }
}
