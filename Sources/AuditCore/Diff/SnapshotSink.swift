/// Takes an audit into a snapshot instead of a report.
public final class SnapshotSink: ReportSink {
  /// What was taken in.
  public private(set) var snapshot = Snapshot()
  /// The end of the last input.
  public private(set) var report: InputReport?
  private var last: Directory?

  /// Makes a sink with nothing in it.
  public init() {}

  /// Nothing is asked of the run.
  public func begin(run: RunInfo) throws {}

  /// Starts an input; one that was begun and not ended is forgotten.
  public func begin(input: InputInfo) throws {
    snapshot.startInputOver()
    last = nil
    // Archives number their members themselves, if they number them at all.
    snapshot.hasInodes = input.kind != "archive"
  }

  /// Takes entries in.
  public func add(_ slice: ClassifiedSlice) throws {
    let directory = slice.directory
    if directory !== last {
      try snapshot.begin(directory: directory.path)
      last = directory
    }
    for index in slice.range {
      let record = directory.records[index]
      try snapshot.add(
        name: directory.name(record), kind: record.kind,
        verdict: slice.verdicts[index - slice.range.lowerBound], mark: record.mark.state,
        size: record.size, inode: record.inode)
    }
  }

  /// Gives the input's entries to its containers.
  public func end(input: InputReport) throws {
    snapshot.end(containers: input.containers)
    last = nil
    report = input
  }

  /// Nothing is left to do.
  public func end(summary: RunSummary) throws {}
}
