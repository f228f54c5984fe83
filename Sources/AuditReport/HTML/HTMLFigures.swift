import AuditCore

/// The six figures and the bar on the first screen, and the patterns that all swatches use.
struct HTMLFigures {
  /// What a reader looks for first comes first.
  static let order: [Verdict] = [
    .exposed, .selfMarked, .unknown, .coveredByAncestor, .markedAndCovered, .outsideBackup,
  ]

  let writer: ByteWriter

  func append(_ summary: RunSummary) {
    appendPatterns()
    writer.append("<section class=\"figures\" aria-label=\"Figures\">\n")
    appendBar(summary.counts)
    writer.append("<dl>\n")
    for verdict in Self.order {
      let count = summary.counts.files[verdict]
      writer.append(count == 0 ? "<div class=\"none\"><dt>" : "<div><dt>")
      writer.appendSwatch(verdict)
      writer.append(verdict.word)
      writer.append("</dt><dd><b>")
      writer.append(TextNumber.grouped(count))
      writer.append("</b> ")
      writer.append(count == 1 ? "file" : "files")
      if summary.counts.bytes[verdict] > 0 {
        writer.append("<span class=\"bytes\">")
        writer.append(TextNumber.bytes(summary.counts.bytes[verdict]))
        writer.append("</span>")
      }
      writer.append("<span class=\"meaning\">")
      writer.append(TextWords.meaning(verdict))
      writer.append("</span></dd></div>\n")
    }
    writer.append("</dl>\n<p class=\"quiet\">")
    writer.append(
      [
        TextNumber.count(summary.containers, "container"),
        summary.directories == 1
          ? "1 directory" : "\(TextNumber.grouped(summary.directories)) directories",
        TextNumber.count(summary.counts.symlinks, "symbolic link"),
        TextNumber.count(summary.counts.specials, "special file"),
      ].joined(separator: ", "))
    writer.append(". Links and special files are not among the files above.</p>\n</section>\n")
  }

  /// All files in one line: by bytes, or by count where no size is known.
  private func appendBar(_ counts: Counts) {
    let useBytes = counts.bytes.total > 0
    let shares = Self.shares(of: counts.files, by: useBytes ? counts.bytes : counts.files)
    guard !shares.isEmpty else { return }
    writer.append("<svg class=\"bar\" viewBox=\"0 0 1000 24\" preserveAspectRatio=\"none\" ")
    writer.append("role=\"img\" aria-label=\"")
    writer.append(useBytes ? "Bytes by verdict" : "Files by verdict")
    writer.append("\">")
    var start = 0
    for (verdict, share) in shares {
      writer.append("<rect x=\"\(start)\" y=\"0\" width=\"\(share)\" height=\"24\" ")
      writer.append("fill=\"url(#p-\(verdict.word))\"/>")
      start += share
    }
    writer.append("</svg>\n")
  }

  /// Thousandths for each verdict that has files; at least eight, so that none is invisible.
  static func shares(of files: Tally, by tally: Tally) -> [(verdict: Verdict, share: Int)] {
    let least = 8
    var shares = order.filter { files[$0] > 0 }.map { verdict in
      let part = Double(tally[verdict]) / Double(max(tally.total, 1))
      return (verdict: verdict, share: max(Int((part * 1000).rounded()), least))
    }
    // The largest gives what the smallest got.
    if let largest = shares.indices.max(by: { shares[$0].share < shares[$1].share }) {
      shares[largest].share += 1000 - shares.reduce(0) { $0 + $1.share }
    }
    return shares
  }

  /// A pattern for each verdict: the map can be read without colours.
  private func appendPatterns() {
    writer.append(
      """
      <svg class="defs" width="0" height="0" aria-hidden="true"><defs>
      <pattern id="p-covered-by-ancestor" width="8" height="8" patternUnits="userSpaceOnUse">\
      <rect class="covered-by-ancestor" width="8" height="8"/></pattern>
      <pattern id="p-self-marked" width="8" height="8" patternUnits="userSpaceOnUse" \
      patternTransform="rotate(45)"><rect class="self-marked" width="8" height="8"/>\
      <rect class="ink" width="3" height="8"/></pattern>
      <pattern id="p-marked-and-covered" width="10" height="10" patternUnits="userSpaceOnUse">\
      <rect class="marked-and-covered" width="10" height="10"/>\
      <rect class="ink" width="10" height="2"/></pattern>
      <pattern id="p-exposed" width="8" height="8" patternUnits="userSpaceOnUse" \
      patternTransform="rotate(45)"><rect class="exposed" width="8" height="8"/>\
      <rect class="ink" width="1.5" height="8"/><rect class="ink" width="8" height="1.5"/></pattern>
      <pattern id="p-outside-backup" width="8" height="8" patternUnits="userSpaceOnUse">\
      <rect class="outside-backup" width="8" height="8"/>\
      <circle class="ink" cx="2" cy="2" r="1.4"/><circle class="ink" cx="6" cy="6" r="1.4"/>\
      </pattern>
      <pattern id="p-unknown" width="12" height="12" patternUnits="userSpaceOnUse">\
      <rect class="unknown" width="12" height="12"/><rect class="ink" width="6" height="6"/>\
      <rect class="ink" x="6" y="6" width="6" height="6"/></pattern>
      </defs></svg>

      """)
  }
}

extension ByteWriter {
  /// Appends a small square in the colour and pattern of a verdict.
  func appendSwatch(_ verdict: Verdict) {
    append("<svg class=\"swatch\" viewBox=\"0 0 16 16\" aria-hidden=\"true\">")
    append("<rect width=\"16\" height=\"16\" rx=\"3\" fill=\"url(#p-")
    append(verdict.word)
    append(")\"/></svg>")
  }
}
