extension Baseline {
  /// Reads a baseline.
  ///
  /// - Parameters:
  ///   - text: the file's bytes: JSON in UTF-8.
  ///   - name: the file's name for messages.
  /// - Throws: the first thing that is wrong, with its line and column.
  public init(parsing text: [UInt8], name: String) throws(BaselineError) {
    do {
      self.init(name: name, entries: try Self.entries(JSON5.read(text), text))
    } catch {
      throw BaselineError(file: name, error, in: text)
    }
  }

  private static func entries(_ root: JSON5.Node, _ text: [UInt8]) throws(JSON5.Failure)
    -> [BaselineEntry]
  {
    let members = try root.members("a baseline", knowing: ["version", "findings"])
    guard let version = members["version"], case .number(1) = version.value else {
      throw JSON5.Failure(
        offset: members["version"]?.offset ?? root.offset,
        message: "a baseline needs \"version\": 1; write it with --write-baseline")
    }
    guard let findings = members["findings"] else {
      throw JSON5.Failure(offset: root.offset, message: "a baseline needs \"findings\"")
    }
    var result: [BaselineEntry] = []
    let lines = JSON5.Lines(text)
    for node in try findings.elements("findings") {
      var entry = try entry(node)
      entry.line = lines.line(of: node.offset)
      result.append(entry)
    }
    return result
  }

  private static func entry(_ node: JSON5.Node) throws(JSON5.Failure) -> BaselineEntry {
    func fail(_ message: String, at place: JSON5.Node? = nil) -> JSON5.Failure {
      JSON5.Failure(offset: (place ?? node).offset, message: message)
    }
    let members = try node.members(
      "a finding", knowing: ["container", "kind", "path", "pathBytes", "rule", "count"])
    guard let rule = members["rule"] else { throw fail("a finding needs a rule") }
    let word = String(decoding: try rule.string("rule"), as: UTF8.self)
    guard let id = RuleID(word: word) else {
      throw fail("rule \"\(Shown.text(word.utf8))\" is not known; audit rules lists them", at: rule)
    }
    let container: BaselineContainer
    switch (members["container"], members["kind"]) {
    case (let node?, nil):
      container = .identifier(String(decoding: try node.string("container"), as: UTF8.self))
    case (nil, let node?):
      let word = String(decoding: try node.string("kind"), as: UTF8.self)
      guard let kind = ContainerKind.allCases.first(where: { $0.word == word }) else {
        throw fail("kind \"\(Shown.text(word.utf8))\" is not known", at: node)
      }
      container = .kind(kind)
    default: throw fail("a finding needs either a container or a kind")
    }
    guard let node = members["path"] else { throw fail("a finding needs a path") }
    var path = try node.string("path")
    if path.elementsEqual(".".utf8) { path = [] }
    if let node = members["pathBytes"] {
      guard let bytes = Base64.decoded(try node.string("pathBytes")) else {
        throw fail("pathBytes is not Base64", at: node)
      }
      path = bytes
    }
    var entry = BaselineEntry(rule: id, container: container, path: path)
    if let node = members["count"] {
      guard case .number(let number) = node.value, let count = Int(exactly: number), count > 0
      else { throw fail("count is a whole number above 0", at: node) }
      entry.count = count
    }
    return entry
  }
}
