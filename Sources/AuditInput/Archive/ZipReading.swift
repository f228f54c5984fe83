import AuditCore

extension ArchiveReading {
  /// Reads a zip's index before the members: their exact names and who made it.
  func readZipNames() {
    guard stream.isRandomAccess else {
      carrier.lacksIndex = true
      troubles.add(
        InputProblem(
          path: [], operation: "read-archive", error: "no-index",
          message: "A zip is what the index at its end says, which a pipe or a compression around "
            + "the zip does not give before the members. Pass the zip itself as a file."))
      return
    }
    var locals = ZipLocalHeaders(read: stream.read)
    readIndex { member in
      if let why = locals.disagreement(with: member) {
        troubles.disagreeing.add(Array(member.name), text: why)
      }
      let content = GrayKeyBlock.parse(member.extra)
      // Version 2.1 on Unix together with that block is the signature of Apple's archiver.
      if content.isApples, member.madeBy == 0x0315 { carrier.isApplesZip = true }
      if content.attributes != nil || content.isDamaged { hasGrayKeyBlocks = true }
      zipNames.add(member)
      return zipNames.count <= limits.entries
    }
  }

  /// Holds the members that were delivered against the index: each of them is there, once.
  func compareWithIndex() {
    guard zipNames.count > 0, zipNames.count <= limits.entries else { return }
    // Those were left out, and told.
    guard troubles.allNamesAreKept else { return }
    readIndex { member in
      if let node = table.find(path: member.name) {
        if node != MemberTable.root, !table.nodes[node].isMember {
          troubles.unmatched.add(Array(member.name))
        }
      } else {
        troubles.unmatched.add(Array(member.name))
      }
      return true
    }
  }

  /// Takes the attributes in GrayKey's blocks, which libarchive does not show.
  func readGrayKeyBlocks() {
    guard hasGrayKeyBlocks else { return }
    var inodes: [(inode: UInt64, node: Int)] = []
    var seen: Set<Int> = []
    readIndex { member in
      let content = GrayKeyBlock.parse(member.extra)
      guard content.attributes != nil || content.isDamaged else { return true }
      guard let node = table.find(path: member.name) else {
        troubles.unmatched.add(Array(member.name))
        return true
      }
      if let attributes = content.attributes {
        carrier.hasGrayKey = true
        let before = table.nodes[node].record.mark
        if !seen.insert(node).inserted, before.state != attributes.mark.state {
          troubles.repeated.add(table.path(of: node))
        }
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
      let message: SafeText =
        switch error {
        case .noEnd: "The zip's index is missing: it was cut off. Make or copy it again."
        case .split: "It is one part of a split zip. Join the parts first: zip -s 0."
        case .damaged: "The zip's index is damaged, so that attributes may be missing."
        case .miscounted:
          "The zip's end record states another number of members than its index has. "
            + "Make or copy it again."
        case .misplaced:
          "The zip's end record does not fit: the index lies elsewhere, or something follows the "
            + "archive or was put before it. Make or copy it again."
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
