import AuditCore

/// Findings by severity and rule: what is so, what to do, and where.
struct HTMLFindings {
  let writer: ByteWriter

  /// Findings that say the same about several places.
  private struct Group {
    var rule: RuleID
    var severity: Severity
    var message: String
    var fix: String
    var places: [Place] = []
    var entries = 0
  }

  private struct Place {
    var input: Int
    var finding: Finding
  }

  func append(_ inputs: [HTMLReport.Input]) {
    let active = groups(inputs) { $0.suppression == nil }
    writer.append("<section id=\"findings\">\n<h2>Findings</h2>\n")
    if active.isEmpty { writer.append("<p>None.</p>\n") }
    var last: RuleID?
    for (index, group) in active.enumerated() {
      if group.rule != last || active[index - 1].severity != group.severity {
        appendHeading(group)
        last = group.rule
      }
      append(group, inputs)
    }
    let suppressed = groups(inputs) { $0.suppression != nil }
    if !suppressed.isEmpty {
      writer.append("<details class=\"suppressed\"><summary>")
      writer.append(TextNumber.count(suppressed.reduce(0) { $0 + $1.entries }, "finding"))
      writer.append(" suppressed by policy or baseline</summary>\n")
      for group in suppressed { append(group, inputs) }
      writer.append("</details>\n")
    }
    writer.append("</section>\n")
  }

  private func groups(
    _ inputs: [HTMLReport.Input], where isIncluded: (Finding) -> Bool
  ) -> [Group] {
    struct Key: Hashable {
      var rule: RuleID
      var severity: Severity
      var message: String
      var fix: String
    }
    var indices: [Key: Int] = [:]
    var groups: [Group] = []
    for (input, each) in inputs.enumerated() {
      for finding in each.report.findings where isIncluded(finding) {
        let key = Key(
          rule: finding.rule, severity: finding.severity, message: finding.message,
          fix: finding.fix)
        let index = indices[key] ?? groups.count
        if index == groups.count {
          indices[key] = index
          groups.append(
            Group(
              rule: finding.rule, severity: finding.severity, message: finding.message,
              fix: finding.fix))
        }
        groups[index].entries += finding.occurrences
        if groups[index].places.count < HTMLReport.listLimit {
          groups[index].places.append(Place(input: input, finding: finding))
        }
      }
    }
    return groups.enumerated().sorted { a, b in
      (b.element.severity.rawValue, a.element.rule.rawValue, a.offset)
        < (a.element.severity.rawValue, b.element.rule.rawValue, b.offset)
    }.map(\.element)
  }

  private func appendHeading(_ group: Group) {
    writer.append("<h3 class=\"\(group.severity.word)\"><span class=\"severity\">")
    writer.append(group.severity.word)
    writer.append("</span> ")
    writer.append(group.rule.word)
    writer.append("</h3>\n")
  }

  private func append(_ group: Group, _ inputs: [HTMLReport.Input]) {
    writer.append("<article class=\"finding \(group.severity.word)\">\n<p>")
    writer.appendMarkup(group.message)
    writer.append("</p>\n")
    if !group.fix.isEmpty {
      writer.append("<p class=\"fix\"><b>Fix</b> ")
      writer.appendMarkup(group.fix)
      writer.append("</p>\n")
    }
    let isLong = group.places.count > 20
    if isLong {
      writer.append("<details><summary>")
      writer.append(TextNumber.count(group.entries, "place"))
      writer.append("</summary>\n")
    }
    writer.append("<ul class=\"places\">\n")
    for place in group.places {
      writer.append("<li><code>")
      let report = inputs[place.input].report
      let container = place.finding.container.flatMap { index in
        report.containers.indices.contains(index) ? report.containers[index] : nil
      }
      writer.appendPath(place.finding.path, below: container?.path ?? [])
      writer.append("</code>")
      appendWhere(container, in: report, isOneOfMany: inputs.count > 1)
      if place.finding.occurrences > 1 {
        writer.append(" <span class=\"quiet\">")
        writer.append(counted(place.finding.occurrences, "entry", "entries"))
        writer.append("</span>")
      }
      if let source = place.finding.source {
        writer.append(" <span class=\"quiet\">decided in ")
        writer.appendMarkup(source)
        writer.append("</span>")
      }
      if let suppression = place.finding.suppression {
        writer.append(" <span class=\"quiet\">")
        writer.appendMarkup(
          suppression.kind == .baseline ? "baseline" : "exception: \(suppression.reason)")
        writer.append("</span>")
      }
      writer.append("</li>\n")
    }
    let listed = group.places.reduce(0) { $0 + $1.finding.occurrences }
    writer.appendMore(group.entries - listed, "place", in: "li")
    writer.append(isLong ? "</ul></details>\n</article>\n" : "</ul>\n</article>\n")
  }

  /// Says which container and input a place is in, where there are several.
  private func appendWhere(
    _ container: ContainerReport?, in report: InputReport, isOneOfMany: Bool
  ) {
    guard isOneOfMany || report.containers.count > 1 else { return }
    writer.append(" <span class=\"quiet\">in ")
    if let container { writer.appendName(container, in: report.info) }
    if isOneOfMany, container == nil || container?.identifier != nil {
      writer.append(container == nil ? "<code>" : ", <code>")
      writer.appendVisible(path: report.info.path, in: .markup)
      writer.append("</code>")
    } else if container == nil {
      writer.append("the input as a whole")
    }
    writer.append("</span>")
  }
}

extension ByteWriter {
  /// Appends a path relative to a container, its directory quieter than its name.
  func appendPath(_ path: [UInt8], below root: [UInt8] = []) {
    var path = path[...]
    if !root.isEmpty, path.starts(with: root) { path = path.dropFirst(root.count + 1) }
    guard let slash = path.lastIndex(of: 0x2F) else {
      return appendVisible(path: Array(path), in: .markup)
    }
    append("<span class=\"dir\">")
    appendVisible(Array(path[...slash]), in: .markup)
    append("</span>")
    appendVisible(Array(path[(slash + 1)...]), in: .markup)
  }

  /// Appends what people call a container: its identifier, or else where it lies.
  func appendName(_ container: ContainerReport, in input: InputInfo) {
    if let identifier = container.identifier {
      appendVisible(Array(identifier.utf8), in: .markup)
    } else {
      append("<code>")
      appendVisible(path: container.path.isEmpty ? input.path : container.path, in: .markup)
      append("</code>")
    }
  }
}
