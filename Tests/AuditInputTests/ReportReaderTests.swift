import AuditCore
import Testing

@testable import AuditInput

#if canImport(Darwin)
  import Darwin
#else
  import Glibc
#endif

/// Puts bytes into a nameless file and lends its descriptor.
func withFile<R>(_ bytes: [UInt8], _ body: (Int32) throws -> R) throws -> R {
  let file = try #require(tmpfile())
  defer { fclose(file) }
  try #require(fwrite(bytes, 1, bytes.count, file) == bytes.count)
  try #require(fflush(file) == 0)
  rewind(file)
  return try body(fileno(file))
}

@Suite struct JSONScannerTests {
  private func string(_ json: String) throws -> [UInt8] {
    try withFile(Array(json.utf8)) { fd in
      var scanner = JSONScanner(fd: fd)
      return try scanner.string()
    }
  }

  @Test(arguments: [
    (#""plain""#, "plain"), (#"  """#, ""), (#""a\"\\\/\b\f\n\r\tz""#, "a\"\\/\u{8}\u{C}\n\r\tz"),
    (#""\u0041\u00e9\u20AC""#, "Aé€"), (#""\ud83d\ude00""#, "😀"), (#""é€😀""#, "é€😀"),
  ])
  func strings(json: String, text: String) throws {
    #expect(try string(json) == Array(text.utf8))
  }

  @Test(arguments: [
    #""open"#, #""\x""#, #""\u12""#, #""\ud83d""#, #""\ud83dA""#, #""\ude00""#, "\"a\nb\"", "7", "",
  ])
  func damagedStrings(json: String) {
    #expect(throws: JSONScanner.Failure.self) { try string(json) }
  }

  @Test func aStringLongerThanTheBuffer() throws {
    let long = String(repeating: "x", count: 200_000)
    #expect(try string("\"\(long)\\n\"") == Array((long + "\n").utf8))
  }

  @Test func aStringWithoutAnEnd() {
    let long = String(repeating: "x", count: JSONScanner.stringLimit + 10)
    #expect(throws: JSONScanner.Failure.self) { try string("\"\(long)\"") }
  }

  private func skip(_ json: String) throws {
    try withFile(Array(json.utf8)) { fd in
      var scanner = JSONScanner(fd: fd)
      try scanner.skip()
      try scanner.expectEnd()
    }
  }

  @Test(arguments: [
    "{}", "[]", " [1, -2.5e7, true, null, \"x\", {\"a\": [[]]}] ", "{\"a\":{\"b\":[{}]}}",
  ])
  func skipsWhatItDoesNotKnow(json: String) throws { try skip(json) }

  @Test(arguments: [
    "", "{", "[1,]", "{\"a\"}", "{\"a\":}", "[1 2]", "{}{}", "{1:2}", "[\"a]",
    String(repeating: "[", count: 100_000),
  ])
  func damagedDocuments(json: String) {
    #expect(throws: JSONScanner.Failure.self) { try skip(json) }
  }
}

@Suite struct ReportReaderTests {
  private func read(_ json: String) throws -> DiffSide {
    try withFile(Array(json.utf8)) { ReportReader.read($0, path: Array("old.json".utf8)) }
  }

  /// A report with some files, as it is written and with a few members left out.
  private func report(
    files: String = #"{"path":"a","type":"file","size":3,"verdict":"exposed"}"#,
    version: String = "1", complete: String = "true", errors: String = ""
  ) -> String {
    """
    {"schemaVersion":\(version),"tool":{"name":"audit"},"inputs":[
    {"path":"x","kind":"directory","files":[\(files)],"format":"ext4","evidence":"proven",
    "containers":[{"path":".","kind":"group","identifier":"group.x","markedDirectories":[
    {"path":"l","mark":{"form":"mobile-backup","bytes":22},"files":1,"bytes":2}]}],
    "findings":[{"rule":"later"}],"errors":[\(errors)]}],
    "summary":{},"complete":\(complete),"exitStatus":0,"later":[{"a":1}]}
    """
  }

  @Test func aReportIsRead() throws {
    let side = try read(report())
    #expect(side.errors.isEmpty)
    #expect(side.snapshot.count == 1)
    #expect(side.kind == "report")
    #expect(side.format == "ext4")
    #expect(side.evidence == .proven)
    #expect(side.snapshot.containers.map(\.identifier) == ["group.x"])
    #expect(side.snapshot.containers[0].markedDirectories.map(\.path) == [Array("l".utf8)])
  }

  @Test func namesThatAreNotText() throws {
    // Two names that look alike once they are text stay two names.
    let files = #"""
      {"path":"\ufffd","pathBytes":"/g==","type":"file","verdict":"exposed"},
      {"path":"\ufffd","pathBytes":"/w==","type":"file","verdict":"unknown"}
      """#
    #expect(try read(report(files: files)).snapshot.count == 2)
    let swapped = #"""
      {"path":"\ufffd","pathBytes":"/w==","type":"file","verdict":"exposed"},
      {"path":"\ufffd","pathBytes":"/g==","type":"file","verdict":"unknown"}
      """#
    #expect(try read(report(files: swapped)).errors.count == 1)
  }

  @Test(arguments: [
    #"{"path":"a","type":"file"}"#, #"{"type":"file","verdict":"exposed"}"#,
    #"{"path":"a","type":"door","verdict":"exposed"}"#,
    #"{"path":"a","type":"file","verdict":"fine"}"#,
    #"{"path":"a","pathBytes":"*","type":"file","verdict":"exposed"}"#,
    #"{"path":"a/","type":"file","verdict":"exposed"}"#,
    #"{"path":"","type":"file","verdict":"exposed"}"#,
    #"{"path":"a","size":1e400,"type":"file","verdict":"exposed"}"#,
    #"{"path":"b","type":"file","verdict":"exposed"},{"path":"a","type":"file","verdict":"exposed"}"#,
    "7", "{", "null",
  ])
  func damagedFiles(files: String) throws {
    let side = try read(report(files: files))
    #expect(side.errors.map(\.error) == ["not-a-report"])
    #expect(side.errors.first?.message.contains("old.json is JSON but not a whole") == true)
    #expect(side.snapshot.count == 0)
  }

  @Test(arguments: ["0", "2", "\"1\"", "null"])
  func otherVersions(version: String) throws {
    #expect(try read(report(version: version)).errors.map(\.error) == ["not-a-report"])
  }

  @Test func everyPrefixIsRefused() throws {
    let whole = Array(report().utf8)
    for count in stride(from: 0, to: whole.count - 1, by: 7) {
      let side = try withFile(Array(whole[..<count])) { ReportReader.read($0, path: []) }
      #expect(side.errors.count == 1, "\(count) bytes")
    }
  }

  @Test func anIncompleteReportIsNotTrusted() throws {
    #expect(try read(report(complete: "false")).errors.map(\.error) == ["incomplete"])
    let error = #"{"path":"c","operation":"open","error":"EACCES","message":"no"}"#
    let side = try read(report(complete: "false", errors: error))
    #expect(side.errors.map(\.error) == ["EACCES"])
    #expect(side.errors.map(\.message) == ["the earlier run said: no"])
  }
}
