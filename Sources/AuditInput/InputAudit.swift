import AuditCore

/// Opens an input, whatever it is, and puts it through an auditor.
public struct InputAudit {
  /// How inputs are read.
  public struct Options: Sendable {
    /// Threads that read a tree.
    public var jobs = 1
    /// Up to how many threads read a tree once the walk is seen to wait for a disk.
    public var jobsWhileWaiting = 1
    /// Beyond so many entries of a tree, sizes are asked only of marked and covered files.
    public var sizesOfAllUpTo = Int.max
    /// Limits against hostile archives.
    public var limits = ArchiveLimits()
    /// Reads archives in a process of their own; nil reads them in this one.
    public var archiveProcess: ArchiveProcess?
    /// Whether an input without files is as it should be.
    public var allowEmpty = false
    /// The defaults.
    public init() {}
  }

  private let options: Options
  private let gate: Gate
  private let sinks: [any ReportSink]
  private let progress: ((Int) -> Void)?

  /// Prepares audits that feed the same sinks.
  public init(
    options: Options, gate: Gate, sinks: [any ReportSink], progress: ((Int) -> Void)? = nil
  ) {
    self.options = options
    self.gate = gate
    self.sinks = sinks
    self.progress = progress
  }

  /// Audits one input and tells the sinks its end.
  ///
  /// - Parameters:
  ///   - path: the path as the user wrote it; `-` is an archive on standard input.
  ///   - isLast: whether the findings about policy and baseline belong into this report.
  /// - Throws: what a sink throws. What cannot be read is in the report's errors.
  public func run(_ path: [UInt8], _ auditOptions: AuditOptions, isLast: Bool = false) throws
    -> (report: InputReport, findings: FindingCounts)
  {
    gate.beginInput()
    var (report, counts) = try audit(path, auditOptions)
    if isLast { report.add(gate.closingFindings(), &counts) }
    for sink in sinks { try sink.end(input: report) }
    return (report, counts)
  }

  private func audit(_ path: [UInt8], _ auditOptions: AuditOptions) throws
    -> (report: InputReport, findings: FindingCounts)
  {
    var auditOptions = auditOptions
    if path.elementsEqual("-".utf8) { return try archive(path, 0, auditOptions) }
    let fd = DirectoryOpener.withCString(path) { System.openInput($0) }
    guard fd >= 0 else {
      return try failed(path, "directory", ErrorText.problem([], "open", Int(-fd)), auditOptions)
    }
    var status = OpenStatus()
    let code = System.status(fd, &status)
    guard code == 0 else {
      System.close(fd)
      return try failed(path, "file", ErrorText.problem([], "stat", Int(-code)), auditOptions)
    }
    switch status.kind {
    case .directory:
      auditOptions.absolutePath = System.path(of: fd)
      guard !auditOptions.absolutePath.isEmpty else {
        // What lies above it may be its sidecars and its metadata.
        System.close(fd)
        return try failed(path, "directory", ErrorText.noPath([]), auditOptions)
      }
      auditOptions.marksAbove = MarksAbove.find(auditOptions.absolutePath)
      let above = ContainerAbove(auditOptions.absolutePath, onDevices: true)
      auditOptions.isInsideContainer = above.isInside
      auditOptions.doubtAbove = above.problem
      // A directory whose names may be read but not entered can be opened only once.
      let walked = System.duplicate(fd)
      guard walked >= 0 else {
        System.close(fd)
        return try failed(
          path, "directory", ErrorText.problem([], "enter", Int(-walked)), auditOptions)
      }
      System.close(walked)
      return try tree(path, fd, auditOptions)
    case .file:
      return try archive(path, fd, auditOptions)
    case .symlink, .fifo, .socket, .device:
      System.close(fd)
      let problem = InputProblem(
        path: [], operation: "open", error: "not-auditable",
        message: "cannot audit a \(status.kind.word); pass a directory or an archive")
      return try failed(path, status.kind.word, problem, auditOptions)
    }
  }

  // MARK: - Kinds of input

