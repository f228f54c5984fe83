import AuditCore
import AuditReport

/// The reports of a run and the files they go to.
final class ReportOutputs {
  private var files: [OutputFile] = []
  private(set) var sinks: [any ReportSink] = []

  init(_ settings: Settings) throws {
    let main =
      try settings.output.map { path throws(FileError) in try OutputFile(path: path) }
      ?? OutputFile()
    add(settings.format, main, settings, isTerminal: settings.output == nil && Terminal.isOutput)
    for report in settings.reports {
      add(report.format, try OutputFile(path: report.path), settings, isTerminal: false)
    }
  }

  private func add(
    _ format: ReportFormat, _ file: OutputFile, _ settings: Settings, isTerminal: Bool
  ) {
    var text = TextOptions()
    text.listing = settings.list
    text.columns = isTerminal ? Terminal.columns : 80
    switch settings.color {
    case .always: text.usesColor = true
    case .never: text.usesColor = false
    case .auto: text.usesColor = isTerminal && !Terminal.isDumb && !Terminal.refusesColor
    }
    files.append(file)
    sinks.append(
      format.makeSink(writer: ByteWriter { try file.write($0) }, text: text))
  }

  func begin(_ run: RunInfo) throws {
    for sink in sinks { try sink.begin(run: run) }
  }

  /// Ends the reports and gives the files their names.
  func end(_ summary: RunSummary) throws {
    for sink in sinks { try sink.end(summary: summary) }
    for file in files { try file.commit() }
  }
}

/// A line on the terminal that says how far a long walk has come.
final class Progress {
  let isOn: Bool
  private let start = Terminal.milliseconds
  private var last = 0
  private var isShown = false

  init(isOn: Bool) { self.isOn = isOn }

  /// Shows a number of entries, at most ten times a second and not in the first half second.
  func show(_ entries: Int) {
    let now = Terminal.milliseconds - start
    guard isOn, now > 500, now - last > 100 else { return }
    last = now
    isShown = true
    Terminal.put("\r\u{1B}[K\(entries) entries read")
  }

  func clear() {
    if isShown { Terminal.put("\r\u{1B}[K") }
    isShown = false
  }
}
