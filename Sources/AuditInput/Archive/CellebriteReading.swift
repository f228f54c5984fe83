import AuditCore
import CArchive

extension ArchiveReading {
  /// Reads a member that may be one of the form's own.
  func readCellebrite(_ path: UnsafeBufferPointer<UInt8>, node: Int) {
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
}
