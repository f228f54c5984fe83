import AuditCore
import AuditReport

/// What the command can be asked to do.
enum Verb: String, CaseIterable {
  case check, explain, containers, rules, diff, verify, policy

  /// One line for help and completion.
  var summary: String {
    switch self {
    case .check: "audit containers, folders of containers, archives (the default)"
    case .explain: "show why one path is excluded from backups or not"
    case .containers: "list the containers found in an input"
    case .rules: "list the rules, or explain one"
    case .diff: "show what changed between two inputs or two JSON reports"
    case .verify: "hold a Finder backup against the containers it was made from"
    case .policy: "write a starting policy from what is found"
    }
  }

  /// What follows the verb on the command line.
  var operands: String {
    switch self {
    case .check: "PATH…"
    case .explain: "PATH"
    case .containers: "PATH…"
    case .rules: "[RULE]"
    case .diff: "OLD NEW"
    case .verify: "BACKUP --container PATH…"
    case .policy: "PATH…"
    }
  }
}

/// The options, one case each.
enum OptionID: CaseIterable {
  case format, report, output, policy, baseline, writeBaseline, failOn, strict, kind, locationRules
  case assumeAttributesKept, allowEmpty, list, jobs, container, passwordFile
  case maxEntries, maxHeaderBytes
  case maxExpansion, maxNesting
  case quiet, verbose, color, noProgress, completionScript, manPage, version, help
}

/// One row of the table that gives parsing, help, completion and the manual page.
struct OptionSpec {
  /// How an argument is completed by a shell.
  enum Value: Equatable {
    case none
    case words([String])
    case file(String)
    case text(String)
  }
  var id: OptionID
  var long: String
  var short: Character?
  var value: Value
  var summary: String
  /// Left out of help and completion: for packagers.
  var isHidden = false
  /// The verbs that take it.
  var verbs: Set<Verb>

  /// The placeholder of the argument.
  var placeholder: String? {
    switch value {
    case .none: nil
    case .words(let words): words.count > 4 ? "WORD" : words.joined(separator: "|")
    case .file(let name), .text(let name): name
    }
  }
}

/// All options.
enum OptionTable {
  private static let auditing: Set<Verb> = [.check, .explain, .containers, .policy, .diff, .verify]
  private static let reporting: Set<Verb> = [.check, .diff, .verify]

  static let all: [OptionSpec] = [
    OptionSpec(
      id: .format, long: "format", short: "f", value: .words(formats),
      summary: "what goes to standard output; default text", verbs: reporting),
    OptionSpec(
      id: .report, long: "report", short: nil, value: .file("FORMAT=PATH"),
      summary: "also write this report; repeatable", verbs: reporting),
    OptionSpec(
      id: .output, long: "output", short: "o", value: .file("PATH"),
      summary: "write standard output's report to a file",
      verbs: [.check, .diff, .verify, .policy, .containers]),
    OptionSpec(
      id: .policy, long: "policy", short: nil, value: .file("FILE"),
      summary: "JSON5 policy: what is local on purpose, what must be backed up", verbs: reporting),
    OptionSpec(
      id: .baseline, long: "baseline", short: nil, value: .file("FILE"),
      summary: "findings that are known already do not count", verbs: reporting),
    OptionSpec(
      id: .writeBaseline, long: "write-baseline", short: nil, value: .file("FILE"),
      summary: "write the findings of this run as a baseline", verbs: [.check]),
    OptionSpec(
      id: .failOn, long: "fail-on", short: nil,
      value: .words(FailThreshold.allCases.map(\.rawValue)),
      summary: "from which severity on findings make status 1; default: error", verbs: reporting),
    OptionSpec(
      id: .strict, long: "strict", short: nil, value: .none,
      summary: "warnings fail the run too: the same as --fail-on warning", verbs: reporting),
    OptionSpec(
      id: .kind, long: "kind", short: nil, value: .words(["app", "plugin", "group", "unknown"]),
      summary: "the kind of the containers, instead of detecting it", verbs: auditing),
    OptionSpec(
      id: .locationRules, long: "location-rules", short: nil,
      value: .words(["documented", "observed", "none"]),
      summary: "which places count as never backed up; default documented", verbs: auditing),
    OptionSpec(
      id: .assumeAttributesKept, long: "assume-attributes-kept", short: nil, value: .none,
      summary: "take no mark for an answer where the carrier may have lost them", verbs: auditing),
    OptionSpec(
      id: .allowEmpty, long: "allow-empty", short: nil, value: .none,
      summary: "an input without files is no error", verbs: auditing),
    OptionSpec(
      id: .list, long: "list", short: nil, value: .words(["all", "findings"]),
      summary: "what text lists; default every file of small inputs", verbs: [.check]),
    OptionSpec(
      id: .jobs, long: "jobs", short: "j", value: .text("N"),
      summary: "threads that read; the report is the same for every N", verbs: auditing),
    OptionSpec(
      id: .container, long: "container", short: nil, value: .file("PATH"),
      summary: "a container the backup was made from; repeatable", verbs: [.verify]),
    OptionSpec(
      id: .passwordFile, long: "password-file", short: nil, value: .file("FILE"),
      summary: "holds the password of an encrypted backup; default: asked on a terminal",
      verbs: [.verify]),
    OptionSpec(
      id: .maxEntries, long: "max-entries", short: nil, value: .text("N"),
      summary: "the most entries an archive may have", verbs: auditing),
    OptionSpec(
      id: .maxHeaderBytes, long: "max-header-bytes", short: nil, value: .text("N"),
      summary: "the most bytes of names and attributes an archive may have", verbs: auditing),
    OptionSpec(
      id: .maxExpansion, long: "max-expansion", short: nil, value: .text("N"),
      summary: "how many times larger than its file an archive may unpack", verbs: auditing),
    OptionSpec(
      id: .maxNesting, long: "max-nesting", short: nil, value: .text("N"),
      summary: "the most layers of compression, and levels of directories / 256", verbs: auditing),
    OptionSpec(
      id: .quiet, long: "quiet", short: "q", value: .none,
      summary: "only the report, and errors", verbs: Set(Verb.allCases)),
    OptionSpec(
      id: .verbose, long: "verbose", short: "v", value: .none,
      summary: "say on standard error what is being read and how", verbs: Set(Verb.allCases)),
    OptionSpec(
      id: .color, long: "color", short: nil, value: .words(["auto", "always", "never"]),
      summary: "colour in text; auto respects NO_COLOR and TERM=dumb", verbs: Set(Verb.allCases)),
    OptionSpec(
      id: .noProgress, long: "no-progress", short: nil, value: .none,
      summary: "no progress line on a terminal", verbs: auditing),
    OptionSpec(
      id: .completionScript, long: "generate-completion-script", short: nil,
      value: .words(["bash", "zsh", "fish"]), summary: "print a completion script",
      verbs: Set(Verb.allCases)),
    OptionSpec(
      id: .manPage, long: "generate-manual-page", short: nil, value: .none,
      summary: "print the manual page", isHidden: true, verbs: Set(Verb.allCases)),
    OptionSpec(
      id: .version, long: "version", short: nil, value: .none, summary: "print the version",
      verbs: Set(Verb.allCases)),
    OptionSpec(
      id: .help, long: "help", short: "h", value: .none, summary: "print this help",
      verbs: Set(Verb.allCases)),
  ]

  static let formats = ReportFormat.allCases.map(\.word)
}
