import AuditCore
import AuditInput
import AuditReport

/// The command: arguments become settings, settings a run, a run an exit status.
@main
enum Audit {
  static let version = "0.1.0"

  static func main() {
    StandardDescriptors.fill()
    Memory.tune()
    let arguments = Terminal.arguments
    if let first = arguments.first, first.elementsEqual(ArchiveProcess.verb.utf8) {
      Terminal.leave(ArchiveProcess.serve(Array(arguments.dropFirst())))
    }
    Interruption.install()
    Terminal.leave(run(arguments))
  }

  static func run(_ raw: [[UInt8]]) -> Int32 {
    do throws(UsageError) {
      let arguments = try Arguments(parsing: raw)
      if arguments.has(.help) { return answer(Help.text(for: arguments.verb, explicit: raw)) }
      if arguments.has(.version) { return answer("audit \(version)\n") }
      if arguments.has(.manPage) { return answer(ManualPage.text) }
      if let shell = arguments.last(.completionScript) {
        return answer(Completion.script(for: String(decoding: shell, as: UTF8.self)))
      }
      switch arguments.verb {
      case .check: return try CheckCommand(arguments).run()
      case .explain: return try ExplainCommand(arguments).run()
      case .containers: return try ContainersCommand(arguments).run()
      case .rules: return try RulesCommand.run(arguments)
      case .diff: return try DiffCommand(arguments).run()
      case .policy: return try PolicyCommand(arguments).run()
      case .verify: return try VerifyCommand(arguments).run()
      }
    } catch {
      Terminal.say("audit: \(error.message)")
      Terminal.say("Try 'audit --help'.")
      return ExitStatus.usage.rawValue
    }
  }

  /// Runs a command's work; what stops it is said, and the run is not to be trusted.
  static func guarded(_ work: () throws -> ExitStatus) -> Int32 {
    do {
      return try work().rawValue
    } catch let error as FileError {
      Terminal.say("audit: \(error.message)")
    } catch {
      Terminal.say("audit: \(String(describing: error))")
    }
    return ExitStatus.untrusted.rawValue
  }

  /// The inputs to look at; those that are counted with another one are named and left out.
  static func distinct(_ paths: [[UInt8]]) -> [[UInt8]] {
    guard paths.count > 1 else { return paths }
    let inputs = DistinctInputs(paths)
    for input in inputs.repeated {
      let relation = input.isSame ? "the same as" : "a part of"
      Terminal.say(
        "audit: \(Shown.text(input.path)) is \(relation) \(Shown.text(input.counted)) and is "
          + "counted there only")
    }
    return inputs.paths
  }

  /// Writes text to standard output and gives the status.
  static func answer(_ text: String) -> Int32 {
    do throws(FileError) {
      try OutputFile().write(text)
      return ExitStatus.clean.rawValue
    } catch {
      Terminal.say("audit: \(error.message)")
      return ExitStatus.untrusted.rawValue
    }
  }
}
