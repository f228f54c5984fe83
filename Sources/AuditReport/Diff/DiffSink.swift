import AuditCore

/// A report of a comparison in the making: it gets everything once, in order, and writes bytes.
public protocol DiffSink: AnyObject {
  /// The two states and their containers are known.
  func begin(run: RunInfo, old: DiffSide, new: DiffSide, pairs: [DiffPair]) throws
  /// An entry that is not as it was.
  func add(_ change: DiffChange) throws
  /// The comparison ends; everything is flushed when this returns.
  func end(_ report: DiffReport, status: ExitStatus) throws
}

extension ReportFormat {
  /// Makes an empty report of a comparison; nil for formats that cannot hold one.
  public func makeDiffSink(writer: ByteWriter, text: TextOptions) -> (any DiffSink)? {
    switch self {
    case .text: DiffText(writer: writer, options: text)
    case .json: DiffJSON(writer: writer)
    }
  }
}
