import AuditCore

/// The `json` format of a comparison; `docs/diff.md` explains it, `docs/diff.schema.json` is its
/// schema.
final class DiffJSON: DiffSink {
  private let writer: ByteWriter
  private var sides: (old: DiffSide, new: DiffSide)?
  private var hasChange = false

  init(writer: ByteWriter) { self.writer = writer }

  func begin(run: RunInfo, old: DiffSide, new: DiffSide, pairs: [DiffPair]) throws {
    sides = (old, new)
    writer.append("{\"schemaVersion\":1,\n\"tool\":{\"name\":\"audit\",\"version\":")
    writer.appendJSON(run.version)
    writer.append("},\n\"old\":{")
    side(old)
    writer.append("},\n\"new\":{")
    side(new)
    writer.append("},\n\"changes\":[")
    try writer.check()
  }

  private func side(_ side: DiffSide) {
    writer.appendJSON("path", path: side.path)
    writer.appendJSON(also: "kind", side.kind)
    writer.appendJSON(also: "format", side.format)
    writer.appendJSON(also: "evidence", side.evidence.word)
    writer.appendJSON(also: "entries", side.snapshot.count)
    writer.append(",\"complete\":")
    writer.append(side.isComplete ? "true" : "false")
    writer.append(",\"errors\":[")
    for (index, error) in side.errors.enumerated() {
      writer.append(index == 0 ? "\n{" : ",\n{")
      writer.appendJSON(error)
      writer.append("}")
    }
    writer.append("]")
    if side.errorsOmitted > 0 { writer.appendJSON(also: "errorsOmitted", side.errorsOmitted) }
  }

  func add(_ change: DiffChange) throws {
    writer.append(hasChange ? ",\n{\"changes\":[" : "\n{\"changes\":[")
    hasChange = true
    var isFirst = true
    for (kind, word) in DiffKinds.all where change.kinds.contains(kind) {
      if !isFirst { writer.append(",") }
      isFirst = false
      writer.appendJSON(word)
    }
    writer.append("]")
    writer.appendJSON(also: "container", change.pair)
    writer.append(",")
    writer.appendJSON("path", path: change.path)
    writer.appendJSON(also: "type", change.type.word)
    writer.appendJSON(also: "before", change.before?.word)
    writer.appendJSON(also: "after", change.after?.word)
    if change.type == .file, let size = change.sizeBefore {
      writer.appendJSON(also: "sizeBefore", Int(size))
    }
    if change.type == .file, let size = change.size {
      writer.appendJSON(also: "size", Int(size))
    }
    writer.appendJSON(also: "replacement", change.replacement?.rawValue)
    writer.append("}")
    try writer.check()
  }

  func end(_ report: DiffReport, status: ExitStatus) throws {
    writer.append(hasChange ? "\n],\n\"containers\":[" : "],\n\"containers\":[")
    for (index, pair) in report.pairs.enumerated() {
      writer.append(index == 0 ? "\n{" : ",\n{")
      container(pair)
      writer.append("}")
    }
    writer.append("],\n\"findings\":[")
    for (index, finding) in report.findings.enumerated() {
      writer.append(index == 0 ? "\n{" : ",\n{")
      writer.appendJSON(finding)
      writer.append("}")
    }
    writer.append("],\n\"summary\":{\"changes\":")
    tally(report.tally)
    writer.append(",\"findings\":{\"error\":")
    writer.append(report.counts.error)
    writer.appendJSON(also: "warning", report.counts.warning)
    writer.appendJSON(also: "note", report.counts.note)
    writer.appendJSON(also: "suppressed", report.counts.suppressed)
    writer.append(report.complete ? "}},\n\"complete\":true" : "}},\n\"complete\":false")
    writer.append(",\n\"exitStatus\":")
    writer.append(Int(status.rawValue))
    writer.append(",\n\"caveat\":")
    writer.appendJSON(caveat)
    writer.append("}\n")
    try writer.flush()
  }

  private func container(_ pair: DiffPair) {
    guard let sides else { return }
    let old = pair.old.map { sides.old.snapshot.containers[$0] }
    let new = pair.new.map { sides.new.snapshot.containers[$0] }
    writer.append("\"kind\":")
    writer.appendJSON((new ?? old)?.kind.word ?? "unknown")
    writer.appendJSON(also: "identifier", new?.identifier ?? old?.identifier)
    writer.appendJSON(also: "matchedBy", pair.match?.rawValue)
    if let old {
      writer.append(",")
      writer.appendJSON("oldPath", path: old.path)
    }
    if let new {
      writer.append(",")
      writer.appendJSON("newPath", path: new.path)
    }
    writer.append(",\"changes\":")
    tally(pair.tally)
  }

  private func tally(_ tally: DiffTally) {
    writer.append("{")
    for (kind, word) in DiffKinds.all {
      writer.appendJSON(word)
      writer.append(":")
      writer.append(tally[kind])
      writer.append(",")
    }
    writer.append("\"added-exposed\":")
    writer.append(tally.addedExposed)
    writer.append(",\"unchanged\":")
    writer.append(tally.unchanged)
    writer.append(",\"still-exposed\":")
    writer.append(tally.stillExposed)
    writer.append("}")
  }
}
