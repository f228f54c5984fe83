import BackupExclusion

/// Judges a run of entries of one directory: the hot loop, which allocates nothing for an entry
/// that gives no finding.
struct EntryRun {
  let directory: Directory
  let frame: Auditor.Frame
  let auditor: Auditor
  /// What an entry without a mark of its own is here.
  private let unmarked: Verdict
  private let unmarkedReason: Reason
  /// Whether every entry here is outside backups, and why.
  private let outside: Reason
  /// Whether observed places matter for a finding, or for a verdict.
  private let observing: LocationRules
  private let isCovered: Bool

  init(directory: Directory, frame: Auditor.Frame, auditor: Auditor) {
    self.directory = directory
    self.frame = frame
    self.auditor = auditor
    isCovered = frame.ancestor != nil && !frame.isBackup
    let rules = auditor.options.locationRules
    observing = rules
    outside =
      switch frame.isBackup ? LocationRules.none : rules {
      case .none: .none
      case .documented: frame.place.documented
      case .observed:
        frame.place.documented != .none ? frame.place.documented : frame.place.observed
      }
    if frame.isBackup {
      (unmarked, unmarkedReason) = (.unknown, .deviceBackup)
    } else if isCovered {
      (unmarked, unmarkedReason) = (.coveredByAncestor, .none)
    } else if frame.uncertain {
      (unmarked, unmarkedReason) = (.unknown, .ancestorUnreadable)
    } else if auditor.isImpossible(directory.layer) {
      (unmarked, unmarkedReason) = (.unknown, .carrier)
    } else if auditor.isPartial {
      (unmarked, unmarkedReason) = (.unknown, .partialArchive)
    } else {
      (unmarked, unmarkedReason) = (.exposed, .none)
    }
  }

  /// What a new file here would be, without a mark of its own.
  var ofNewFile: (verdict: Verdict, reason: Reason) {
    outside == .none ? (unmarked, unmarkedReason) : (.outsideBackup, outside)
  }

  mutating func judge(
    _ range: Range<Int>, verdicts: UnsafeMutablePointer<Verdict>,
    reasons: UnsafeMutablePointer<Reason>
  ) {
    var counts = Counts()
    var plainlyExposed = 0
    var skippedByPlace = 0
    let counting = auditor.findings.takesCounts(.exposedFile)
    let countingSkips = auditor.findings.takesCounts(.undocumentedSkip)
    var foreign = false
    for index in range {
      let record = directory.records[index]
      var verdict = unmarked
      var reason = unmarkedReason
      if record.mark.state != .absent || record.detail >= 0 || !record.attributes.isEmpty {
        (verdict, reason) = judgeAttributes(record)
        if record.attributes.contains(.foreign) || record.mark.state == .marked
          || record.mark.state == .empty
        {
          foreign = true
        }
      }
      var observed = frame.place.observed
      if outside != .none {
        (verdict, reason) = (.outsideBackup, outside)
      } else if observing != .none {
        if observed == .none && (verdict == .exposed || observing == .observed) {
          observed = frame.place.observed(name: directory.name(record))
        }
        if observed != .none && observing == .observed {
          (verdict, reason) = (.outsideBackup, observed)
        }
      }
      switch record.kind {
      case .file:
        counts.files[verdict] += 1
        if record.size > 0 {
          counts.bytes[verdict] = Tally.sum(counts.bytes[verdict], Int(record.size))
        }
        if verdict == .exposed {
          if observed != .none && observing == .documented {
            reason = observed
            if countingSkips {
              skippedByPlace += 1
            } else {
              add(.undocumentedSkip, record, verdict, .reason(observed))
            }
          } else if let database = exposedSidecarBase(record, index) {
            add(.exposedSidecar, record, verdict, detail(sidecarOf: database))
          } else if counting {
            plainlyExposed += 1
          } else {
            add(.exposedFile, record, verdict)
          }
        } else if verdict == .selfMarked {
          judgeSelfMarked(record)
          if !auditor.findings.gate.isTransparent { judgeCovered(record, verdict) }
        } else if verdict != .unknown && verdict != .outsideBackup
          && !auditor.findings.gate.isTransparent
        {
          judgeCovered(record, verdict)
        }
        if record.links > 1 && record.inode != 0 {
          auditor.links.add(
            layer: directory.layer, inode: record.inode, links: Int(record.links),
            verdict: verdict, directory: directory.path, name: directory.name(record),
            container: frame.container)
        }
      case .symlink: counts.symlinks += 1
      case .fifo, .socket, .device:
        counts.specials += 1
        (verdict, reason) = (.outsideBackup, .specialFile)
      case .directory: break
      }
      verdicts[index - range.lowerBound] = verdict
      reasons[index - range.lowerBound] = reason
    }
    if foreign { auditor.prove(directory.layer) }
    if plainlyExposed > 0 {
      auditor.findings.add(
        .exposedFile, count: plainlyExposed, directory: directory.path, container: frame.container)
    }
    if skippedByPlace > 0 {
      auditor.findings.add(
        .undocumentedSkip, count: skippedByPlace, directory: directory.path,
        container: frame.container)
    }
    auditor.containers[frame.container].counts += counts
    auditor.filesSoFar += counts.files.total
    auditor.bytesSoFar = Tally.sum(auditor.bytesSoFar, counts.bytes.total)
  }

