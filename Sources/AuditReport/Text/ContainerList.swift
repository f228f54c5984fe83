import AuditCore

/// The list of `audit containers`: identifier, kind, path, marked directories, counts.
public final class ContainerList: ReportSink {
  private let writer: ByteWriter
  private var total = 0

  /// Makes a list that appends to `writer`.
  public init(writer: ByteWriter) { self.writer = writer }

  /// Says nothing.
  public func begin(run: RunInfo) throws {}
  /// Says nothing.
  public func begin(input: InputInfo) throws {}
  /// Says nothing.
  public func add(_ slice: ClassifiedSlice) throws {}

  /// Lists the containers of an input.
  public func end(input: InputReport) throws {
    for container in input.containers {
      total += 1
      let identifier = container.identifier.map { Shown.text(Array($0.utf8)) } ?? "(no identifier)"
      line("\(identifier)  \(TextWords.kind(container.kind))")
      line("  path     \(place(container.path, in: input.info.path))")
      let counts = Verdict.allCases.filter { container.counts.files[$0] > 0 }
        .map { "\(TextNumber.grouped(container.counts.files[$0])) \($0.word)" }
      line("  files    \(counts.isEmpty ? "none" : counts.joined(separator: ", "))")
      for directory in container.markedDirectories {
        line(
          "  marked   \(directory.path.isEmpty ? "." : Shown.text(directory.path))  "
            + "covers \(TextNumber.count(directory.files, "file"))")
      }
    }
    try writer.check()
  }

  /// Says how many there are.
  public func end(summary: RunSummary) throws {
    line(TextNumber.count(total, "container"))
    try writer.flush()
  }

  private func place(_ path: [UInt8], in input: [UInt8]) -> String {
    path.isEmpty ? Shown.text(input) : Shown.text(input) + " : " + Shown.text(path)
  }

  private func line(_ text: String) {
    writer.append(text)
    writer.append("\n")
  }
}
