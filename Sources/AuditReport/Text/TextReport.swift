import AuditCore

/// What the text report lists.
public enum TextListing: Sendable {
  /// Every file of small inputs, folded by directory in large ones.
  case automatic
  /// Every file.
  case all
  /// Findings only.
  case findings
}

/// How the text report looks.
public struct TextOptions: Sendable {
  /// What is listed.
  public var listing = TextListing.automatic
  /// Whether escape sequences for colour are written.
  public var usesColor = false
  /// The width of the terminal in columns; messages are wrapped to it.
  public var columns = 80
  /// The plain defaults.
  public init() {}

  /// Inputs with at most so many entries, in at most `smallDirectories`, are listed file by file.
  public static let smallEntries = 200
  /// See `smallEntries`.
  public static let smallDirectories = 1000
}

/// The `text` format, made to be read: what covers what, what is fragile, what is exposed, and the
/// verdict in one line at the end.
///
/// Nothing of a large input is kept but counts; of a small one its lines.
final class TextReport: ReportSink {
  private let writer: ByteWriter
  private let options: TextOptions
  private let style: TextStyle
  private var inputs = 0
  /// Lines of the current input, until it turns out to be large.
  private var rows: [TextRow] = []
  private var directories = 0
  private var isLarge = false
  private var listed: Directory?

  init(writer: ByteWriter, options: TextOptions) {
    self.writer = writer
    self.options = options
    style = TextStyle(isColored: options.usesColor)
  }

  func begin(run: RunInfo) throws {}

  func begin(input: InputInfo) throws {
    rows = []
    directories = 0
    isLarge = options.listing == .findings
    listed = nil
    if options.listing == .all { heading(input) }
  }

  func add(_ slice: ClassifiedSlice) throws {
    if options.listing == .all {
      for index in slice.range { list(TextRow(slice, index)) }
      return try writer.check()
    }
    if isLarge { return }
    directories += slice.directory === listed ? 0 : 1
    listed = slice.directory
    if rows.count + slice.range.count > TextOptions.smallEntries
      || directories > TextOptions.smallDirectories
    {
      isLarge = true
      rows = []
      return
    }
    for index in slice.range { rows.append(TextRow(slice, index)) }
  }

  func end(input: InputReport) throws {
    if options.listing != .all { heading(input.info) }
    carrier(input)
    if options.listing == .automatic && !isLarge { listRows(input) }
    for container in input.containers { summarize(container, input) }
    if input.containers.count > 1 { line(""); totals("all containers", input.counts) }
    findings(input)
    errors(input)
    try writer.check()
  }

  func end(summary: RunSummary) throws {
    line("")
    line(TextVerdict.line(summary, style: style))
    for part in wrap(caveat, indent: "") { line(style.dim(part)) }
    try writer.flush()
  }

  // MARK: - Parts

  private func heading(_ input: InputInfo) {
    if inputs > 0 { line("") }
    inputs += 1
    line(style.bold(Shown.text(input.path)))
    lastDirectory = nil
  }

  private func carrier(_ input: InputReport) {
    var text = "\(input.info.kind), \(Shown.text(Array(input.format.utf8)))"
    switch input.evidence {
    case .proven: text += ", attributes proven"
    case .possible: text += ", attributes possible but none seen"
    case .impossible: text += ", cannot hold the mark"
    }
    line(style.dim(text))
    if let reason = input.evidenceReason, input.evidence != .proven {
      for part in wrap(reason, indent: "") { line(style.dim(part)) }
    }
    var notes: [String] = []
    if input.sidecars > 0 {
      var note = "\(TextNumber.count(input.sidecars, "sidecar file")) read as attributes"
      if input.orphanSidecars > 0 { note += ", \(input.orphanSidecars) without an owner" }
      notes.append(note)
    }
    if input.vanished > 0 {
      notes.append(TextNumber.count(input.vanished, "name") + " gone during the walk")
    }
    if !notes.isEmpty { line(style.dim(notes.joined(separator: "; "))) }
  }

  /// The lines of a small input: a heading for each directory, a line for each file.
  private func listRows(_ input: InputReport) {
    var marks: [[UInt8]: OwnMark] = [:]
    for container in input.containers {
      for directory in container.markedDirectories { marks[directory.path] = directory.mark }
    }
    for row in rows { list(row, marks) }
    rows = []
  }

  private var lastDirectory: [UInt8]?

  private func list(_ row: TextRow, _ marks: [[UInt8]: OwnMark] = [:]) {
    if row.directory != lastDirectory {
      lastDirectory = row.directory
      line("")
      var head = row.directory.isEmpty ? "./" : Shown.text(row.directory) + "/"
      head = style.bold(head)
      if let mark = marks[row.directory] {
        head += style.green("  marked (\(mark.form.word))")
      } else if let ancestor = row.ancestor {
        head += style.dim("  below \(ancestor.isEmpty ? "." : Shown.text(ancestor))")
      }
      line(head)
    }
    var text = "  " + style.verdict(row.verdict, padded: 20) + "  " + row.sizeColumn + "  "
    text += Shown.text(row.name)
    if row.kind != .file { text += style.dim("  (\(row.kind.word))") }
    if row.mark.state == .marked { text += style.dim("  own mark: \(row.mark.form.word)") }
    if row.mark.state == .empty { text += style.yellow("  empty attribute: no mark") }
    if row.reason != .none { text += style.dim("  \(row.reason.text)") }
    line(text)
  }

