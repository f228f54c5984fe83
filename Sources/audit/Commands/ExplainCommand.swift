import AuditCore
import AuditInput
import AuditReport

/// `audit explain PATH`: the chain from the container root to one path, and the verdict.
struct ExplainCommand {
  let settings: Settings
  let path: [UInt8]

  init(_ arguments: Arguments) throws(UsageError) {
    settings = try Settings(arguments)
    guard arguments.operands.count == 1, let path = arguments.operands.first else {
      throw UsageError(message: "explain takes one path")
    }
    self.path = path
  }

  func run() -> Int32 {
    switch Explanation.of(path, settings.audit) {
    case .failure(let problem):
      Terminal.say("audit: \(problem.message)")
      return ExitStatus.untrusted.rawValue
    case .success(let explanation):
      let usesColor =
        settings.color == .always
        || settings.color == .auto && Terminal.isOutput && !Terminal.isDumb
          && !Terminal.refusesColor
      let printed = Audit.answer(ExplanationText.text(explanation, usesColor: usesColor))
      for problem in explanation.problems { Terminal.say("audit: \(problem.message)") }
      if looksLikeArchive(explanation) {
        Terminal.say(
          "audit: this explains the archive as one file; 'audit \(Shown.text(path))' reads what "
            + "is in it")
      }
      if printed != 0 { return printed }
      if !explanation.problems.isEmpty { return ExitStatus.untrusted.rawValue }
      switch explanation.verdict {
      case .exposed:
        let fails = settings.failOn.isReached(by: .error)
        return (fails ? ExitStatus.findings : .clean).rawValue
      case .unknown: return ExitStatus.untrusted.rawValue
      case .selfMarked:
        let fails = settings.failOn.isReached(by: .warning)
        return (fails ? ExitStatus.findings : .clean).rawValue
      case .coveredByAncestor, .markedAndCovered, .outsideBackup:
        return ExitStatus.clean.rawValue
      }
    }
  }

  /// Whether somebody may have meant what is in the file.
  private func looksLikeArchive(_ explanation: Explanation) -> Bool {
    guard let step = explanation.steps.last, step.kind == .file else { return false }
    let name = String(decoding: step.name, as: UTF8.self).lowercased()
    return [".tar", ".tgz", ".tar.gz", ".tar.xz", ".tar.zst", ".zip", ".cpio", ".xar", ".7z"]
      .contains { name.hasSuffix($0) }
  }
}
