/// Collects findings for a new baseline.
///
/// A gate gives it every finding at warning or error level that no exception suppresses, those of
/// an old baseline included: so a baseline can be written anew over itself.
public final class BaselineRecorder {
  struct Key: Hashable {
    var rule: RuleID
    var container: BaselineContainer
    var path: [UInt8]
  }

  var counts: [Key: Int] = [:]

  /// Nothing recorded yet.
  public init() {}

  /// Takes note of a finding; the path is relative to the container root.
  func record(_ rule: RuleID, container: BaselineContainer, path: [UInt8]) {
    counts[
      Key(rule: rule, container: container, path: VolatilePath.normalised(path)), default: 0] += 1
  }

  /// What was recorded, in no particular order.
  public var entries: [BaselineEntry] {
    counts.map {
      BaselineEntry(
        rule: $0.key.rule, container: $0.key.container, path: $0.key.path, count: $0.value)
    }
  }

  /// The new baseline's text, the same for the same findings in any order.
  public func text() -> [UInt8] { Baseline.text(of: entries) }
}
