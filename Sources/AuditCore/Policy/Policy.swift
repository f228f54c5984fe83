/// What a team decided about its containers: which data stays on the device, which must come back
/// after a restore, and which findings are accepted for how long.
public struct Policy: Sendable {
  /// The file as the user named it.
  public var name: String
  /// The severity of exposed files that no entry speaks of; nil where the policy is silent.
  public var unlisted: Severity?
  /// Data that must not be in a backup.
  public var localOnly: [PolicyEntry] = []
  /// Data that must be in a backup.
  public var backedUp: [PolicyEntry] = []
  /// Findings that are accepted.
  public var exceptions: [PolicyException] = []
  /// Severities other than the rules' defaults.
  public var severities: [RuleID: Severity] = [:]
}

/// Which paths of which containers an entry speaks of.
public struct PolicyPattern: Sendable, Hashable {
  let glob: Glob
  let containerGlob: Glob?

  init(path: [UInt8], container: [UInt8]? = nil) {
    glob = Glob(path)
    containerGlob = container.map { Glob($0) }
  }

  /// The glob over the path relative to the container root, as it was written.
  public var path: [UInt8] { glob.pattern }
  /// The glob over the container's identifier, as it was written.
  public var container: [UInt8]? { containerGlob?.pattern }

  /// Whether the entry speaks of a container; one without an identifier only if it names none.
  func concerns(identifier: String?) -> Bool {
    guard let containerGlob else { return true }
    guard let identifier else { return false }
    return containerGlob.matches(Array(identifier.utf8))
  }
}

/// An entry of `localOnly` or `backedUp`.
public struct PolicyEntry: Sendable {
  /// What makes a local-only file acceptable.
  public enum Requirement: String, Sendable, CaseIterable {
    /// A marked directory above it.
    case directory
    /// A mark of its own will do.
    case any
  }

  /// What it speaks of.
  public var pattern: PolicyPattern
  /// Why.
  public var reason: String
  /// What makes a local-only file acceptable; of no meaning in `backedUp`.
  public var require = Requirement.directory
  /// Where the path is decided in the source code, such as `Sources/Store.swift:42`.
  public var source: String?
  /// The entry's line in the policy file.
  public var line: Int
}

/// An entry of `exceptions`.
public struct PolicyException: Sendable {
  /// The rule whose findings are accepted.
  public var rule: RuleID
  /// Where they are accepted.
  public var pattern: PolicyPattern
  /// Why.
  public var reason: String
  /// The last day it holds; nil for always.
  public var expires: PolicyDate?
  /// Where the path is decided in the source code.
  public var source: String?
  /// The entry's line in the policy file.
  public var line: Int
}
