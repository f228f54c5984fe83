extension Policy {
  /// Reads a policy.
  ///
  /// - Parameters:
  ///   - text: the file's bytes: JSON5 in UTF-8.
  ///   - name: the file's name for messages.
  /// - Throws: the first thing that is wrong, with its line and column.
  public init(parsing text: [UInt8], name: String) throws(PolicyError) {
    do {
      let reader = PolicyReader(lines: JSON5.Lines(text))
      self = try reader.policy(JSON5.read(text), name: name)
    } catch {
      throw PolicyError(file: name, error, in: text)
    }
  }
}

/// Turns the tree of a JSON5 text into a policy; whatever it does not know is an error.
private struct PolicyReader {
  typealias Failure = JSON5.Failure
  let lines: JSON5.Lines

  private static let members = [
    "version", "unlisted", "localOnly", "backedUp", "exceptions", "severities", "$schema",
  ]

  func policy(_ root: JSON5.Node, name: String) throws(Failure) -> Policy {
    var policy = Policy(name: name)
    let members = try root.members("a policy", knowing: Self.members)
    guard let version = members["version"] else {
      throw Failure(offset: root.offset, message: "a policy needs version: 1")
    }
    guard case .number(1) = version.value else {
      throw Failure(offset: version.offset, message: "only version 1 of the policy is known")
    }
    if let node = members["unlisted"] { policy.unlisted = try severity(node) }
    for node in try members["localOnly"]?.elements("localOnly") ?? [] {
      policy.localOnly.append(try entry(node, isLocalOnly: true))
    }
    let localOnly = Dictionary(
      policy.localOnly.map { ($0.pattern, $0.line) }, uniquingKeysWith: { first, _ in first })
    for node in try members["backedUp"]?.elements("backedUp") ?? [] {
      let entry = try entry(node, isLocalOnly: false)
      if let other = localOnly[entry.pattern] {
        throw Failure(
          offset: node.offset,
          message: "localOnly says the opposite of the same path in line \(other)")
      }
      policy.backedUp.append(entry)
    }
    for node in try members["exceptions"]?.elements("exceptions") ?? [] {
      policy.exceptions.append(try exception(node))
    }
    if let node = members["severities"] { policy.severities = try severities(node) }
    if policy.unlisted != nil, policy.severities[.exposedFile] != nil,
      let node = members["severities"]
    {
      throw Failure(
        offset: node.offset, message: "unlisted gives the severity of exposed-file already")
    }
    return policy
  }

  // MARK: Entries

  private func entry(_ node: JSON5.Node, isLocalOnly: Bool) throws(Failure) -> PolicyEntry {
    let list = isLocalOnly ? "localOnly" : "backedUp"
    let known = ["path", "container", "reason", "source"] + (isLocalOnly ? ["require"] : [])
    let members = try node.members("an entry of \(list)", knowing: known)
    var entry = PolicyEntry(
      pattern: try pattern(members, of: node), reason: try reason(members, of: node),
      source: try members["source"]?.text("source"), line: line(of: node))
    if let node = members["require"] {
      entry.require = try choice(node, "require", among: PolicyEntry.Requirement.allCases) {
        $0.rawValue
      }
    }
    return entry
  }

  private func exception(_ node: JSON5.Node) throws(Failure) -> PolicyException {
    let members = try node.members(
      "an exception", knowing: ["rule", "path", "container", "reason", "expires", "source"])
    guard let name = members["rule"] else {
      throw Failure(offset: node.offset, message: "an exception needs a rule")
    }
    let rule = try choice(name, "rule", among: RuleID.allCases) { $0.word }
    if rule == .attributesUnproven {
      throw Failure(
        offset: name.offset,
        message: "\(rule.word) cannot be excepted: no exception makes a dump prove anything; pass "
          + "--assume-attributes-kept if it is known that the attributes were kept")
    }
    if rule.speaksOfConfiguration {
      throw Failure(
        offset: name.offset,
        message: "\(rule.word) speaks of the policy or baseline and cannot be excepted")
    }
    return PolicyException(
      rule: rule, pattern: try pattern(members, of: node), reason: try reason(members, of: node),
      expires: try members["expires"].map(date), source: try members["source"]?.text("source"),
      line: line(of: node))
  }

