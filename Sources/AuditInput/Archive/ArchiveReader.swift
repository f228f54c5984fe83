import AuditCore
import CArchive

/// Reads an archive: a tar with any compression, zip, cpio, xar, 7z, ISO and what else libarchive
/// knows, GrayKey's and Cellebrite's full-file-system zips.
///
/// Nothing is extracted. What cannot be read is told in `problems`; what was read before stands.
///
/// - Parameters:
///   - path: The file, or `-` for standard input.
///   - limits: How far a stranger's archive is followed.
public func readArchive(path: String, limits: ArchiveLimits = ArchiveLimits()) -> ArchiveContents {
  readArchive(path: Array(path.utf8), limits: limits)
}

/// Reads an archive whose path is given as bytes.
public func readArchive(
  path: [UInt8], limits: ArchiveLimits = ArchiveLimits()
) -> ArchiveContents {
  if path.elementsEqual([0x2D]) { return readArchive(descriptor: 0, limits: limits) }
  do {
    return ArchiveReading(try ArchiveFile(path: path), limits: limits).contents()
  } catch {
    return unopened(error)
  }
}

/// Reads an archive from a descriptor that is open at its beginning; it stays open.
public func readArchive(
  descriptor: Int32, limits: ArchiveLimits = ArchiveLimits()
) -> ArchiveContents {
  do {
    return ArchiveReading(try ArchiveFile(descriptor: descriptor), limits: limits).contents()
  } catch {
    return unopened(error)
  }
}

private func unopened(_ failure: ArchiveFile.Failure) -> ArchiveContents {
  let problem = InputProblem(
    path: [], operation: failure.operation, error: failure.name,
    message: "The archive cannot be opened: \(failure.text).")
  let layer = Layer(format: "unknown", evidence: .impossible, reason: "Nothing could be read.")
  return ArchiveContents(
    format: "unknown", layers: [layer], problems: [problem], members: 0,
    table: MemberTable(depthLimit: 1), sidecars: [:], headers: [:], metadata: [:])
}

/// One pass over an archive's members.
final class ArchiveReading {
  let limits: ArchiveLimits
  let stream: ArchiveStream
  var table: MemberTable
  var carrier = CarrierEvidence()
  var troubles = ArchiveTroubles()
  var sidecars: [Int: SidecarContent] = [:]
  private let bodies: MemberBodies
  private var headers: [Int: [UInt8]] = [:]
  private var metadata: [Int: ContainerMetadata] = [:]
  private var appData: [Int: ContainerMetadata] = [:]
  /// The targets of hard links, by the node of the link.
  private var links: [Int: [UInt8]] = [:]
  private var members = 0
  private var headerBytes = 0

  init(_ file: consuming ArchiveFile, limits: ArchiveLimits) {
    self.limits = limits
    stream = ArchiveStream(file, limits: limits)
    ArchiveFile.useNames(converted: stream.storesNamesAsText)
    bodies = MemberBodies(archive: stream.archive)
    table = MemberTable(depthLimit: limits.depth)
  }

  /// Reads everything.
  func contents() -> ArchiveContents {
    readMembers()
    if carrier.isZip { readZipIndex() }
    HardLinks.resolve(links, in: &table, sidecars: sidecars)
    foldIntoParents()
    for (node, found) in appData {
      let name = Array("AppData".utf8)
      let beside = name.withUnsafeBufferPointer { table.find($0, in: node) }
      if let beside, metadata[beside] == nil { metadata[beside] = found }
    }
    for node in table.turnedDirectory { troubles.fileAndDirectory.add(table.path(of: node)) }
    if !sidecars.isEmpty { carrier.sawAppleDouble = true }
    carrier.sawForeign =
      carrier.sawForeign || table.nodes.contains { $0.record.attributes.contains(.foreign) }
    return ArchiveContents(
      format: carrier.format, layers: [carrier.layer], problems: troubles.problems,
      members: members, table: table, sidecars: sidecars, headers: headers, metadata: metadata)
  }

  // MARK: - The pass

