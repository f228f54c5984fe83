import AuditCore
import AuditInput
import AuditReport

/// `audit verify BACKUP --container PATH…`: what a backup holds of what was to stay out of it.
struct VerifyCommand {
  let settings: Settings
  let backup: [UInt8]
  let containers: [[UInt8]]

  init(_ arguments: Arguments) throws(UsageError) {
    settings = try Settings(arguments)
    guard arguments.operands.count == 1, let backup = arguments.operands.first else {
      throw UsageError(message: "verify takes one backup; name containers with --container PATH")
    }
    containers = Audit.distinct(arguments.all(.container))
    if containers.isEmpty {
      throw UsageError(message: "name the containers the backup was made from: --container PATH")
    }
    self.backup = backup
    try StateOutputs.check(settings, arguments.verb)
  }

  func run() -> Int32 {
    Audit.guarded { try verify() }
  }

  private func verify() throws -> ExitStatus {
    let decisions = try Decisions(settings)
    let outputs = try StateOutputs(settings)
    var info = BackupInfo(path: backup)
    var opened: Backup?
    switch try Backup.open(backup, PasswordSource(settings).unlocking) {
    case .failure(let problem): info.errors = [problem]
    case .success(let backup):
      opened = backup
      info = BackupInfo(
        path: self.backup, date: backup.date, systemVersion: backup.systemVersion,
        errors: backup.problems)
      if backup.isEncrypted, !backup.wasDecrypted, !settings.isQuiet {
        Terminal.say(
          "audit: \(Shown.text(self.backup)): note: Manifest.plist says that the backup is "
            + "encrypted, and Manifest.db is not: a tool decrypted it; it is read as it is")
      }
    }
    let sides = try readContainers()
    var verification = Verification(
      sides, gate: decisions.gate, assumesAttributesKept: settings.audit.assumeAttributesKept)
    var sawAllRows = false
    do {
      try opened?.forEachRow { row, record in
        info.rows += 1
        verification.add(row, record: record)
      }
      sawAllRows = opened != nil
    } catch let problem as InputProblem {
      info.errors.append(problem)
    }
    let report = verification.finish(sawAllRows: sawAllRows)
    say(info, report)
    let status = ExitStatus(
      complete: report.complete && info.errors.isEmpty, findings: report.counts,
      failOn: settings.failOn)
    let run = RunInfo(
      version: Audit.version, failOn: settings.failOn,
      policyPath: settings.policy.map { Shown.text($0) })
    for output in outputs.writers {
      try output.format.write(
        report, of: info, run: run, status: status, to: output.writer, text: output.text)
    }
    try outputs.commit()
    return status
  }

  private func readContainers() throws -> [DiffSide] {
    let progress = Progress(isOn: settings.showsProgress && Terminal.isError && !Terminal.isDumb)
    let reader = SideReader(
      options: settings.inputOptions, progress: progress.isOn ? { progress.show($0) } : nil)
    return try containers.map { path in
      var side = try reader.read(path, settings.audit)
      progress.clear()
      if side.snapshot.inputs > 1 {
        side.errors.append(
          InputProblem(
            path: [], operation: "read", error: "several-inputs",
            message: "the report is about \(side.snapshot.inputs) inputs; verify takes one each"))
        side.snapshot = Snapshot()
      }
      return side
    }
  }

  /// What people have to know who only see standard error.
  private func say(_ backup: BackupInfo, _ report: VerifyReport) {
    let errors =
      backup.errors.map { (backup.path, $0) }
      + report.inputs.flatMap { input in input.side.errors.map { (input.side.path, $0) } }
    for (path, error) in errors.prefix(20) {
      Terminal.say("audit: \(Shown.text(path)): \(error.message)")
    }
    if errors.count > 20 { Terminal.say("audit: and \(errors.count - 20) more errors") }
    if !report.hasCompared && backup.errors.isEmpty {
      Terminal.say("audit: nothing was compared: no container was found in the backup")
    }
  }
}
