import AuditCore

/// The `json` format of `audit verify`; `docs/verify.md` explains it, `docs/verify.schema.json` is
/// its schema.
struct VerifyJSON {
  private let writer: ByteWriter

  init(writer: ByteWriter) { self.writer = writer }

  func write(
    _ report: VerifyReport, of backup: BackupInfo, run: RunInfo, status: ExitStatus
  ) throws {
    writer.append("{\"schemaVersion\":1,\n\"tool\":{\"name\":\"audit\",\"version\":")
    writer.appendJSON(run.version)
    writer.append("},\n\"backup\":{")
    writer.appendJSON("path", path: backup.path)
    writer.appendJSON(also: "date", backup.date)
    writer.appendJSON(also: "systemVersion", backup.systemVersion)
    writer.appendJSON(also: "rows", backup.rows)
    list("errors", backup.errors) { writer.appendJSON($0) }
    writer.append("},\n\"inputs\":[")
    for (index, input) in report.inputs.enumerated() {
      writer.append(index == 0 ? "\n{" : ",\n{")
      append(input)
      writer.append("}")
      try writer.check()
    }
    writer.append("],\n\"summary\":{\"counts\":")
    append(report.tally)
    writer.append(",\"findings\":{\"error\":")
    writer.append(report.counts.error)
    writer.appendJSON(also: "warning", report.counts.warning)
    writer.appendJSON(also: "note", report.counts.note)
    writer.appendJSON(also: "suppressed", report.counts.suppressed)
    writer.append(status == .untrusted ? "}},\n\"complete\":false" : "}},\n\"complete\":true")
    writer.append(",\n\"exitStatus\":")
    writer.append(Int(status.rawValue))
    writer.append(",\n\"caveat\":")
    writer.appendJSON(verifyCaveat + " " + caveat)
    writer.append("}\n")
    try writer.flush()
  }

  private func append(_ input: VerifyInput) {
    let side = input.side
    writer.appendJSON("path", path: side.path)
    writer.appendJSON(also: "kind", side.kind)
    writer.appendJSON(also: "format", side.format)
    writer.appendJSON(also: "evidence", side.evidence.word)
    writer.appendJSON(also: "entries", side.snapshot.count)
    list("errors", side.errors) { writer.appendJSON($0) }
    if side.errorsOmitted > 0 { writer.appendJSON(also: "errorsOmitted", side.errorsOmitted) }
    list("containers", input.containers) { append($0, side.snapshot.containers[$0.container]) }
    list("present", input.present) { append($0) }
    list("absent", input.absent) { append($0) }
    list("findings", input.findings) { writer.appendJSON($0) }
  }

  private func append(_ container: VerifyContainer, _ report: ContainerReport) {
    writer.appendJSON("path", path: report.path)
    writer.appendJSON(also: "kind", report.kind.word)
    writer.appendJSON(also: "identifier", report.identifier)
    writer.append(",\"domains\":[")
    for (index, domain) in container.domains.enumerated() {
      if index > 0 { writer.append(",") }
      writer.appendJSON(domain)
    }
    writer.append("]")
    writer.appendJSON(also: "state", container.state.rawValue)
    writer.appendJSON(also: "rows", container.rows)
    writer.append(",\"counts\":")
    append(container.tally)
  }

  private func append(_ item: VerifyItem) {
    writer.appendJSON("path", path: item.path)
    writer.appendJSON(also: "type", item.type.word)
    writer.appendJSON(also: "verdict", item.verdict.word)
    writer.appendJSON(also: "reason", item.absence?.word)
    guard let record = item.record else { return }
    writer.append(",")
    writer.appendJSON("domain", path: record.domain)
    if let size = record.size { writer.appendJSON(also: "size", Int(size)) }
    if let number = record.protectionClass { writer.appendJSON(also: "protectionClass", number) }
    if let hasMark = record.hasMark {
      writer.append(hasMark ? ",\"marked\":true" : ",\"marked\":false")
    }
  }

  private func append(_ tally: VerifyTally) {
    writer.append("{\"excludedAndAbsent\":")
    writer.append(tally.excludedAndAbsent)
    writer.appendJSON(also: "excludedButPresent", tally.excludedButPresent)
    writer.appendJSON(also: "exposedAndPresent", tally.exposedAndPresent)
    writer.append(",\"exposedButAbsent\":{")
    for (index, reason) in AbsenceReason.allCases.enumerated() {
      if index > 0 { writer.append(",") }
      writer.appendJSON(reason.word)
      writer.append(":")
      writer.append(tally.exposedButAbsent[reason] ?? 0)
    }
    writer.append("}")
    writer.appendJSON(also: "unknown", tally.unknown)
    writer.appendJSON(also: "onlyInBackup", tally.onlyInBackup)
    writer.appendJSON(also: "markedSidecarsMerged", tally.markedSidecarsMerged)
    writer.append("}")
  }

  private func list<Element>(
    _ name: StaticString, _ elements: [Element], _ members: (Element) -> Void
  ) {
    writer.append(",\n\"")
    writer.append(name)
    writer.append("\":[")
    for (index, element) in elements.enumerated() {
      writer.append(index == 0 ? "\n{" : ",\n{")
      members(element)
      writer.append("}")
    }
    writer.append("]")
  }
}