  /// The verdict of an entry with a mark, a near miss or a problem, and the findings about them.
  private func judgeAttributes(_ record: EntryRecord) -> (Verdict, Reason) {
    let detail = record.detail >= 0 ? directory.details[Int(record.detail)] : nil
    if let problem = detail?.problem { auditor.add(problem: problem) }
    for miss in detail?.nearMisses ?? [] { add(miss.rule, record, nil, .nearMiss(miss)) }
    if let remark = detail?.remark { add(.attributesDisagree, record, nil, .remark(remark)) }
    if frame.isBackup { return (unmarked, unmarkedReason) }
    switch record.mark.state {
    case .absent: return (unmarked, unmarkedReason)
    case .empty:
      add(.emptyMark, record, nil, .mark(record.mark, isDirectory: false))
      return (unmarked, unmarkedReason)
    case .unknown:
      // A marked directory above decides whatever the entry's own mark may be.
      return isCovered ? (.coveredByAncestor, .none) : (.unknown, .unreadable)
    case .marked:
      if record.mark.form == .other || record.mark.form == .backupdText {
        add(.unfamiliarValue, record, nil, .mark(record.mark, isDirectory: false))
      }
      return isCovered ? (.markedAndCovered, .none) : (.selfMarked, .none)
    }
  }

  private func judgeSelfMarked(_ record: EntryRecord) {
    add(.fragileMark, record, .selfMarked)
    let name = directory.name(record)
    let header = header(of: record)
    guard header != nil || StoreFamily.looksLikeDatabase(name) else { return }
    // A file that is no database by its content gets no sidecars, unless it is encrypted or new.
    if header == .encryptedOrOther && !StoreFamily.looksLikeDatabase(name) { return }
    guard lacksSidecars(name, header) else { return }
    add(
      .sidecarReturnsUnmarked, record, .selfMarked,
      .predicted(
        StoreFamily.predictedSidecars(of: name, header: header) { path in
          path.withUnsafeBufferPointer { directory.fileIndex($0, "") != nil }
        }, header: header))
  }

  /// Whether a sidecar that the database will get is not there now.
  private func lacksSidecars(
    _ name: UnsafeBufferPointer<UInt8>, _ header: SQLiteHeader?
  ) -> Bool {
    func isMissing(_ suffix: StaticString) -> Bool { directory.fileIndex(name, suffix) == nil }
    return switch header {
    case .wal: isMissing("-wal") || isMissing("-shm")
    case .rollback: isMissing("-journal")
    case .encryptedOrOther, .empty, nil:
      isMissing("-wal") || isMissing("-shm") || isMissing("-journal")
    }
  }

  private func header(of record: EntryRecord) -> SQLiteHeader? {
    guard record.detail >= 0 else { return nil }
    return directory.details[Int(record.detail)].header.map { SQLiteHeader.parse($0) }
  }

  private func judgeCovered(_ record: EntryRecord, _ verdict: Verdict) {
    let report = auditor.containers[frame.container]
    let path = Bytes.join(directory.path, directory.name(record))
    guard
      let judgement = auditor.findings.gate.mustBeBackedUp(
        container: report, path: Bytes.relative(path, to: report.path))
    else { return }
    auditor.findings.add(
      judgement, .mustBeBackedUp, directory.path, directory.name(record), frame.container,
      .covered(verdict, ancestor: auditor.ancestor(of: frame)))
  }

  /// The database that an exposed sidecar belongs to, where it is marked itself.
  private func exposedSidecarBase(_ record: EntryRecord, _ index: Int) -> EntryRecord? {
    let name = directory.name(record)
    guard let length = StoreFamily.sidecarBaseLength(name) else { return nil }
    guard let base = directory.fileIndex(UnsafeBufferPointer(rebasing: name[..<length]), "")
    else { return nil }
    // A database's name is shorter than its sidecar's, so it comes first and its mark is known.
    return base < index && directory.records[base].mark.state == .marked
      ? directory.records[base] : nil
  }

  private func detail(sidecarOf base: EntryRecord) -> FindingDetail {
    .sidecar(database: Array(directory.name(base)), header: header(of: base))
  }

  private func add(
    _ rule: RuleID, _ record: EntryRecord, _ verdict: Verdict?,
    _ detail: @autoclosure () -> FindingDetail = .none
  ) {
    auditor.findings.add(
      rule, directory: directory.path, name: directory.name(record), verdict: verdict,
      container: frame.container, report: auditor.containers[frame.container], detail: detail())
  }
}
