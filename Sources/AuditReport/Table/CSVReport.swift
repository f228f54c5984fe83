import AuditCore

/// The `csv` format (RFC 4180): a row for each entry, and for each error.
///
/// What could not be read has rows of its own, so that nobody takes its absence for a good sign.
final class CSVReport: ReportSink {
  private let writer: ByteWriter
  private var input: [UInt8] = []
  private var directory: [UInt8] = []
  /// The current container's identifier as a field; empty where it is not known.
  private var container: [UInt8] = []
  private let kinds = PieceTable(
    (0...EntryKind.device.rawValue).map { ",\(EntryKind(rawValue: $0)?.word ?? "")," })
  private let verdicts = PieceTable(Verdict.allCases.map { ",\($0.word)," })
  private let reasons = PieceTable(
    Reason.allCases.map { "\"\($0.text)\"" })
  private let forms = PieceTable(OwnMark.Form.allCases.map { ",\($0.word)," })

  init(writer: ByteWriter) { self.writer = writer }

  func begin(run: RunInfo) throws {
    writer.append(
      "input,path,path_bytes,type,size,verdict,reason,ancestor,mark_form,mark_bytes,container\r\n")
  }

  func begin(input: InputInfo) throws { self.input = input.path }

  func add(_ slice: ClassifiedSlice) throws {
    directory.removeAll(keepingCapacity: true)
    if !slice.directory.path.isEmpty { directory = slice.directory.path + [0x2F] }
    container = slice.identifier.map { Self.field(Array($0.utf8)) } ?? []
    for (index, record) in slice.range.enumerated() {
      add(
        slice.directory.records[record], in: slice, verdict: slice.verdicts[index],
        reason: slice.reasons[index])
    }
    try writer.check()
  }

  func end(input: InputReport) throws {
    for error in input.errors {
      addError(error.path, "\(error.operation): \(error.error): \(error.message)")
    }
    if input.errorsOmitted > 0 {
      addError([], "\(input.errorsOmitted) more errors are not listed")
    }
    try writer.check()
  }

  func end(summary: RunSummary) throws { try writer.flush() }

  private func add(
    _ record: EntryRecord, in slice: ClassifiedSlice, verdict: Verdict, reason: Reason
  ) {
    let name = slice.directory.name(record)
    let ancestor =
      verdict == .coveredByAncestor || verdict == .markedAndCovered ? slice.ancestor : nil
    let ancestorCount = ancestor?.count ?? 0
    var cursor = writer.reserve(
      Cursor.csvBound(input.count) + 8 * (directory.count + name.count + 8)
        + Cursor.csvBound(ancestorCount) + container.count + 512)
    putPath(directory, name, &cursor)
    cursor.put(kinds.view[Int(record.kind.rawValue)])
    if record.size >= 0, record.kind == .file || record.kind == .symlink {
      cursor.put(Int(record.size))
    }
    cursor.put(verdicts.view[Int(verdict.rawValue)])
    if verdict == .outsideBackup || verdict == .unknown {
      cursor.put(reasons.view[Int(reason.rawValue)])
    }
    cursor.put(",")
    if let ancestor {
      _ = (ancestor.isEmpty ? [0x2E] : ancestor).withUnsafeBufferPointer { cursor.putCSV($0) }
    }
    switch record.mark.state {
    case .marked:
      cursor.put(forms.view[Int(record.mark.form.rawValue)])
      cursor.put(Int(record.mark.bytes))
    case .empty: cursor.put(",empty,0")
    case .absent, .unknown: cursor.put(",,")
    }
    cursor.put(",")
    container.withUnsafeBufferPointer { cursor.put($0) }
    cursor.put("\r\n")
    writer.commit(cursor)
  }

  private func addError(_ path: [UInt8], _ reason: String) {
    var reason = reason
    reason.withUTF8 { reason in
      let path = path.isEmpty ? [0x2E] : path
      var cursor = writer.reserve(
        Cursor.csvBound(input.count) + 8 * (path.count + 8) + Cursor.csvBound(reason.count) + 64)
      path.withUnsafeBufferPointer { putPath([], $0, &cursor) }
      cursor.put(",error,,unknown,")
      _ = cursor.putCSV(reason)
      cursor.put(",,,,\r\n")
      writer.commit(cursor)
    }
  }

  private static func field(_ text: [UInt8]) -> [UInt8] {
    [UInt8](unsafeUninitializedCapacity: Cursor.csvBound(text.count)) { buffer, count in
      guard let start = buffer.baseAddress else { return }
      var cursor = Cursor(start)
      _ = text.withUnsafeBufferPointer { cursor.putCSV($0) }
      count = cursor.position - start
    }
  }

  /// Puts the first three columns.
  private func putPath(
    _ directory: [UInt8], _ name: UnsafeBufferPointer<UInt8>, _ cursor: inout Cursor
  ) {
    _ = input.withUnsafeBufferPointer { cursor.putCSV($0) }
    cursor.put(",")
    let isValid = directory.withUnsafeBufferPointer { cursor.putCSV($0, name) }
    cursor.put(",")
    if !isValid { cursor.putBase64(directory + name) }
  }
}
