/// A number for each verdict.
public struct Tally: Equatable, Sendable {
  private var values = SIMD8<Int>(repeating: 0)

  /// All zero.
  public init() {}

  /// The number for one verdict.
  public subscript(_ verdict: Verdict) -> Int {
    get { values[Int(verdict.rawValue)] }
    set { values[Int(verdict.rawValue)] = newValue }
  }

  /// The sum over all verdicts.
  public var total: Int {
    values.indices.reduce(0) { Tally.sum($0, values[$1]) }
  }

  /// Whether a number is higher than could be counted.
  public var isFull: Bool { values.max() == Int.max }

  /// The sum of two numbers, or the highest one.
  public static func sum(_ a: Int, _ b: Int) -> Int {
    let (sum, overflow) = a.addingReportingOverflow(b)
    return overflow ? Int.max : sum
  }

  /// Adds verdict by verdict.
  ///
  /// A sum that no number can hold stays at the highest: sizes come from whoever made an archive.
  public static func += (a: inout Tally, b: Tally) {
    let sum = a.values &+ b.values
    // All numbers are positive, so that only a sum too high is negative.
    a.values = sum.replacing(with: Int.max, where: sum .< 0)
  }
}

/// Counts of what was looked at. Files are regular files; links and specials are counted apart.
public struct Counts: Equatable, Sendable {
  /// Regular files by verdict.
  public var files = Tally()
  /// Logical bytes of regular files by verdict, of those whose size was asked for.
  public var bytes = Tally()
  /// Symbolic links, which are never followed.
  public var symlinks = 0
  /// FIFOs, sockets and devices.
  public var specials = 0

  /// All zero.
  public init() {}

  /// Adds everything.
  public static func += (a: inout Counts, b: Counts) {
    a.files += b.files
    a.bytes += b.bytes
    a.symlinks += b.symlinks
    a.specials += b.specials
  }
}

/// What kind of container a directory is the root of.
public enum ContainerKind: UInt8, CaseIterable, Sendable {
  case app, plugin, group, macApp, macGroup, unknown

  /// The word that reports use.
  public var word: String {
    switch self {
    case .app: "app"
    case .plugin: "plugin"
    case .group: "group"
    case .macApp: "mac-app"
    case .macGroup: "mac-group"
    case .unknown: "unknown"
    }
  }
}

/// A marked directory and what lies below it.
public struct MarkedDirectory: Equatable, Sendable {
  /// The path relative to the input.
  public var path: [UInt8]
  /// Its mark.
  public var mark: OwnMark
  /// Regular files at any depth below it.
  public var files: Int
  /// Their logical bytes.
  public var bytes: Int

  /// Makes a description.
  public init(path: [UInt8], mark: OwnMark, files: Int = 0, bytes: Int = 0) {
    self.path = path
    self.mark = mark
    self.files = files
    self.bytes = bytes
  }
}

/// One container of an input.
public struct ContainerReport: Equatable, Sendable {
  /// The path relative to the input; empty for the input itself.
  public var path: [UInt8]
  /// Its kind.
  public var kind: ContainerKind
  /// The bundle or group identifier, if it could be told.
  public var identifier: String?
  /// The marked directories, in the report's order.
  public var markedDirectories: [MarkedDirectory] = []
  /// What was counted in it.
  public var counts = Counts()

  /// Makes a container in which nothing was counted yet.
  public init(path: [UInt8], kind: ContainerKind, identifier: String? = nil) {
    self.path = path
    self.kind = kind
    self.identifier = identifier
  }
}

/// A directory's entries that are not directories, or a run of them, with their verdicts.
public struct ClassifiedSlice {
  /// Where the entries live.
  public let directory: Directory
  /// Which records the slice speaks of; never directories.
  public let range: Range<Int>
  /// A verdict for each record of `range`.
  public let verdicts: UnsafePointer<Verdict>
  /// A reason for each record of `range`.
  public let reasons: UnsafePointer<Reason>
  /// The path (relative to the input) of the outermost marked directory above the entries and
  /// within their container.
  public let ancestor: [UInt8]?
  /// The index of their container in the input's report.
  public let container: Int
  /// The identifier of their container, if it is known.
  public let identifier: String?

  /// Makes a slice; the two pointers must outlive its use.
  public init(
    directory: Directory, range: Range<Int>, verdicts: UnsafePointer<Verdict>,
    reasons: UnsafePointer<Reason>, ancestor: [UInt8]?, container: Int,
    identifier: String? = nil
  ) {
    self.directory = directory
    self.range = range
    self.verdicts = verdicts
    self.reasons = reasons
    self.ancestor = ancestor
    self.container = container
    self.identifier = identifier
  }
}

/// What is known of an input when its audit starts.
public struct InputInfo: Sendable {
  /// The path as the user wrote it.
  public var path: [UInt8]
  /// `directory`, `archive`, `xcappdata` or `file`.
  public var kind: String