  private func pattern(_ members: [String: JSON5.Node], of entry: JSON5.Node) throws(Failure)
    -> PolicyPattern
  {
    guard let node = members["path"] else {
      throw Failure(offset: entry.offset, message: "an entry needs a path")
    }
    let path = try node.string("path")
    if let complaint = Glob.complaint(about: path) {
      throw Failure(offset: node.offset, message: complaint)
    }
    let container = try members["container"]?.text("container")
    return PolicyPattern(path: path, container: container.map { Array($0.utf8) })
  }

  private func reason(_ members: [String: JSON5.Node], of entry: JSON5.Node) throws(Failure)
    -> String
  {
    guard let node = members["reason"] else {
      throw Failure(offset: entry.offset, message: "an entry needs a reason")
    }
    return try node.text("reason")
  }

  private func date(_ node: JSON5.Node) throws(Failure) -> PolicyDate {
    let bytes = try node.string("expires")
    guard let date = PolicyDate(text: bytes) else {
      throw Failure(
        offset: node.offset,
        message: "\(FindingText.quoted(bytes)) is no day; write it like \"2027-06-30\"")
    }
    return date
  }

  // MARK: Severities

  private func severities(_ node: JSON5.Node) throws(Failure) -> [RuleID: Severity] {
    let members = try node.members("severities", knowing: RuleID.allCases.map(\.word))
    var result: [RuleID: Severity] = [:]
    for (name, node) in members {
      if let rule = RuleID(word: name) { result[rule] = try severity(node) }
    }
    return result
  }

  private func severity(_ node: JSON5.Node) throws(Failure) -> Severity {
    try choice(node, "a severity", among: Severity.allCases.reversed()) { $0.word }
  }

  private func choice<Value>(
    _ node: JSON5.Node, _ what: String, among values: [Value], word: (Value) -> String
  ) throws(Failure) -> Value {
    let given = String(decoding: try node.string(what), as: UTF8.self)
    if let value = values.first(where: { word($0) == given }) { return value }
    let words = values.map(word)
    let shown = Shown.text(given.utf8)
    if let nearest = Nearest.match(given, among: words) {
      throw Failure(
        offset: node.offset, message: "\(what) \"\(shown)\" is not known; did you mean \(nearest)?")
    }
    throw Failure(
      offset: node.offset,
      message: words.count > 5
        ? "\(what) \"\(shown)\" is not known; audit rules lists them"
        : "\(what) \"\(shown)\" is not known; it is one of \(words.joined(separator: ", "))")
  }

  private func line(of node: JSON5.Node) -> Int { lines.line(of: node.offset) }
}

extension RuleID {
  /// Whether the rule speaks of the policy or the baseline, not of what was audited.
  var speaksOfConfiguration: Bool {
    switch self {
    case .expiredException, .unusedException, .unmatchedEntry, .staleBaseline: true
    default: false
    }
  }
}

extension JSON5.Node {
  /// The members of an object, all of them known.
  func members(_ what: String, knowing known: [String]) throws(JSON5.Failure) -> [String:
    JSON5.Node]
  {
    guard case .object(let members) = value else {
      throw JSON5.Failure(offset: offset, message: "\(what) is an object, not \(value.word)")
    }
    var result: [String: JSON5.Node] = [:]
    for member in members {
      guard known.contains(member.name) else {
        let shown = Shown.text(member.name.utf8)
        let hint = Nearest.match(member.name, among: known)
        throw JSON5.Failure(
          offset: member.offset,
          message: "\(what) has no member \(shown)"
            + (hint.map { "; did you mean \($0)?" } ?? ""))
      }
      result[member.name] = member.node
    }
    return result
  }

  /// The elements of an array.
  func elements(_ what: String) throws(JSON5.Failure) -> [JSON5.Node] {
    guard case .array(let nodes) = value else {
      throw JSON5.Failure(offset: offset, message: "\(what) is an array, not \(value.word)")
    }
    return nodes
  }

  /// The bytes of a string.
  func string(_ what: String) throws(JSON5.Failure) -> [UInt8] {
    guard case .string(let bytes) = value else {
      throw JSON5.Failure(offset: offset, message: "\(what) is a string, not \(value.word)")
    }
    return bytes
  }

  /// A text that says something.
  func text(_ what: String) throws(JSON5.Failure) -> String {
    let text = String(decoding: try string(what), as: UTF8.self)
    guard text.contains(where: { !$0.isWhitespace }) else {
      throw JSON5.Failure(offset: offset, message: "\(what) is empty")
    }
    return text
  }
}
