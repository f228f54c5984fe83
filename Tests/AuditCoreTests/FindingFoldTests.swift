import TestSupport
import Testing

@testable import AuditCore

/// Findings stay few, none is lost from the counts, and folding never depends on timing.
@Suite struct FindingFoldTests {
  private func fold(_ paths: [String], limit: Int) -> FindingFold {
    var fold = FindingFold(limit: limit)
    for path in paths {
      let bytes = Array(path.utf8)
      let name = Array(Bytes.last(bytes))
      name.withUnsafeBufferPointer {
        fold.add(directory: Array(Bytes.parent(bytes)), name: $0, container: 0)
      }
    }
    return fold
  }

  private func shown(_ fold: FindingFold) -> [String] {
    fold.groups.map { "\(String(decoding: $0.path, as: UTF8.self)) \($0.count)" }
  }

  @Test func fewAreKeptOneByOne() {
    let fold = fold(["a/x", "a/y", "b"], limit: 3)
    #expect(shown(fold) == ["a/x 1", "a/y 1", "b 1"])
  }

  @Test func aFlatDirectoryFoldsIntoItself() {
    let fold = fold((0..<100).map { "Documents/\($0)" } + ["Library/z"], limit: 10)
    #expect(shown(fold) == ["Documents 100", "Library 1"])
  }

  @Test func manyDirectoriesFoldIntoTheirParents() {
    let paths = (0..<10).flatMap { top in (0..<50).map { "\(top)/\($0)/f" } }
    let fold = fold(paths, limit: 20)
    #expect(shown(fold) == (0..<10).map { "\($0) 50" })
  }

  @Test func nothingIsLostAndTheListStaysShort() {
    var random = SeededGenerator.announced()
    for _ in 0..<20 {
      var directories: [String] = []
      for _ in 0..<Int.random(in: 1...400, using: &random) {
        let depth = Int.random(in: 0...6, using: &random)
        directories.append(
          (0..<depth).map { _ in "\(Int.random(in: 0...5, using: &random))" }
            .joined(separator: "/"))
      }
      let paths = directories.sorted().flatMap { directory in
        (0..<3).map { directory.isEmpty ? "f\($0)" : "\(directory)/f\($0)" }
      }
      let fold = fold(paths, limit: 50)
      #expect(fold.groups.reduce(0) { $0 + $1.count } == paths.count)
      #expect(fold.total == paths.count)
      #expect(fold.groups.count <= 50)
    }
  }

  /// A chain of directories was once folded one level at a time, for minutes.
  @Test(.timeLimit(.minutes(1))) func aTreeOfThousandsOfLevelsFoldsAtOnce() {
    var directory = "top"
    var chain: [String] = []
    for level in 1..<2000 {
      chain.append(directory + "/f")
      directory += "/\(level)"
    }
    let fold = fold(chain, limit: 500)
    #expect(fold.depth == 250)
    #expect(fold.groups.count == 250)
    #expect(fold.groups.last?.count == chain.count - 249)
  }

  @Test func containersThatMeetInOneGroupLeaveNone() {
    var fold = FindingFold(limit: 4)
    for container in 0..<20 {
      let directory = Array("c/\(container)/d".utf8)
      Array("f".utf8).withUnsafeBufferPointer {
        fold.add(directory: directory, name: $0, container: container)
      }
    }
    #expect(shown(fold) == ["c 20"])
    #expect(fold.groups[0].container == nil)
  }
}
