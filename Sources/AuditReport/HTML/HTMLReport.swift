import AuditCore

/// The `html` format: one file that needs no network, readable without JavaScript.
///
/// Written at the end of the run, from a tree of bounded size for each input: the verdict and the
/// figures come first. With JavaScript the table can be filtered and sorted, and a map of the
/// bytes drawn from it; the table is the only copy of the data.
final class HTMLReport: ReportSink {
  /// About how many rows the table of all inputs has at most.
  static let rowLimit = 4000
  /// How many places of one finding, containers and errors are listed.
  static let listLimit = 200

  /// What is kept of an input.
  struct Input {
    var report: InputReport
    var tree: FoldedTree
  }

  private let writer: ByteWriter
  private var run = RunInfo(version: "")
  private var inputs: [Input] = []
  private var tree = FoldedTree(limit: 1)
  private var rows = 0

  init(writer: ByteWriter) { self.writer = writer }

  func begin(run: RunInfo) throws { self.run = run }

  func begin(input: InputInfo) throws {
    // Half of what is left: the number of inputs to come is not known.
    tree = FoldedTree(limit: max(Self.rowLimit / 40, (Self.rowLimit - rows) / 2))
  }

  func add(_ slice: ClassifiedSlice) throws { tree.add(slice) }

  func end(input: InputReport) throws {
    rows += tree.nodes.count
    inputs.append(Input(report: input, tree: tree))
  }

  func end(summary: RunSummary) throws {
    head(summary)
    writer.append("<main>\n")
    HTMLFigures(writer: writer).append(summary)
    HTMLErrors(writer: writer).append(inputs, summary)
    HTMLFindings(writer: writer).append(inputs)
    HTMLMap(writer: writer).append()
    HTMLContainers(writer: writer).append(inputs)
    HTMLTable(writer: writer).append(inputs)
    writer.append("</main>\n<footer><p>")
    writer.append(caveat)
    writer.append("</p><p class=\"quiet\">Made by audit ")
    writer.appendMarkup(run.version)
    writer.append(".</p></footer>\n<script>")
    writer.append(HTMLScript.text)
    writer.append("</script>\n</body>\n</html>\n")
    try writer.flush()
  }

  private func head(_ summary: RunSummary) {
    writer.append(
      """
      <!DOCTYPE html>
      <html lang="en">
      <head>
      <meta charset="utf-8">
      <meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src '
      """)
    writer.append(HTMLStyle.hash)
    writer.append("'; script-src '")
    writer.append(HTMLScript.hash)
    writer.append(
      """
      '; base-uri 'none'; form-action 'none'">
      <meta name="viewport" content="width=device-width, initial-scale=1">
      <meta name="color-scheme" content="light dark">
      <meta name="referrer" content="no-referrer">
      <title>
      """)
    writer.append(Headline.word(summary))
    writer.append(" – backup exclusion audit</title>\n<style>")
    writer.append(HTMLStyle.text)
    writer.append("</style>\n</head>\n<body>\n<header class=\"")
    writer.append(summary.exitStatus.htmlClass)
    writer.append("\">\n<p class=\"kicker\">Backup exclusion audit")
    if run.failOn != .error { writer.append(" · fails on \(run.failOn.rawValue)") }
    writer.append("</p>\n<h1>")
    writer.append(Headline.word(summary))
    writer.append("</h1>\n<p class=\"lead\">")
    writer.append(Headline.figures(summary))
    writer.append(".")
    if !summary.complete { writer.append(" Not everything could be read or decided.") }
    writer.append("</p>\n")
    appendInputs()
    writer.append("</header>\n")
  }

  /// The inputs; folded where they would push the figures off the first screen.
  private func appendInputs() {
    let isLong = inputs.count > 3
    if isLong {
      writer.append("<details class=\"inputs\"><summary>")
      writer.append(TextNumber.count(inputs.count, "input"))
      writer.append("</summary>\n")
    }
    writer.append("<ul class=\"inputs\">\n")
    for input in inputs.prefix(Self.listLimit) {
      writer.append("<li><code>")
      writer.appendVisible(path: input.report.info.path, in: .markup)
      writer.append("</code> <span class=\"quiet\">")
      writer.appendMarkup(
        "\(input.report.info.kind), \(input.report.format), attributes "
          + input.report.evidence.word)
      if let reason = input.report.evidenceReason {
        writer.append(": ")
        writer.appendMarkup(reason)
      }
      writer.append("</span></li>\n")
    }
    writer.appendMore(inputs.count - Self.listLimit, "input", in: "li")
    writer.append(isLong ? "</ul></details>\n" : "</ul>\n")
  }
}

extension ExitStatus {
  /// The class that colours the head of the page.
  fileprivate var htmlClass: StaticString {
    switch self {
    case .clean: "clean"
    case .findings: "findings"
    case .untrusted, .usage: "untrusted"
    }
  }
}

extension ByteWriter {
  /// Appends `and 3 more inputs` as an element, if there are more.
  func appendMore(_ count: Int, _ noun: String, in element: StaticString) {
    guard count > 0 else { return }
    append("<")
    append(element)
    append(" class=\"quiet\">and \(TextNumber.count(count, "more \(noun)"))</")
    append(element)
    append(">\n")
  }
}
