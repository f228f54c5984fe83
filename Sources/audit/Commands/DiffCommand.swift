import AuditCore
import AuditInput
import AuditReport

/// `audit diff OLD NEW`: two states of the same containers, and what got worse.
struct DiffCommand {
  let settings: Settings
  let old: [UInt8]
  let new: [UInt8]

  init(_ arguments: Arguments) throws(UsageError) {
    settings = try Settings(arguments)
    try StateOutputs.check(settings, arguments.verb)
    guard arguments.operands.count == 2 else {
      throw UsageError(
        message: "diff takes an old and a new state: containers, archives or json reports")
    }
    (old, new) = (arguments.operands[0], arguments.operands[1])
    if old.elementsEqual("-".utf8) && new.elementsEqual("-".utf8) {
      throw UsageError(message: "only one of the two can be standard input")
    }
  }

  func run() -> Int32 {
    Audit.guarded { try compare() }
  }

  private func compare() throws -> ExitStatus {
    let decisions = try Decisions(settings)
    let outputs = try StateOutputs(settings)
    let sinks = outputs.writers.compactMap { output in
      output.format.makeDiffSink(writer: output.writer, text: output.text)
    }
    let progress = Progress(isOn: settings.showsProgress && Terminal.isError && !Terminal.isDumb)
    let reader = SideReader(
      options: settings.inputOptions, progress: progress.isOn ? { progress.show($0) } : nil)
    let before = try reader.read(old, settings.audit)
    let after = try reader.read(new, settings.audit)
    progress.clear()
    say(before)
    say(after)

    var options = DiffOptions()
    options.locationRules = settings.audit.locationRules
    options.assumeAttributesKept = settings.audit.assumeAttributesKept
    let run = RunInfo(
      version: Audit.version, failOn: settings.failOn,
      policyPath: settings.policy.map { Shown.text($0) })
    let report = try Diff.run(
      before, after, options: options, gate: decisions.gate,
      begin: { pairs in
        for sink in sinks { try sink.begin(run: run, old: before, new: after, pairs: pairs) }
      },
      change: { change in for sink in sinks { try sink.add(change) } })
    if !report.hasCommonContainer && before.isComplete && after.isComplete {
      Terminal.say("audit: the two have no container in common; nothing was compared")
    }
    let status = ExitStatus(
      complete: report.complete, findings: report.counts, failOn: settings.failOn)
    for sink in sinks { try sink.end(report, status: status) }
    try outputs.commit()
    return status
  }

  /// What people have to know who only see standard error.
  private func say(_ side: DiffSide) {
    for error in side.errors.prefix(20) {
      Terminal.say("audit: \(Shown.text(side.path)): \(error.message)")
    }
    if settings.isVerbose {
      Terminal.say(
        "audit: \(Shown.text(side.path)): \(side.kind), evidence \(side.evidence.word), "
          + "\(side.snapshot.containers.count) containers, \(side.snapshot.count) entries")
    }
    let more = side.errors.count - 20 + side.errorsOmitted
    if more > 0 { Terminal.say("audit: \(Shown.text(side.path)): and \(more) more errors") }
  }
}
