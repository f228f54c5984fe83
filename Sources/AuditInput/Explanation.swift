import AuditCore
import BackupExclusion

/// Why one path is excluded from backups or not: every step from the container root to it.
public struct Explanation {
  /// An extended attribute as it is on disk.
  public struct Attribute {
    /// The name, as the file system shows it.
    public var name: [UInt8]
    /// What the name says.
    public var meaning: AttributeMeaning
    /// The form of the value, where the name is the mark's.
    public var form: ExclusionMark.Form?
    /// At most the first 256 bytes of the value.
    public var value: [UInt8]
    /// The size of the value in bytes.
    public var size: Int
  }

  /// A directory on the way, or the path itself.
  public struct Step {
    /// The name shown: the container root as the user would write it, then single names.
    public var name: [UInt8]
    /// What it is.
    public var kind: EntryKind
    /// Its mark, with whatever sidecar files add to the attributes.
    public var mark: OwnMark
    /// Its extended attributes.
    public var attributes: [Attribute]
    /// Whether it lies above the container root, where marks do not count.
    public var isAboveRoot: Bool
  }

  /// The steps, from the top.
  public var steps: [Step] = []
  /// The container.
  public var container: ContainerReport
  /// Whether the container was recognised as one.
  public var isContainerKnown: Bool
  /// The verdict; for a directory that of a new file directly in it.
  public var verdict: Verdict
  /// Its reason.
  public var reason: Reason
  /// The marked directory that covers it, relative to the container root's parent input.
  public var ancestor: [UInt8]?
  /// The carrier.
  public var layer: Layer
  /// Findings about the path and the directories above it.
  public var findings: [Finding] = []
  /// What could not be read on the way.
  public var problems: [InputProblem] = []

  /// Explains a path on disk.
  public static func of(_ path: [UInt8], _ options: AuditOptions)
    -> Result<Explanation, InputProblem>
  {
    Explainer(options).explain(path)
  }
}

extension InputProblem: Error {}

/// Reads the chain of directories above one path and puts just that path through an auditor.
private final class Explainer: ReportSink {
  private var options: AuditOptions
  private let reader = DirectoryReader()
  private var verdict: Verdict?
  private var reason = Reason.none
  private var ancestor: [UInt8]?

  init(_ options: AuditOptions) { self.options = options }

  func begin(run: RunInfo) throws {}
  func begin(input: InputInfo) throws {}
  func end(input: InputReport) throws {}
  func end(summary: RunSummary) throws {}
  func add(_ slice: ClassifiedSlice) throws {
    verdict = slice.verdicts[0]
    reason = slice.reasons[0]
    ancestor = slice.ancestor
  }

  func explain(_ path: [UInt8]) -> Result<Explanation, InputProblem> {
    // The directory that holds the name is resolved; the name itself is not followed, unless a
    // slash after it asks for the directory.
    let holder = path.lastIndex(of: Bytes.slash).map { Array(path[...$0]) } ?? Array(".".utf8)
    let last = Array(Bytes.last(path))
    let isDirectoryItself =
      last.isEmpty || last.elementsEqual(".".utf8)
      || last.elementsEqual("..".utf8)
    let fd = DirectoryOpener.withCString(isDirectoryItself ? path : holder) {
      System.openInput($0)
    }
    guard fd >= 0 else { return .failure(ErrorText.problem(path, "open", Int(-fd))) }
    let opened = Handle(fd)
    let absolute = System.path(of: fd)
    guard !absolute.isEmpty else { return .failure(ErrorText.noPath(path)) }
    guard !isDirectoryItself else { return explain(absolute, entry: nil, path) }
    var status = FileStatus()
    let code = DirectoryOpener.withCString(last) { System.status(opened.fd, $0, &status) }
    guard code == 0 else { return .failure(ErrorText.problem(path, "stat", Int(-code))) }
    if status.kind == .directory {
      return explain(Bytes.join(absolute, last), entry: nil, path)
    }
    return explain(absolute, entry: last, path)
  }

  /// - Parameters:
  ///   - directory: the absolute path of the innermost directory.
  ///   - entry: the name in it that is explained, or nil for the directory itself.
  private func explain(_ directory: [UInt8], entry: [UInt8]?, _ path: [UInt8])
    -> Result<Explanation, InputProblem>
  {
    var opens: [OpenDirectory] = []
    let known = ContainerAbove(directory, onDevices: false).root
    var root = known ?? Self.start(directory)
    options.absolutePath = root
    while true {
      switch open(root, directory) {
      case .failure(let problem): return .failure(problem)
      case .success(let chain): opens = chain
      }
      // A container root that a file beside it shows is only known once directories were read.
      guard known == nil, let found = containerStart(opens, root), found.count > root.count else {
        break
      }
      root = found
      options.absolutePath = root
    }
    let auditor = Auditor(options: options, gate: Gate(), sinks: [self])
    for open in opens { auditor.enter(open.directory) }
    guard let last = opens.last else {
      return .failure(ErrorText.noPath(path))
    }
    if let entry {
      classify(entry, last, auditor)
      guard verdict != nil else { return .failure(Self.notAnEntry(path)) }
    } else if let new = auditor.verdictOfNewFile(in: last.directory) {
      (verdict, reason) = (new.verdict, new.reason)
    }
    let above = ancestor ?? auditor.lastAncestor
    let report = auditor.finish(
      info: InputInfo(path: path, kind: "directory"), format: last.mount.layer.format,
      allowEmpty: true)
    var explanation = Explanation(
      container: report.containers.last ?? ContainerReport(path: [], kind: .unknown),
      isContainerKnown: auditor.knowsContainer,
      verdict: verdict ?? .unknown, reason: reason, ancestor: above,
      layer: last.mount.layer)
    explanation.problems = report.errors
    explanation.findings = report.findings.filter { $0.rule != .attributesUnproven }
    explanation.steps = steps(opens, entry, root, explanation.container)
    return .success(explanation)
  }

