import AuditCore

extension ArchiveReading {
  /// Reads a zip's index before the members: their exact names and who made it.
  func readZipNames() {
    guard stream.isRandomAccess else {
      carrier.lacksIndex = true
      return
    }
    readIndex { member in
      let content = GrayKeyBlock.parse(member.extra)
      // Version 2.1 on Unix together with that block is the signature of Apple's archiver.
      if content.isApples, member.madeBy == 0x0315 { carrier.isApplesZip = true }
      if content.attributes != nil || content.isDamaged { hasGrayKeyBlocks = true }
      zipNames.add(member)
      return zipNames.count <= limits.entries
    }
  }

  /// Takes the attributes in GrayKey's blocks, which libarchive does not show.
  func readGrayKeyBlocks() {
    guard hasGrayKeyBlocks else { return }
    var inodes: [(inode: UInt64, node: Int)] = []
    readIndex { member in
      let content = GrayKeyBlock.parse(member.extra)
      guard content.attributes != nil || content.isDamaged else { return true }
      guard let node = table.find(path: member.name) else {
        troubles.unmatched.add(Array(member.name))
        return true
      }
      if let attributes = content.attributes {
        carrier.hasGrayKey = true
        table.merge(attributes, into: node)
      } else {
        table.doubt(
          node,
          InputProblem(
            path: table.path(of: node), operation: "read-archive", error: "damaged",
            message: "GrayKey's block of attributes is damaged, so that the mark is unknown."))
      }
      if content.inode != 0, table.nodes[node].record.kind != .directory {
        let inode = content.inode ^ content.device << 40
        table.update(node) { $0.inode = inode }
        inodes.append((inode, node))
      }
      return true
    }
    countNames(&inodes)
  }

  private func readIndex(_ body: (ZipIndex.Member) -> Bool) {
    do throws(ZipIndex.Failure) {
      try ZipIndex.forEachMember(size: stream.length, read: stream.read, body)
    } catch {
      let message =
        switch error {
        case .noEnd: "The zip's index is missing: it was cut off. Make or copy it again."
        case .split: "It is one part of a split zip. Join the parts first: zip -s 0."
        case .damaged: "The zip's index is damaged, so that attributes may be missing."
        case .unreadable: "The zip's index cannot be read, so that attributes may be missing."
        }
      troubles.add(
        InputProblem(path: [], operation: "read-archive", error: "\(error)", message: message))
    }
  }

  /// Counts the names of each inode.
  private func countNames(_ inodes: inout [(inode: UInt64, node: Int)]) {
    inodes.sort { ($0.inode, $0.node) < ($1.inode, $1.node) }
    var start = 0
    while start < inodes.count {
      var end = start + 1
      while end < inodes.count, inodes[end].inode == inodes[start].inode { end += 1 }
      for index in start..<end {
        table.update(inodes[index].node) { $0.links = UInt32(clamping: end - start) }
      }
      start = end
    }
  }
}
