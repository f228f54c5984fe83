import BackupExclusion

/// The manual page in mdoc, made from the option table.
enum ManualPage {
  static var text: String {
    var out = """
      .Dd November 30, 2026
      .Dt AUDIT 1
      .Os
      .Sh NAME
      .Nm audit
      .Nd tell what an iOS or macOS app leaves exposed to backup
      .Sh SYNOPSIS

      """
    for verb in Verb.allCases {
      out += ".Nm audit\n"
      if verb == .check {
        out += ".Op Cm check\n"
      } else {
        out += ".Cm \(verb.rawValue)\n"
      }
      if verb != .rules { out += ".Op Ar options\n" }
      for operand in verb.operands.split(separator: " ") { out += synopsis(String(operand)) }
    }
    out += """
      .Sh DESCRIPTION
      .Nm
      walks a container tree or reads an archive of one, reads the extended attribute
      .Ql \(ExclusionMark.name)
      straight from disk by path, and says of every file whether a marked directory above it covers
      it, only its own mark excludes it, or a backup may hold it.
      What cannot be told is
      .Ql unknown
      and never passes.
      .Pp
      The mark is guidance to the backup system, not a guarantee; the defence at rest is the
      data-protection class.
      .Pp
      The commands are:
      .Bl -tag -width containers

      """
    for verb in Verb.allCases { out += ".It Cm \(verb.rawValue)\n\(sentence(verb.summary))\n" }
    out += ".El\n.Pp\nThe options are:\n.Bl -tag -width Ds\n"
    for spec in OptionTable.all where !spec.isHidden {
      out += ".It "
      if let short = spec.short {
        out += "Fl \(short)" + (spec.placeholder.map { " Ar \(argument($0))" } ?? "") + " , "
      }
      out += "Fl \\-\(spec.long)" + (spec.placeholder.map { " Ar \(argument($0))" } ?? "")
      out += "\n\(sentence(spec.summary))\n"
      if case .words(let words) = spec.value, words.count > 4 {
        out += "One of \(words.joined(separator: ", ")).\n"
      }
    }
    out += """
      .El
      .Sh ENVIRONMENT
      .Bl -tag -width NO_COLOR
      .It Ev NO_COLOR
      If it is not empty, text has no colour unless
      .Fl \\-color Ar always
      is given.
      .It Ev TERM
      With the value
      .Ql dumb
      there is neither colour nor a progress line.
      .El
      .Sh EXIT STATUS
      .Bl -tag -width Ds
      .It 0
      Complete, and nothing at error level (or from the level on that
      .Fl \\-fail-on
      names).
      .It 1
      Complete, with such findings.
      .It 2
      Not to be trusted: something could not be read or decided, no file was found, or a report
      could not be written.
      .It 64
      The command line makes no sense.
      .El
      .Sh EXAMPLES
      Audit a container, and write a report for a code host and one for people:
      .Pp
      .Dl audit --report sarif=audit.sarif --report html=audit.html container
      .Pp
      Show why a backup may hold one file:
      .Pp
      .Dl audit explain container/Documents/notes.sqlite-wal
      .Pp
      List the containers of a dump that comes through a pipe:
      .Pp
      .Dl ssh root@device bsdtar -cf - /private/var/mobile/Containers | audit containers -
      .Sh SEE ALSO
      .Xr getfattr 1 ,
      .Xr xattr 7

      """
    return out
  }

  private static func synopsis(_ operand: String) -> String {
    var name = operand
    let isOptional = name.hasPrefix("[")
    if isOptional { name = String(name.dropFirst().dropLast()) }
    if name.hasPrefix("--") { return ".Fl \\-\(name.dropFirst(2))\n" }
    let isRepeated = name.hasSuffix("…")
    if isRepeated { name = String(name.dropLast()) }
    return (isOptional ? ".Op Ar " : ".Ar ") + name + (isRepeated ? " ...\n" : "\n")
  }

  private static func argument(_ placeholder: String) -> String {
    placeholder.split(separator: "|").joined(separator: " | ")
  }

  private static func sentence(_ text: String) -> String {
    (text.first.map { $0.uppercased() } ?? "") + text.dropFirst() + "."
  }
}
