import AuditCore
import Testing

@testable import AuditReport

@Suite struct HTMLReportTests {
  @Test func theDigestIsSHA256() {
    // FIPS 180-4, the examples of one block and of two.
    func hex(_ text: String) -> String {
      sha256(Array(text.utf8)).map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined()
    }
    #expect(hex("abc") == "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad")
    #expect(
      hex("abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq")
        == "248d6a61d20638b8e5c026930c3e6039a33ce45964ff2167f6ecedd419db06c1")
  }

  @Test func theSecurityPolicyNamesTheScriptAndTheStyle() throws {
    func hash(_ text: [UInt8]) throws -> String {
      var bytes: [UInt8] = []
      let writer = ByteWriter { bytes += $0 }
      writer.appendBase64(sha256(text))
      try writer.flush()
      return "sha256-" + AuditReportTests.text(bytes)
    }
    #expect(try HTMLScript.hash == hash(HTMLScript.text))
    #expect(try HTMLStyle.hash == hash(HTMLStyle.text))
    let page = text(try written(HTMLReport.init(writer:)) { try playSample(to: $0) })
    #expect(
      page.contains(
        "content=\"default-src 'none'; style-src '\(HTMLStyle.hash)'; "
          + "script-src '\(HTMLScript.hash)'; base-uri 'none'; form-action 'none'\""))
    #expect(page.contains("<style>\(text(HTMLStyle.text))</style>"))
    #expect(page.contains("<script>\(text(HTMLScript.text))</script>"))
  }

  @Test func aPageNeedsNoOtherFile() throws {
    let page = text(try written(HTMLReport.init(writer:)) { try playSample(to: $0) })
    for word in ["http://", "https://", " src=", " href=", "url(h", "@import", " style="] {
      let allowed = word == "http://" ? 1 : 0  // The name of the SVG namespace.
      #expect(page.split(separator: word, omittingEmptySubsequences: false).count == allowed + 1)
    }
  }

  @Test func hostileNamesStayText() throws {
    let name = "</td><script>alert(1)</script>\"'&\u{202E}\n"
    let page = text(
      try written(HTMLReport.init(writer:)) { sink in
        try sink.begin(run: RunInfo(version: "1"))
        let info = InputInfo(path: Array(name.utf8), kind: "directory")
        try sink.begin(input: info)
        try add([SampleEntry(name), SampleEntry(bytes: [0xFF])], in: name, to: sink)
        var report = InputReport(info: info, format: name, evidence: .proven)
        report.containers = [
          ContainerReport(path: [], kind: .app, identifier: name),
          ContainerReport(path: Array(name.utf8), kind: .app, identifier: name),
        ]
        report.errors = [
          InputProblem(path: Array(name.utf8), operation: name, error: name, message: "\(name)")
        ]
        var finding = Finding(
          rule: .exposedFile, severity: .error, path: Array(name.utf8), container: 0,
          message: name, fix: name, fingerprint: "")
        finding.source = name
        report.findings = [finding]
        finding.suppression = Suppression(kind: .exception, reason: name)
        report.findings.append(finding)
        try sink.end(input: report)
        try sink.end(summary: RunSummary())
      })
    #expect(page.contains("&lt;/td&gt;&lt;script&gt;"))
    #expect(page.contains("\\xFF"))
    #expect(!page.contains("<script>alert"))
    #expect(!page.unicodeScalars.contains("\u{202E}"))
    #expect(page.split(separator: "<script", omittingEmptySubsequences: false).count == 2)
  }

  @Test func noVerdictIsTooSmallForTheBar() {
    var files = Tally()
    var bytes = Tally()
    files[.coveredByAncestor] = 1
    bytes[.coveredByAncestor] = 1_000_000_000
    files[.exposed] = 1
    bytes[.exposed] = 1
    files[.unknown] = 3
    let shares = HTMLFigures.shares(of: files, by: bytes)
    #expect(shares.map(\.verdict) == [.exposed, .unknown, .coveredByAncestor])
    #expect(shares.map(\.share) == [8, 8, 984])
    #expect(HTMLFigures.shares(of: Tally(), by: Tally()).isEmpty)
  }

  @Test func theFiguresComeBeforeTheFindings() throws {
    let page = text(try written(HTMLReport.init(writer:)) { try playSample(to: $0) })
    let parts = [
      "<h1>Failed</h1>", "class=\"figures\"", "id=\"errors\"", "id=\"findings\"", "id=\"map\"",
      "id=\"containers\"", "id=\"files\"",
    ].map { page.split(separator: $0, maxSplits: 1, omittingEmptySubsequences: false)[0].count }
    #expect(parts == parts.sorted())
    #expect(Set(parts).count == parts.count)
  }
}

