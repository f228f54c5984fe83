import AuditCore
import AuditInput
import AuditReport

/// The reports of `diff` and `verify`, which have their own documents, and where they go.
final class StateOutputs {
  /// One report.
  struct Output {
    var format: ReportFormat
    var writer: ByteWriter
    var text: TextOptions
  }

  private(set) var writers: [Output] = []
  private var files: [OutputFile] = []

  /// Refuses formats that these verbs cannot write.
  static func check(_ settings: Settings, _ verb: Verb) throws(UsageError) {
    let asked = [settings.format] + settings.reports.map(\.format)
    for format in asked where !ReportFormat.ofComparisons.contains(format) {
      throw UsageError(
        message: "\(verb.rawValue) cannot write \(format.word), only "
          + "\(ReportFormat.ofComparisons.map(\.word).joined(separator: ", "))")
    }
  }

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
    files.append(file)
    writers.append(
      Output(
        format: format, writer: ByteWriter { try file.write($0) },
        text: settings.textOptions(isTerminal: isTerminal)))
  }

  /// Gives the files their names.
  func commit() throws {
    for file in files { try file.commit() }
  }
}

extension Settings {
  /// How text looks on a terminal or in a file.
  func textOptions(isTerminal: Bool) -> TextOptions {
    var text = TextOptions()
    text.listing = list
    text.columns = isTerminal ? Terminal.columns : 80
    switch color {
    case .always: text.usesColor = true
    case .never: text.usesColor = false
    case .auto: text.usesColor = isTerminal && !Terminal.isDumb && !Terminal.refusesColor
    }
    return text
  }
}
