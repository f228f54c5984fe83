import AuditCore
import CArchive

/// One pass over an archive's members.
final class ArchiveReading {
  let limits: ArchiveLimits
  let stream: ArchiveStream
  var table: MemberTable
  var carrier = CarrierEvidence()
  var troubles = ArchiveTroubles()
  var sidecars = SidecarTable()
  var zipNames = ZipNames()
  var hasGrayKeyBlocks = false
  let bodies: MemberBodies
  var headers: [Int: [UInt8]] = [:]
  var metadata: [Int: ContainerMetadata] = [:]
  var appData: [Int: ContainerMetadata] = [:]
  /// The targets of hard links, by the node of the link.
  private var links: [Int: [UInt8]] = [:]
  private var members = 0
  private var hasReadZipNames = false
  var headerBytes = 0

  init(_ file: consuming ArchiveFile, limits: ArchiveLimits) {
    self.limits = limits
    stream = ArchiveStream(file, limits: limits)
    bodies = MemberBodies(archive: stream.archive)
    table = MemberTable(depthLimit: limits.depth)
  }

  /// Reads everything.
  func contents() -> ArchiveContents {
    let names = NameCharacterSet(isUTF8: stream.hasTextNames)
    readMembers()
    _ = consume names
    // What follows reads nothing more, and takes its time with millions of members.
    Confinement.madeProgress()
    readGrayKeyBlocks()
    Confinement.madeProgress()
    let isComplete = carrier.hasGrayKey || carrier.hasCellebrite
    let isNative =
      isComplete || table.nodes.contains { $0.record.attributes.contains(.foreign) }
    // What the archive states itself, sidecars must not change.
    HardLinks.resolve(links, in: &table, sidecars: isNative ? SidecarTable() : sidecars)
    Confinement.madeProgress()
    if !isNative { foldIntoParents() }
    for (node, found) in appData { describe("AppData", in: node, by: found) }
    for (node, found) in metadata where ContainerMetadataFile.isBesideData(found) {
      if describe("Data", in: node, by: found) { metadata[node] = nil }
    }
    for node in table.turnedDirectory { troubles.fileAndDirectory.add(table.path(of: node)) }
    if !sidecars.isEmpty { carrier.sawAppleDouble = true }
    lookForSevenZip()
    Confinement.madeProgress()
    carrier.sawForeign =
      carrier.sawForeign || table.nodes.contains { $0.record.attributes.contains(.foreign) }
    return ArchiveContents(
      format: carrier.format, layers: [carrier.layer], problems: troubles.problems,
      members: members, table: table, sidecars: sidecars, headers: headers, metadata: metadata,
      native: (isNative, isComplete))
  }

  // MARK: - The pass

  private func readMembers() {
    if let reached = stream.reached {
      troubles.add(limits.problem(reached))
      return
    }
    if case .refused(let sentence) = stream.form {
      troubles.refused(sentence)
      return
    }
    guard let entry = archive_entry_new2(stream.archive) else { return }
    defer { archive_entry_free(entry) }
    var failures = 0
    while true {
      let status = stream.nextHeader(entry)
      carrier.see(format: archive_format(stream.archive))
      if status >= ARCHIVE_WARN, carrier.isTarNow, stream.startsUnusually,
        stream.paxHeaders.hasGlobalAttributes
      {
        troubles.globalAttributes.add([])
      }
      if members == 0, carrier.isZip, !hasReadZipNames {
        hasReadZipNames = true
        readZipNames()
      }
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
        // Zeros that fill no whole block are the filling behind a tar.
        if carrier.isTarNow, stream.failure == nil, stream.reached == nil, stream.endsBlank {
          finishStream()
        } else {
          stop()
        }
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
      troubles.stopped(stream.complaint, members: members)
    }
  }

  private func finishStream() {
    if carrier.isCpio { checkTrailer() }
    if carrier.isXar { checkHeap() }
    if stream.reached == nil, stream.failure == nil { stream.drain() }
    if let reached = stream.reached { troubles.add(limits.problem(reached)) }
    if stream.failure != nil, stream.reached == nil {
      stop()
    } else if carrier.isTar {
      // libarchive takes a tar that ends between two members for a whole one.
      let rest = stream.length - archive_read_header_position(stream.archive)
      if rest < 512 { troubles.add(.cutOff) }
    } else if members == 0, !carrier.isKnown {
      troubles.stopped("it is empty", members: 0)
    }
    if members < zipNames.count {
      troubles.missing(zipNames.count - members, of: zipNames.count)
    }
    if zipNames.count > 0, members > zipNames.count { troubles.add(.unlisted) }
    if carrier.isZip { compareWithIndex() }
    if archive_read_has_encrypted_entries(stream.archive) == 1 { troubles.encrypted.add([]) }
  }

