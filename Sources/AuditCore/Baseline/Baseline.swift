/// A container as a baseline knows it: by its identifier, or where there is none by its kind.
public enum BaselineContainer: Hashable, Sendable {
  case identifier(String)
  case kind(ContainerKind)

  init(_ report: ContainerReport) {
    self = report.identifier.map { .identifier($0) } ?? .kind(report.kind)
  }

  /// Words for messages.
  var shown: String {
    switch self {
    case .identifier(let identifier): Shown.text(identifier.utf8)
    case .kind(.unknown): "a container of unknown kind"
    case .kind(let kind): "a container of kind \(kind.word)"
    }
  }

  /// Identifiers by their bytes, then kinds.
  var order: (Int, [UInt8]) {
    switch self {
    case .identifier(let identifier): (0, Array(identifier.utf8))
    case .kind(let kind): (1, Array(kind.word.utf8))
    }
  }
}

/// Findings that were there when a team began: they do not fail a run, new ones do.
public struct Baseline: Sendable {
  /// The file as the user named it.
  public var name: String
  /// The known findings.
  public var entries: [BaselineEntry]
}

/// A known finding. Nothing in it belongs to one machine or one run.
public struct BaselineEntry: Equatable, Sendable {
  /// The rule.
  public var rule: RuleID
  /// The container.
  public var container: BaselineContainer
  /// The path relative to the container root, volatile parts replaced (`VolatilePath`).
  public var path: [UInt8]
  /// How many findings it stands for; more than one where volatile parts were replaced.
  public var count = 1
  /// Its line in the baseline's file; zero for an entry that was not read from one.
  public var line = 0
}

extension Baseline {
  /// The file's text: sorted, one finding a line.
  public static func text(of entries: [BaselineEntry]) -> [UInt8] {
    let sorted = entries.sorted { a, b in
      if a.container != b.container {
        let (x, y) = (a.container.order, b.container.order)
        return x.0 != y.0 ? x.0 < y.0 : x.1.lexicographicallyPrecedes(y.1)
      }
      if a.path != b.path { return a.path.lexicographicallyPrecedes(b.path) }
      return a.rule.word < b.rule.word
    }
    var out = Array("{\n  \"version\": 1,\n  \"findings\": [".utf8)
    for (index, entry) in sorted.enumerated() {
      out += (index == 0 ? "\n    " : ",\n    ").utf8
      append(entry, to: &out)
    }
    out += (sorted.isEmpty ? "]\n}\n" : "\n  ]\n}\n").utf8
    return out
  }

  private static func append(_ entry: BaselineEntry, to out: inout [UInt8]) {
    switch entry.container {
    case .identifier(let identifier):
      out += "{\"container\": ".utf8
      JSONText.append(identifier.utf8, to: &out)
    case .kind(let kind):
      out += "{\"kind\": \"\(kind.word)\"".utf8
    }
    out += ", \"path\": ".utf8
    JSONText.append(entry.path.isEmpty ? Array(".".utf8) : entry.path, to: &out)
    if String(validating: entry.path, as: UTF8.self) == nil {
      out += ", \"pathBytes\": \"".utf8 + Base64.encoded(entry.path) + "\"".utf8
    }
    out += ", \"rule\": \"\(entry.rule.word)\"".utf8
    if entry.count != 1 { out += ", \"count\": \(entry.count)".utf8 }
    out += "}".utf8
  }
}