@Suite struct FoldedTreeTests {
  /// Feeds a tree of `width` directories on each of `depth` levels with `files` files each.
  private func tree(limit: Int, depth: Int, width: Int, files: Int) throws -> FoldedTree {
    let holder = TreeHolder(limit: limit)
    func visit(_ path: String, _ level: Int) throws {
      let entries = (0..<files).map {
        SampleEntry("file\($0)", size: 10, verdict: $0 % 2 == 0 ? .exposed : .selfMarked)
      }
      try add(entries, in: path, to: holder)
      guard level < depth else { return }
      for index in 0..<width {
        try visit(path.isEmpty ? "d\(index)" : "\(path)/d\(index)", level + 1)
      }
    }
    try visit("", 0)
    return holder.tree
  }

  private func totals(_ tree: FoldedTree) -> (files: Int, bytes: Int) {
    tree.nodes.reduce(into: (0, 0)) { sum, node in
      sum.0 += node.files.total + (node.entry == nil ? 0 : 1)
      sum.1 += node.bytes.total + Int(node.entry?.size ?? 0)
    }
  }

  @Test func smallInputsKeepEveryEntry() throws {
    let tree = try tree(limit: 1000, depth: 2, width: 2, files: 2)
    #expect(!tree.isFolded)
    #expect(tree.nodes.count == 7 + 14)
    #expect(text(tree.path(of: 20)) == "d1/d1/file1")
  }

  @Test(arguments: [(4, 1, 1000), (3, 6, 20), (9, 2, 3), (1, 1000, 1), (60, 1, 100)])
  func largeInputsFoldAndLoseNothing(depth: Int, width: Int, files: Int) throws {
    let tree = try tree(limit: 200, depth: depth, width: width, files: files)
    var directories = 1
    for level in 1...depth {
      directories += (0..<level).reduce(1) { product, _ in product * width }
    }
    #expect(tree.isFolded)
    #expect(tree.nodes.count <= 200)
    #expect(totals(tree) == (directories * files, directories * files * 10))
    for (index, node) in tree.nodes.enumerated().dropFirst() {
      #expect(node.parent < index && tree.nodes[node.parent].entry == nil)
      #expect(tree.nodes[node.parent].depth == node.depth - 1)
    }
  }

  @Test func theLargestStay() throws {
    let holder = TreeHolder(limit: 100)
    for directory in 0..<50 {
      let entries = (0..<50).map { SampleEntry("f\($0)", size: Int64($0 + directory)) }
      try add(entries, in: "d\(directory)", to: holder)
    }
    try add([SampleEntry("large", size: 1_000_000)], in: "e/f/g", to: holder)
    try add([SampleEntry("small", size: 1)], in: "e/f/h", to: holder)
    for directory in 50..<200 {
      try add([SampleEntry("f", size: 10)], in: "z/d\(directory)", to: holder)
    }
    let paths = holder.tree.nodes.indices.map { text(holder.tree.path(of: $0)) }
    #expect(paths.contains("e/f/g/large"))
    #expect(!paths.contains("e/f/h/small"))
    #expect(paths.contains("d49"))
  }

  @Test func siblingsWithACommonPrefixAreApart() throws {
    let holder = TreeHolder(limit: 100)
    for path in ["a/b", "a/b/c", "a/bb", "ab", "ab/a", "b"] {
      try add([SampleEntry("f")], in: path, to: holder)
    }
    let paths = holder.tree.nodes.indices.map { text(holder.tree.path(of: $0)) }
    #expect(
      paths == [
        "", "a", "a/b", "a/b/f", "a/b/c", "a/b/c/f", "a/bb", "a/bb/f", "ab", "ab/f", "ab/a",
        "ab/a/f", "b", "b/f",
      ])
  }
}

/// A sink that builds a tree.
private final class TreeHolder: ReportSink {
  var tree: FoldedTree
  init(limit: Int) { tree = FoldedTree(limit: limit) }
  func begin(run: RunInfo) throws {}
  func begin(input: InputInfo) throws {}
  func add(_ slice: ClassifiedSlice) throws { tree.add(slice) }
  func end(input: InputReport) throws {}
  func end(summary: RunSummary) throws {}
}
