import AuditCore
import AuditInput
import AuditReport

/// `audit containers PATH…`: what was found where, without a verdict on the whole.
struct ContainersCommand {
  let settings: Settings
  let paths: [[UInt8]]

  init(_ arguments: Arguments) throws(UsageError) {
    settings = try Settings(arguments)
    paths = Audit.distinct(arguments.operands)
    if paths.isEmpty { throw UsageError(message: "name a folder or an archive") }
  }

  func run() -> Int32 {
    Audit.guarded {
      let file =
        try settings.output.map { path throws(FileError) in try OutputFile(path: path) }
        ?? OutputFile()
      let sink = ContainerList(writer: ByteWriter { try file.write($0) })
      let input = InputAudit(options: settings.inputOptions, gate: Gate(), sinks: [sink])
      var summary = RunSummary()
      for path in paths {
        let (report, findings) = try input.run(path, settings.audit)
        summary.add(report, findings)
        for error in report.errors { Terminal.say("audit: \(error.message)") }
      }
      try sink.end(summary: summary)
      try file.commit()
      return summary.complete ? .clean : .untrusted
    }
  }
}
