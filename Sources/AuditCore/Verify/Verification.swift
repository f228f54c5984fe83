/// Holds audited containers against the rows of a backup, which pass by once in any order.
///
/// Of the rows nothing is kept but a bit for each audited entry, so that a backup may be of any
/// size; and those whose name is here in another spelling only.
public struct Verification {
  /// How many entries of an input are listed under each heading.
  public static let itemLimit = 1000

  /// A row of a backup's table of files.
  public struct Row {
    /// The domain.
    public var domain: UnsafeBufferPointer<UInt8>
    /// The path relative to the domain.
    public var path: UnsafeBufferPointer<UInt8>
    /// Whether it is a directory.
    public var isDirectory: Bool

    /// Makes a row.
    public init(
      domain: UnsafeBufferPointer<UInt8>, path: UnsafeBufferPointer<UInt8>, isDirectory: Bool
    ) {
      self.domain = domain
      self.path = path
      self.isDirectory = isDirectory
    }
  }

  private struct Place {
    var input: Int
    var container: Int
  }

  private var inputs: [VerifyInput]
  private var collectors: [FindingCollector]
  private var seen: [[Bool]]
  private var places: [[UInt8]: [Place]] = [:]
  private var respelled: [RespelledRows]

  private let assumesAttributesKept: Bool

  /// Prepares the comparison of inputs.
  ///
  /// - Parameter assumesAttributesKept: the user knows that the inputs kept their attributes.
  public init(_ sides: [DiffSide], gate: Gate, assumesAttributesKept: Bool = false) {
    self.assumesAttributesKept = assumesAttributesKept
    inputs = sides.map { side in
      VerifyInput(
        side: side,
        containers: side.snapshot.containers.indices.map {
          VerifyContainer(
            container: $0, domains: BackupDomain.candidates(side.snapshot.containers[$0]))
        })
    }
    collectors = sides.map { _ in FindingCollector(gate: gate) }
    respelled = sides.map { RespelledRows($0.snapshot) }
    seen = sides.map { [Bool](repeating: false, count: $0.snapshot.count) }
    for (input, verified) in inputs.enumerated() {
      for container in verified.containers {
        for domain in container.domains {
          places[domain, default: []].append(Place(input: input, container: container.container))
        }
      }
    }
    for input in inputs.indices {
      for index in inputs[input].containers.indices
      where !inputs[input].containers[index].domains.isEmpty {
        inputs[input].containers[index].state = .missing
      }
    }
  }

  /// Takes note of a row.
  ///
  /// - Parameter record: reads the rest of the row, which is asked for only where audit and backup
  ///   do not say the same.
  public mutating func add(_ row: Row, record: () -> BackupRecord) {
    guard let found = places[Array(row.domain)] else { return }
    for place in found {
      inputs[place.input].containers[place.container].state = .compared
      inputs[place.input].containers[place.container].rows += 1
      if !row.isDirectory { add(Array(row.path), place, record) }
    }
  }

  private mutating func add(_ path: [UInt8], _ place: Place, _ record: () -> BackupRecord) {
    let snapshot = inputs[place.input].side.snapshot
    let root = snapshot.containers[place.container].path
    let full = Bytes.join(root, path)
    guard let index = snapshot.index(of: full, container: place.container) else {
      if !respelled[place.input].keep(full, container: place.container, in: snapshot, record) {
        inputs[place.input].containers[place.container].tally.onlyInBackup += 1
      }
      return
    }
    match(index, full, place, record)
  }

  /// A row speaks of an entry.
  private mutating func match(
    _ index: Int, _ full: [UInt8], _ place: Place, _ record: () -> BackupRecord
  ) {
    // A row that comes twice counts once.
    guard !seen[place.input][index] else { return }
    seen[place.input][index] = true
    let entry = inputs[place.input].side.snapshot.entries[index]
    switch entry.verdict {
    case .exposed:
      inputs[place.input].containers[place.container].tally.exposedAndPresent += 1
    case .unknown: break
    case .coveredByAncestor, .selfMarked, .markedAndCovered, .outsideBackup:
      inputs[place.input].containers[place.container].tally.excludedButPresent += 1
      contradict(entry, full, place, record())
    }
  }

  /// Once all rows passed: those that no name equals are matched with names that Unicode calls
  /// equivalent, where there is one of each.
  private mutating func matchRespelled(_ input: Int) {
    var first: [Int: (path: [UInt8], count: Int)] = [:]
    for group in respelled[input].groups(seen[input]) {
      let place = Place(input: input, container: group.container)
      if let row = group.rows.first, let entry = group.entries.first, group.isClear {
        match(entry.index, entry.path, place, { row.record })
        first[group.container, default: (entry.path, 0)].count += 1
        continue
      }
      inputs[input].containers[group.container].tally.onlyInBackup += group.rows.count
      let snapshot = inputs[input].side.snapshot
      guard
        let entry = group.entries.first(where: {
          snapshot.entries[$0.index].verdict != .exposed
        })
      else { continue }
      inputs[input].side.errors.append(
        InputProblem(
          path: entry.path, operation: "match", error: "ambiguous-name",
          message: """
            cannot tell which file the backup means: \(group.rows.count) of its names and \
            \(group.entries.count) here are spellings of \(Shown.text(entry.path))
            """))
    }
    for (container, found) in first.sorted(by: { $0.key < $1.key }) {
      collectors[input].add(
        .otherSpelling, directory: found.path, name: nil, verdict: nil, container: container,
        report: inputs[input].side.snapshot.containers[container],
        detail: .spellings(found.count))
    }
  }

