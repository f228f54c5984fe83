import Testing

@testable import AuditCore

struct GlobTests {
  private func matches(_ pattern: String, _ path: String) -> Bool {
    Glob(Array(pattern.utf8)).matches(Array(path.utf8))
  }

  @Test(arguments: [
    ("a", "a"), ("a/b", "a/b"), ("*", "a"), ("*.db", "x.db"), ("a*c", "abbbc"), ("a*c", "ac"),
    ("?", "é"), ("a?c", "abc"), ("**", ""), ("**", "a/b/c"), ("a/**", "a/b"), ("a/**", "a/b/c"),
    ("**/x", "x"), ("**/x", "a/x"), ("**/x", "a/b/x"), ("a/**/x", "a/x"), ("a/**/x", "a/b/c/x"),
    ("**/a/**/b", "a/z/a/b"), ("a**", "abc/d"), ("**.db", "a/b.db"), ("*/x", "a/x"),
    ("**/*.sqlite*", "a/b/h.sqlite-wal"), ("**/*a*b*c", "q/xaybzc"), (".", ""),
    ("Library/*/x", "Library/y/x"), ("a\\*b", "a*b"), ("[a]", "[a]"), ("{a,b}", "{a,b}"),
    ("**/*a/b", "xa/ya/b"), ("*a*a", "aa"), ("a/**/*b/**/c", "a/xb/yb/q/c"),
  ])
  func patternsThatMatch(pattern: String, path: String) {
    #expect(matches(pattern, path))
  }

  @Test(arguments: [
    ("a", "A"), ("a", "ab"), ("a", "a/b"), ("*", "a/b"), ("*", ".a/b"), ("a/**", "a"),
    ("a/**", "ab/c"), ("**/x", "ax"), ("**/x", "a/bx"), ("a/**/x", "ax"), ("?", "ab"), ("?", "/"),
    ("a?c", "a/c"), (".", "a"), ("*.db", "a/x.db"), ("a\\*b", "axb"), ("", "a"), ("a*", "a/b"),
    ("**/*a*b*c", "q/xaybz"), ("*a*a", "a"), ("e\u{301}", "\u{E9}"),
  ])
  func patternsThatDoNot(pattern: String, path: String) {
    #expect(!matches(pattern, path))
  }

  @Test func namesAreBytes() {
    let glob = Glob(Array("a/*".utf8))
    #expect(glob.matches(Array("a/".utf8) + [0xFF, 0x0A, 0x80]))
  }

  /// Against the definition, on all short paths and patterns of a small alphabet.
  @Test func agreesWithTheDefinition() {
    func words(_ alphabet: [[UInt8]], _ length: Int) -> [[UInt8]] {
      length == 0
        ? [[]] : [[]] + words(alphabet, length - 1).flatMap { w in alphabet.map { w + $0 } }
    }
    let pieces = ["a", "/", "*", "**", "**/", "?"].map { Array($0.utf8) }
    let short = words(["a", "b", "/"].map { Array($0.utf8) }, 3)
    let long = words(["a", "/"].map { Array($0.utf8) }, 5)
    let paths = Set(short + long)
    var checked = 0
    for pattern in Set(words(pieces, 4)) {
      let glob = Glob(pattern)
      for path in paths {
        checked += 1
        let wanted = defined(pattern[...], path[...], atStart: true)
        if glob.matches(path) != wanted && pattern != Array(".".utf8) {
          Issue.record(
            """
            \(String(decoding: pattern, as: UTF8.self)) on \
            \(String(decoding: path, as: UTF8.self)): should be \(wanted)
            """)
        }
      }
    }
    #expect(checked > 50_000)
  }

  /// What a pattern means, written for clarity: every way to take it is tried.
  private func defined(_ pattern: ArraySlice<UInt8>, _ path: ArraySlice<UInt8>, atStart: Bool)
    -> Bool
  {
    guard let first = pattern.first else { return path.isEmpty }
    let slash = UInt8(ascii: "/")
    let rest = pattern.dropFirst()
    if first == UInt8(ascii: "*") && rest.first == first {
      let after = rest.dropFirst()
      if atStart && after.first == slash {
        let next = after.dropFirst()
        if defined(next, path, atStart: true) { return true }
        return path.indices.contains {
          path[$0] == slash && defined(next, path[($0 + 1)...], atStart: true)
        }
      }
      return (path.startIndex...path.endIndex).contains {
        defined(after, path[$0...], atStart: false)
      }
    }
    if first == UInt8(ascii: "*") {
      let end = path.firstIndex(of: slash) ?? path.endIndex
      return (path.startIndex...end).contains { defined(rest, path[$0...], atStart: false) }
    }
    guard let byte = path.first else { return false }
    if first == UInt8(ascii: "?") {
      return byte != slash && defined(rest, path.dropFirst(), atStart: false)
    }
    return byte == first && defined(rest, path.dropFirst(), atStart: byte == slash)
  }

  @Test(arguments: ["", "/a", "a/", "a//b", "../a", "a/../b", "./a"])
  func pathsThatCannotBeMeant(pattern: String) {
    #expect(Glob.complaint(about: Array(pattern.utf8)) != nil)
  }

  @Test(arguments: [".", "a", "a/**", "**", ".a", "..a/b", "a/*.b"])
  func pathsThatCan(pattern: String) {
    #expect(Glob.complaint(about: Array(pattern.utf8)) == nil)
  }
}
