import AuditCore

/// The `junit` format: a suite for each container and one for each input, a case for each rule.
///
/// What fails the run fails here: what `--fail-on` says, errors where nothing is said. What could not
/// be told is an error of a case of its own, so that passes do not hide it.
final class JUnitReport: ReportSink {
  /// How many findings of one case are listed.
  static let limit = 100

  private let writer: ByteWriter
  private var run = RunInfo(version: "")

  init(writer: ByteWriter) { self.writer = writer }

  func begin(run: RunInfo) throws {
    self.run = run
    writer.append("<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<testsuites name=\"audit\">\n")
  }

  func begin(input: InputInfo) throws {}
  func add(_ slice: ClassifiedSlice) throws {}

  func end(input: InputReport) throws {
    let path = Shown.text(input.info.path)
    var problems = input.errors.prefix(Self.limit).map { problem in
      let place = problem.path.isEmpty ? "." : Shown.text(problem.path)
      return "\(place): \(problem.operation): \(problem.error): \(problem.message)"
    }
    let more = input.errors.count + input.errorsOmitted - problems.count
    if more > 0 { problems.append("and \(counted(more, "more error"))") }
    let general = input.findings.filter { !isContainer($0.container, of: input) }
    append(
      Suite(
        name: path + " (input)", unknown: problems, findings: general, rules: [.attributesUnproven])
    )
    for (index, container) in input.containers.enumerated() {
      var name = path + (container.path.isEmpty ? "" : "/" + Shown.text(container.path))
      if let identifier = container.identifier { name += " (\(Shown.text(identifier.utf8)))" }
      let unknown = container.counts.files[.unknown]
      append(
        Suite(
          name: name,
          unknown: unknown == 0 ? [] : ["\(counted(unknown, "file")) could not be determined"],
          findings: input.findings.filter { $0.container == index }, rules: rulesOfContainers))
    }
    try writer.check()
  }

  func end(summary: RunSummary) throws {
    writer.append("<!-- ")
    writer.append(caveat)
    writer.append(" -->\n</testsuites>\n")
    try writer.flush()
  }

  private func isContainer(_ index: Int?, of input: InputReport) -> Bool {
    index.map(input.containers.indices.contains) ?? false
  }

  /// The rules that every check of a container asks.
  private var rulesOfContainers: [RuleID] {
    RuleID.allCases.filter { rule in
      switch rule {
      case .attributesUnproven, .markLost, .inBackupThoughCovered, .expiredException,
        .unusedException, .staleBaseline, .unmatchedEntry:
        false
      case .mustBeBackedUp: run.policyPath != nil
      default: true
      }
    }
  }

  private struct Suite {
    var name: String
    var unknown: [String]
    var findings: [Finding]
    var rules: [RuleID]
  }

  private func append(_ suite: Suite) {
    let rules = RuleID.allCases.filter { rule in
      suite.rules.contains(rule) || suite.findings.contains { $0.rule == rule }
    }
    let cases = rules.map { rule in
      Case(rule: rule, findings: suite.findings.filter { $0.rule == rule }, failOn: run.failOn)
    }
    writer.append("<testsuite name=\"")
    writer.appendMarkup(suite.name)
    attribute("tests", cases.count + 1)
    attribute("failures", cases.count { !$0.failing.isEmpty })
    attribute("errors", suite.unknown.isEmpty ? 0 : 1)
    attribute("skipped", cases.count { $0.isSuppressed })
    writer.append("\">\n")
    open("everything could be told", in: suite)
    if suite.unknown.isEmpty {
      writer.append("/>\n")
    } else {
      writer.append("><error type=\"unknown\" message=\"")
      writer.appendMarkup(suite.unknown[0])
      writer.append("\">")
      for line in suite.unknown {
        writer.appendMarkup(line)
        writer.append("\n")
      }
      writer.append("</error></testcase>\n")
    }
    for each in cases { append(each, in: suite) }
    writer.append("</testsuite>\n")
  }

  /// The findings of one rule in one suite.
  private struct Case {
    var rule: RuleID
    var failing: [Finding]
    var remarks: [Finding]
    var suppressed: [Finding]

    init(rule: RuleID, findings: [Finding], failOn: FailThreshold) {
      self.rule = rule
      let active = findings.filter { $0.suppression == nil }
      failing = active.filter { failOn.isReached(by: $0.severity) }
      remarks = active.filter { !failOn.isReached(by: $0.severity) }
      suppressed = findings.filter { $0.suppression != nil }
    }

    /// Whether it would pass only because findings do not count.
    var isSuppressed: Bool { failing.isEmpty && remarks.isEmpty && !suppressed.isEmpty }
  }

  private func append(_ each: Case, in suite: Suite) {
    open(each.rule.word, in: suite)
    if let first = each.failing.first {
      writer.append("><failure type=\"")
      writer.append(first.severity.word)
      writer.append("\" message=\"")
      writer.appendMarkup(
        "\(counted(each.failing.reduce(0) { $0 + $1.occurrences }, "entry", "entries")): "
          + each.rule.info.title)
      writer.append("\">")
      appendList(each.failing)
      writer.append("</failure>")
    } else if each.isSuppressed {
      let reasons = each.suppressed.map { Shown.sentence($0.suppression?.reason ?? "") }
        .filter { !$0.isEmpty }
      writer.append("><skipped message=\"")
      writer.appendMarkup(
        "\(counted(each.suppressed.reduce(0) { $0 + $1.occurrences }, "entry", "entries")) "
          + "suppressed: " + (reasons.first ?? "known from the baseline"))
      writer.append("\"/></testcase>\n")
      return
    } else if each.remarks.isEmpty {
      writer.append("/>\n")
      return
    } else {
      writer.append(">")
    }
    if !each.remarks.isEmpty {
      writer.append("<system-out>")
      appendList(each.remarks)
      writer.append("</system-out>")
    }
    writer.append("</testcase>\n")
  }

  private func appendList(_ findings: [Finding]) {
    for finding in findings.prefix(Self.limit) {
      writer.appendMarkup(
        "\(finding.severity.word): \(finding.place): \(finding.message) \(finding.fix)")
      writer.append("\n")
    }
    if findings.count > Self.limit {
      writer.append("and \(findings.count - Self.limit) more\n")
    }
  }

  private func open(_ name: String, in suite: Suite) {
    writer.append("<testcase name=\"")
    writer.appendMarkup(name)
    writer.append("\" classname=\"")
    writer.appendMarkup(suite.name)
    writer.append("\" time=\"0\"")
  }

  private func attribute(_ name: StaticString, _ value: Int) {
    writer.append("\" ")
    writer.append(name)
    writer.append("=\"")
    writer.append(value)
  }
}
