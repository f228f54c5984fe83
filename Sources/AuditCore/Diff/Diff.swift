/// How two states are compared.
public struct DiffOptions: Sendable {
  /// Tells which exposed places iOS was observed to skip.
  public var locationRules = LocationRules.documented
  /// The user knows that the attributes survived.
  public var assumeAttributesKept = false
  /// The defaults.
  public init() {}
}

/// What came of a comparison, besides the changes themselves.
public struct DiffReport: Sendable {
  /// The containers, with what changed in each.
  public var pairs: [DiffPair] = []
  /// All containers together.
  public var tally = DiffTally()
  /// The findings; paths are relative to the newer input.
  public var findings: [Finding] = []
  /// How many findings there are, each entry counted that a finding stands for.
  public var counts = FindingCounts()
  /// Whether any container of the two states could be recognised as one.
  public var hasCommonContainer = false
  /// Whether everything could be told.
  public var complete = true
}

/// Compares two states of the same containers.
///
/// Inode numbers say something only where most entries kept theirs, as in a snapshot of a volume;
/// an equal number never proves that a file is the same one.
public struct Diff {
  private let old: DiffSide
  private let new: DiffSide
  private let options: DiffOptions
  private let walk: DiffWalk
  private var report = DiffReport()
  private var findings: FindingCollector
  private var comparesInodes = false

  /// Compares two states, and hands on every change in the report's order.
  public static func run(
    _ old: DiffSide, _ new: DiffSide, options: DiffOptions, gate: Gate,
    begin: ([DiffPair]) throws -> Void, change: (DiffChange) throws -> Void
  ) rethrows -> DiffReport {
    var diff = Diff(old, new, options, gate)
    try begin(diff.report.pairs)
    for index in diff.report.pairs.indices { try diff.compare(index, change) }
    return diff.finish()
  }

  private init(_ old: DiffSide, _ new: DiffSide, _ options: DiffOptions, _ gate: Gate) {
    self.old = old
    self.new = new
    self.options = options
    walk = DiffWalk(old: old.snapshot, new: new.snapshot)
    findings = FindingCollector(gate: gate)
    report.pairs = DiffPair.pairs(old.snapshot.containers, new.snapshot.containers)
    comparesInodes = inodesWereKept()
  }

  /// Whether more than half of the files that both states have kept their inode numbers.
  private func inodesWereKept() -> Bool {
    guard old.snapshot.hasInodes && new.snapshot.hasInodes else { return false }
    var same = 0
    var common = 0
    for pair in report.pairs where pair.match != nil {
      walk.forEach(in: pair) { step in
        guard let a = step.old, let b = step.new, a.inode != 0, b.inode != 0 else { return }
        common += 1
        same += a.inode == b.inode ? 1 : 0
      }
    }
    return same * 2 > common
  }

  private mutating func compare(
    _ index: Int, _ emit: (DiffChange) throws -> Void
  ) rethrows {
    let pair = report.pairs[index]
    var directories = MarkedDirectories(pair, old.snapshot, new.snapshot)
    var tally = DiffTally()
    var respelled: (path: [UInt8], count: Int)?
    try walk.forEach(in: pair) { step in
      if step.isRespelled {
        let first = respelled?.path ?? Bytes.join(step.directory, step.name)
        respelled = (first, (respelled?.count ?? 0) + 1)
      }
      let kinds = self.kinds(step)
      if step.old?.verdict == .exposed && step.new?.verdict == .exposed { tally.stillExposed += 1 }
      guard !kinds.isEmpty else {
        tally.unchanged += 1
        return
      }
      let change = change(step, kinds, index)
      tally.add(change)
      if kinds.contains(.newlyExposed) { directories.note(exposed: step.directory) }
      judge(step, change, pair)
      try emit(change)
    }
    for (path, kind) in directories.changes {
      let change = DiffChange(
        pair: index, path: path, type: .directory, kinds: kind)
      tally.add(change)
      try emit(change)
      if kind == .markLost && directories.isSilent(path) { judge(directory: path, pair) }
    }
    if let respelled { note(respelled.path, count: respelled.count, pair) }
    report.pairs[index].tally = tally
    report.tally += tally
  }

  // MARK: - One entry

  private func kinds(_ step: DiffWalk.Step) -> DiffKinds {
    guard let a = step.old else {
      return step.new?.verdict == .unknown ? [.added, .unknown] : .added
    }
    guard let b = step.new else { return .removed }
    var kinds: DiffKinds = []
    if a.verdict == .unknown || b.verdict == .unknown {
      kinds.insert(.unknown)
    } else if b.verdict == .exposed {
      if a.verdict != .exposed { kinds.insert(.newlyExposed) }
    } else if a.verdict == .exposed {
      kinds.insert(.newlyCovered)
    } else if b.verdict == .selfMarked && a.verdict != .selfMarked {
      kinds.insert(.newlyFragile)
    }
    if a.mark == .marked && (b.mark == .absent || b.mark == .empty) { kinds.insert(.markLost) }
    if replacement(a, b) != nil { kinds.insert(.replaced) }
    if a.size >= 0 && b.size >= 0 && a.size != b.size && a.kind == b.kind {
      kinds.insert(.resized)
    }
    return kinds
  }

