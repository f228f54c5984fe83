/// The rules, by their stable names.
public enum RuleID: UInt8, CaseIterable, Sendable {
  case exposedFile, undocumentedSkip, exposedSidecar, fragileMark, sidecarReturnsUnmarked
  case hardLinkEscape, emptyMark, unfamiliarValue, partialMark, legacyMark, misnamedMark
  case systemDirectoryMarked, genericDirectoryName, attributesUnproven, markAboveRoot
  case mustBeBackedUp, markLost, inBackupThoughCovered, expiredException, unusedException
  case staleBaseline, unmatchedEntry, nestedContainer, otherSpelling, attributesDisagree

  /// The kebab-case name, as policies and reports use it.
  public var word: String {
    switch self {
    case .exposedFile: "exposed-file"
    case .undocumentedSkip: "undocumented-skip"
    case .exposedSidecar: "exposed-sidecar"
    case .fragileMark: "fragile-mark"
    case .sidecarReturnsUnmarked: "sidecar-returns-unmarked"
    case .hardLinkEscape: "hard-link-escape"
    case .emptyMark: "empty-mark"
    case .unfamiliarValue: "unfamiliar-value"
    case .partialMark: "partial-mark"
    case .legacyMark: "legacy-mark"
    case .misnamedMark: "misnamed-mark"
    case .systemDirectoryMarked: "system-directory-marked"
    case .genericDirectoryName: "generic-directory-name"
    case .attributesUnproven: "attributes-unproven"
    case .markAboveRoot: "mark-above-root"
    case .mustBeBackedUp: "must-be-backed-up"
    case .markLost: "mark-lost"
    case .inBackupThoughCovered: "in-backup-though-covered"
    case .expiredException: "expired-exception"
    case .unusedException: "unused-exception"
    case .staleBaseline: "stale-baseline"
    case .unmatchedEntry: "unmatched-entry"
    case .nestedContainer: "nested-container"
    case .otherSpelling: "other-spelling"
    case .attributesDisagree: "attributes-disagree"
    }
  }

  /// The inverse of `word`.
  public init?(word: some StringProtocol) {
    guard let match = RuleID.allCases.first(where: { $0.word == word }) else { return nil }
    self = match
  }

  /// The severity where no policy says otherwise.
  public var defaultSeverity: Severity {
    switch self {
    case .exposedFile, .exposedSidecar, .hardLinkEscape, .mustBeBackedUp, .markLost,
      .inBackupThoughCovered:
      .error
    case .undocumentedSkip, .fragileMark, .sidecarReturnsUnmarked, .emptyMark, .partialMark,
      .legacyMark, .misnamedMark, .systemDirectoryMarked, .attributesUnproven,
      .expiredException, .unusedException, .staleBaseline, .unmatchedEntry:
      .warning
    case .unfamiliarValue, .genericDirectoryName, .markAboveRoot, .nestedContainer,
      .otherSpelling, .attributesDisagree:
      .note
    }
  }
}
