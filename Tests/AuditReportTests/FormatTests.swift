import AuditCore
import Testing

@testable import AuditReport

@Suite struct FormatTests {
  @Test func everyWordIsAFormat() {
    #expect(
      ReportFormat.allCases.map(\.word).sorted() == [
        "csv", "github", "gitlab", "html", "json", "junit", "markdown", "ndjson", "sarif", "text",
      ])
    #expect(ReportFormat(word: "sarif") == .sarif)
    #expect(ReportFormat(word: "SARIF") == nil)
  }

  @Test func csv() throws {
    let rows = text(try written(CSVReport.init(writer:)) { try playSample(to: $0) })
    #expect(
      rows
        == """
        input,path,path_bytes,type,size,verdict,reason,ancestor,mark_form,mark_bytes,container
        "Dumps/group.tar","loose.bin",,file,7,exposed,,,empty,0,
        "Dumps/group.tar","pipe",,fifo,,outside-backup,\
        "a FIFO, socket or device holds no data at rest",,,,
        "Dumps/group.tar","Documents/app.sqlite-wal",,file,4152,exposed,,,,,
        "Dumps/group.tar","Documents/link",,symlink,9,exposed,,,,,
        "Dumps/group.tar","io.example.localonly/a.db",,file,98304,covered-by-ancestor,,\
        "io.example.localonly",,,"group.io.example"
        "Dumps/group.tar","io.example.localonly/b.db",,file,16,marked-and-covered,,\
        "io.example.localonly",backupd-plist,61,"group.io.example"
        "Dumps/odd","'=cmd",,file,2,self-marked,,,other,1,
        "Dumps/odd","n\u{FFFD}\u{FFFD}<",bv8KPA==,file,1,unknown,\
        "its attributes could not be read",,,,
        "Dumps/odd","n\u{FFFD}\u{FFFD}<",bv8KPA==,error,,unknown,\
        "listxattr: EACCES: Permission denied.",,,,
        "Dumps/odd",".",,error,,unknown,"2 more errors are not listed",,,,

        """.replacing("\n", with: "\r\n"))
  }

  @Test func csvQuotes() throws {
    let rows = text(
      try written(CSVReport.init(writer:)) { sink in
        try sink.begin(run: RunInfo(version: "1"))
        try sink.begin(input: InputInfo(path: Array("-x".utf8), kind: "directory"))
        let names = ["a\"b,c", "'@", "x\u{0}", "\u{202E}\u{1B}"]
        try add(names.map { SampleEntry($0) }, to: sink)
      }
    ).split(separator: "\r\n")
    #expect(
      rows.dropFirst().map { $0.prefix { $0 != "," } + ":" + $0.drop { $0 != "," } } == [
        "\"'-x\":,\"a\"\"b,c\",,file,,exposed,,,,,",
        "\"'-x\":,\"''@\",,file,,exposed,,,,,",
        "\"'-x\":,\"x\u{FFFD}\",eAA=,file,,exposed,,,,,",
        "\"'-x\":,\"\u{FFFD}\u{FFFD}\",4oCuGw==,file,,exposed,,,,,",
      ])
  }

  @Test func github() throws {
    let lines = text(try written(GitHubReport.init(writer:)) { try playSample(to: $0) })
    #expect(
      lines == #"""
        ::error file=ci/policy.json5,line=1,title=audit%3A not readable::n\xFF\n<: listxattr: \#
        EACCES: Permission denied.
        ::error file=Sources/Store.swift,line=42,title=audit%3A exposed-sidecar::\#
        Documents/app.sqlite-wal in group.io.example: The newest rows are exposed. Mark the directory.
        ::error file=Sources/Store.swift,line=42,title=audit%3A and more::2 more entries, \#
        not annotated here; the other reports list them
        ::warning file=ci/policy.json5,line=1,title=audit%3A attributes-unproven::.: \#
        No foreign attribute was seen. Dump again.
        ::notice file=ci/policy.json5,line=1,title=audit%3A unfamiliar-value::n\xFF\n<: \#
        Unfamiliar. Write the usual value.
        audit: Failed: 6 files, 2 exposed, 1 unknown, 1 error, 1 warning, 1 note, 4 suppressed. The mark is guidance \#
        to the backup system, not a guarantee that a file stays out of a backup; the defence at \#
        rest is the data-protection class.

        """#)
  }

  @Test func githubShowsTenOfAKind() throws {
    let lines = text(
      try written(GitHubReport.init(writer:)) { sink in
        try playMany(200, to: sink, path: { "d/\($0)%\r" })
      }
    ).split(separator: "\n")
    #expect(lines.count == 11)
    #expect(lines[0].contains("::d/0%25\\r: "))
    #expect(
      lines[9].hasSuffix("::191 more entries, not annotated here; the other reports list them"))
  }

  @Test func gitlabFingerprintsAreUnique() throws {
    let issues = text(
      try written(GitLabReport.init(writer:)) { sink in try playMany(3, to: sink) })
    #expect(issues.contains(#""fingerprint":"ffffffffffffffffffffffffffffffff","#))
    #expect(issues.contains(#""fingerprint":"ffffffffffffffffffffffffffffffff-2","#))
    #expect(issues.contains(#""fingerprint":"ffffffffffffffffffffffffffffffff-3","#))
  }

  @Test func gitlabIsNotEmptyWhenSomethingCouldNotBeRead() throws {
    let issues = text(
      try written(GitLabReport.init(writer:)) { sink in
        try sink.begin(run: RunInfo(version: "1"))
        var summary = RunSummary()
        summary.complete = false
        try sink.end(summary: summary)
      })
    #expect(issues.contains(#""severity":"blocker""#))
  }

  @Test func markdown() throws {
    let page = text(try written(MarkdownReport.init(writer:)) { try playSample(to: $0) })
    #expect(
      page.hasPrefix(
        """
        ## Backup exclusion audit

        **Failed: 6 files, 2 exposed, 1 unknown, 1 error, 1 warning, 1 note, 4 suppressed.**

        | container | covered-by-ancestor | self-marked | marked-and-covered | exposed | \
        outside-backup | unknown |
        | --- | --: | --: | --: | --: | --: | --: |
        | `group.io.example` | 1 | 0 | 1 | 2 | 0 | 0 |
        | `Dumps/odd` | 0 | 1 | 0 | 0 | 0 | 1 |
        | **all** | 1 | 1 | 1 | 2 | 0 | 1 |

        ### Not readable

        - `n\\xFF\\n<`: listxattr: EACCES: Permission denied.
        - and 2 more

        ### Errors

        - `Documents/app.sqlite-wal` (exposed-sidecar): The newest rows are exposed. Mark the \
        directory.

        """))
  }

  @Test(arguments: [
    ("a`b", "``a`b``"), ("`", "`` ` ``"), ("a```", "```` a``` ````"), ("<b>|*", "`<b>\\|*`"),
  ])
  func markdownCode(name: String, expected: String) {
    #expect(MarkdownText.code(name, inTable: true) == expected)
  }

  @Test func markdownSentences() {
    #expect(MarkdownText.escaped("*a* <b> [c]\n@d") == "\\*a\\* &lt;b\\> \\[c\\] <span>@</span>d")
  }

  @Test func junitCountsWhatItHolds() throws {
    let page = text(try written(JUnitReport.init(writer:)) { try playSample(to: $0) })
    let suite = page.split(separator: #"<testsuite name="Dumps/group.tar (group.io.example)""#)
    let cases = (suite.last ?? "").split(separator: "</testsuite>")[0]
    let count = cases.split(separator: "<testcase ", omittingEmptySubsequences: false).count - 1
    #expect(cases.hasPrefix(" tests=\"\(count)\" failures=\"1\" errors=\"0\" skipped=\"1\">"))
    #expect(page.contains(#"<skipped message="3 entries suppressed: reviewed"/>"#))
    #expect(
      page.contains(
        #"<testsuite name="Dumps/odd (input)" tests="2" failures="0" errors="1" skipped="0">"#))
    #expect(page.contains(#"message="n\xFF\n&lt;: listxattr: EACCES: Permission denied.""#))
  }

  @Test(arguments: [(FailThreshold.error, 0), (.warning, 1), (.note, 1), (.never, 0)])
  func junitFailsWhatFailsTheRun(failOn: FailThreshold, failures: Int) throws {
    let page = text(
      try written(JUnitReport.init(writer:)) { sink in
        try playMany(2, to: sink, severity: .warning, failOn: failOn)
      })
    #expect(page.contains("failures=\"\(failures)\" errors=\"0\" skipped=\"0\""))
    #expect(page.contains("<system-out>") == (failures == 0))
  }

  @Test func ndjsonEndsWithTheSummary() throws {
    let lines = text(try written(NDJSONReport.init(writer:)) { try playSample(to: $0) })
      .split(separator: "\n")
    let kinds = lines.map { $0.dropFirst(9).prefix { $0 != "\"" } }
    #expect(
      kinds == [
        "input", "file", "file", "file", "file", "file", "file", "container", "finding", "finding",
        "input-end", "input", "file", "file", "container", "finding", "finding", "finding",
        "error", "input-end", "summary",
      ])
    #expect(
      lines[3]
        == #"{"kind":"file","path":"Documents/app.sqlite-wal","type":"file","size":4152,"#
        + #""verdict":"exposed"}"#)
  }
}

/// A run of many exposed files, all with one fingerprint.
func playMany(
  _ count: Int, to sink: any ReportSink, severity: Severity = .error,
  failOn: FailThreshold = .error,
  path: (Int) -> String = { "d\($0 / 100)/\($0)" }
) throws {
  let info = InputInfo(path: Array("/tmp/dump".utf8), kind: "directory")
  try sink.begin(run: RunInfo(version: "1", failOn: failOn))
  try sink.begin(input: info)
  var report = InputReport(info: info, format: "ext4", evidence: .proven)
  report.containers = [ContainerReport(path: [], kind: .unknown)]
  report.findings = (0..<count).map { index in
    Finding(
      rule: .exposedFile, severity: severity, path: Array(path(index).utf8), container: 0,
      message: "Exposed.", fix: "Mark it.", fingerprint: String(repeating: "f", count: 32))
  }
  try sink.end(input: report)
  var summary = RunSummary()
  if severity == .error { summary.findings.error = count } else { summary.findings.warning = count }
  try sink.end(summary: summary)
}
