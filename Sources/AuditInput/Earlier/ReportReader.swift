import AuditCore

/// Reads the `json` report of an earlier run as one side of a comparison.
struct ReportReader {
  typealias Failure = JSONScanner.Failure

  private var snapshot = Snapshot()
  private var version: Int?
  private var isComplete: Bool?
  private var inputs = 0
  private var evidence = Evidence.proven
  private var format = "json"
  private var errors: [InputProblem] = []
  private var errorsOmitted = 0

  /// How many of a report's errors are kept.
  private static let errorLimit = 100

  /// Reads from an open descriptor, which stays the caller's.
  static func read(_ fd: Int32, path: [UInt8]) -> DiffSide {
    var reader = ReportReader()
    do throws(Failure) {
      var scanner = JSONScanner(fd: fd)
      try reader.document(&scanner)
    } catch {
      let problem =
        error.code != 0
        ? ErrorText.problem(path, "read", error.code)
        : InputProblem(
          path: [], operation: "read", error: "not-a-report",
          message: "\(Shown.text(path)) is JSON but not a whole json report of audit: "
            + "\(error.reason), at byte \(error.offset)")
      return DiffSide(
        path: path, kind: "report", evidence: .possible, format: "json", snapshot: Snapshot(),
        errors: [problem])
    }
    return DiffSide(
      path: path, kind: "report", evidence: reader.evidence, format: reader.format,
      snapshot: reader.snapshot, errors: reader.errors, errorsOmitted: reader.errorsOmitted)
  }

  private mutating func document(_ scanner: inout JSONScanner) throws(Failure) {
    try scanner.object { (scanner, key) throws(Failure) in
      switch Self.word(key) {
      case "schemaVersion": version = try scanner.integer()
      case "complete": isComplete = try scanner.boolean()
      case "inputs": try scanner.array { (scanner) throws(Failure) in try input(&scanner) }
      default: try scanner.skip()
      }
    }
    try scanner.expectEnd()
    guard version == 1 else {
      throw scanner.failure(
        version.map { "its schemaVersion is \($0), not 1" } ?? "it has no schemaVersion")
    }
    guard let isComplete else { throw scanner.failure("it has no member complete") }
    if inputs == 0 { throw scanner.failure("it has no inputs") }
    if !isComplete && errors.isEmpty {
      errors.append(
        InputProblem(
          path: [], operation: "audit", error: "incomplete",
          message: "the report says itself that not everything could be read or told"))
    }
  }

  // MARK: - An input

  private mutating func input(_ scanner: inout JSONScanner) throws(Failure) {
    var containers: [ContainerReport] = []
    var evidence = Evidence.possible
    var format = ""
    inputs += 1
    try scanner.object { (scanner, key) throws(Failure) in
      switch Self.word(key) {
      case "files": try scanner.array { (scanner) throws(Failure) in try file(&scanner) }
      case "format": format = Self.word(try scanner.string())
      case "evidence": evidence = try Self.evidence(&scanner)
      case "containers":
        try scanner.array { (scanner) throws(Failure) in
          containers.append(try Self.container(&scanner))
        }
      case "errors": try scanner.array { (scanner) throws(Failure) in try problem(&scanner) }
      case "errorsOmitted":
        // Never wrapped around: omitted errors must not add up to none.
        let sum = errorsOmitted.addingReportingOverflow(max(try scanner.integer(), 0))
        errorsOmitted = sum.overflow ? .max : sum.partialValue
      default: try scanner.skip()
      }
    }
    snapshot.end(containers: containers)
    if inputs == 1 || evidence < self.evidence { (self.evidence, self.format) = (evidence, format) }
  }

  private var directory: [UInt8]?

  private mutating func file(_ scanner: inout JSONScanner) throws(Failure) {
    var path = Path()
    var kind: EntryKind?
    var verdict: Verdict?
    var mark = OwnMark.State.absent
    var size = -1
    try scanner.object { (scanner, key) throws(Failure) in
      switch Self.word(key) {
      case "path": path.text = try scanner.string()
      case "pathBytes": path.exact = try Self.base64(&scanner)
      case "type": kind = Self.kind(try scanner.string())
      case "size": size = try scanner.integer()
      case "verdict": verdict = Verdict(word: Self.word(try scanner.string()))
      case "mark": mark = try Self.mark(&scanner).state
      default: try scanner.skip()
      }
    }
    guard let bytes = path.bytes, let kind, let verdict else {
      throw scanner.failure("a file lacks its path, type or verdict")
    }
    let parent = Array(Bytes.parent(bytes))
    do throws(Snapshot.Disorder) {
      if inputs != snapshotInput || directory != parent {
        try snapshot.begin(directory: parent)
        (snapshotInput, directory) = (inputs, parent)
      }
      var failure: Snapshot.Disorder?
      Bytes.last(bytes).withUnsafeBufferPointer { name in
        do throws(Snapshot.Disorder) {
          try snapshot.add(
            name: name, kind: kind, verdict: verdict, mark: mark, size: Int64(size), inode: 0)
        } catch { failure = error }
      }
      if let failure { throw failure }
    } catch {
      throw scanner.failure(
        "\(Shown.text(bytes)) is not in the report's order or comes twice")
    }
  }