  private func readMembers() {
    if let reached = stream.reached {
      troubles.add(limits.problem(reached))
      return
    }
    guard let entry = archive_entry_new2(stream.archive) else { return }
    defer { archive_entry_free(entry) }
    var failures = 0
    while true {
      let status = archive_read_next_header2(stream.archive, entry)
      carrier.see(format: archive_format(stream.archive))
      switch status {
      case ARCHIVE_EOF:
        finishStream()
        return
      case ARCHIVE_OK: take(entry, warning: nil)
      case ARCHIVE_WARN: take(entry, warning: stream.complaint)
      case ARCHIVE_RETRY, ARCHIVE_FAILED:
        failures += 1
        troubles.damaged.add([], text: stream.complaint)
        if failures > 10_000 { return }
      default:
        stop()
        return
      }
      if members > limits.entries || table.nodes.count > limits.entries {
        troubles.add(limits.problem(.entries))
        return
      }
      if headerBytes + table.nameBytes > limits.headerBytes {
        troubles.add(limits.problem(.headerBytes))
        return
      }
      if let reached = stream.reached {
        troubles.add(limits.problem(reached))
        return
      }
    }
  }

  private func stop() {
    if let reached = stream.reached {
      troubles.add(limits.problem(reached))
    } else {
      troubles.stopped(stream.complaint, members: members, beginning: stream.beginning())
    }
  }

  private func finishStream() {
    if let reached = stream.reached { troubles.add(limits.problem(reached)) }
    if stream.failure != nil {
      stop()
    } else if carrier.isTar {
      // libarchive takes a tar that ends between two members for a whole one.
      let rest = stream.length - archive_read_header_position(stream.archive)
      if rest < 512 { troubles.add(.cutOff) }
    } else if members == 0, !carrier.isKnown {
      troubles.stopped("it is empty", members: 0, beginning: [])
    }
    if archive_read_has_encrypted_entries(stream.archive) == 1 { troubles.encrypted.add([]) }
  }

  private func take(_ entry: OpaquePointer, warning: String?) {
    members += 1
    guard let text = archive_entry_pathname(entry) else {
      troubles.nameless.add([])
      return
    }
    let path = ArchiveFile.bytes(of: text)
    let known = table.nodes.count
    let node: Int
    switch table.insert(path) {
    case .escapes:
      troubles.escaping.add(Array(path))
      return
    case .tooLong:
      troubles.tooLong.add(Array(path.prefix(4096)))
      return
    case .node(let place, let isAbsolute):
      node = place
      if isAbsolute { troubles.absolute.add(table.path(of: node)) }
    }
    let isNew = node >= known
    let before = table.nodes[node].record.mark
    let isRepeated = table.claim(node)
    if isRepeated {
      table.reset(node)
      sidecars[node] = nil
      headers[node] = nil
      links[node] = nil
    }
    let link = archive_entry_hardlink(entry)
    if node != MemberTable.root {
      table.setKind(kind(of: entry, path: path, isLink: link != nil), of: node, isNew: isNew)
    }
    let hasSize = archive_entry_size_is_set(entry) != 0
    table.update(node) { $0.size = hasSize ? archive_entry_size(entry) : -1 }
    readAttributes(of: entry, node: node)
    if let link {
      let target = ArchiveFile.bytes(of: link)
      headerBytes += target.count
      links[node] = Array(target)
    }
    let after = table.nodes[node].record
    if isRepeated, after.kind != .directory || before != after.mark {
      table.remark("The archive holds this path more than once; the last one counts.", on: node)
    }
    if let warning { takeWarning(warning, node: node) }
    if archive_entry_is_data_encrypted(entry) != 0 { troubles.encrypted.add(Array(path)) }
    if after.kind == .file, link == nil || after.size > 0 {
      readBody(of: node, path: path, hasSize: hasSize)
    }
  }

  /// What libarchive warns of: names that are not UTF-8 are bytes like others here; whatever else
  /// it passed over may have been the mark.
  private func takeWarning(_ warning: String, node: Int) {
    if warning.contains("can't be converted") || warning.contains("cannot be converted") { return }
    let problem = InputProblem(
      path: table.path(of: node), operation: "read-archive", error: "warning",
      message: "Its header is damaged (libarchive says: \(warning)), so that the mark may be lost.")
    table.doubt(node, problem)
    troubles.damaged.add(problem.path, text: warning)
  }

