import AuditCore
import AuditInput

/// `audit policy PATH…`: a policy to start from.
struct PolicyCommand {
  let settings: Settings
  let paths: [[UInt8]]

  init(_ arguments: Arguments) throws(UsageError) {
    settings = try Settings(arguments)
    paths = Audit.distinct(arguments.operands)
    if paths.isEmpty { throw UsageError(message: "name a container, a folder or an archive") }
  }

  func run() -> Int32 {
    Audit.guarded {
      let input = InputAudit(options: settings.inputOptions, gate: Gate(), sinks: [])
      var summary = RunSummary()
      var reports: [InputReport] = []
      for path in paths {
        let (report, findings) = try input.run(path, settings.audit)
        summary.add(report, findings)
        reports.append(report)
        for error in report.errors { Terminal.say("audit: \(error.message)") }
      }
      let file =
        try settings.output.map { path throws(FileError) in try OutputFile(path: path) }
        ?? OutputFile()
      try file.write(Policy.starting(from: reports))
      try file.commit()
      return summary.complete ? .clean : .untrusted
    }
  }
}
