import AuditCore

/// What could not be read: before everything that was.
struct HTMLErrors {
  let writer: ByteWriter

  func append(_ inputs: [HTMLReport.Input], _ summary: RunSummary) {
    let errors = inputs.flatMap { input in input.report.errors.map { (input.report.info, $0) } }
    let total = errors.count + inputs.reduce(0) { $0 + $1.report.errorsOmitted }
    guard total > 0 else { return }
    writer.append("<section id=\"errors\">\n<h2>Could not be read</h2>\n<ul class=\"places\">\n")
    for (input, error) in errors.prefix(HTMLReport.listLimit) {
      writer.append("<li><code>")
      if inputs.count > 1 {
        writer.append("<span class=\"quiet\">")
        writer.appendVisible(path: input.path, in: .markup)
        writer.append(" : </span>")
      }
      writer.appendPath(error.path)
      writer.append("</code> <span class=\"quiet\">")
      writer.appendMarkup("\(error.operation): \(error.error)")
      writer.append("</span><br>")
      writer.appendMarkup(error.message.string)
      writer.append("</li>\n")
    }
    writer.appendMore(total - min(errors.count, HTMLReport.listLimit), "error", in: "li")
    writer.append("</ul>\n</section>\n")
  }
}

/// The place where the script draws the map.
struct HTMLMap {
  let writer: ByteWriter

  func append() {
    writer.append(
      """
      <section id="map" hidden>
      <h2>Map</h2>
      <div class="tools"><nav id="trail" aria-label="Place in the map"></nav>
      <div class="choice" role="group" aria-label="Area">
      <button type="button" id="by-bytes" aria-pressed="true">bytes</button>
      <button type="button" id="by-files" aria-pressed="false">files</button></div></div>
      <div id="plot"></div>
      <p id="status" class="quiet" aria-live="polite"></p>
      </section>

      """)
  }
}

/// Containers and the marked directories in them.
struct HTMLContainers {
  let writer: ByteWriter

  func append(_ inputs: [HTMLReport.Input]) {
    let containers = inputs.flatMap { input in
      input.report.containers.map { (input.report.info, $0) }
    }
    writer.append("<section id=\"containers\">\n<h2>Containers</h2>\n")
    for (input, container) in containers.prefix(HTMLReport.listLimit) {
      writer.append("<article class=\"container\">\n<h3>")
      writer.appendName(container, in: input)
      writer.append("</h3>\n<p class=\"quiet\">")
      writer.append(TextWords.kind(container.kind))
      // Without an identifier the path is the name already.
      if container.identifier != nil || !container.path.isEmpty {
        writer.append(" · <code>")
        writer.appendVisible(path: input.path, in: .markup)
        if container.identifier != nil, !container.path.isEmpty {
          writer.append(" : ")
          writer.appendVisible(container.path, in: .markup)
        }
        writer.append("</code>")
      }
      writer.append("</p>\n<p class=\"tally\">")
      for verdict in HTMLFigures.order where container.counts.files[verdict] > 0 {
        writer.append("<span>")
        writer.appendSwatch(verdict)
        writer.append("<b>")
        writer.append(TextNumber.grouped(container.counts.files[verdict]))
        writer.append("</b> ")
        writer.append(verdict.word)
        writer.append("</span> ")
      }
      if container.counts.files.total == 0 { writer.append("No files.") }
      writer.append("</p>\n")
      appendMarked(container)
      writer.append("</article>\n")
    }
    writer.appendMore(containers.count - HTMLReport.listLimit, "container", in: "p")
    writer.append("</section>\n")
  }

  private func appendMarked(_ container: ContainerReport) {
    guard !container.markedDirectories.isEmpty else {
      return writer.append("<p class=\"quiet\">No marked directory.</p>\n")
    }
    writer.append("<ul class=\"places\">\n")
    for directory in container.markedDirectories.prefix(HTMLReport.listLimit) {
      writer.append("<li><code>")
      writer.appendPath(directory.path, below: container.path)
      writer.append("</code> <span class=\"quiet\">marked (")
      writer.append(directory.mark.form.word)
      writer.append("), covers ")
      writer.append(TextNumber.count(directory.files, "file"))
      if directory.bytes > 0 { writer.append(", \(TextNumber.bytes(directory.bytes))") }
      writer.append("</span></li>\n")
    }
    writer.appendMore(
      container.markedDirectories.count - HTMLReport.listLimit, "marked place", in: "li")
    writer.append("</ul>\n")
  }
}
