import TestSupport
import Testing

@testable import AuditCore

/// The index may name too many patterns, never too few.
@Suite struct GlobIndexTests {
  private static let words = [
    "Documents", "Library", "a", "io.example.app", "cache.bin", "x.sqlite", "x.sqlite-wal", "**",
    "*", "a*b", "?b", "*.db", "Caches", "\\*lit",
  ]

  private func path(_ generator: inout SeededGenerator, patterns: Bool) -> [UInt8] {
    var parts: [String] = []
    for _ in 0..<Int(generator.next() % 4 + 1) {
      let word = Self.words[Int(generator.next() % UInt64(Self.words.count))]
      parts.append(patterns ? word : word.replacing("*", with: "zz").replacing("?", with: "q"))
    }
    return Array(parts.joined(separator: "/").utf8)
  }

  @Test(arguments: [1, 2, 3, 4, 5] as [UInt64])
  func everyMatchIsACandidate(seed: UInt64) {
    var generator = SeededGenerator(seed: seed)
    let globs = (0..<200).map { _ in Glob(path(&generator, patterns: true)) }
    let index = GlobIndex(globs)
    for _ in 0..<2000 {
      let path = path(&generator, patterns: false)
      path.withUnsafeBufferPointer { bytes in
        var candidates: Set<Int> = []
        index.forEachCandidate(in: bytes) { candidates.insert($0) }
        let matches = globs.indices.filter { globs[$0].matches(bytes) }
        #expect(candidates.isSuperset(of: matches), "seed \(seed)")
      }
    }
  }

  /// What a long list costs is decided by how many patterns are tried.
  @Test func fewAreTried() {
    let globs = (0..<2000).map { Glob(Array("**/Documents/store\($0 + 1000)-data/**".utf8)) }
    let index = GlobIndex(globs)
    var tried = 0
    Array("x/Documents/store1500-data/file.bin".utf8).withUnsafeBufferPointer { path in
      index.forEachCandidate(in: path) { _ in tried += 1 }
    }
    #expect(tried > 0 && tried <= 40)
  }
}
