import Foundation
import TestSupport
import Testing

@testable import AuditCore
@testable import AuditInput

/// Every way in which a file may not be a file that can be read.
@Suite struct DecidingFileTests {
  private let place: TemporaryDirectory

  init() throws { place = try TemporaryDirectory() }

  private func read(_ name: String, limit: Int = 100) -> (content: [UInt8]?, error: String?) {
    let path = place.at(name)
    let file = path.withCString {
      DecidingFile.whole(System.here, $0, limit: limit, path: Array(name.utf8))
    }
    switch file {
    case .absent: return (nil, nil)
    case .read(let bytes): return (bytes, nil)
    case .failed(let problem): return (nil, problem.error)
    }
  }

  @Test func threeAnswers() throws {
    #expect(read("nothing").content == nil && read("nothing").error == nil)
    _ = try place.file("empty", [])
    #expect(read("empty").content == [])
    let bytes = (0..<100).map { UInt8($0) }
    _ = try place.file("full", bytes)
    #expect(read("full").content == bytes)
    #expect(read("full", limit: 99).error == "too-large")
    #expect(read("full/below").content == nil && read("full/below").error == nil)
  }

  @Test func whatIsNoFile() throws {
    _ = try place.file("file", [1])
    _ = try place.directory("directory")
    mkfifo(place.at("fifo"), 0o600)
    symlink("file", place.at("link"))
    symlink("missing", place.at("dangling"))
    symlink("loop", place.at("loop"))
    for name in ["directory", "fifo", "link", "dangling", "loop"] {
      #expect(read(name).error == "not-a-file", "\(name)")
    }
    let device = "/dev/null".withCString {
      DecidingFile.whole(System.here, $0, limit: 1, path: [])
    }
    guard case .failed(let problem) = device else {
      Issue.record("a device was read")
      return
    }
    #expect(problem.message.contains("is a device"))
    #expect(read(String(repeating: "n", count: 300)).error == "ENAMETOOLONG")
  }

  @Test func theBeginning() throws {
    _ = try place.file("file", Array(repeating: 7, count: 9000))
    func head(_ count: Int) -> ([UInt8]?, Int) {
      place.at("file").withCString {
        let (file, size) = DecidingFile.head(System.here, $0, count, path: [])
        guard case .read(let bytes) = file else { return (nil, size) }
        return (bytes, size)
      }
    }
    #expect(head(16) == (Array(repeating: 7, count: 16), 9000))
    #expect(head(20_000) == (Array(repeating: 7, count: 9000), 9000))
  }
}
