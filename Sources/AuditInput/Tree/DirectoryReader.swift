import AuditCore

/// What a walk asks about entries.
struct TreeQuestions: Sendable {
  /// Whether sizes and link counts are asked of every file, or only of those that are marked or
  /// below a marked directory.
  var sizesOfAll = true
}

/// Reads one directory at a time: names, sidecars, attributes, sizes. One reader per thread.
final class DirectoryReader {
  let names = NameList()
  let attributes = AttributeReader()
  /// Room for a piece of a file's content.
  let piece = UnsafeMutableRawBufferPointer.allocate(byteCount: 4 * 1024, alignment: 16)

  /// Directories with more entries than this are handed out in slices, so that several threads
  /// can read the attributes of one.
  static let sliceThreshold = 2048

  deinit { piece.deallocate() }

  /// Reads the names of an open directory and folds its sidecars in.
  ///
  /// - Parameter rootPath: for the input's own directory: its absolute path, because sidecars may
  ///   lie above it.
  func readNames(
    _ handle: Handle, path: [UInt8], own: EntryRecord, ownDetail: EntryDetail?, mount: Mount,
    isCovered: Bool, parent: OpenDirectory?, rootPath: [UInt8] = []
  ) -> OpenDirectory {
    let failure = names.read(handle.fd)
    let directory = names.makeDirectory(path: path, own: own)
    directory.ownDetail = ownDetail
    if failure != 0 {
      directory.problems.append(ErrorText.problem(path, "read-directory", failure))
    }
    var companions: Companions?
    if mount.hasSidecars {
      let above =
        rootPath.isEmpty
        ? parent?.companions : Companions.above(handle, rootPath, &directory.problems)
      let mayHoldSidecars = names.mayHoldSidecars
      companions = Companions.reaching(directory, handle, above)
      let others = companions?.companions(of: path, &directory.problems) ?? []
      if mayHoldSidecars || !others.isEmpty { fold(directory, handle, others, mount) }
      if !rootPath.isEmpty {
        let isBeside = applySidecarBeside(directory, handle, rootPath, mount)
        mount.proveBySidecars { isBeside || above?.holdAppleDouble == true }
      }
    }
    let open = OpenDirectory(
      directory, handle, mount,
      isCovered: isCovered || own.mark.state == .marked || directory.own.mark.state == .marked)
    open.companions = companions
    readMetadata(open, handle)
    if directory.metadata == nil {
      if let beside = parent?.beside {
        let name = Array(Bytes.last(path))
        if name.withUnsafeBufferPointer({ Bytes.equal($0, beside.name) }) {
          directory.metadata = beside.metadata
        }
      } else if !rootPath.isEmpty {
        directory.metadata = metadataBeside(directory, handle, rootPath)
      }
    }
    return open
  }

  /// Reads the own attributes of an open directory.
  func ownAttributes(
    _ handle: Handle, path: [UInt8], record: inout EntryRecord, detail: inout EntryDetail?,
    mount: Mount
  ) {
    guard mount.hasAttributes,
      let result = attributes.read(
        open: handle.fd, rule: mount.rule, mustAnswer: mount.answersForAll)
    else { return }
    Self.merge(result, path: path, record: &record, detail: &detail)
  }

  /// Reads the own attributes of a directory that could not be opened.
  func ownAttributes(
    _ parent: Handle, _ name: UnsafePointer<CChar>, path: [UInt8], record: inout EntryRecord,
    detail: inout EntryDetail?, mount: Mount
  ) {
    guard mount.hasAttributes,
      let result = attributes.read(
        parent.fd, name, rule: mount.rule, mustAnswer: mount.answersForAll), !result.isGone
    else { return }
    Self.merge(result, path: path, record: &record, detail: &detail)
  }

  /// What reading a run of entries gave beside their records.
  struct Run {
    var range: Range<Int>
    /// To be appended to the directory's details; records refer to it with an offset.
    var details: [EntryDetail] = []
    /// The entries, in ascending order, that were not there any more.
    var gone: [Int] = []

    /// Calls `body` with the range, in pieces, without what is gone.
    func forEachPresent(_ body: (Range<Int>) throws -> Void) rethrows {
      var start = range.lowerBound
      for index in gone {
        if start < index { try body(start..<index) }
        start = index + 1
      }
      if start < range.upperBound { try body(start..<range.upperBound) }
    }
  }

