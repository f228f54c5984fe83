import AuditCore

/// The formats of a report, by the words of the command line.
public enum ReportFormat: String, CaseIterable, Sendable {
  case text, json, ndjson, sarif, junit, github, gitlab, markdown, html, csv

  /// The format of a word, or nil for a word that is none.
  public init?(word: some StringProtocol) { self.init(rawValue: String(word)) }

  /// The word of the command line.
  public var word: String { rawValue }

  /// Makes an empty report that appends to `writer`.
  ///
  /// - Parameter text: how the `text` format looks; the others do not ask.
  public func makeSink(writer: ByteWriter, text: TextOptions = TextOptions()) -> any ReportSink {
    switch self {
    case .text: TextReport(writer: writer, options: text)
    case .json: JSONReport(writer: writer)
    case .ndjson: NDJSONReport(writer: writer)
    case .sarif: SARIFReport(writer: writer)
    case .junit: JUnitReport(writer: writer)
    case .github: GitHubReport(writer: writer)
    case .gitlab: GitLabReport(writer: writer)
    case .markdown: MarkdownReport(writer: writer)
    case .html: HTMLReport(writer: writer)
    case .csv: CSVReport(writer: writer)
    }
  }
}