  private func replacement(_ a: Snapshot.Entry, _ b: Snapshot.Entry) -> ReplacementEvidence? {
    if a.kind != b.kind { return .type }
    let differ = a.inode != 0 && b.inode != 0 && a.inode != b.inode
    return comparesInodes && differ ? .inode : nil
  }

  private func change(_ step: DiffWalk.Step, _ kinds: DiffKinds, _ pair: Int) -> DiffChange {
    var change = DiffChange(
      pair: pair, path: Bytes.join(step.directory, step.name),
      type: step.new?.kind ?? step.old?.kind ?? .file, kinds: kinds)
    change.before = step.old?.verdict
    change.after = step.new?.verdict
    if let size = step.old?.size, size >= 0 { change.sizeBefore = size }
    if let size = step.new?.size, size >= 0 { change.size = size }
    if let a = step.old, let b = step.new { change.replacement = replacement(a, b) }
    return change
  }

  // MARK: - Findings

  /// Only what got worse is a finding; a symbolic link never is one.
  private mutating func judge(_ step: DiffWalk.Step, _ change: DiffChange, _ pair: DiffPair) {
    guard let entry = step.new, entry.kind == .file, let container = pair.new else { return }
    let report = new.snapshot.containers[container]
    func add(_ rule: RuleID, _ detail: FindingDetail) {
      findings.add(
        rule, directory: Bytes.join(report.path, step.directory), name: step.name,
        verdict: entry.verdict, container: container, report: report, detail: detail)
    }
    if let judgement = mustBeBackedUp(change, entry, report) {
      findings.add(
        judgement, .mustBeBackedUp, Bytes.join(report.path, step.directory), step.name, container,
        .covered(entry.verdict, ancestor: nil))
    }
    if change.kinds.contains(.newlyExposed) {
      add(
        .markLost,
        .lost(before: change.before ?? .unknown, replaced: change.replacement != nil))
    } else if change.kinds.contains(.newlyFragile) {
      add(.fragileMark, .none)
    } else if change.kinds.contains(.added) && entry.verdict == .selfMarked {
      add(.fragileMark, .none)
    } else if change.kinds.contains(.added) && entry.verdict == .exposed {
      let place = Place(kind: report.kind, path: step.directory)
      let observed =
        place.observed != .none ? place.observed : place.observed(name: step.name)
      if observed != .none && options.locationRules == .documented {
        add(.undocumentedSkip, .reason(observed))
      } else if let database = database(of: step) {
        add(.exposedSidecar, .sidecar(database: database, header: nil))
      } else {
        add(.exposedFile, .none)
      }
    }
  }

  /// What the policy says of a file that is excluded since the older state.
  private func mustBeBackedUp(
    _ change: DiffChange, _ entry: Snapshot.Entry, _ report: ContainerReport
  ) -> Judgement? {
    guard !change.kinds.isDisjoint(with: [.newlyCovered, .added]) else { return nil }
    switch entry.verdict {
    case .coveredByAncestor, .selfMarked, .markedAndCovered:
      return findings.gate.mustBeBackedUp(container: report, path: change.path)
    case .exposed, .outsideBackup, .unknown: return nil
    }
  }

  /// The marked database beside a new sidecar.
  private func database(of step: DiffWalk.Step) -> [UInt8]? {
    guard let length = StoreFamily.sidecarBaseLength(step.name), let index = step.newDirectory
    else { return nil }
    let base = UnsafeBufferPointer(rebasing: step.name[..<length])
    let snapshot = new.snapshot
    guard let found = snapshot.index(of: base, in: snapshot.directories[index]),
      snapshot.entries[found].mark == .marked
    else { return nil }
    return Array(base)
  }

  /// Names were matched by canonical equivalence.
  private mutating func note(_ path: [UInt8], count: Int, _ pair: DiffPair) {
    guard let container = pair.new else { return }
    let report = new.snapshot.containers[container]
    findings.add(
      .otherSpelling, directory: Bytes.join(report.path, path), name: nil, verdict: nil,
      container: container, report: report, detail: .spellings(count))
  }

  /// A directory's mark is gone and nothing below it is exposed yet.
  private mutating func judge(directory path: [UInt8], _ pair: DiffPair) {
    guard let container = pair.new else { return }
    let report = new.snapshot.containers[container]
    findings.add(
      .markLost, severity: .warning, directory: Bytes.join(report.path, path), name: nil,
      verdict: nil, container: container, report: report, detail: .lostByDirectory)
  }

  private mutating func finish() -> DiffReport {
    if let root = new.snapshot.containers.first, new.evidence == .possible,
      new.snapshot.count > 0, !options.assumeAttributesKept
    {
      findings.add(
        .attributesUnproven, directory: [], name: nil, verdict: nil, container: nil, report: root,
        detail: .format(new.format))
    }
    report.hasCommonContainer = report.pairs.contains { $0.match != nil }
    report.findings = findings.findings(containers: new.snapshot.containers)
    report.counts = findings.counts
    report.complete =
      report.hasCommonContainer && report.tally[.unknown] == 0 && old.isComplete && new.isComplete
    return report
  }
}

extension DiffSide {
  /// Whether everything could be read.
  public var isComplete: Bool { errors.isEmpty && errorsOmitted == 0 }
}
