import Foundation
import Testing

/// The guide's examples are code that is built and tested elsewhere.
@Suite struct LibraryGuideTests {
  static let root = URL(fileURLWithPath: #filePath)
    .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()

  @Test func theExamplesAreTheClientPackagesCode() throws {
    let client = Self.root.appendingPathComponent("Tests/ClientPackage")
    let sources = try ["Sources", "Tests"].flatMap { folder in
      let path = client.appendingPathComponent(folder)
      return try FileManager.default.subpathsOfDirectory(atPath: path.path)
        .filter { $0.hasSuffix(".swift") }
        .map { try String(contentsOf: path.appendingPathComponent($0), encoding: .utf8) }
    }
    let guide = try String(
      contentsOf: Self.root.appendingPathComponent("docs/library.md"), encoding: .utf8)
    let examples = guide.components(separatedBy: "```swift\n").dropFirst()
      .compactMap { $0.components(separatedBy: "```").first }
      .filter { !$0.hasPrefix("// Package.swift") }
    #expect(examples.count >= 6)
    for example in examples {
      #expect(sources.contains { $0.contains(example) }, "\(example)")
    }
  }
}
