import AuditCore

/// The sidecars of an archive by their nodes.
///
/// An archive by macOS holds one for nearly every file, and nearly all say the same: there are
/// attributes, and the mark is none of them. Of those only one bit is kept.
struct SidecarTable: Sendable {
  private var plain: ContiguousArray<UInt64> = []
  /// Whatever says more than that.
  private(set) var special: [Int: SidecarContent] = [:]
  /// Whether there was ever one.
  private(set) var isEmpty = true

  private static let plainContent: SidecarContent = {
    var summary = AttributeSummary()
    summary.flags = .foreign
    return .attributes(summary)
  }()

  /// What the sidecar at a node says, if there is one.
  subscript(node: Int) -> SidecarContent? {
    let word = node >> 6
    if word < plain.count, plain[word] & 1 << UInt64(node & 63) != 0 { return Self.plainContent }
    return special.isEmpty ? nil : special[node]
  }

  /// Keeps what the sidecar at a node says.
  ///
  /// - Parameter isOwn: whether it is `._.`, which is looked for among the special ones.
  mutating func set(_ node: Int, _ content: SidecarContent, isOwn: Bool) {
    isEmpty = false
    guard !isOwn, case .attributes(let summary) = content, summary.isPlain else {
      special[node] = content
      return
    }
    let word = node >> 6
    while plain.count <= word { plain.append(0) }
    plain[word] |= 1 << UInt64(node & 63)
  }

  /// Forgets the sidecar at a node.
  mutating func remove(_ node: Int) {
    let word = node >> 6
    if word < plain.count { plain[word] &= ~(1 << UInt64(node & 63)) }
    if !special.isEmpty { special[node] = nil }
  }
}

extension AttributeSummary {
  /// Whether it says only that there are attributes.
  fileprivate var isPlain: Bool {
    mark.state == .absent && flags == .foreign && nearMisses.isEmpty && remark == nil
  }
}
