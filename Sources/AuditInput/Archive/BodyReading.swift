import AuditCore
import CArchive

extension ArchiveReading {
  /// Reads what matters of the current member's body.
  func readBody(of node: Int, path: UnsafeBufferPointer<UInt8>, hasSize: Bool) {
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
      // The file shows a container even where it cannot be read.
      var found = ContainerMetadata()
      if let bytes = bodies.prefix(ContainerMetadataFile.sizeLimit + 1) {
        let (metadata, why) = ContainerMetadataFile.read(Array(bytes), place)
        found = metadata
        if let why { troubles.add(ErrorText.malformed(table.path(of: node), why)) }
      } else {
        troubles.damaged.add(table.path(of: node), text: stream.complaint)
      }
      found.isMac = table.withName(of: node) { Bytes.equal($0, ContainerDetector.macMetadataName) }
      switch place {
      case .directory: metadata[parent] = found
      case .appDataBeside: appData[parent] = found
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
    guard !sidecars.special.isEmpty else { return false }
    let sidecar = withUnsafeTemporaryAllocation(of: UInt8.self, capacity: name.count + 2) { full in
      full[0] = 0x2E
      full[1] = 0x5F
      for index in name.indices { full[index + 2] = name[index] }
      return table.find(UnsafeBufferPointer(full), in: parent)
    }
    guard let sidecar, case .attributes(let summary) = sidecars.special[sidecar]
    else { return false }
    return summary.mark.state == .marked
  }

  private func readSidecar(_ node: Int, isSevenZip: Bool) {
    let size = table.nodes[node].record.size
    guard let bytes = bodies.prefix(AppleDouble.headerLimit) else {
      let path = table.path(of: node)
      let problem = InputProblem(
        path: path, operation: "read-archive", error: "unreadable",
        message: "The sidecar cannot be read (libarchive says: \(stream.complaint)), "
          + "so that its owner's mark is unknown.")
      sidecars.set(node, .unreadable(problem), isOwn: false)
      troubles.damaged.add(path, text: stream.complaint)
      return
    }
    headerBytes += bytes.count
    let content =
      isSevenZip
      ? SidecarContent.sevenZipMark(bytes)
      : .appleDouble(bytes, size: size >= 0 ? Int(size) : nil)
    if case .ordinary = content { return }
    let isOwn = table.withName(of: node) { $0.count == 3 && $0[2] == 0x2E }
    sidecars.set(node, content, isOwn: isOwn)
    if !isSevenZip { carrier.sawAppleDouble = true }
  }

  /// The size of a body whose header does not tell it, as in a zip from a pipe.
  private func measure(_ node: Int) {
    var block: UnsafeRawPointer?
    var count = 0
    var offset: Int64 = 0
    var size: Int64 = 0
    while archive_read_data_block(stream.archive, &block, &count, &offset) == ARCHIVE_OK {
      let (end, overflow) = offset.addingReportingOverflow(Int64(count))
      size = max(size, overflow ? Int64.max : end)
    }
    table.update(node) { $0.size = size }
  }
}
