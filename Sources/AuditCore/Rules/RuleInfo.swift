/// What the catalogue says of a rule, for people who meet it in a report.
public struct RuleInfo: Equatable, Sendable {
  /// The rule.
  public let rule: RuleID
  /// One line that says what a finding of the rule states.
  public let title: String
  /// What happens if nobody does anything.
  public let why: String
  /// A case of it: what was found, line by line.
  public let example: String
  /// What to do.
  public let fix: String
  /// Swift code that does it, where code is the answer.
  public let snippet: String?
  /// How to say in a policy that a finding is all right, and when that is sound.
  public let except: String
  /// A policy that says it, where a policy can.
  public let policy: String?
  /// Entries of public catalogues that the rule serves, such as `MASWE-0004`.
  public let tags: [String]

  init(
    _ rule: RuleID, title: String, why: String, example: String, fix: String,
    snippet: String? = nil, except: String, policy: String? = nil, tags: [String] = []
  ) {
    self.rule = rule
    self.title = title
    self.why = why
    self.example = example
    self.fix = fix
    self.snippet = snippet
    self.except = except
    self.policy = policy
    self.tags = tags
  }
}

/// The entries of the OWASP Mobile Application Security project that the rules serve.
public enum RuleTag {
  /// "Testing Backups for Sensitive Data" on iOS.
  public static let backupTest = "MASTG-TEST-0058"
  /// "Sensitive Data Not Excluded From Backup" on iOS.
  public static let exclusionTest = "MASTG-TEST-0215"
  /// "Sensitive Data Not Excluded From Backup", the weakness itself.
  public static let weakness = "MASWE-0004"

  /// For rules about data that a backup holds, or will hold after the next replacement.
  static let exposure = [backupTest, exclusionTest, weakness]
  /// For rules about whether the check itself can be believed.
  static let method = [backupTest, exclusionTest]
}

extension RuleID {
  /// What the catalogue says of the rule.
  public var info: RuleInfo {
    switch self {
    case .exposedFile: .exposedFile
    case .undocumentedSkip: .undocumentedSkip
    case .exposedSidecar: .exposedSidecar
    case .fragileMark: .fragileMark
    case .sidecarReturnsUnmarked: .sidecarReturnsUnmarked
    case .hardLinkEscape: .hardLinkEscape
    case .emptyMark: .emptyMark
    case .unfamiliarValue: .unfamiliarValue
    case .partialMark: .partialMark
    case .legacyMark: .legacyMark
    case .misnamedMark: .misnamedMark
    case .systemDirectoryMarked: .systemDirectoryMarked
    case .genericDirectoryName: .genericDirectoryName
    case .attributesUnproven: .attributesUnproven
    case .markAboveRoot: .markAboveRoot
    case .mustBeBackedUp: .mustBeBackedUp
    case .markLost: .markLost
    case .inBackupThoughCovered: .inBackupThoughCovered
    case .expiredException: .expiredException
    case .unusedException: .unusedException
    case .staleBaseline: .staleBaseline
    case .unmatchedEntry: .unmatchedEntry
    case .nestedContainer: .nestedContainer
    case .otherSpelling: .otherSpelling
    case .attributesDisagree: .attributesDisagree
    }
  }
}

extension RuleInfo {
  /// An exception of this rule as a policy spells it.
  static func exception(_ rule: RuleID, path: String, reason: String) -> String {
    """
    exceptions: [
      {
        rule: "\(rule.word)",
        path: "\(path)",
        reason: "\(reason)",
        expires: "2027-06-30",
      },
    ]
    """
  }

  /// Creates a directory, marks it and believes only the disk.
  static let storeSnippet = """
    import BackupExclusion

    let store = LocalOnlyStore(
      in: .appGroup("group.com.example.app"), bundleIdentifier: "com.example.app")

    // Creates and marks the directory, then re-reads the mark from disk; nil if any step fails.
    guard let url = store.url() else { return nil }  // store nothing rather than store it exposed
    let database = url.appending(path: "history.sqlite")
    """
}