  private func kind(
    of entry: OpaquePointer, path: UnsafeBufferPointer<UInt8>, isLink: Bool
  ) -> EntryKind {
    switch UInt32(archive_entry_filetype(entry)) {
    case 0o100000: return .file
    case 0o040000: return .directory
    case 0o120000: return .symlink
    case 0o010000: return .fifo
    case 0o140000: return .socket
    case 0o020000, 0o060000: return .device
    default: return !isLink && path.last == 0x2F ? .directory : .file
    }
  }

  private func readAttributes(of entry: OpaquePointer, node: Int) {
    guard archive_entry_xattr_reset(entry) > 0 else { return }
    var summary = AttributeSummary()
    var name: UnsafePointer<CChar>?
    var value: UnsafeRawPointer?
    var size = 0
    while archive_entry_xattr_next(entry, &name, &value, &size) == ARCHIVE_OK {
      guard let name else { continue }
      let key = ArchiveFile.bytes(of: name)
      let bytes = UnsafeRawBufferPointer(start: value, count: value == nil ? 0 : size)
      headerBytes += key.count + bytes.count
      carrier.sawAttributes = true
      summary.add(name: key, value: bytes.bindMemory(to: UInt8.self), rule: .archive)
    }
    table.merge(summary, into: node)
  }

  // MARK: - Bodies

  private func readBody(of node: Int, path: UnsafeBufferPointer<UInt8>, hasSize: Bool) {
    let record = table.nodes[node].record
    let parent = Int(table.nodes[node].parent)
    enum Wanted { case sidecar, sevenZip, list(ContainerMetadataFile.Place), header }
    let wanted: Wanted? = table.withName(of: node) { name in
      if SidecarName.isAppleDouble(name) { return .sidecar }
      if SevenZipSideFile.owner(of: name) != nil { return .sevenZip }
      if let place = ContainerMetadataFile.place(of: name) { return .list(place) }
      return record.mark.state == .marked || MemberBodies.isDatabase(name)
        || isMarkedBySidecar(name, in: parent)
        ? .header : nil
    }
    switch wanted {
    case .sidecar: readSidecar(node, isSevenZip: false)
    case .sevenZip: readSidecar(node, isSevenZip: true)
    case .list(let place):
      if let bytes = bodies.prefix(ContainerMetadataFile.sizeLimit + 1),
        let found = ContainerMetadataFile.decode(Array(bytes))
      {
        switch place {
        case .directory: metadata[parent] = found
        case .appDataBeside: appData[parent] = found
        }
      }
    case .header:
      if let bytes = bodies.prefix(100), bytes.count >= 16 {
        headers[node] = Array(bytes)
        headerBytes += 100
      }
    case nil:
      if carrier.isZip { readCellebrite(path, node: node) }
    }
    if !hasSize { measure(node) }
  }

  /// Whether a sidecar that came before the file marks it.
  private func isMarkedBySidecar(_ name: UnsafeBufferPointer<UInt8>, in parent: Int) -> Bool {
    guard !sidecars.isEmpty else { return false }
    let sidecar = withUnsafeTemporaryAllocation(of: UInt8.self, capacity: name.count + 2) { full in
      full[0] = 0x2E
      full[1] = 0x5F
      for index in name.indices { full[index + 2] = name[index] }
      return table.find(UnsafeBufferPointer(full), in: parent)
    }
    guard let sidecar, case .attributes(let summary) = sidecars[sidecar] else { return false }
    return summary.mark.state == .marked
  }