  /// libarchive passes over what lies before a cpio's trailer and ends there, whatever follows.
  private func checkTrailer() {
    let start = stream.headerPrefix(256)
    let length = CpioTrailer.length(start)
    if length == nil || !stream.isBlank(behindHeader: length ?? 0) { troubles.add(.behindCpio) }
  }

  /// The heap of a xar holds what its table says, and the file ends with it.
  private func checkHeap() {
    guard stream.isRandomAccess else {
      troubles.add(.xarOnAPipe)
      return
    }
    let end = XarEnd.place(size: stream.length, read: stream.read)
    guard let end, end <= stream.length, stream.isBlank(from: end) else {
      troubles.add(.xarEnd)
      return
    }
  }

  private func take(_ entry: OpaquePointer, warning: String?) {
    members += 1
    let given = archive_entry_pathname(entry).map { ArchiveFile.bytes(of: $0) }
    if let exact = zipNames.name(given: given) {
      exact.withUnsafeBufferPointer { take(entry, path: $0, warning: warning) }
    } else if let given {
      take(entry, path: given, warning: warning)
    } else {
      troubles.nameless.add([])
    }
  }

  private func take(_ entry: OpaquePointer, path: UnsafeBufferPointer<UInt8>, warning: String?) {
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
      if isAbsolute, node != MemberTable.root { troubles.absolute.add(table.path(of: node)) }
    }
    let link = archive_entry_hardlink(entry)
    let kind = kind(of: entry, path: path, isLink: link != nil)
    guard node != MemberTable.root || kind == .directory else {
      // A file without a name must not speak for the root.
      troubles.nameless.add(Array(path))
      return
    }
    let isNew = node >= known
    let before = table.nodes[node].record.mark
    let isRepeated = table.claim(node)
    if isRepeated {
      table.reset(node)
      sidecars.remove(node)
      headers[node] = nil
      links[node] = nil
    }
    if node != MemberTable.root { table.setKind(kind, of: node, isNew: isNew) }
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
      if carrier.isZip { troubles.repeated.add(table.path(of: node)) }
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
    var warning = warning
    if warning.contains("can't be converted") || warning.contains("cannot be converted") {
      // It hides any warning that came before it.
      guard carrier.isTarNow, stream.paxHeaders.isMalformed else { return }
      warning = "malformed pax extended attribute"
    }
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

  // MARK: - After the pass

  /// Gives a subdirectory the metadata that lies beside it; whether there is one.
  @discardableResult
  private func describe(_ name: String, in node: Int, by found: ContainerMetadata) -> Bool {
    let name = Array(name.utf8)
    guard let beside = name.withUnsafeBufferPointer({ table.find($0, in: node) }),
      table.nodes[beside].record.kind == .directory
    else { return false }
    if metadata[beside] == nil { metadata[beside] = found }
    return true
  }

  /// Whether 7-Zip unpacked what was archived, and kept the attributes of directories.
  private func lookForSevenZip() {
    var owners: Set<EntryKind> = []
    for node in table.nodes.indices where table.nodes[node].record.kind == .file {
      let parent = Int(table.nodes[node].parent)
      let owner = table.withName(of: node) { name in
        guard name.contains(0x3A) else { return nil as Int? }
        let length = SevenZipSideFile.owner(of: name) ?? SevenZipSideFile.ownerOfOther(of: name)
        return length.flatMap {
          table.find(UnsafeBufferPointer(rebasing: name[..<$0]), in: parent)
        }
      }
      guard let owner else { continue }
      owners.insert(table.nodes[owner].record.kind == .directory ? .directory : .file)
    }
    if owners.isEmpty { return }
    carrier.sawForeign = true
    carrier.lostDirectories = !owners.contains(.directory)
  }

  /// `D/._.` speaks of `D`, whose record lies in its parent.
  private func foldIntoParents() {
    for (node, content) in sidecars.special
    where table.withName(of: node, { $0.elementsEqual([0x2E, 0x5F, 0x2E]) }) {
      if case .attributes(let summary) = content {
        table.merge(summary, into: Int(table.nodes[node].parent), isWhole: true)
      }
    }
  }
}
