/// How an audit is to judge.
public struct AuditOptions: Sendable {
  /// Overrides the kind of every container.
  public var kind: ContainerKind?
  /// Which places are never backed up.
  public var locationRules = LocationRules.documented
  /// The user knows that the attributes survived: no carrier counts as `impossible`.
  public var assumeAttributesKept = false
  /// The absolute path of the input, for containers known by their path; empty for an archive.
  public var absolutePath: [UInt8] = []
  /// Directories above the input that are marked, as the user should read them.
  public var marksAbove: [[UInt8]] = []
  /// Whether the input lies inside a container, so that no other one starts in it.
  public var isInsideContainer = false
  /// Why that could not be told; said where a container starts in the input.
  public var doubtAbove: InputProblem?

  /// The defaults.
  public init() {}
}

/// Turns directories into verdicts, findings and counts: the one consumer of an input.
///
/// Directories must come in the report's order: `enter`, then their entries in one or more runs,
/// then the subdirectories. Nothing is kept of an entry once it was handed to the sinks, except
/// hard links, marked directories and a bounded list of findings.
public final class Auditor {
  /// What holds for everything directly in a directory. Trivial to copy: it is, for each directory.
  struct Frame {
    var depth: Int
    /// The outermost marked directory within the container, this one included: its index among the
    /// container's marked directories.
    var ancestor: Int?
    /// Whether a directory within the container could be marked without our knowing.
    var uncertain: Bool
    /// Whether it lies in the backup of a device: what is in it was backed up, whatever is marked.
    var isBackup = false
    var container: Int
    var place: Place
    /// The index of this directory among its container's marked directories.
    var marked: Int?
    /// Whether it lies in a container, or in what takes its place: then no other one starts here.
    var isInside = false
    var layer = 0
    var filesBefore = 0
    var bytesBefore = 0
  }

  let options: AuditOptions
  let sinks: [any ReportSink]
  var findings: FindingCollector
  var containers: [ContainerReport] = []
  var frames: [Frame] = []
  var layers: [Layer] = []
  var layerUsed: [Bool] = []
  private var isAlwaysKept: [Bool] = []
  private var doubt: String?
  private var layerOfDevice: [UInt64: Int] = [:]
  var links = HardLinks()
  /// Directories that only look like containers: the first of a container, and how many.
  var lookAlikes: [Int: (first: [UInt8], count: Int)] = [:]
  var problems: [InputProblem] = []
  var problemsOmitted = 0
  var directories = 0
  var sidecars = 0
  var orphanSidecars = 0
  /// Names that were gone when their turn came.
  public var vanished = 0
  /// Files and bytes so far, for the totals below marked directories.
  var filesSoFar = 0
  var bytesSoFar = 0
  private var verdicts: UnsafeMutablePointer<Verdict>
  private var reasons: UnsafeMutablePointer<Reason>
  private var capacity = 1024

  /// Makes an auditor of one input.
  public init(options: AuditOptions, gate: Gate, sinks: [any ReportSink]) {
    self.options = options
    self.sinks = sinks
    findings = FindingCollector(gate: gate)
    verdicts = .allocate(capacity: capacity)
    reasons = .allocate(capacity: capacity)
  }

  deinit {
    verdicts.deallocate()
    reasons.deallocate()
  }

  /// Entries that cannot be listed beyond this many errors are counted only.
  static let problemLimit = 1000

  /// Whether the input could be read in part only: entries without a mark are `unknown` then.
  public var isPartial = false

  /// Registers a layer; directories refer to it by the returned number.
  public func add(layer: Layer) -> Int {
    layers.append(layer)
    layerUsed.append(false)
    isAlwaysKept.append(layer.evidence == .proven)
    if let doubt { doubtLayer(layers.count - 1, doubt) }
    return layers.count - 1
  }

  /// Takes unmarked entries for `unknown` from here on, except on volumes that always keep marks.
  ///
  /// - Parameter reason: why marks may have been lost, for reports.
  public func doubt(_ reason: String) {
    doubt = reason
    for layer in layers.indices { doubtLayer(layer, reason) }
  }