  /// Makes a description.
  public init(path: [UInt8], kind: String) {
    self.path = path
    self.kind = kind
  }
}

/// What is known of an input when its audit ends.
public struct InputReport: Sendable {
  /// The input.
  public var info: InputInfo
  /// The archive or file-system format.
  public var format: String
  /// The weakest evidence of its layers that hold entries.
  public var evidence: Evidence
  /// Why the evidence is what it is, where that helps.
  public var evidenceReason: String?
  /// The containers, in the order they were met.
  public var containers: [ContainerReport]
  /// The findings; folded by directory where there are very many.
  public var findings: [Finding]
  /// What could not be read.
  public var errors: [InputProblem]
  /// Errors that are counted but not listed.
  public var errorsOmitted: Int
  /// Directories looked into.
  public var directories: Int
  /// Sidecar files read as attributes.
  public var sidecars: Int
  /// Sidecar files without an owner.
  public var orphanSidecars: Int
  /// Names that were gone when their turn came.
  public var vanished: Int
  /// All containers together.
  public var counts: Counts

  /// Makes a report; what is left out was not there.
  public init(
    info: InputInfo, format: String, evidence: Evidence, evidenceReason: String? = nil,
    containers: [ContainerReport] = [], findings: [Finding] = [], errors: [InputProblem] = [],
    errorsOmitted: Int = 0, directories: Int = 0, sidecars: Int = 0, orphanSidecars: Int = 0,
    vanished: Int = 0, counts: Counts = Counts()
  ) {
    self.info = info
    self.format = format
    self.evidence = evidence
    self.evidenceReason = evidenceReason
    self.containers = containers
    self.findings = findings
    self.errors = errors
    self.errorsOmitted = errorsOmitted
    self.directories = directories
    self.sidecars = sidecars
    self.orphanSidecars = orphanSidecars
    self.vanished = vanished
    self.counts = counts
  }
}

extension InputReport {
  /// Adds findings where their severity and rule put them.
  public mutating func add(_ more: [Finding], _ counts: inout FindingCounts) {
    for finding in more {
      counts.add(finding.severity, 1, suppressed: finding.suppression != nil)
    }
    // The standard library's sort is stable: of equals, what was there stays first.
    findings += more
    findings.sort { $0.comesBefore($1) }
  }
}

/// How many findings there are, each entry counted that a finding stands for.
public struct FindingCounts: Equatable, Sendable {
  /// Findings at error level.
  public var error = 0
  /// Findings at warning level.
  public var warning = 0
  /// Findings at note level.
  public var note = 0
  /// Findings that do not count.
  public var suppressed = 0
  /// All zero.
  public init() {}

  /// Counts findings of one severity.
  public mutating func add(_ severity: Severity, _ count: Int, suppressed: Bool) {
    if suppressed {
      self.suppressed += count
      return
    }
    switch severity {
    case .error: error += count
    case .warning: warning += count
    case .note: note += count
    }
  }

  /// Adds the counts of another input.
  public static func += (a: inout FindingCounts, b: FindingCounts) {
    a.error += b.error
    a.warning += b.warning
    a.note += b.note
    a.suppressed += b.suppressed
  }
}

/// The end of a run.
public struct RunSummary: Sendable {
  /// Everything that was counted, over all inputs.
  public var counts = Counts()
  /// Findings over all inputs.
  public var findings = FindingCounts()
  /// Containers over all inputs.
  public var containers = 0
  /// Directories over all inputs.
  public var directories = 0
  /// Whether everything could be told.
  public var complete = true
  /// The exit status of the run.
  public var exitStatus: ExitStatus = .clean
  /// Nothing counted yet.
  public init() {}
}

/// What a report needs to know of the run as a whole.
public struct RunInfo: Sendable {
  /// The version of the tool.
  public var version: String
  /// What fails the run.
  public var failOn: FailThreshold
  /// The path of the policy file, if there is one.
  public var policyPath: String?

  /// Makes a description.
  public init(version: String, failOn: FailThreshold = .error, policyPath: String? = nil) {
    self.version = version
    self.failOn = failOn
    self.policyPath = policyPath
  }
}

/// A report in the making: it gets everything once, in the report's order, and writes bytes.
public protocol ReportSink: AnyObject {
  /// The run starts.
  func begin(run: RunInfo) throws
  /// An input starts.
  func begin(input: InputInfo) throws
  /// Some entries of the current input.
  func add(_ slice: ClassifiedSlice) throws
  /// The current input ends.
  func end(input: InputReport) throws
  /// The run ends; everything is flushed when this returns.
  func end(summary: RunSummary) throws
}

/// The sentence that every report carries once.
public let caveat =
  "The mark is guidance to the backup system, not a guarantee that a file stays out of a backup; "
  + "the defence at rest is the data-protection class."
