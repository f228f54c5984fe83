import AuditCore

/// The formats of a report, by the words of the command line.
public enum ReportFormat: String, CaseIterable, Sendable {
  case json

  /// The format of a word, or nil for a word that is none.
  public init?(word: String) { self.init(rawValue: word) }

  /// The word of the command line.
  public var word: String { rawValue }

  /// Makes an empty report that appends to `writer`.
  public func makeSink(writer: ByteWriter) -> any ReportSink {
    switch self {
    case .json: JSONReport(writer: writer)
    }
  }
}