  /// The input that `directory` belongs to.
  private var snapshotInput = 0

  private mutating func problem(_ scanner: inout JSONScanner) throws(Failure) {
    var path = Path()
    var (operation, code, message) = ("read", "", "")
    try scanner.object { (scanner, key) throws(Failure) in
      switch Self.word(key) {
      case "path": path.text = try scanner.string()
      case "pathBytes": path.exact = try Self.base64(&scanner)
      case "operation": operation = Self.word(try scanner.string())
      case "error": code = Self.word(try scanner.string())
      case "message": message = Self.word(try scanner.string())
      default: try scanner.skip()
      }
    }
    guard errors.count < Self.errorLimit else {
      errorsOmitted = errorsOmitted == .max ? .max : errorsOmitted + 1
      return
    }
    errors.append(
      InputProblem(
        path: path.bytes ?? [], operation: operation, error: code,
        message: "the earlier run said: \(message)"))
  }
}

// MARK: - Members

extension ReportReader {
  /// A path with the exact bytes where it is not UTF-8.
  private struct Path {
    var text: [UInt8]?
    var exact: [UInt8]?
    /// The exact bytes, empty for the root.
    var bytes: [UInt8]? {
      if let exact { return exact }
      return text.map { $0.elementsEqual(".".utf8) ? [] : $0 }
    }
  }

  private static func word(_ bytes: [UInt8]) -> String { String(decoding: bytes, as: UTF8.self) }

  private static func container(_ scanner: inout JSONScanner) throws(Failure) -> ContainerReport {
    var container = ContainerReport(path: [], kind: .unknown)
    var path = Path()
    try scanner.object { (scanner, key) throws(Failure) in
      switch word(key) {
      case "path": path.text = try scanner.string()
      case "pathBytes": path.exact = try base64(&scanner)
      case "kind":
        let kind = word(try scanner.string())
        container.kind = ContainerKind.allCases.first { $0.word == kind } ?? .unknown
      case "identifier": container.identifier = word(try scanner.string())
      case "markedDirectories":
        try scanner.array { (scanner) throws(Failure) in
          container.markedDirectories.append(try markedDirectory(&scanner))
        }
      default: try scanner.skip()
      }
    }
    guard let bytes = path.bytes else {
      throw scanner.failure("a container lacks its path")
    }
    container.path = bytes
    return container
  }

  private static func markedDirectory(
    _ scanner: inout JSONScanner
  ) throws(Failure) -> MarkedDirectory {
    var path = Path()
    var state = OwnMark.absent
    try scanner.object { (scanner, key) throws(Failure) in
      switch word(key) {
      case "path": path.text = try scanner.string()
      case "pathBytes": path.exact = try base64(&scanner)
      case "mark": state = try mark(&scanner)
      default: try scanner.skip()
      }
    }
    return MarkedDirectory(path: path.bytes ?? [], mark: state)
  }

  private static func mark(_ scanner: inout JSONScanner) throws(Failure) -> OwnMark {
    var bytes = 0
    try scanner.object { (scanner, key) throws(Failure) in
      if word(key) == "bytes" { bytes = try scanner.integer() } else { try scanner.skip() }
    }
    return OwnMark(
      state: bytes > 0 ? .marked : .empty, form: .other, bytes: UInt32(clamping: bytes))
  }

  private static func evidence(_ scanner: inout JSONScanner) throws(Failure) -> Evidence {
    switch word(try scanner.string()) {
    case "proven": return .proven
    case "possible": return .possible
    case "impossible": return .impossible
    default: throw scanner.failure("an unknown evidence")
    }
  }

  private static func kind(_ bytes: [UInt8]) -> EntryKind? {
    switch word(bytes) {
    case "file": .file
    case "symlink": .symlink
    case "fifo": .fifo
    case "socket": .socket
    case "device": .device
    default: nil
    }
  }

  private static func base64(_ scanner: inout JSONScanner) throws(Failure) -> [UInt8] {
    guard let bytes = Base64.decoded(Array(try scanner.string())) else {
      throw scanner.failure("pathBytes is not base64")
    }
    return bytes
  }
}