  /// Why a name that is there gets no verdict.
  private static func notAnEntry(_ path: [UInt8]) -> InputProblem {
    let isSidecar = Bytes.last(path).withUnsafeBufferPointer { SidecarName.needsContent($0) }
    return InputProblem(
      path: path, operation: "explain", error: isSidecar ? "sidecar" : "gone",
      message: "\(path)"
        + (isSidecar
          ? " holds the attributes of the file it is named after; explain that one"
          : " went away, or its directory could not be listed"))
  }

  /// Where the chain starts outside of containers: the working directory if the path lies below
  /// it, or else the top.
  private static func start(_ directory: [UInt8]) -> [UInt8] {
    let fd = DirectoryOpener.withCString(Array(".".utf8)) { System.openInput($0) }
    guard fd >= 0 else { return [Bytes.slash] }
    let here = System.path(of: fd)
    System.close(fd)
    if directory == here || directory.starts(with: here + [Bytes.slash]) { return here }
    return [Bytes.slash]
  }

  private func containerStart(_ opens: [OpenDirectory], _ root: [UInt8]) -> [UInt8]? {
    for open in opens where open.directory.metadata != nil {
      return Bytes.join(root == [Bytes.slash] ? [] : root, [])
        + (open.directory.path.isEmpty ? [] : [Bytes.slash] + open.directory.path)
    }
    return nil
  }

  private func open(_ root: [UInt8], _ directory: [UInt8]) -> Result<[OpenDirectory], InputProblem>
  {
    let fd = DirectoryOpener.withCString(root) { System.openInput($0) }
    guard fd >= 0 else { return .failure(ErrorText.problem(root, "open", Int(-fd))) }
    var handle = Handle(fd)
    var status = OpenStatus()
    var code = System.status(fd, &status)
    guard code == 0 else { return .failure(ErrorText.problem(root, "stat", Int(-code))) }
    var mount = Mount(open: handle, device: status.device)
    var opens: [OpenDirectory] = []
    var path: [UInt8] = []
    let below =
      root == [Bytes.slash]
      ? Array(directory.dropFirst())
      : Array(directory.dropFirst(root.count + 1))
    var names = below.split(separator: Bytes.slash).map { Array($0) }[...]
    while true {
      var record = EntryRecord()
      record.kind = .directory
      var detail: EntryDetail?
      if let parent = opens.last?.directory,
        let index = (parent.fileCount..<parent.count).first(where: {
          parent.name(parent.records[$0]).elementsEqual(Bytes.last(path))
        })
      {
        record = parent.records[index]
        detail = record.detail >= 0 ? parent.details[Int(record.detail)] : nil
        record.detail = -1
      }
      reader.ownAttributes(handle, path: path, record: &record, detail: &detail, mount: mount)
      let open = reader.readNames(
        handle, path: path, own: record, ownDetail: detail, mount: mount,
        isCovered: false, parent: opens.last, rootPath: opens.isEmpty ? root : [])
      open.directory.mountedLayer = mount.layer
      open.directory.device = mount.device
      opens.append(open)
      guard let name = names.popFirst() else { return .success(opens) }
      path = Bytes.join(path, name)
      let next = DirectoryOpener.withCString(name) { System.openDirectory(handle.fd, $0) }
      guard next >= 0 else { return .failure(ErrorText.problem(path, "open", Int(-next))) }
      handle = Handle(next)
      code = System.status(next, &status)
      guard code == 0 else { return .failure(ErrorText.problem(path, "stat", Int(-code))) }
      if status.device != mount.device { mount = Mount(open: handle, device: status.device) }
    }
  }

  private func classify(_ entry: [UInt8], _ open: OpenDirectory, _ auditor: Auditor) {
    let directory = open.directory
    guard let handle = open.handle,
      let index = entry.withUnsafeBufferPointer({ directory.fileIndex($0, "") })
    else { return }
    let run = reader.readEntries(open, 0..<directory.fileCount, handle, TreeQuestions())
    directory.adopt(run.details, in: run.range, numberedFrom: DirectoryReader.newDetails)
    guard !run.gone.contains(index) else { return }
    // Only fails where a sink does, and this one does not.
    try? auditor.classify(directory, index..<(index + 1))
  }

  private func steps(
    _ opens: [OpenDirectory], _ entry: [UInt8]?, _ root: [UInt8], _ container: ContainerReport
  ) -> [Explanation.Step] {
    var steps: [Explanation.Step] = []
    for open in opens {
      let directory = open.directory
      let attributes = open.handle.map { AttributeLister.list($0, nil, open.mount) } ?? []
      steps.append(
        Explanation.Step(
          name: directory.path.isEmpty ? root : Array(Bytes.last(directory.path)),
          kind: .directory, mark: directory.own.mark, attributes: attributes,
          isAboveRoot: directory.path.count < container.path.count))
    }
    if let entry, let last = opens.last, let handle = last.handle,
      let index = entry.withUnsafeBufferPointer({ last.directory.fileIndex($0, "") })
    {
      let record = last.directory.records[index]
      steps.append(
        Explanation.Step(
          name: entry, kind: record.kind, mark: record.mark,
          attributes: AttributeLister.list(handle, entry, last.mount), isAboveRoot: false))
    }
    return steps
  }
}
