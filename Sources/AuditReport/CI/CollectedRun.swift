import AuditCore

/// What the formats that show findings keep of a run until its end.
///
/// The collector of findings bounds their number for each input; entries are never kept.
struct CollectedRun {
  /// A finding and the input it was made in.
  struct Located {
    var finding: Finding
    var input: Int
    /// The identifier of the container it lies in, if it is known.
    var container: String?

    /// What an annotation says: where, what is so, what to do.
    var text: String {
      let container = container.map { " in " + Shown.text(Array($0.utf8)) } ?? ""
      return "\(finding.place)\(container): \(finding.message) \(finding.fix)"
    }
  }

  private(set) var run = RunInfo(version: "")
  private(set) var inputs: [InputInfo] = []
  private(set) var findings: [Located] = []
  private(set) var errors: [(problem: InputProblem, input: Int)] = []
  private(set) var errorsOmitted = 0

  mutating func begin(_ run: RunInfo) { self.run = run }

  mutating func end(_ input: InputReport) {
    findings += input.findings.map { finding in
      Located(
        finding: finding, input: inputs.count,
        container: finding.container.flatMap { input.containers[$0].identifier })
    }
    errors += input.errors.map { ($0, inputs.count) }
    errorsOmitted += input.errorsOmitted
    inputs.append(input.info)
  }

  /// The place in the repository for a finding.
  func location(_ located: Located) -> SourceLocation {
    .of(located.finding, in: inputs[located.input], run: run)
  }

  /// The place in the repository for what concerns an input as a whole.
  func location(ofInput input: Int) -> SourceLocation {
    .of(nil, in: inputs[input], run: run)
  }

  /// Errors, listed or not.
  var errorCount: Int { errors.count + errorsOmitted }
}

/// A count and its noun: `1 file`, `2 files`.
func counted(_ number: Int, _ noun: String, _ plural: String? = nil) -> String {
  "\(TextNumber.grouped(number)) \(number == 1 ? noun : plural ?? noun + "s")"
}

extension Finding {
  /// Where it is, as text; and how many entries it stands for, if more than one.
  var place: String {
    let path = path.isEmpty ? "." : Shown.text(path)
    return occurrences > 1 ? "\(path) (\(counted(occurrences, "entry", "entries")))" : path
  }
}