  private func summarize(_ container: ContainerReport, _ input: InputReport) {
    line("")
    var title = style.bold(container.path.isEmpty ? "." : Shown.text(container.path))
    title += "  " + TextWords.kind(container.kind)
    if let identifier = container.identifier {
      title += " " + style.bold(Shown.text(Array(identifier.utf8)))
    }
    line(title)
    for directory in container.markedDirectories.prefix(40) {
      let path = directory.path.isEmpty ? "." : Shown.text(directory.path)
      line(
        "  " + style.green("marked directory") + "  \(path)  "
          + style.dim(
            "covers \(TextNumber.count(directory.files, "file")), "
              + TextNumber.bytes(directory.bytes)))
    }
    let more = container.markedDirectories.count - 40
    if more > 0 {
      line("  " + style.dim("and \(TextNumber.grouped(more)) more marked directories"))
    }
    totals(nil, container.counts)
  }

  private func totals(_ title: String?, _ counts: Counts) {
    if let title { line(style.bold(title)) }
    for verdict in Verdict.allCases where counts.files[verdict] > 0 {
      var text = "  " + style.verdict(verdict, padded: 20) + "  "
      text += TextNumber.right(TextNumber.grouped(counts.files[verdict]), 9)
      text += counts.files[verdict] == 1 ? " file " : " files"
      // In a large input sizes are asked only of what is marked or covered.
      if !isLarge || verdict != .exposed && verdict != .outsideBackup && verdict != .unknown {
        text += "  " + TextNumber.right(TextNumber.bytes(counts.bytes[verdict]), 9)
      }
      text += "  " + style.dim(TextWords.meaning(verdict))
      line(text)
    }
    if counts.files.total == 0 { line("  no files") }
    if counts.symlinks > 0 {
      line("  " + style.dim(TextNumber.count(counts.symlinks, "symbolic link") + ", not followed"))
    }
  }

  private func findings(_ input: InputReport) {
    guard !input.findings.isEmpty else { return }
    line("")
    line(style.bold("findings"))
    var shown = 0
    var last: RuleID?
    var lastFix = ""
    for finding in input.findings {
      let isSuppressed = finding.suppression != nil
      if finding.rule == last { shown += 1 } else { (shown, last) = (1, finding.rule) }
      let limit = options.listing == .automatic && isLarge ? 10 : 1000
      if shown == limit + 1 {
        let rest = input.findings.count { $0.rule == finding.rule } - limit
        line("  " + style.dim("and \(TextNumber.grouped(rest)) more of \(finding.rule.word)"))
      }
      if shown > limit { continue }
      var text =
        "  "
        + (isSuppressed
          ? style.dim("suppressed") : style.severity(finding.severity, padded: 7))
      text += "  " + style.bold(finding.rule.word) + "  "
      text += finding.path.isEmpty ? "." : Shown.text(finding.path)
      if finding.occurrences > 1 {
        text += style.dim("  (\(TextNumber.grouped(finding.occurrences)) entries)")
      }
      line(text)
      if let suppression = finding.suppression {
        line(
          "           "
            + style.dim(
              suppression.kind == .baseline
                ? "known by the baseline"
                : "excepted: " + Shown.text(Array(suppression.reason.utf8))))
        continue
      }
      for part in wrap(finding.message, indent: "           ") { line(part) }
      if finding.fix != lastFix || shown == 1 {
        for part in wrap("fix: " + finding.fix, indent: "           ") { line(style.dim(part)) }
      }
      lastFix = finding.fix
    }
  }

  private func errors(_ input: InputReport) {
    guard !input.errors.isEmpty else { return }
    line("")
    line(style.bold("could not be read"))
    for error in input.errors {
      line("  " + style.red(error.error) + "  " + error.message.string)
    }
    if input.errorsOmitted > 0 {
      line("  and \(TextNumber.grouped(input.errorsOmitted)) more")
    }
  }

  // MARK: - Lines

  private func line(_ text: String) {
    writer.append(text)
    writer.append("\n")
  }

  /// Breaks a sentence into lines of the terminal's width.
  private func wrap(_ text: String, indent: String) -> [String] {
    let width = max(40, min(options.columns, 100))
    var lines: [String] = []
    var current = indent
    for word in text.split(separator: " ") {
      if current.count + word.count + 1 > width && current.count > indent.count {
        lines.append(current)
        current = indent
      }
      current += (current.count > indent.count ? " " : "") + word
    }
    lines.append(current)
    return lines
  }
}

/// What a line of the listing needs.
struct TextRow {
  var directory: [UInt8]
  var name: [UInt8]
  var kind: EntryKind
  var size: Int64
  var verdict: Verdict
  var reason: Reason
  var mark: OwnMark
  var ancestor: [UInt8]?

  init(_ slice: ClassifiedSlice, _ index: Int) {
    let record = slice.directory.records[index]
    directory = slice.directory.path
    name = Array(slice.directory.name(record))
    kind = record.kind
    size = record.size
    verdict = slice.verdicts[index - slice.range.lowerBound]
    reason = slice.reasons[index - slice.range.lowerBound]
    mark = record.mark
    ancestor = slice.ancestor
  }

  var sizeColumn: String {
    TextNumber.right(size >= 0 && kind == .file ? TextNumber.bytes(Int(size)) : "", 9)
  }
}
