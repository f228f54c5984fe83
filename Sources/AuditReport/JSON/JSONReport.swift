import AuditCore

/// The version of the JSON formats: it changes when a member changes its meaning or goes away.
let schemaVersion = 1

/// The `json` format: one document, a line for each entry, container, finding and error.
///
/// `docs/report.md` explains every member, `docs/report.schema.json` is its schema.
final class JSONReport: ReportSink {
  private let writer: ByteWriter
  private let entries: EntryLines
  private var inputs = 0
  private var hasEntry = false

  /// Makes a report that appends to `writer`.
  init(writer: ByteWriter) {
    self.writer = writer
    entries = EntryLines(writer: writer, opening: ",\n{\"path\":\"")
  }

  func begin(run: RunInfo) throws {
    writer.append("{\"schemaVersion\":")
    writer.append(schemaVersion)
    writer.append(",\n\"tool\":{\"name\":\"audit\",\"version\":")
    writer.appendJSON(run.version)
    writer.append("},\n\"inputs\":[")
  }

  func begin(input: InputInfo) throws {
    writer.append(inputs == 0 ? "\n{" : ",\n{")
    inputs += 1
    writer.appendJSON("path", path: input.path)
    writer.appendJSON(also: "kind", input.kind)
    writer.append(",\n\"files\":[")
    hasEntry = false
  }

  func add(_ slice: ClassifiedSlice) throws {
    guard !slice.range.isEmpty else { return }
    entries.write(slice, skipping: hasEntry ? 0 : 1)
    hasEntry = true
    try writer.check()
  }

  func end(input: InputReport) throws {
    writer.append(hasEntry ? "\n],\n" : "],\n")
    writer.appendJSON(closing: input)
    list("containers", input.containers) { writer.appendJSON($0, lineBreak: "\n") }
    list("findings", input.findings) { writer.appendJSON($0) }
    list("errors", input.errors) { writer.appendJSON($0) }
    writer.append("}")
    try writer.check()
  }

  func end(summary: RunSummary) throws {
    writer.append(inputs == 0 ? "],\n\"summary\":{" : "\n],\n\"summary\":{")
    writer.appendJSON(summary)
    writer.append(summary.complete ? "},\n\"complete\":true" : "},\n\"complete\":false")
    writer.append(",\n\"exitStatus\":")
    writer.append(Int(summary.exitStatus.rawValue))
    writer.append(",\n\"caveat\":")
    writer.appendJSON(caveat)
    writer.append("}\n")
    try writer.flush()
  }

  /// Appends a member that is an array of objects, one a line.
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
    writer.append(elements.isEmpty ? "]" : "\n]")
  }
}