  private mutating func contradict(
    _ entry: Snapshot.Entry, _ path: [UInt8], _ place: Place, _ record: BackupRecord
  ) {
    if inputs[place.input].present.count < Self.itemLimit {
      inputs[place.input].present.append(
        VerifyItem(path: path, verdict: entry.verdict, type: entry.kind, record: record))
    }
    // Links give no findings, as everywhere.
    guard entry.kind == .file else { return }
    let report = inputs[place.input].side.snapshot.containers[place.container]
    Bytes.last(path).withUnsafeBufferPointer { name in
      collectors[place.input].add(
        .inBackupThoughCovered, directory: Array(Bytes.parent(path)), name: name,
        verdict: entry.verdict, container: place.container, report: report,
        detail: .inBackup(entry.verdict, record: record))
    }
  }

  /// Ends the comparison: what was not seen is not in the backup.
  ///
  /// - Parameter sawAllRows: false where the backup could not be read to its end; then nothing is
  ///   said of what was not seen.
  public mutating func finish(sawAllRows: Bool) -> VerifyReport {
    var report = VerifyReport()
    for input in inputs.indices {
      matchRespelled(input)
      let snapshot = inputs[input].side.snapshot
      if sawAllRows {
        for directory in snapshot.directories { settle(directory, input) }
      } else {
        for index in inputs[input].containers.indices
        where inputs[input].containers[index].state != .noDomain {
          inputs[input].containers[index].state = .notRead
        }
      }
      doubt(input)
      inputs[input].present.sort { PathOrder.comesBefore($0.path, $1.path) }
      inputs[input].findings = collectors[input].findings(containers: snapshot.containers)
      report.counts += collectors[input].counts
      for container in inputs[input].containers {
        report.tally += container.tally
        report.hasCompared = report.hasCompared || container.state == .compared
      }
      report.complete = report.complete && inputs[input].side.isComplete
    }
    report.inputs = inputs
    report.complete = report.complete && report.hasCompared && report.tally.unknown == 0
    return report
  }

  /// Without any attribute in an input, that nothing is excluded says little.
  private mutating func doubt(_ input: Int) {
    let side = inputs[input].side
    guard side.evidence == .possible, !assumesAttributesKept, side.snapshot.count > 0,
      let root = side.snapshot.containers.first
    else { return }
    collectors[input].add(
      .attributesUnproven, directory: [], name: nil, verdict: nil, container: nil, report: root,
      detail: .format(side.format))
  }

  /// Counts the entries of a directory that no row spoke of.
  private mutating func settle(_ directory: Snapshot.Directory, _ input: Int) {
    let index = directory.container
    guard inputs[input].containers[index].state == .compared else { return }
    let snapshot = inputs[input].side.snapshot
    let container = snapshot.containers[index]
    let place = AuditCore.Place(
      kind: container.kind, path: Bytes.relative(directory.path, to: container.path))
    snapshot.withNames { names in
      for number in directory.entries {
        let entry = snapshot.entries[number]
        let name = names[entry]
        switch entry.verdict {
        case .unknown: inputs[input].containers[index].tally.unknown += 1
        case .exposed:
          guard !seen[input][number] else { continue }
          let reason = absence(name, place, directory, snapshot)
          inputs[input].containers[index].tally.exposedButAbsent[reason, default: 0] += 1
          if inputs[input].absent.count < Self.itemLimit {
            inputs[input].absent.append(
              VerifyItem(
                path: Bytes.join(directory.path, name), verdict: .exposed, type: entry.kind,
                record: nil, absence: reason))
          }
        case .coveredByAncestor, .selfMarked, .markedAndCovered, .outsideBackup:
          guard !seen[input][number] else { continue }
          inputs[input].containers[index].tally.excludedAndAbsent += 1
          if entry.verdict == .selfMarked,
            let base = database(of: name, in: directory, snapshot), seen[input][base]
          {
            inputs[input].containers[index].tally.markedSidecarsMerged += 1
          }
        }
      }
    }
  }

  private func absence(
    _ name: UnsafeBufferPointer<UInt8>, _ place: AuditCore.Place, _ directory: Snapshot.Directory,
    _ snapshot: Snapshot
  ) -> AbsenceReason {
    if place.observed != .none || place.documented != .none || place.observed(name: name) != .none {
      return .observedSkip
    }
    return database(of: name, in: directory, snapshot) == nil ? .other : .mergedSidecar
  }

  /// The entry of the database that a sidecar stands beside.
  private func database(
    of name: UnsafeBufferPointer<UInt8>, in directory: Snapshot.Directory, _ snapshot: Snapshot
  ) -> Int? {
    guard let length = StoreFamily.sidecarBaseLength(name) else { return nil }
    return snapshot.index(of: UnsafeBufferPointer(rebasing: name[..<length]), in: directory)
  }
}
