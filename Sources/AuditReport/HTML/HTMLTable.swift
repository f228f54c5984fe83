import AuditCore

/// Every entry, or the directories that entries were folded into, as one table.
///
/// The script reads the table: `data-v` is the number of the verdict, `data-b` bytes, `data-n`
/// regular files, and the path is the text of the first `code`.
struct HTMLTable {
  let writer: ByteWriter

  func append(_ inputs: [HTMLReport.Input]) {
    writer.append("<section id=\"files\">\n<h2>Files</h2>\n")
    if inputs.contains(where: \.tree.isFolded) {
      writer.append(
        "<p class=\"quiet\">Long lists are folded by directory; the json report has every "
          + "file.</p>\n")
    }
    appendTools()
    writer.append("<table>\n<thead><tr>")
    for (name, title) in [
      ("path", "Path"), ("verdict", "Verdict"), ("bytes", "Size"), ("files", "Files"),
    ] {
      writer.append("<th scope=\"col\" data-sort=\"\(name)\">\(title)</th>")
    }
    writer.append("</tr></thead>\n")
    for input in inputs {
      writer.append("<tbody>\n")
      if inputs.count > 1 {
        writer.append("<tr class=\"input\"><th scope=\"rowgroup\" colspan=\"4\"><code>")
        writer.appendVisible(path: input.report.info.path, in: .markup)
        writer.append("</code></th></tr>\n")
      }
      for index in input.tree.nodes.indices { append(index, of: input.tree) }
      writer.append("</tbody>\n")
    }
    writer.append(
      "</table>\n<p id=\"shown\" class=\"quiet\" aria-live=\"polite\"></p>\n</section>\n")
  }

  private func appendTools() {
    writer.append(
      """
      <form id="filter" class="tools" hidden>
      <input type="search" id="query" aria-label="Filter by path" \
      placeholder="Filter by path" autocomplete="off" spellcheck="false">
      <fieldset><legend>Verdicts</legend>

      """)
    for verdict in Verdict.allCases {
      writer.append("<label><input type=\"checkbox\" checked value=\"\(verdict.rawValue)\">")
      writer.appendSwatch(verdict)
      writer.append(verdict.word)
      writer.append("</label>\n")
    }
    writer.append("</fieldset>\n</form>\n")
  }

  private func append(_ index: Int, of tree: FoldedTree) {
    let node = tree.nodes[index]
    let path = tree.path(of: index)
    if let entry = node.entry {
      start(entry.verdict, bytes: Int(max(entry.size, 0)), files: entry.kind == .file ? 1 : 0)
      writer.appendPath(path)
      writer.append("</code>")
      if entry.kind != .file { writer.append(" <span class=\"quiet\">\(entry.kind.word)</span>") }
      verdict(entry.verdict)
      if entry.verdict == .outsideBackup || entry.verdict == .unknown {
        writer.append("<span class=\"why\">")
        writer.append(entry.reason.text)
        writer.append("</span>")
      }
      end(bytes: entry.size < 0 ? nil : Int(entry.size), files: entry.kind == .file ? 1 : 0)
      return
    }
    for each in Verdict.allCases where node.files[each] > 0 {
      start(each, bytes: node.bytes[each], files: node.files[each])
      writer.appendPath(path)
      writer.append(path.isEmpty ? "/" : "<span class=\"dir\">/</span>")
      writer.append("</code> <span class=\"quiet\">folded</span>")
      verdict(each)
      end(bytes: node.bytes[each], files: node.files[each])
    }
  }

  private func start(_ verdict: Verdict, bytes: Int, files: Int) {
    writer.append("<tr data-v=\"")
    writer.append(Int(verdict.rawValue))
    writer.append("\" data-b=\"")
    writer.append(bytes)
    writer.append("\" data-n=\"")
    writer.append(files)
    writer.append("\"><td><code>")
  }

  private func verdict(_ verdict: Verdict) {
    writer.append("</td><td>")
    writer.appendSwatch(verdict)
    writer.append(verdict.word)
  }

  private func end(bytes: Int?, files: Int) {
    writer.append("</td><td>")
    if let bytes { writer.append(TextNumber.bytes(bytes)) }
    writer.append("</td><td>")
    writer.append(TextNumber.grouped(files))
    writer.append("</td></tr>\n")
  }
}
