import AuditCore

/// A command line that makes no sense.
struct UsageError: Error, Equatable {
  var message: SafeText
}

/// Arguments sorted into a verb, options and operands. Operands and file names stay bytes.
struct Arguments {
  var verb = Verb.check
  /// Each option that was given, in order, with its argument.
  var options: [(spec: OptionSpec, value: [UInt8])] = []
  var operands: [[UInt8]] = []

  func has(_ id: OptionID) -> Bool { options.contains { $0.spec.id == id } }

  /// The last argument given for an option.
  func last(_ id: OptionID) -> [UInt8]? { options.last { $0.spec.id == id }?.value }

  func all(_ id: OptionID) -> [[UInt8]] { options.filter { $0.spec.id == id }.map(\.value) }

  /// Sorts arguments by the option table. The first operand may be a verb; `--` ends options.
  init(parsing arguments: [[UInt8]]) throws(UsageError) {
    var index = 0
    var optionsEnded = false
    var verbKnown = false
    func next(_ name: String, _ spec: OptionSpec) throws(UsageError) -> [UInt8] {
      index += 1
      guard index < arguments.count else {
        throw UsageError(message: "\(name) needs an argument (\(spec.placeholder ?? ""))")
      }
      return arguments[index]
    }
    while index < arguments.count {
      let argument = arguments[index]
      if !optionsEnded && argument.elementsEqual("--".utf8) {
        optionsEnded = true
        verbKnown = true
      } else if !optionsEnded && argument.starts(with: "--".utf8) {
        let parts = argument.dropFirst(2).split(
          separator: UInt8(ascii: "="), maxSplits: 1, omittingEmptySubsequences: false)
        let name = String(decoding: parts[0], as: UTF8.self)
        guard let spec = OptionTable.all.first(where: { $0.long == name }) else {
          throw UsageError(message: Self.unknown("--" + Shown.text(Array(name.utf8))))
        }
        if spec.value == .none {
          if parts.count > 1 { throw UsageError(message: "--\(name) takes no argument") }
          options.append((spec, []))
        } else if parts.count > 1 {
          options.append((spec, Array(parts[1])))
        } else {
          let value = try next("--" + name, spec)
          options.append((spec, value))
        }
      } else if !optionsEnded && argument.count > 1 && argument[0] == UInt8(ascii: "-") {
        var rest = argument.dropFirst()
        while let letter = rest.popFirst() {
          let name = Character(Unicode.Scalar(letter))
          guard let spec = OptionTable.all.first(where: { $0.short == name }) else {
            throw UsageError(message: Self.unknown("-" + Shown.text([letter])))
          }
          if spec.value == .none {
            options.append((spec, []))
          } else if !rest.isEmpty {
            options.append((spec, Array(rest)))
            rest = []
          } else {
            let value = try next("-\(name)", spec)
            options.append((spec, value))
          }
        }
      } else if !verbKnown, let verb = Verb(rawValue: String(decoding: argument, as: UTF8.self)) {
        self.verb = verb
        verbKnown = true
      } else if !verbKnown, argument.elementsEqual("help".utf8),
        let help = OptionTable.all.first(where: { $0.id == .help })
      {
        options.append((help, []))
      } else {
        verbKnown = true
        operands.append(argument)
      }
      index += 1
    }
    try check()
  }

  private func check() throws(UsageError) {
    if has(.help) || has(.version) || has(.completionScript) || has(.manPage) { return }
    for option in options {
      guard option.spec.verbs.contains(verb) else {
        throw UsageError(message: "--\(option.spec.long) makes no sense with \(verb.rawValue)")
      }
    }
    for option in options {
      guard case .words(let words) = option.spec.value else { continue }
      let word = String(decoding: option.value, as: UTF8.self)
      guard words.contains(word) else {
        throw UsageError(
          message: "--\(option.spec.long) \(Shown.text(option.value)): not one of "
            + "\(words.joined(separator: ", "))\(Self.suggestion(word, words))")
      }
    }
  }

  private static func unknown(_ name: String) -> SafeText {
    let names = OptionTable.all.filter { !$0.isHidden }.map { "--" + $0.long }
    return "unknown option \(name)\(suggestion(name, names))"
  }

  /// The nearest of some words, if one is near.
  static func suggestion(_ word: String, _ words: [String]) -> String {
    let near = words.map { (distance(Array(word.utf8), Array($0.utf8)), $0) }.min { $0.0 < $1.0 }
    guard let near, near.0 <= max(2, word.utf8.count / 3) else { return "" }
    return "; did you mean \(near.1)?"
  }

  /// Levenshtein's distance.
  private static func distance(_ a: [UInt8], _ b: [UInt8]) -> Int {
    var row = Array(0...b.count)
    for (i, x) in a.enumerated() {
      var diagonal = row[0]
      row[0] = i + 1
      for (j, y) in b.enumerated() {
        let above = row[j + 1]
        row[j + 1] = min(above + 1, row[j] + 1, diagonal + (x == y ? 0 : 1))
        diagonal = above
      }
    }
    return row[b.count]
  }
}