  private func tree(_ path: [UInt8], _ fd: Int32, _ auditOptions: AuditOptions) throws
    -> (report: InputReport, findings: FindingCounts)
  {
    let name = Bytes.last(auditOptions.absolutePath)
    let isAppData = name.suffix(10).elementsEqual(".xcappdata".utf8)
    let info = InputInfo(path: path, kind: isAppData ? "xcappdata" : "directory")
    var walkOptions = TreeWalk.Options()
    walkOptions.jobs = options.jobs
    walkOptions.jobsWhileWaiting = options.jobsWhileWaiting
    walkOptions.sizesOfAllUpTo = options.sizesOfAllUpTo
    var auditor = Auditor(options: auditOptions, gate: gate, sinks: sinks)
    for sink in sinks { try sink.begin(input: info) }
    var watch = SevenZipWatch(auditor, root: fd)
    var walk = TreeWalk(
      directory: System.duplicate(fd), options: walkOptions, consumer: watch, progress: progress)
    try walk.run()
    try watch.release()
    if auditor.hasUnseenLinks && walk.askedFewerSizes {
      // Covered files have names elsewhere, and the names of exposed files were not asked for
      // theirs. Nothing has been written yet: once more, with every question.
      walkOptions.sizesOfAllUpTo = .max
      gate.startOver()
      auditor = Auditor(options: auditOptions, gate: gate, sinks: sinks)
      for sink in sinks { try sink.begin(input: info) }
      watch = SevenZipWatch(auditor, root: fd)
      walk = TreeWalk(
        directory: System.duplicate(fd), options: walkOptions, consumer: watch,
        progress: progress)
      try walk.run()
      try watch.release()
    }
    System.close(fd)
    auditor.vanished += walk.vanishedDirectories
    return try end(auditor, info, walk.rootLayer.format)
  }

  private func archive(_ path: [UInt8], _ fd: Int32, _ auditOptions: AuditOptions) throws
    -> (report: InputReport, findings: FindingCounts)
  {
    let info = InputInfo(path: path, kind: "archive")
    defer { if fd > 0 { System.close(fd) } }
    let auditor = Auditor(options: auditOptions, gate: gate, sinks: sinks)
    for sink in sinks { try sink.begin(input: info) }
    var format = "unknown"
    func begin(_ head: ReaderHead) {
      format = head.format
      for layer in head.layers { _ = auditor.add(layer: layer) }
      for problem in head.problems { auditor.add(problem: problem) }
      auditor.isPartial = head.isPartial
    }
    func take(_ directory: Directory) throws {
      auditor.enter(directory)
      try auditor.classify(directory, 0..<directory.fileCount)
    }
    if let process = options.archiveProcess {
      let problem = try process.read(
        descriptor: fd, limits: options.limits, begin: begin, directory: take)
      if let problem {
        auditor.isPartial = true
        auditor.add(problem: problem)
      }
    } else {
      let contents = readArchive(descriptor: fd, limits: options.limits)
      begin(contents.head)
      try contents.forEachDirectory(take)
    }
    return try end(auditor, info, format)
  }

  private func failed(
    _ path: [UInt8], _ kind: String, _ problem: InputProblem, _ auditOptions: AuditOptions
  ) throws -> (report: InputReport, findings: FindingCounts) {
    let info = InputInfo(path: path, kind: kind)
    for sink in sinks { try sink.begin(input: info) }
    let auditor = Auditor(options: auditOptions, gate: gate, sinks: sinks)
    auditor.add(problem: problem)
    return try end(auditor, info, "unknown")
  }

  private func end(_ auditor: Auditor, _ info: InputInfo, _ format: String) throws
    -> (report: InputReport, findings: FindingCounts)
  {
    let report = auditor.finish(info: info, format: format, allowEmpty: options.allowEmpty)
    return (report, auditor.findingCounts)
  }
}

/// Directories above an input that are marked: they do not count, and the user should know.
///
/// No verdict depends on it, so that one whose attributes cannot be read is passed over.
enum MarksAbove {
  /// The marked ones as paths relative to the input: `..`, `../..` and so on.
  static func find(_ absolutePath: [UInt8]) -> [[UInt8]] {
    let reader = AttributeReader()
    var found: [[UInt8]] = []
    var path = absolutePath
    var relative: [UInt8] = []
    while Bytes.depth(path) > 1 {
      path = Array(Bytes.parent(path))
      relative = Bytes.join(relative, Array("..".utf8))
      let name = (path.isEmpty ? [Bytes.slash] : path).map { CChar(bitPattern: $0) } + [0]
      let isMarked = name.withUnsafeBufferPointer { name in
        guard let start = name.baseAddress else { return false }
        return reader.read(System.here, start, rule: .any, mustAnswer: false)?.mark.state == .marked
      }
      if isMarked { found.append(relative) }
    }
    return found
  }
}
