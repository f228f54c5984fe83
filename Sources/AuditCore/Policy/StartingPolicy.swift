extension Policy {
  /// A policy to start from, as JSON5 with comments: what is marked becomes `localOnly`, what is
  /// exposed becomes proposals in comments. It decides nothing, so it makes no run pass.
  public static func starting(from inputs: [InputReport]) -> String {
    let containers = inputs.flatMap { input in
      input.containers.indices.map { StartingContainer(input, $0) }
    }
    let isNarrowed = containers.count > 1
    var text = """
      {
        // A policy to start from: what audit found, and what is left to be decided.
        version: 1,

        // Exposed files that no entry below speaks of: "error", "warning" or "note".
        unlisted: "error",

        // Data that stays on the device. It must lie below a marked directory; with
        // require: "any" a file's own mark will do.
        localOnly: [

      """
    for container in containers { text += container.localOnly(narrowed: isNarrowed) }
    text += """
        ],

        // Data that has to come back after a restore; a mark above it is an error. All of this is
        // exposed now: take the slashes away and give the reason where that is as it should be,
        // and move the rest below a marked directory.
        backedUp: [

      """
    for container in containers { text += container.backedUp(narrowed: isNarrowed) }
    return text + """
        ],

        // Findings that are accepted, for a time.
        exceptions: [
          // {rule: "exposed-file", path: "Library/Preferences/**", reason: "no secrets, reviewed",
          //   expires: "2027-06-30"},
        ],

        // Severities other than the rules' own. Files that the system keeps where iOS was observed
        // to skip them cannot be covered; a note does not fail a strict run.
        severities: {
          // "undocumented-skip": "note",
        },
      }

      """
  }
}

/// What one container gives to a starting policy.
private struct StartingContainer {
  private struct Exposed {
    var directory: [UInt8]
    var files: Int
    /// Whether they lie at any depth below the directory.
    var isDeep: Bool
  }

  /// More lines than this are of no help to anyone who has to decide about them.
  private static let limit = 40
  private let report: ContainerReport
  private let exposed: [Exposed]
  private let selfMarked: [[UInt8]]

  init(_ input: InputReport, _ index: Int) {
    let report = input.containers[index]
    self.report = report
    var exposed: [Exposed] = []
    var selfMarked: [[UInt8]] = []
    for finding in input.findings where finding.container == index && finding.suppression == nil {
      let path = Bytes.relative(finding.path, to: report.path)
      switch finding.rule {
      case .exposedFile, .exposedSidecar:
        // A finding that stands for many names a directory that they lie below.
        let isFolded = finding.occurrences > 1
        exposed.append(
          Exposed(
            directory: isFolded ? path : Array(Bytes.parent(path)), files: finding.occurrences,
            isDeep: isFolded))
      case .fragileMark:
        if finding.occurrences == 1 { selfMarked.append(path) }
      default: break
      }
    }
    self.exposed = exposed
    self.selfMarked = selfMarked
  }

  func localOnly(narrowed: Bool) -> String {
    var text = ""
    var covering: [[UInt8]] = []
    for directory in report.markedDirectories {
      let path = Bytes.relative(directory.path, to: report.path)
      if covering.contains(where: { $0.isEmpty || path.starts(with: $0 + [Bytes.slash]) }) {
        continue
      }
      covering.append(path)
      text += "    // marked, with \(FindingText.files(directory.files)) below\n"
      text += line(Self.below(path), "marked when this policy was started", narrowed: narrowed)
    }
    if !selfMarked.isEmpty {
      text +=
        "    // Excluded by their own mark only, which is lost on replacement: move them into "
      text += "a marked\n    // directory, or accept the mark of a file that is never replaced.\n"
    }
    for path in selfMarked.prefix(Self.limit) {
      if isStore(path) {
        // Its sidecars come back unmarked, so its own mark cannot be accepted.
        text += "    // \(Shown.text(path)): move it with its sidecars\n"
        continue
      }
      text += line(
        Self.escaped(path), "written in place only", narrowed: narrowed, require: "any",
        commented: true)
    }
    if selfMarked.count > Self.limit {
      text += "    // … and \(FindingText.grouped(selfMarked.count - Self.limit)) more\n"
    }
    return text
  }

  func backedUp(narrowed: Bool) -> String {
    var folded = Self.folded(exposed, depth: 2)
    if folded.count > Self.limit { folded = Self.folded(exposed, depth: 1) }
    var text = ""
    for (pattern, files) in folded.prefix(Self.limit) {
      text += "    // \(FindingText.files(files))\n"
      text += line(pattern, "why it belongs into backups", narrowed: narrowed, commented: true)
    }
    if folded.count > Self.limit {
      text += "    // … and \(FindingText.grouped(folded.count - Self.limit)) more places\n"
    }
    return text
  }

  /// Exposed files by the first components of their directories, as patterns, in byte order.
  ///
  /// Files directly in a shallow directory get a pattern of their own (`Library/*`), so that they
  /// do not decide about everything below it.
  private static func folded(_ exposed: [Exposed], depth: Int)
    -> [(pattern: String, files: Int)]
  {
    var places: [[UInt8]: Exposed] = [:]
    for one in exposed {
      let directory = Array(Bytes.prefix(one.directory, components: depth))
      var place = places[directory] ?? Exposed(directory: directory, files: 0, isDeep: false)
      place.files += one.files
      place.isDeep = place.isDeep || one.isDeep || Bytes.depth(directory) == depth
      places[directory] = place
    }
    return places.values.sorted { $0.directory.lexicographicallyPrecedes($1.directory) }.map {
      if $0.isDeep { return (below($0.directory), $0.files) }
      return ($0.directory.isEmpty ? "*" : escaped($0.directory) + "/*", $0.files)
    }
  }

  private func line(
    _ pattern: String, _ reason: String, narrowed: Bool, require: String? = nil,
    commented: Bool = false
  ) -> String {
    var text = commented ? "    // {" : "    {"
    text += "path: " + JSONText.quoted(pattern)
    if narrowed, let identifier = report.identifier {
      text += ", container: " + JSONText.quoted(Self.escaped(Array(identifier.utf8)))
    }
    if let require { text += ", require: \"\(require)\"" }
    return text + ", reason: \"\(reason)\"},\n"
  }

  private func isStore(_ path: [UInt8]) -> Bool {
    Array(Bytes.last(path)).withUnsafeBufferPointer { StoreFamily.role($0) } != .none
  }

  private static func below(_ directory: [UInt8]) -> String {
    directory.isEmpty ? "**" : escaped(directory) + "/**"
  }

  /// A pattern that matches a path and, where the path is valid UTF-8, nothing else.
  private static func escaped(_ path: [UInt8]) -> String {
    var result = ""
    var parser = UTF8.ForwardParser()
    var bytes = path.makeIterator()
    while true {
      switch parser.parseScalar(from: &bytes) {
      case .valid(let encoded):
        let scalar = UTF8.decode(encoded)
        if scalar == "*" || scalar == "?" || scalar == "\\" { result += "\\" }
        result.unicodeScalars.append(scalar)
      case .error: result += "*"
      case .emptyInput: return result
      }
    }
  }
}
