import AuditCore

/// Every entry, or the directories that entries were folded into, as one table.
///
/// A `tbody` is a run of entries of one container. The script reads the table: `data-v` is the
/// number of the verdict, `data-b` bytes, `data-n` regular files, the path is the text of the first
/// `code`, and `.name` is what the container is called.
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
    let isPlain = inputs.count == 1 && inputs[0].report.containers.count <= 1
    for input in inputs { append(input, isPlain: isPlain) }
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

  /// Appends the rows of one input; a heading wherever another container begins.
  private func append(_ input: HTMLReport.Input, isPlain: Bool) {
    let containers = input.report.containers
    var current: Int?
    var isOpen = false
    for index in input.tree.nodes.indices where !input.tree.isBare(index) {
      let path = input.tree.path(of: index)
      let container = self.container(of: path, in: containers)
      if !isOpen || container != current {
        writer.append(isOpen ? "</tbody>\n<tbody>\n" : "<tbody>\n")
        isOpen = true
        current = container
        if !isPlain { appendHeading(container.map { containers[$0] }, in: input.report.info) }
      }
      append(
        input.tree.nodes[index], path,
        below: isPlain ? [] : container.map { containers[$0].path } ?? [])
    }
    if isOpen { writer.append("</tbody>\n") }
  }

  private func appendHeading(_ container: ContainerReport?, in input: InputInfo) {
    writer.append("<tr class=\"group\"><th scope=\"rowgroup\" colspan=\"4\">")
    writer.append("<span class=\"name\">")
    if let container {
      writer.appendName(container, in: input)
    } else {
      writer.append("<code>")
      writer.appendVisible(path: input.path, in: .markup)
      writer.append("</code>")
    }
    writer.append("</span>")
    if let container, container.identifier != nil {
      writer.append(" <code class=\"quiet\">")
      writer.appendVisible(path: input.path, in: .markup)
      if !container.path.isEmpty {
        writer.append(" : ")
        writer.appendVisible(container.path, in: .markup)
      }
      writer.append("</code>")
    }
    writer.append("</th></tr>\n")
  }

  /// The innermost container that holds a path.
  private func container(of path: [UInt8], in containers: [ContainerReport]) -> Int? {
    var best: Int?
    for (index, container) in containers.enumerated() {
      let root = container.path
      let isInside =
        root.isEmpty
        || (path.starts(with: root) && (path.count == root.count || path[root.count] == 0x2F))
      if isInside, best.map({ containers[$0].path.count <= root.count }) ?? true { best = index }
    }
    return best
  }

  private func append(_ node: FoldedTree.Node, _ path: [UInt8], below root: [UInt8]) {
    if let entry = node.entry {
      start(entry.verdict, bytes: Int(max(entry.size, 0)), files: entry.kind == .file ? 1 : 0)
      writer.appendPath(path, below: root)
      writer.append("</code>")
      if entry.kind != .file { writer.append(" <span class=\"quiet\">\(entry.kind.word)</span>") }
      if entry.verdict == .outsideBackup || entry.verdict == .unknown {
        writer.append("<span class=\"why\">")
        writer.append(entry.reason.text)
        writer.append("</span>")
      }
      verdict(entry.verdict)
      let hasSize = entry.size >= 0 && (entry.kind == .file || entry.kind == .symlink)
      end(bytes: hasSize ? Int(entry.size) : nil, files: entry.kind == .file ? 1 : nil)
      return
    }
    for each in Verdict.allCases where node.files[each] > 0 {
      start(each, bytes: node.bytes[each], files: node.files[each])
      writer.appendPath(path == root ? [] : path, below: root)
      writer.append("<span class=\"dir\">/</span></code> <span class=\"quiet\">folded</span>")
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

  private func end(bytes: Int?, files: Int?) {
    writer.append("</td><td>")
    if let bytes { writer.append(TextNumber.bytes(bytes)) }
    writer.append("</td><td>")
    if let files { writer.append(TextNumber.grouped(files)) }
    writer.append("</td></tr>\n")
  }
}