  private func doubtLayer(_ layer: Int, _ reason: String) {
    guard !isAlwaysKept[layer] else { return }
    layers[layer].evidence = .impossible
    layers[layer].reason = reason
  }

  /// Takes note of something that could not be read.
  public func add(problem: InputProblem) {
    if problems.count < Self.problemLimit {
      problems.append(problem)
    } else {
      problemsOmitted += 1
    }
  }

  /// Whether an unmarked entry of the layer is `unknown`.
  func isImpossible(_ layer: Int) -> Bool {
    layers[layer].evidence == .impossible && !options.assumeAttributesKept
  }

  /// Starts a directory.
  public func enter(_ directory: Directory) {
    let depth = Bytes.depth(directory.path)
    while let last = frames.last, last.depth >= depth { leave() }
    directories += 1
    setLayer(directory)
    sidecars += directory.sidecars
    orphanSidecars += directory.orphanSidecars
    vanished += directory.vanished
    for problem in directory.problems { add(problem: problem) }
    see(directory.own.attributes, mark: directory.own.mark, layer: directory.layer)
    if directory.sidecars > 0 { prove(directory.layer) }

    var frame: Frame
    if !frames.isEmpty, let root = containerRoot(directory) {
      noteMarksAbove(root)
      containers.append(root)
      frame = Frame(
        depth: depth, ancestor: nil, uncertain: false, container: containers.count - 1,
        place: Place(kind: root.kind), isInside: true)
    } else if let parent = frames.last {
      frame = parent
      frame.depth = depth
      frame.marked = nil
      frame.place = directory.withLastComponent { parent.place.child($0) }
      frame.isInside = parent.isInside || isAppTop(directory)
    } else {
      let root = rootContainer(directory)
      containers.append(root)
      for path in options.marksAbove {
        findings.add(
          .markAboveRoot, directory: [], name: nil, verdict: nil, container: 0, report: root,
          detail: .path(path))
      }
      frame = Frame(
        depth: depth, ancestor: nil, uncertain: false, container: 0, place: Place(kind: root.kind),
        isInside: rootIsContainer || options.isInsideContainer || isAppTop(directory))
    }
    frame.layer = directory.layer
    if !frame.isInside, !frame.isBackup, let form = DeviceBackup.form(of: directory) {
      frame.isBackup = true
      add(problem: DeviceBackup.problem(form, at: directory.path))
    }
    frame.filesBefore = filesSoFar
    frame.bytesBefore = bytesSoFar
    switch directory.own.mark.state {
    case .marked:
      frame.marked = containers[frame.container].markedDirectories.count
      frame.ancestor = frame.ancestor ?? frame.marked
      containers[frame.container].markedDirectories.append(
        MarkedDirectory(path: directory.path, mark: directory.own.mark))
    case .unknown:
      frame.uncertain = true
    case .absent, .empty: break
    }
    frames.append(frame)
    judgeDirectory(directory, frame)
  }

  /// A directory of a tree lies in the layer of its parent, unless a mounted volume starts here.
  private func setLayer(_ directory: Directory) {
    if let layer = directory.mountedLayer {
      if let known = layerOfDevice[directory.device] {
        directory.layer = known
      } else {
        directory.layer = add(layer: layer)
        layerOfDevice[directory.device] = directory.layer
      }
    } else if !layerOfDevice.isEmpty, let parent = frames.last {
      directory.layer = parent.layer
    }
  }

  private func leave() {
    guard let frame = frames.popLast(), let index = frame.marked else { return }
    containers[frame.container].markedDirectories[index].files = filesSoFar - frame.filesBefore
    containers[frame.container].markedDirectories[index].bytes = bytesSoFar - frame.bytesBefore
  }

  /// Raises the evidence of a layer where a foreign attribute was seen.
  ///
  /// A layer that cannot hold the mark, or hides it, is not raised: another attribute, or a
  /// sidecar, says nothing of the marks that were lost there.
  private func see(_ flags: AttributeFlags, mark: OwnMark, layer: Int) {
    if flags.contains(.foreign) || mark.state == .marked || mark.state == .empty {
      prove(layer)
    }
  }

  func prove(_ layer: Int) {
    if layers[layer].evidence == .possible { layers[layer].evidence = .proven }
  }

