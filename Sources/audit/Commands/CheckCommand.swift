import AuditCore
import AuditInput
import AuditReport

/// `audit [check] PATH…`: inputs through the auditor into reports, and the exit status.
struct CheckCommand {
  let settings: Settings
  let paths: [[UInt8]]

  init(_ arguments: Arguments) throws(UsageError) {
    settings = try Settings(arguments)
    paths = Audit.distinct(arguments.operands)
    if paths.isEmpty {
      throw UsageError(message: "nothing to audit: name a container, a folder or an archive")
    }
  }

  func run() -> Int32 {
    Audit.guarded { try audit() }
  }

  private func audit() throws -> ExitStatus {
    let decisions = try Decisions(settings)
    let outputs = try ReportOutputs(settings)
    let progress = Progress(isOn: settings.showsProgress && Terminal.isError && !Terminal.isDumb)
    let input = InputAudit(
      options: inputOptions(), gate: decisions.gate, sinks: outputs.sinks,
      progress: progress.isOn ? { progress.show($0) } : nil)
    try outputs.begin(
      RunInfo(
        version: Audit.version, failOn: settings.failOn,
        policyPath: settings.policy.map { Shown.text($0) }))
    var summary = RunSummary()
    for (index, path) in paths.enumerated() {
      let (report, findings) = try input.run(
        path, settings.audit, isLast: index == paths.count - 1)
      progress.clear()
      summary.add(report, findings)
      say(report)
    }
    summary.decide(failOn: settings.failOn)
    try decisions.writeBaseline(summary)
    try outputs.end(summary)
    return summary.exitStatus
  }

  private func inputOptions() -> InputAudit.Options {
    var options = settings.inputOptions
    let asksFewer =
      settings.format == .text && settings.list != .all
      && settings.reports.allSatisfy { $0.format == .text }
    if asksFewer { options.sizesOfAllUpTo = 4096 }
    return options
  }

  /// What people have to know who only see standard error.
  private func say(_ report: InputReport) {
    let name = Shown.text(report.info.path)
    for error in report.errors.prefix(20) {
      Terminal.say("audit: \(name): \(error.message)")
    }
    if report.errors.contains(where: { $0.path.isEmpty && $0.error == "ENOENT" }),
      let verb = Nearest.match(name, among: Verb.allCases.map(\.rawValue))
    {
      Terminal.say("audit: did you mean the command \"\(verb)\"?")
    }
    let more = report.errors.count - 20 + report.errorsOmitted
    if more > 0 { Terminal.say("audit: \(name): and \(more) more errors") }
    if report.evidence == .impossible && report.counts.files[.unknown] > 0 {
      Terminal.say(
        "audit: \(name): cannot tell: "
          + "\(report.evidenceReason ?? "the carrier cannot hold the attribute")")
    }
    if settings.isVerbose {
      Terminal.say(
        "audit: \(name): \(report.info.kind), \(report.format), evidence \(report.evidence.word), "
          + "\(report.directories) directories, \(report.counts.files.total) files")
    }
  }
}

extension RunSummary {
  /// Adds one input.
  mutating func add(_ report: InputReport, _ findings: FindingCounts) {
    counts += report.counts
    self.findings += findings
    containers += report.containers.count
    directories += report.directories
    if !report.errors.isEmpty || report.errorsOmitted > 0 || report.counts.files[.unknown] > 0 {
      complete = false
    }
  }

  /// Decides the exit status once everything is counted.
  mutating func decide(failOn: FailThreshold) {
    exitStatus = ExitStatus(complete: complete, findings: findings, failOn: failOn)
  }
}