  /// Reads attributes and sizes of a run of entries that are not directories.
  ///
  /// New details are numbered from `newDetails` on: whoever appends them renumbers. Names and their
  /// order stay as they are, for other threads look names up in the same directory.
  func readEntries(
    _ open: OpenDirectory, _ range: Range<Int>, _ handle: Handle, _ questions: TreeQuestions
  ) -> Run {
    let directory = open.directory
    let records = directory.records
    var run = Run(range: range)
    for index in range {
      let name = UnsafeRawPointer(directory.arena + Int(records[index].nameOffset))
        .assumingMemoryBound(to: CChar.self)
      if open.mount.hasAttributes,
        let result = attributes.read(
          handle.fd, name, rule: open.mount.rule,
          // HFS+ on Linux refuses to list those of links and special files.
          mustAnswer: open.mount.answersForAll && records[index].kind == .file)
      {
        if result.isGone && Self.isGone(handle, name) {
          run.gone.append(index)
          continue
        }
        note(result, index, open, handle, name, &run)
      }
      if questions.sizesOfAll || open.isCovered || records[index].mark.state == .marked {
        var status = FileStatus()
        let code = System.status(handle.fd, name, &status)
        if code == 0 && status.kind != .directory {
          records[index].size = status.size
          records[index].links = status.links
          records[index].kind = status.kind
        } else if ErrorText.isGone(Int(-code)) {
          run.gone.append(index)
        } else {
          noteStatus(Int(-code), index, open, &run)
        }
      }
    }
    return run
  }

  /// Whether a name is not there any more. Where attributes cannot be reached, for want of `/proc`,
  /// the same error means something else.
  private static func isGone(_ handle: Handle, _ name: UnsafePointer<CChar>) -> Bool {
    var status = FileStatus()
    return ErrorText.isGone(Int(-System.status(handle.fd, name, &status)))
  }

  /// Takes note that an entry's size and names could not be asked, or that a directory, whose
  /// content nobody is going to read, stands in its place.
  private func noteStatus(_ code: Int, _ index: Int, _ open: OpenDirectory, _ run: inout Run) {
    let directory = open.directory
    let path = Bytes.join(directory.path, directory.name(directory.records[index]))
    change(index, open, &run) { _, detail in
      if detail?.problem != nil { return }
      detail = detail ?? EntryDetail()
      detail?.problem =
        code == 0
        ? InputProblem(
          path: path, operation: "stat", error: "changed",
          message: "\(Shown.text(path)) became a directory while it was read; run again")
        : ErrorText.problem(path, "stat", code)
    }
  }

  /// Changes what is known of an entry, but never its name.
  private func change(
    _ index: Int, _ open: OpenDirectory, _ run: inout Run,
    _ body: (inout EntryRecord, inout EntryDetail?) -> Void
  ) {
    let records = open.directory.records
    var record = records[index]
    let known = Int(record.detail)
    var detail: EntryDetail?
    if known >= Self.newDetails {
      detail = run.details[known - Self.newDetails]
    } else if known >= 0 {
      detail = open.sidecarDetails[known]
    }
    body(&record, &detail)
    records[index].mark = record.mark
    records[index].attributes = record.attributes
    guard let detail else { return }
    if known >= Self.newDetails {
      run.details[known - Self.newDetails] = detail
    } else {
      records[index].detail = Int32(Self.newDetails + run.details.count)
      run.details.append(detail)
    }
  }

  private func note(
    _ result: AttributeReader.Result, _ index: Int, _ open: OpenDirectory, _ handle: Handle,
    _ name: UnsafePointer<CChar>, _ run: inout Run
  ) {
    let directory = open.directory
    change(index, open, &run) { record, detail in
      let path = { Bytes.join(directory.path, directory.name(directory.records[index])) }
      Self.merge(result, path: path(), record: &record, detail: &detail)
      if record.mark.state == .marked && !open.isCovered && record.kind == .file
        && mayBeDatabase(record, directory)
      {
        readHeader(handle, name, path(), &detail)
      }
    }
  }

  /// The header of a marked file that may be a database: it decides what its journals are.
  private func readHeader(
    _ handle: Handle, _ name: UnsafePointer<CChar>, _ path: [UInt8], _ detail: inout EntryDetail?
  ) {
    detail = detail ?? EntryDetail()
    switch DecidingFile.head(handle.fd, name, 100, path: path, into: piece).file {
    case .read(let header): detail?.header = header
    case .absent: break
    case .failed(let problem): if detail?.problem == nil { detail?.problem = problem }
    }
  }

  /// Numbers from here on mean details of a run that are not in the directory yet.
  static let newDetails = 1 << 28

  private func mayBeDatabase(_ record: EntryRecord, _ directory: Directory) -> Bool {
    let name = directory.name(record)
    return StoreFamily.looksLikeDatabase(name) || directory.fileIndex(name, "-wal") != nil
      || directory.fileIndex(name, "-journal") != nil
  }

  private static func merge(
    _ result: AttributeReader.Result, path: @autoclosure () -> [UInt8], record: inout EntryRecord,
    detail: inout EntryDetail?
  ) {
    var summary = AttributeSummary()
    summary.mark = result.mark
    summary.flags = result.flags
    summary.nearMisses = result.nearMisses
    summary.merge(into: &record.mark, flags: &record.attributes, detail: &detail)
    if let failure = result.failure {
      detail = detail ?? EntryDetail()
      detail?.problem = ErrorText.problem(path(), failure.operation, failure.code)
    }
  }
}
