import AuditCore

/// Resolves hard links: all names of an inode have its attributes.
///
/// GNU tar writes the attributes at the first name only, and a link's member has neither size nor
/// attributes of its own.
enum HardLinks {
  /// Gives every name of an inode the same mark, size, number and count of names.
  ///
  /// - Parameter links: The targets of the links, by the link's node.
  static func resolve(
    _ links: [Int: [UInt8]], in table: inout MemberTable, sidecars: SidecarTable
  ) {
    guard !links.isEmpty else { return }
    let links = links.sorted { $0.key < $1.key }.map { (node: $0.key, target: $0.value) }
    var targets: [Int: Int] = [:]
    for link in links {
      let found = link.target.withUnsafeBufferPointer { table.find(path: $0) }
      guard let found, found != link.node, table.nodes[found].isMember,
        table.nodes[found].record.kind != .directory
      else {
        doubt(link.node, link.target, in: &table)
        continue
      }
      targets[link.node] = found
    }
    var groups: [Int: [Int]] = [:]
    let ends = ends(of: targets)
    for link in links where targets[link.node] != nil {
      guard let first = ends[link.node] else {
        doubt(link.node, link.target, in: &table)
        continue
      }
      groups[first, default: []].append(link.node)
    }
    for (first, others) in groups {
      for node in [first] + others { foldSidecar(of: node, in: &table, sidecars: sidecars) }
      for node in others {
        var summary = AttributeSummary()
        let record = table.nodes[node].record
        summary.mark = record.mark
        summary.flags = record.attributes
        if record.detail >= 0 {
          summary.nearMisses = table.details[Int(record.detail)].nearMisses
        }
        table.merge(summary, into: first)
      }
      table.update(first) { record in
        record.inode = UInt64(first) + 1
        record.links = UInt32(clamping: others.count + 1)
      }
      let shared = table.nodes[first].record
      for node in others {
        table.update(node) { record in
          record.mark = shared.mark
          record.attributes = shared.attributes
          record.size = max(record.size, shared.size)
          record.inode = shared.inode
          record.links = shared.links
          record.kind = shared.kind
          record.detail = shared.detail
        }
      }
    }
  }

  /// The member at the end of each link's chain; none for a chain without end.
  ///
  /// Every link is walked once, however long the chains are that an archive makes of them.
  private static func ends(of targets: [Int: Int]) -> [Int: Int] {
    var ends: [Int: Int] = [:]
    var walked: Set<Int> = []
    for start in targets.keys {
      var chain: [Int] = []
      var at = start
      while let next = targets[at], walked.insert(at).inserted {
        chain.append(at)
        at = next
      }
      let end = targets[at] == nil ? at : ends[at]
      for node in chain { ends[node] = end }
    }
    return ends
  }

  /// A sidecar speaks of one name, but means the inode.
  private static func foldSidecar(
    of node: Int, in table: inout MemberTable, sidecars: SidecarTable
  ) {
    guard !sidecars.isEmpty else { return }
    let name = table.withName(of: node) { [0x2E, 0x5F] + Array($0) }
    let sidecar = name.withUnsafeBufferPointer {
      table.find($0, in: Int(table.nodes[node].parent))
    }
    guard let sidecar, case .attributes(let summary) = sidecars[sidecar] else { return }
    table.merge(summary, into: node, isWhole: true)
  }

  private static func doubt(_ node: Int, _ target: [UInt8], in table: inout MemberTable) {
    let problem = InputProblem(
      path: table.path(of: node), operation: "read-archive", error: "hard-link",
      message:
        "It is another name of “\(target)”, which is no file "
        + "in the archive, so that its mark is unknown.")
    table.doubt(node, problem)
  }
}
