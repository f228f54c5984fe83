/// Where containers start, and what is to be said of directories.
extension Auditor {
  /// The container of the input's own root.
  func rootContainer(_ directory: Directory) -> ContainerReport {
    var root = ContainerReport(path: [], kind: .unknown)
    if let match = match(directory) {
      root.kind = match.kind
      root.identifier = match.identifier
      rootIsContainer = true
    }
    if let kind = options.kind { root.kind = kind }
    return root
  }

  /// A container that starts at the directory, unless it lies in another one already.
  func containerRoot(_ directory: Directory) -> ContainerReport? {
    guard let match = match(directory) else { return nil }
    if let parent = frames.last, parent.isInside {
      lookAlikes[parent.container, default: (directory.path, 0)].count += 1
      return nil
    }
    if let problem = options.doubtAbove, containers.count == 1 { add(problem: problem) }
    return ContainerReport(
      path: directory.path, kind: options.kind ?? match.kind, identifier: match.identifier)
  }

  private func match(_ directory: Directory) -> ContainerDetector.Match? {
    let byPath = ContainerDetector.match(path: directory.path, below: options.absolutePath)
    guard byPath != nil || directory.metadata != nil else { return nil }
    let byFile = directory.metadata.map { ContainerDetector.kind(of: $0, onMac: $0.isMac) }
    let isBelievable = ContainerDetector.isBelievable(
      directory.path, hasMetadata: directory.metadata != nil)
    return ContainerDetector.Match(
      kind: isBelievable ? ContainerDetector.kind(byPath: byPath?.kind, byFile: byFile) : .unknown,
      identifier: directory.metadata?.identifier ?? byPath?.identifier)
  }

  /// Whether the directory is the top of an app's container that nothing else tells.
  func isAppTop(_ directory: Directory) -> Bool {
    let path = directory.path.isEmpty ? options.absolutePath : directory.path
    return path.withUnsafeBufferPointer { path in
      ContainerDetector.isAppTop(Bytes.last(path)) { directory.holdsDirectory($0) }
    }
  }

  /// What was taken for content although it looks like a container: one note for each container.
  func reportLookAlikes() {
    for (container, found) in lookAlikes.sorted(by: { $0.key < $1.key }) {
      findings.add(
        .nestedContainer, directory: found.first, name: nil, verdict: nil, container: container,
        report: containers[container], detail: .lookAlikes(found.count))
    }
  }

  /// Marks between the input and a container root do not cover, and the user should know.
  func noteMarksAbove(_ root: ContainerReport) {
    for frame in frames {
      guard let index = frame.marked else { continue }
      let path = containers[frame.container].markedDirectories[index].path
      findings.add(
        .markAboveRoot, directory: root.path, name: nil, verdict: nil,
        container: containers.count, report: root,
        detail: .path(path))
    }
  }

  /// Findings about a directory itself.
  func judgeDirectory(_ directory: Directory, _ frame: Frame) {
    let own = directory.own
    // A report is not trivial to copy, and nearly all directories end here.
    guard directory.ownDetail != nil || own.mark.state != .absent else { return }
    let report = containers[frame.container]
    func add(_ rule: RuleID, _ detail: FindingDetail = .none) {
      findings.add(
        rule, directory: directory.path, name: nil, verdict: nil, container: frame.container,
        report: report, detail: detail)
    }
    if let problem = directory.ownDetail?.problem { self.add(problem: problem) }
    for miss in directory.ownDetail?.nearMisses ?? [] { add(miss.rule, .nearMiss(miss)) }
    if let remark = directory.ownDetail?.remark { add(.attributesDisagree, .remark(remark)) }
    if own.mark.state == .empty { add(.emptyMark, .mark(own.mark, isDirectory: true)) }
    guard own.mark.state == .marked else { return }
    if own.mark.form == .other || own.mark.form == .backupdText {
      add(.unfamiliarValue, .mark(own.mark, isDirectory: true))
    }
    let relative = Bytes.relative(directory.path, to: report.path)
    if isSystemDirectory(relative, report) { add(.systemDirectoryMarked) }
    if isGeneric(relative) { add(.genericDirectoryName) }
  }

  private func isSystemDirectory(_ path: [UInt8], _ report: ContainerReport) -> Bool {
    path.isEmpty || path.elementsEqual("Documents".utf8) || path.elementsEqual("Library".utf8)
      || path.elementsEqual("Library/Application Support".utf8)
  }

  /// A marked directory directly below `Library` or `Library/Application Support` whose name has
  /// no two dots in it is not named after a bundle identifier.
  private func isGeneric(_ path: [UInt8]) -> Bool {
    let parent = Bytes.parent(path)
    guard
      parent.elementsEqual("Library".utf8)
        || parent.elementsEqual("Library/Application Support".utf8)
    else { return false }
    let name = Bytes.last(path)
    if parent.elementsEqual("Library".utf8) && name.elementsEqual("Application Support".utf8) {
      return false
    }
    let labels = name.split(separator: UInt8(ascii: "."), omittingEmptySubsequences: false)
    return labels.count < 3 || labels.contains { $0.isEmpty }
  }

  /// Whether a covered file has names that were not seen, or not recognised as names of it.
  public var hasUnseenLinks: Bool {
    links.table.values.contains { $0.covered != nil && $0.seen < $0.links }
  }

  /// Covered files with another name that is exposed or was not seen.
  func reportHardLinks() {
    for names in links.escapes {
      guard let covered = names.covered else { continue }
      let outside = max(names.links - names.seen, 0)
      let subject = covered
      let directory = Array(Bytes.parent(subject.path))
      Array(Bytes.last(subject.path)).withUnsafeBufferPointer { name in
        findings.add(
          .hardLinkEscape, severity: names.exposed == nil ? .warning : .error,
          directory: directory, name: name, verdict: .coveredByAncestor,
          container: subject.container, report: containers[subject.container],
          detail: .links(others: names.exposed.map { [$0.path] } ?? [], outside: outside))
      }
    }
  }
}

extension NearMiss {
  /// The rule that speaks of it.
  var rule: RuleID {
    switch kind {
    case .partial: .partialMark
    case .legacy: .legacyMark
    case .misnamed: .misnamedMark
    }
  }
}
