import AuditCore

/// The `text` format of a comparison: what got worse first, then the rest in figures.
///
/// Of each kind of change a bounded number is kept, so that memory does not grow with the input.
final class DiffText: DiffSink {
  /// How many entries are listed under a heading.
  static let limit = 50
  /// In how many containers entries are listed.
  static let containerLimit = 200

  private struct Section {
    var listed: [DiffChange] = []
    var count = 0
  }

  /// What an entry is listed under: the gravest of what happened to it.
  private enum Heading: Int, CaseIterable {
    case newlyExposed, addedExposed, directoryLost, markLost, newlyFragile, unknown, replaced
    case newlyCovered, removed, added

    var text: String {
      switch self {
      case .newlyExposed: "exposed now, excluded before"
      case .addedExposed: "new and exposed"
      case .directoryLost: "directories that lost their mark"
      case .markLost: "own mark lost, not exposed"
      case .newlyFragile: "own mark only now, covered before"
      case .unknown: "cannot tell"
      case .replaced: "replaced by another file"
      case .newlyCovered: "excluded now, exposed before"
      case .removed: "gone"
      case .added: "new"
      }
    }
  }

  private let text: TextLines
  private let writer: ByteWriter
  private var sides: (old: DiffSide, new: DiffSide)?
  private var sections: [Int: [Heading: Section]] = [:]

  init(writer: ByteWriter, options: TextOptions) {
    self.writer = writer
    text = TextLines(writer: writer, options: options)
  }

  func begin(run: RunInfo, old: DiffSide, new: DiffSide, pairs: [DiffPair]) throws {
    sides = (old, new)
    side("old", old)
    side("new", new)
    try writer.check()
  }

  private func side(_ word: String, _ side: DiffSide) {
    let entries =
      side.snapshot.count == 1
      ? "1 entry"
      : TextNumber.grouped(side.snapshot.count) + " entries"
    var facts = "\(side.kind), \(Shown.text(Array(side.format.utf8))), \(entries)"
    switch side.evidence {
    case .proven: facts += ", attributes proven"
    case .possible: facts += ", attributes possible but none seen"
    case .impossible: facts += ", cannot hold the mark"
    }
    text.line(
      text.style.bold("\(word)  \(Shown.text(side.path))") + text.style.dim("  \(facts)"))
  }

  func add(_ change: DiffChange) throws {
    guard let heading = Self.heading(change) else { return }
    guard sections[change.pair] != nil || sections.count < Self.containerLimit else { return }
    sections[change.pair, default: [:]][heading, default: Section()].count += 1
    if let count = sections[change.pair]?[heading]?.listed.count, count < Self.limit {
      sections[change.pair]?[heading]?.listed.append(change)
    }
  }

  private static func heading(_ change: DiffChange) -> Heading? {
    let kinds = change.kinds
    if kinds.contains(.newlyExposed) { return .newlyExposed }
    if kinds.contains(.unknown) { return .unknown }
    if kinds.contains(.added) { return change.after == .exposed ? .addedExposed : .added }
    if kinds.contains(.newlyFragile) { return .newlyFragile }
    if kinds.contains(.markLost) {
      return change.type == .directory ? .directoryLost : .markLost
    }
    if kinds.contains(.newlyCovered) { return .newlyCovered }
    if kinds.contains(.replaced) { return .replaced }
    // A size is another after every run: the figures at the end are enough.
    return kinds.contains(.removed) ? .removed : nil
  }

  func end(_ report: DiffReport, status: ExitStatus) throws {
    guard let sides else { return }
    for (index, pair) in report.pairs.enumerated() { container(index, pair, sides) }
    if !report.hasCommonContainer {
      text.line()
      text.paragraph(
        "No container of the one could be recognised in the other, so nothing was compared.")
    }
    for side in [sides.old, sides.new] {
      text.errors(side.errors, omitted: side.errorsOmitted, of: side.path)
    }
    text.findings(report.findings, limit: 100)
    let tally = report.tally
    var figures = ["\(TextNumber.grouped(tally[.newlyExposed])) newly exposed"]
    if tally.addedExposed > 0 {
      figures.append("\(TextNumber.grouped(tally.addedExposed)) new and exposed")
    }
    if tally[.unknown] > 0 { figures.append("\(TextNumber.grouped(tally[.unknown])) unknown") }
    text.verdict(status, report.counts, figures)
    try writer.flush()
  }

  private func container(
    _ index: Int, _ pair: DiffPair, _ sides: (old: DiffSide, new: DiffSide)
  ) {
    let old = pair.old.map { sides.old.snapshot.containers[$0] }
    let new = pair.new.map { sides.new.snapshot.containers[$0] }
    guard let shown = new ?? old, index < Self.containerLimit else { return }
    text.line()
    var title = text.style.bold(shown.path.isEmpty ? "." : Shown.text(shown.path))
    title += "  " + TextWords.kind(shown.kind)
    if let identifier = shown.identifier {
      title += " " + text.style.bold(Shown.text(Array(identifier.utf8)))
    }
    if pair.new == nil { title += text.style.dim("  (only in the old one)") }
    if pair.old == nil { title += text.style.dim("  (only in the new one)") }
    text.line(title)
    if let a = old?.identifier, let b = new?.identifier, a != b {
      text.line("  was called " + Shown.text(Array(a.utf8)) + "; compared all the same")
    }
    for heading in Heading.allCases {
      guard let section = sections[index]?[heading] else { continue }
      list(heading, section)
    }
    figures(pair.tally)
  }

  private func list(_ heading: Heading, _ section: Section) {
    let title = "\(heading.text): \(TextNumber.grouped(section.count))"
    switch heading {
    case .newlyExposed, .addedExposed: text.line("  " + text.style.red(title))
    case .directoryLost, .markLost, .newlyFragile: text.line("  " + text.style.yellow(title))
    case .unknown: text.line("  " + text.style.magenta(title))
    case .newlyCovered: text.line("  " + text.style.green(title))
    case .replaced, .removed, .added: text.line("  " + title)
    }
    for change in section.listed { text.line("    " + row(change)) }
    let more = section.count - section.listed.count
    if more > 0 { text.line("    " + text.style.dim("and \(TextNumber.grouped(more)) more")) }
  }

  private func row(_ change: DiffChange) -> String {
    var line = change.path.isEmpty ? "." : Shown.text(change.path)
    if change.type == .directory { return line + "/" }
    var notes: [String] = []
    switch (change.before, change.after) {
    case (let before?, let after?) where before != after:
      notes.append("\(before.word) → \(after.word)")
    case (_, let after?): notes.append(after.word)
    case (let before?, nil): notes.append("was \(before.word)")
    case (nil, nil): break
    }
    if change.type != .file { notes.append(change.type.word) }
    if change.kinds.contains(.markLost) && change.kinds.contains(.newlyExposed) {
      notes.append("own mark lost")
    }
    switch change.replacement {
    case .type?: notes.append("another type")
    case .inode?: notes.append("another inode")
    case nil: break
    }
    if !notes.isEmpty { line += text.style.dim("  " + notes.joined(separator: ", ")) }
    return line
  }

  private func figures(_ tally: DiffTally) {
    var parts = ["\(TextNumber.grouped(tally.unchanged)) unchanged"]
    if tally[.resized] > 0 { parts.append("\(TextNumber.grouped(tally[.resized])) resized") }
    if tally.stillExposed > 0 {
      parts.append("\(TextNumber.grouped(tally.stillExposed)) exposed before and now")
    }
    text.line("  " + text.style.dim(parts.joined(separator: ", ")))
  }
}
