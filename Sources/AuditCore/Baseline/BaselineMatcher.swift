/// Answers whether a baseline knows a finding, and keeps count of what it was asked.
struct BaselineMatcher {
  /// For one container: a table for each rule, from the path to the index of the entry.
  typealias Tables = [[[UInt8]: Int]]

  private let baseline: Baseline
  private let tables: [BaselineContainer: Tables]
  private var found: [Int]
  /// How many findings each entry stands for; entries that say the same are one.
  private var expected: [Int]

  init(_ baseline: Baseline) {
    self.baseline = baseline
    var tables: [BaselineContainer: Tables] = [:]
    found = [Int](repeating: 0, count: baseline.entries.count)
    expected = found
    for (index, entry) in baseline.entries.enumerated() {
      let rule = Int(entry.rule.rawValue)
      var rows =
        tables.removeValue(forKey: entry.container)
        ?? Tables(repeating: [:], count: RuleID.allCases.count)
      let first = rows[rule][entry.path, default: index]
      rows[rule][entry.path] = first
      // Counts are whatever the file says: more than there can be findings is as good as all.
      let sum = expected[first].addingReportingOverflow(entry.count)
      expected[first] = sum.overflow ? .max : sum.partialValue
      tables[entry.container] = rows
    }
    self.tables = tables
  }

  /// The tables of a container, to be kept while its entries are judged.
  func tables(of container: BaselineContainer) -> Tables? { tables[container] }

  /// Whether the finding is known. The first ones count, as many as the entry stands for.
  mutating func knows(_ rule: RuleID, path: [UInt8], in tables: Tables) -> Bool {
    let table = tables[Int(rule.rawValue)]
    guard !table.isEmpty, let index = table[VolatilePath.normalised(path)] else { return false }
    found[index] += 1
    return found[index] <= expected[index]
  }

  /// The entries that promised more than was found.
  var stale: [(entry: BaselineEntry, expected: Int, found: Int)] {
    baseline.entries.indices.filter { found[$0] < expected[$0] }
      .map { (baseline.entries[$0], expected[$0], found[$0]) }
  }

  /// The file's name.
  var name: String { baseline.name }
}
