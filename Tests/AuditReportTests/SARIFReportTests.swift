import AuditCore
import Testing

@testable import AuditReport

@Suite struct SARIFReportTests {
  @Test func aResult() throws {
    let page = text(try written(SARIFReport.init(writer:)) { try playSample(to: $0) })
    #expect(
      page.contains(
        #"""
        "results":[
        {"ruleId":"exposed-sidecar","ruleIndex":2,"level":"error","message":{"text":\#
        "Documents/app.sqlite-wal in group.io.example: The newest rows are exposed. Mark the directory."},\#
        "locations":[{"physicalLocation":{"artifactLocation":{"uri":"Sources/Store.swift",\#
        "uriBaseId":"%SRCROOT%"},"region":{"startLine":42}},"logicalLocations":[{"kind":\#
        "resource","fullyQualifiedName":"Documents/app.sqlite-wal"}]}],"partialFingerprints":\#
        {"audit/v1":"0123456789abcdef0123456789abcdef"},"properties":{"path":\#
        "Documents/app.sqlite-wal","input":"Dumps/group.tar"}},
        """#))
    #expect(
      page.contains(
        #""suppressions":[{"kind":"external","status":"accepted","justification":"reviewed"}]"#))
    #expect(page.contains(#"{"executionSuccessful":true,"exitCode":1,"#))
  }

  @Test func aRunThatCannotBeTrustedHasFailed() throws {
    let page = text(
      try written(SARIFReport.init(writer:)) { try playSample(to: $0, exitStatus: .untrusted) })
    #expect(page.contains(#"{"executionSuccessful":false,"exitCode":2,"#))
    #expect(page.contains(#""text":"n\\xFF\\n<: listxattr: EACCES: Permission denied.""#))
  }

  @Test func resultsAreFoldedBeyondTheLimit() throws {
    let page = text(try written(SARIFReport.init(writer:)) { try playMany(6001, to: $0) })
    let results = page.split(separator: "\n").filter { $0.hasPrefix("{\"ruleId\"") }
    #expect(results.count == 61)
    #expect(results[0].contains("\"text\":\"d0 (100 entries): "))
    #expect(results[0].contains("\"occurrenceCount\":100,"))
    #expect(results[60].contains("\"text\":\"d60: "))
    let prints = results.compactMap { $0.split(separator: "\"audit/v1\":\"").last?.prefix(32) }
    #expect(Set(prints).count == results.count)
  }

  @Test func oneRepositoryPathForEachFinding() {
    let run = RunInfo(version: "1")
    let withPolicy = RunInfo(version: "1", policyPath: "./ci/a b.json5")
    func place(_ source: String?, _ input: String, _ run: RunInfo) -> String {
      var finding = Finding(
        rule: .exposedFile, severity: .error, path: [], container: nil, message: "", fix: "",
        fingerprint: "")
      finding.source = source
      let info = InputInfo(path: Array(input.utf8), kind: "directory")
      let location = SourceLocation.of(finding, in: info, run: run)
      return "\(location.uri):\(location.line)"
    }
    #expect(place("Sources/Store.swift:42", "dump", run) == "Sources/Store.swift:42")
    #expect(place("Sources/Store.swift", "dump", run) == "Sources/Store.swift:1")
    #expect(place("../Store.swift:42", "dump", withPolicy) == "ci/a%20b.json5:1")
    #expect(place("/Store.swift:42", "dumps/é.tar", run) == "dumps/%C3%A9.tar:1")
    #expect(place(nil, "/private/dump.tar", run) == "dump.tar:1")
    #expect(place(nil, "/", run) == "audit:1")
  }
}