  /// Judges a run of the directory's entries that are not directories, and hands it to the sinks.
  public func classify(_ directory: Directory, _ range: Range<Int>) throws {
    guard let frame = frames.last, !range.isEmpty else { return }
    if range.count > capacity {
      verdicts.deallocate()
      reasons.deallocate()
      capacity = range.count
      verdicts = .allocate(capacity: capacity)
      reasons = .allocate(capacity: capacity)
    }
    layerUsed[directory.layer] = true
    var run = EntryRun(directory: directory, frame: frame, auditor: self)
    run.judge(range, verdicts: verdicts, reasons: reasons)
    let slice = ClassifiedSlice(
      directory: directory, range: range, verdicts: UnsafePointer(verdicts),
      reasons: UnsafePointer(reasons), ancestor: ancestor(of: frame), container: frame.container,
      identifier: containers[frame.container].identifier)
    for sink in sinks { try sink.add(slice) }
  }

  /// Ends the input.
  public func finish(info: InputInfo, format: String, allowEmpty: Bool) -> InputReport {
    while !frames.isEmpty { leave() }
    reportHardLinks()
    reportLookAlikes()
    var counts = Counts()
    for container in containers { counts += container.counts }
    let evidence =
      zip(layers, layerUsed).filter(\.1).map(\.0.evidence).min()
      ?? layers.first?.evidence ?? .possible
    if evidence == .possible && !options.assumeAttributesKept && counts.files.total > 0,
      let root = containers.first
    {
      findings.add(
        .attributesUnproven, directory: [], name: nil, verdict: nil, container: nil, report: root,
        detail: .format(format))
    }
    if counts.files.total == 0 && !allowEmpty && problems.isEmpty {
      add(
        problem: InputProblem(
          path: [], operation: "audit", error: "EMPTY",
          message: "no file was found, so nothing was audited; check the path, or pass "
            + "--allow-empty if this is as it should be"))
    }
    if counts.bytes.total == Int.max {
      add(
        problem: InputProblem(
          path: [], operation: "audit", error: "sizes",
          message: "the sizes of the files add up to more than can be counted, so that sums of "
            + "bytes are wrong and so may the sizes be: no disk holds that much"))
    }
    dropEmptyRoot()
    let weakest = zip(layers, layerUsed).first { $0.1 && $0.0.evidence == evidence }?.0
    return InputReport(
      info: info, format: format, evidence: evidence, evidenceReason: weakest?.reason,
      containers: containers, findings: findings.findings(containers: containers),
      errors: problems, errorsOmitted: problemsOmitted, directories: directories,
      sidecars: sidecars, orphanSidecars: orphanSidecars, vanished: vanished, counts: counts)
  }

  /// The outermost marked directory above what comes next, within its container.
  public var lastAncestor: [UInt8]? { frames.last.flatMap { ancestor(of: $0) } }

  /// The path of the outermost marked directory that covers what lies in a frame.
  func ancestor(of frame: Frame) -> [UInt8]? {
    frame.ancestor.map { containers[frame.container].markedDirectories[$0].path }
  }

  /// What a new file directly in `directory`, the last one entered, would be.
  public func verdictOfNewFile(in directory: Directory) -> (verdict: Verdict, reason: Reason)? {
    frames.last.map { EntryRun(directory: directory, frame: $0, auditor: self).ofNewFile }
  }

  /// Whether a container root was recognised, rather than the input taken for one.
  public var knowsContainer: Bool { rootIsContainer || containers.count > 1 }

  /// The findings counted so far, each entry of a folded finding counted.
  public var findingCounts: FindingCounts { findings.counts }

  /// An input whose files all lie in containers has no container of its own.
  private func dropEmptyRoot() {
    guard containers.count > 1, let root = containers.first, !rootIsContainer else { return }
    let counts = root.counts
    if counts.files.total == 0 && counts.symlinks == 0 && counts.specials == 0
      && root.markedDirectories.isEmpty
    {
      findings.dropFirstContainer()
      containers.removeFirst()
    }
  }

  /// Whether the input itself is a container root.
  var rootIsContainer = false
}
