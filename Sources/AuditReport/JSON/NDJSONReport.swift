import AuditCore

/// The `ndjson` format: one object a line, told apart by `kind`.
///
/// The last line is the summary; a report without one is truncated.
final class NDJSONReport: ReportSink {
  private let writer: ByteWriter
  private let entries: EntryLines
  private var run = RunInfo(version: "")
  private var isFirst = true

  init(writer: ByteWriter) {
    self.writer = writer
    entries = EntryLines(writer: writer, opening: "\n{\"kind\":\"file\",\"path\":\"")
  }

  func begin(run: RunInfo) throws { self.run = run }

  func begin(input: InputInfo) throws {
    start("input")
    writer.append(",\"schemaVersion\":")
    writer.append(schemaVersion)
    writer.append(",")
    writer.appendJSON("path", path: input.path)
    writer.appendJSON(also: "inputKind", input.kind)
    writer.append("}")
    try writer.check()
  }

  func add(_ slice: ClassifiedSlice) throws {
    entries.write(slice)
    try writer.check()
  }

  func end(input: InputReport) throws {
    for container in input.containers {
      line("container") {
        writer.appendJSON(container, kind: "containerKind", lineBreak: "")
      }
    }
    for finding in input.findings { line("finding") { writer.appendJSON(finding) } }
    for error in input.errors { line("error") { writer.appendJSON(error) } }
    line("input-end") { writer.appendJSON(closing: input) }
    try writer.check()
  }

  func end(summary: RunSummary) throws {
    line("summary") {
      writer.append("\"schemaVersion\":")
      writer.append(schemaVersion)
      writer.append(",\"tool\":{\"name\":\"audit\",\"version\":")
      writer.appendJSON(run.version)
      writer.append("},")
      writer.appendJSON(summary)
      writer.append(summary.complete ? ",\"complete\":true" : ",\"complete\":false")
      writer.appendJSON(also: "exitStatus", Int(summary.exitStatus.rawValue))
      writer.appendJSON(also: "caveat", caveat)
    }
    writer.append("\n")
    try writer.flush()
  }

  /// Appends a line of the members that `body` appends.
  private func line(_ kind: StaticString, _ body: () -> Void) {
    start(kind)
    writer.append(",")
    body()
    writer.append("}")
  }

  private func start(_ kind: StaticString) {
    writer.append(isFirst ? "{\"kind\":\"" : "\n{\"kind\":\"")
    isFirst = false
    writer.append(kind)
    writer.append("\"")
  }
}
