import AuditCore

/// What one carrier says of one entry's attributes.
public struct AttributeSummary: Sendable {
  /// The mark, as this carrier shows it.
  public var mark: OwnMark = .absent
  /// What else was seen.
  public var flags: AttributeFlags = []
  /// Names that come close to the mark's.
  public var nearMisses: [NearMiss] = []
  /// A remark about the attributes, such as two values of the mark.
  public var remark: String?

  /// Makes a summary of no attributes.
  public init() {}

  /// Whether there is nothing to tell.
  public var isEmpty: Bool {
    mark.state == .absent && flags.isEmpty && nearMisses.isEmpty && remark == nil
  }

  /// Takes an attribute into account.
  ///
  /// A carrier may hold one name twice, as a pax archive does. A mark in either is a mark.
  public mutating func add(
    name: UnsafeBufferPointer<UInt8>, value: UnsafeBufferPointer<UInt8>, rule: NamingRule
  ) {
    let (meaning, trailingNul) = AttributeName.meaning(of: name, rule: rule)
    switch meaning {
    case .mark:
      let found = AttributeName.mark(value: value, trailingNul: trailingNul)
      if mark.state != .absent, mark != found {
        remark = "The mark is there twice, with different values."
      }
      if mark.state != .marked { mark = found }
    case .nearMiss(let kind):
      flags.insert(.nearMiss)
      let miss = NearMiss(kind: kind, name: Array(name), bytes: value.count)
      if !nearMisses.contains(miss) { nearMisses.append(miss) }
      // A sibling or legacy name is Apple's own; a misspelt one may be anybody's.
      if kind != .misnamed { flags.insert(.foreign) }
    case .metadata, .foreign: flags.insert(.foreign)
    case .none: break
    }
    if meaning == .mark { flags.insert(.foreign) }
  }
}

extension AttributeSummary {
  /// Adds what this carrier says to what is known of an entry already.
  ///
  /// Marked by either is marked; two that disagree are told in the detail's remark.
  ///
  /// - Parameter isWhole: Whether this carrier holds all attributes of the entry, so that it
  ///   disagrees with another one also by holding no mark.
  public func merge(
    into mark: inout OwnMark, flags: inout AttributeFlags, detail: inout EntryDetail?,
    isWhole: Bool = false
  ) {
    var remark = self.remark
    if isWhole, flags.contains(.foreign), self.flags.contains(.foreign),
      (mark.state == .absent && self.mark.state == .marked)
        || (mark.state == .marked && self.mark.state == .absent)
    {
      remark = remark ?? "One carrier of the attributes holds the mark, another does not."
    }
    flags.formUnion(self.flags)
    if self.mark.state != .absent {
      if mark.state == .marked || mark.state == .empty, mark != self.mark {
        remark = remark ?? "Two carriers hold the mark with different values."
      }
      if mark.state != .marked { mark = self.mark }
    }
    guard !nearMisses.isEmpty || remark != nil else { return }
    var changed = detail ?? EntryDetail()
    for miss in nearMisses where !changed.nearMisses.contains(miss) {
      changed.nearMisses.append(miss)
    }
    if let remark, changed.remark == nil { changed.remark = remark }
    detail = changed
  }
}
