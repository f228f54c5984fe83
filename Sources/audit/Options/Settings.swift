import AuditCore
import AuditInput
import AuditReport

/// The options of a run, checked and typed.
struct Settings {
  enum ColorChoice: String { case auto, always, never }

  var format = ReportFormat.text
  var output: [UInt8]?
  var reports: [(format: ReportFormat, path: [UInt8])] = []
  var policy: [UInt8]?
  var baseline: [UInt8]?
  var passwordFile: [UInt8]?
  var writeBaseline: [UInt8]?
  var failOn = FailThreshold.error
  var allowEmpty = false
  var list: TextListing = .automatic
  var jobs: Int?
  var isQuiet = false
  var isVerbose = false
  var color = ColorChoice.auto
  var showsProgress = true
  var audit = AuditOptions()
  var limits = ArchiveLimits()

  init(_ arguments: Arguments) throws(UsageError) {
    func word(_ id: OptionID) -> String? {
      arguments.last(id).map { String(decoding: $0, as: UTF8.self) }
    }
    func number(_ id: OptionID, _ range: ClosedRange<Int>) throws(UsageError) -> Int? {
      guard let text = word(id) else { return nil }
      guard let value = Int(text), range.contains(value) else {
        throw UsageError(
          message: "\(Shown.text(Array(text.utf8))) is not a number from \(range.lowerBound) to "
            + "\(range.upperBound)")
      }
      return value
    }
    if let name = word(.format), let value = ReportFormat(word: name) { format = value }
    output = arguments.last(.output)
    for text in arguments.all(.report) {
      let parts = text.split(
        separator: UInt8(ascii: "="), maxSplits: 1, omittingEmptySubsequences: false)
      let name = String(decoding: parts[0], as: UTF8.self)
      guard parts.count == 2, !parts[1].isEmpty, let format = ReportFormat(word: name) else {
        throw UsageError(
          message: "--report \(Shown.text(text)): write FORMAT=PATH, where FORMAT is one of "
            + "\(OptionTable.formats.joined(separator: ", "))")
      }
      reports.append((format, Array(parts[1])))
    }
    let targets = (output.map { [$0] } ?? []) + reports.map(\.path)
    for (index, path) in targets.enumerated() where targets[..<index].contains(path) {
      // What is no regular file, such as /dev/null, may well take several.
      guard !path.starts(with: "/dev/".utf8) else { continue }
      throw UsageError(message: "\(Shown.text(path)) is to hold two reports")
    }
    policy = arguments.last(.policy)
    baseline = arguments.last(.baseline)
    passwordFile = arguments.last(.passwordFile)
    writeBaseline = arguments.last(.writeBaseline)
    let threshold = word(.failOn).flatMap { FailThreshold(rawValue: $0) }
    if arguments.has(.strict), let threshold, threshold != .warning {
      throw UsageError(message: "--strict is --fail-on warning; it cannot be \(threshold.rawValue)")
    }
    failOn = arguments.has(.strict) ? .warning : threshold ?? .error
    allowEmpty = arguments.has(.allowEmpty)
    switch word(.list) {
    case "all": list = .all
    case "findings": list = .findings
    default: list = .automatic
    }
    jobs = try number(.jobs, 1...256)
    isQuiet = arguments.has(.quiet)
    isVerbose = arguments.has(.verbose)
    color = word(.color).flatMap { ColorChoice(rawValue: $0) } ?? .auto
    showsProgress = !arguments.has(.noProgress) && !isQuiet
    audit.kind = word(.kind).flatMap { word in ContainerKind.allCases.first { $0.word == word } }
    if let rules = word(.locationRules) {
      audit.locationRules = LocationRules.allCases.first { $0.word == rules } ?? .documented
    }
    audit.assumeAttributesKept = arguments.has(.assumeAttributesKept)
    if let value = try number(.maxEntries, 1...Int.max) { limits.entries = value }
    if let value = try number(.maxHeaderBytes, 1...Int.max) { limits.headerBytes = value }
    if let value = try number(.maxExpansion, 1...Int.max) { limits.expansion = value }
    if let value = try number(.maxNesting, 1...64) { limits.nesting = value }
    let inputs = arguments.operands + arguments.all(.container)
    let decisions = [policy, baseline, passwordFile].compactMap { $0 }
    try OutputPlaces.check(targets, against: inputs + decisions)
    // A baseline may be written anew over itself.
    try OutputPlaces.check(
      [writeBaseline].compactMap { $0 }, against: inputs + [policy, passwordFile].compactMap { $0 })
  }
}

extension Settings {
  /// How inputs are read where every entry counts.
  ///
  /// Without `--jobs` there is a thread for each processor, and up to eight while the walk waits
  /// for a disk.
  var inputOptions: InputAudit.Options {
    var options = InputAudit.Options()
    options.jobs = jobs ?? min(Terminal.processors, 8)
    options.jobsWhileWaiting = jobs ?? 8
    options.limits = limits
    options.archiveProcess = ArchiveProcess(program: Program.path)
    options.allowEmpty = allowEmpty
    return options
  }
}