  private func readSidecar(_ node: Int, isSevenZip: Bool) {
    let size = table.nodes[node].record.size
    guard let bytes = bodies.prefix(AppleDouble.headerLimit) else {
      let path = table.path(of: node)
      sidecars[node] = .unreadable(
        InputProblem(
          path: path, operation: "read-archive", error: "unreadable",
          message: "The sidecar cannot be read (libarchive says: \(stream.complaint)), "
            + "so that its owner's mark is unknown."))
      troubles.damaged.add(path, text: stream.complaint)
      return
    }
    headerBytes += bytes.count
    let content =
      isSevenZip
      ? SidecarContent.sevenZipMark(bytes)
      : .appleDouble(bytes, size: size >= 0 ? Int(size) : nil)
    if case .ordinary = content { return }
    sidecars[node] = content
    if !isSevenZip { carrier.sawAppleDouble = true }
  }

  /// The size of a body whose header does not tell it, as in a zip from a pipe.
  private func measure(_ node: Int) {
    var block: UnsafeRawPointer?
    var count = 0
    var offset: Int64 = 0
    var size: Int64 = 0
    while archive_read_data_block(stream.archive, &block, &count, &offset) == ARCHIVE_OK {
      size = max(size, offset + Int64(count))
    }
    table.update(node) { $0.size = size }
  }

  private func readCellebrite(_ path: UnsafeBufferPointer<UInt8>, node: Int) {
    if path.elementsEqual("version".utf8) {
      if let bytes = bodies.prefix(64), bytes.starts(with: "CLBX-".utf8) {
        carrier.saysCellebrite = true
        table.hide(node)
      }
      return
    }
    guard let suffix = CellebriteMetadata.suffix(of: path) else {
      if CellebriteMetadata.isCompanion(path), carrier.saysCellebrite { table.hide(node) }
      return
    }
    let archive = stream.archive
    var reader = MessagePackReader { buffer in
      let count = archive_read_data(archive, buffer.baseAddress, buffer.count)
      return count < 0 ? nil : count
    }
    let base = Array("filesystem".utf8) + suffix + [0x2F]
    do {
      try CellebriteMetadata.forEachEntry(&reader) { entry in
        addCellebrite(entry, below: base)
        return table.nodes.count <= limits.entries
          && headerBytes + table.nameBytes <= limits.headerBytes
      }
    } catch {
      // Only an app's own file of that name, unless there are attributes in it.
      guard carrier.hasCellebrite || carrier.saysCellebrite else { return }
      troubles.add(
        InputProblem(
          path: Array(path), operation: "read-archive", error: "\(error)",
          message: "Cellebrite's list of attributes cannot be read to its end, so that marks may "
            + "be missing. Make or copy the extraction again."))
    }
    if carrier.hasCellebrite { table.hide(node) }
  }

  private func addCellebrite(_ entry: CellebriteMetadata.Entry, below base: [UInt8]) {
    guard let attributes = entry.attributes else { return }
    carrier.hasCellebrite = true
    let path = base + entry.path
    headerBytes += 64
    let known = table.nodes.count
    switch path.withUnsafeBufferPointer({ table.insert($0) }) {
    case .escapes: troubles.escaping.add(path)
    case .tooLong: troubles.tooLong.add(Array(path.prefix(4096)))
    case .node(let node, _):
      if node != MemberTable.root, let mode = entry.mode, !table.nodes[node].isMember {
        let kind: EntryKind =
          switch mode & 0o170000 {
          case 0o040000: .directory
          case 0o120000: .symlink
          case 0o010000: .fifo
          case 0o140000: .socket
          case 0o020000, 0o060000: .device
          default: .file
          }
        table.setKind(kind, of: node, isNew: node >= known)
      }
      table.update(node) { record in
        record.size = entry.size ?? record.size
        record.inode = entry.inode
        record.links = record.kind == .directory ? 0 : entry.links
      }
      table.merge(attributes, into: node)
    }
  }

  // MARK: - After the pass

  /// `D/._.` speaks of `D`, whose record lies in its parent.
  private func foldIntoParents() {
    for (node, content) in sidecars
    where table.withName(of: node, { $0.elementsEqual([0x2E, 0x5F, 0x2E]) }) {
      if case .attributes(let summary) = content {
        table.merge(summary, into: Int(table.nodes[node].parent), isWhole: true)
      }
    }
  }
}
