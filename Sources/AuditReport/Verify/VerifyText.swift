import AuditCore

/// The `text` format of `audit verify`: container by container, what agrees and what does not.
struct VerifyText {
  /// How many entries are listed under a heading.
  private static let limit = 50

  private let writer: ByteWriter
  private let text: TextLines

  init(writer: ByteWriter, options: TextOptions) {
    self.writer = writer
    text = TextLines(writer: writer, options: options)
  }

  func write(_ report: VerifyReport, of backup: BackupInfo, status: ExitStatus) throws {
    var facts: [String] = []
    if let version = backup.systemVersion { facts.append("iOS " + Shown.text(Array(version.utf8))) }
    if let date = backup.date { facts.append("made " + Shown.text(Array(date.utf8))) }
    facts.append(TextNumber.count(backup.rows, "row"))
    text.line(
      text.style.bold("backup  \(Shown.text(backup.path))")
        + text.style.dim("  " + facts.joined(separator: ", ")))
    for input in report.inputs { append(input) }
    text.errors(backup.errors, omitted: 0, of: backup.path)
    for side in report.inputs.map(\.side) {
      text.errors(side.errors, omitted: side.errorsOmitted, of: side.path)
    }
    for input in report.inputs { text.findings(input.findings, limit: 100) }
    if !report.hasCompared && backup.errors.isEmpty {
      text.line()
      text.paragraph("Nothing was compared: no container was found in the backup.")
    }
    let tally = report.tally
    var figures = [
      "\(TextNumber.grouped(tally.excludedAndAbsent)) excluded and not in the backup",
      "\(TextNumber.grouped(tally.excludedButPresent)) excluded but in it",
    ]
    if tally.unknown > 0 { figures.append("\(TextNumber.grouped(tally.unknown)) unknown") }
    text.verdict(status, report.counts, figures)
    text.paragraph(verifyCaveat, dim: true)
    try writer.flush()
  }

  private func append(_ input: VerifyInput) {
    for container in input.containers {
      let report = input.side.snapshot.containers[container.container]
      text.line()
      let path =
        report.path.isEmpty
        ? Shown.text(input.side.path)
        : Shown.text(input.side.path) + " : " + Shown.text(report.path)
      var title = text.style.bold(path) + "  " + TextWords.kind(report.kind)
      if let identifier = report.identifier {
        title += " " + text.style.bold(Shown.text(Array(identifier.utf8)))
      }
      text.line(title)
      state(container, report)
      if container.state == .compared { figures(container.tally) }
    }
    list("excluded but in the backup", input.present, red: true) { item in
      var notes = [item.verdict.word]
      if item.type != .file { notes.append(item.type.word) }
      if let size = item.record?.size, size >= 0 { notes.append(TextNumber.bytes(Int(size))) }
      if let number = item.record?.protectionClass {
        notes.append(
          BackupRecord.ProtectionClass(rawValue: number)?.text ?? "protection class \(number)")
      }
      if item.record?.hasMark == true { notes.append("the backup's record shows the mark") }
      return notes.joined(separator: ", ")
    }
    list("exposed but not in the backup", input.absent, red: false) { $0.absence?.text ?? "" }
  }

  private func state(_ container: VerifyContainer, _ report: ContainerReport) {
    let domains = container.domains.map { Shown.text($0) }.joined(separator: " or ")
    switch container.state {
    case .compared:
      text.line("  " + text.style.dim("\(domains), \(TextNumber.count(container.rows, "row"))"))
    case .missing:
      text.paragraph(
        "not compared: the backup has nothing of \(domains). The app was not installed when it was "
          + "made, or it is another device's.", indent: "  ")
    case .notRead:
      text.paragraph("not compared: the backup could not be read to its end.", indent: "  ")
    case .noDomain:
      text.paragraph(
        report.kind == .macApp || report.kind == .macGroup
          ? "not compared: containers of a Mac are not in the backup of a device."
          : "not compared: nothing tells the container's identifier, so its domain is not known. "
            + "Its metadata property list is missing.", indent: "  ")
    }
  }

  private func figures(_ tally: VerifyTally) {
    row(tally.excludedAndAbsent, "excluded, and not in the backup") { text.style.green($0) }
    row(tally.excludedButPresent, "excluded, but in the backup") { text.style.red($0) }
    row(tally.exposedAndPresent, "exposed, and in the backup") { $0 }
    for reason in AbsenceReason.allCases {
      row(
        tally.exposedButAbsent[reason] ?? 0, "exposed, but not in the backup: \(reason.text)"
      ) { text.style.dim($0) }
    }
    row(tally.unknown, "could not be determined") { text.style.magenta($0) }
    row(tally.onlyInBackup, "in the backup, but not in the container") { text.style.dim($0) }
    row(
      tally.markedSidecarsMerged,
      "marked sidecars of databases in the backup: their rows were observed to travel inside the "
        + "database (undocumented by Apple)"
    ) { text.style.yellow($0) }
  }

  private func row(_ count: Int, _ words: String, _ paint: (String) -> String) {
    guard count > 0 else { return }
    text.line("  " + paint(TextNumber.right(TextNumber.grouped(count), 9) + "  " + words))
  }

  private func list(
    _ title: String, _ items: [VerifyItem], red: Bool, _ notes: (VerifyItem) -> String
  ) {
    guard !items.isEmpty else { return }
    text.line()
    text.line(red ? text.style.red(title) : text.style.bold(title))
    for item in items.prefix(Self.limit) {
      text.line("  " + Shown.text(item.path) + text.style.dim("  " + notes(item)))
    }
    let more = items.count - Self.limit
    if more > 0 {
      let isCut = items.count >= Verification.itemLimit
      text.line(
        "  " + text.style.dim("and \(isCut ? "at least " : "")\(TextNumber.grouped(more)) more"))
    }
  }
}
