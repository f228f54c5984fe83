/// Completion scripts, made from the option table.
enum Completion {
  static func script(for shell: String) -> String {
    switch shell {
    case "zsh": zsh
    case "fish": fish
    default: bash
    }
  }

  private static var visible: [OptionSpec] { OptionTable.all.filter { !$0.isHidden } }
  private static var verbs: String { Verb.allCases.map(\.rawValue).joined(separator: " ") }

  private static var bash: String {
    var cases = ""
    for spec in visible {
      var names = ["--" + spec.long]
      if let short = spec.short { names.append("-\(short)") }
      switch spec.value {
      case .words(let words):
        cases += """
              \(names.joined(separator: "|")))
                COMPREPLY=($(compgen -W "\(words.joined(separator: " "))" -- "$current")); return ;;

          """
      case .file:
        cases += """
              \(names.joined(separator: "|"))) COMPREPLY=($(compgen -f -- "$current")); return ;;

          """
      case .text:
        cases += "    \(names.joined(separator: "|"))) return ;;\n"
      case .none: break
      }
    }
    let options = visible.map { "--" + $0.long }.joined(separator: " ")
    return """
      # bash completion for audit
      _audit() {
        local current=${COMP_WORDS[COMP_CWORD]} previous=${COMP_WORDS[COMP_CWORD-1]}
        case $previous in
      \(cases)  esac
        if [[ $current == -* ]]; then
          COMPREPLY=($(compgen -W "\(options)" -- "$current"))
        elif [[ $COMP_CWORD -eq 1 ]]; then
          COMPREPLY=($(compgen -W "\(verbs)" -- "$current") $(compgen -f -- "$current"))
        else
          COMPREPLY=($(compgen -f -- "$current"))
        fi
      }
      complete -o filenames -F _audit audit

      """
  }

  private static var zsh: String {
    var rows = ""
    for spec in visible {
      let text = escaped(spec.summary)
      let action =
        switch spec.value {
        case .none: ""
        case .words(let words): ":word:(\(words.joined(separator: " ")))"
        case .file: ":file:_files"
        case .text(let name): ":\(name):"
        }
      let mark = spec.value == .none ? "" : "="
      rows += "    '--\(spec.long)\(mark)[\(text)]\(action)' \\\n"
      if let short = spec.short { rows += "    '-\(short)[\(text)]\(action)' \\\n" }
    }
    let verbRows = Verb.allCases.map { "    '\($0.rawValue):\(escaped($0.summary))'" }
      .joined(separator: "\n")
    return """
      #compdef audit
      _audit() {
        local -a verbs
        verbs=(
      \(verbRows)
        )
        _arguments -s \\
      \(rows)    '1: :{ _describe verb verbs; _files }' \\
          '*:file:_files'
      }
      compdef _audit audit

      """
  }

  private static var fish: String {
    var out = "# fish completion for audit\n"
    for verb in Verb.allCases {
      out +=
        "complete -c audit -n '__fish_is_first_token' -a \(verb.rawValue) "
        + "-d '\(quoted(verb.summary))'\n"
    }
    for spec in visible {
      out += "complete -c audit -l \(spec.long)"
      if let short = spec.short { out += " -s \(short)" }
      switch spec.value {
      case .none: break
      case .words(let words): out += " -x -a '\(words.joined(separator: " "))'"
      case .file: out += " -r -F"
      case .text: out += " -x"
      }
      out += " -d '\(quoted(spec.summary))'\n"
    }
    return out
  }

  private static func escaped(_ text: String) -> String {
    text.map { "[]:'\\".contains($0) ? ($0 == "'" ? "'\\''" : "\\\($0)") : String($0) }.joined()
  }

  private static func quoted(_ text: String) -> String {
    text.map { $0 == "'" ? "\\'" : String($0) }.joined()
  }
}
