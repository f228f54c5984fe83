/// The help text, made from the option table.
enum Help {
  static func text(for verb: Verb, explicit: [[UInt8]]) -> String {
    let named = explicit.contains { $0.elementsEqual(verb.rawValue.utf8) }
    return named ? page(verb) : overview
  }

  private static var overview: String {
    var out = """
      audit tells what an iOS or macOS app leaves exposed to backup: it reads the exclusion mark
      straight from disk, by path, and says of every file what covers it.

      usage: audit [check] [OPTIONS] PATH…

      """
    for verb in Verb.allCases where verb != .check {
      out += "       audit \(verb.rawValue) \(verb.operands)\n"
    }
    out += """

      PATH is a container directory, a folder of containers, an .xcappdata, an archive, or - for an
      archive on standard input. A folder called like a verb is written ./rules.


      """
    out += rows(OptionTable.all)
    out += """

      exit status: 0 clean, 1 findings at error level (or what --fail-on says), 2 not to be
      trusted because something could not be read or decided, 64 usage.

      """
    return out
  }

  private static func page(_ verb: Verb) -> String {
    "\(verb.summary)\n\nusage: audit \(verb.rawValue) [OPTIONS] \(verb.operands)\n\n"
      + rows(OptionTable.all.filter { $0.verbs.contains(verb) })
  }

  private static func rows(_ specs: [OptionSpec]) -> String {
    var out = ""
    for spec in specs where !spec.isHidden {
      var head = "  " + (spec.short.map { "-\($0), " } ?? "    ") + "--" + spec.long
      if let placeholder = spec.placeholder { head += " " + placeholder }
      if head.count < 32 {
        out += head + String(repeating: " ", count: 32 - head.count) + spec.summary + "\n"
      } else {
        out += head + "\n" + String(repeating: " ", count: 32) + spec.summary + "\n"
      }
      if case .words(let words) = spec.value, words.count > 4 {
        out += String(repeating: " ", count: 32) + words.joined(separator: " ") + "\n"
      }
    }
    return out
  }
}
