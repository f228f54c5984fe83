import AuditCore
import Foundation
import TestSupport
import Testing

/// What the documents say is what the program does.
///
/// Run with `AUDIT_RECORD=1` to write the generated parts anew.
@Suite struct DocumentationTests {
  static let repository = URL(filePath: #filePath)
    .deletingLastPathComponent().appending(path: "../..").standardizedFileURL

  static func text(_ path: String) throws -> String {
    try String(contentsOf: repository.appending(path: path), encoding: .utf8)
  }

  /// All pages that people read, by path.
  static func pages() throws -> [String: String] {
    let folder = repository.appending(path: "docs").path
    var paths = try FileManager.default.subpathsOfDirectory(atPath: folder)
      .filter { $0.hasSuffix(".md") }.map { "docs/" + $0 }
    paths += ["README.md", "CHANGELOG.md", "Fixtures/trees/README.md"]
    return try Dictionary(uniqueKeysWithValues: paths.map { ($0, try text($0)) })
  }

  /// Runs the command from the repository's root, as the documents do.
  static func audit(_ arguments: [String]) throws -> Command.Result {
    var command = Audit.command(arguments)
    command.directory = repository.path
    return try command.run()
  }

  // MARK: - Generated parts

  @Test func theReadmeShowsWhatTheProgramPrints() throws {
    let start = "<!-- output of: audit Fixtures/blueguard.tar -->\n```text\n"
    let end = "```\n<!-- end of output -->"
    let result = try Self.audit(["Fixtures/blueguard.tar"])
    #expect(result.status == 1)
    #expect(result.errorText == "")
    let page = Self.repository.appending(path: "README.md")
    let readme = try Self.text("README.md")
    let from = try #require(readme.range(of: start)).upperBound
    let to = try #require(readme.range(of: end, range: from..<readme.endIndex)).lowerBound
    let wanted = readme.replacingCharacters(in: from..<to, with: result.outputText)
    #expect(try Recording.kept(in: page, for: wanted) == wanted)
  }

  @Test func theManualPageIsTheGeneratedOne() throws {
    let result = try Self.audit(["--generate-manual-page"])
    #expect(result.status == 0)
    #expect(result.output.count > 1000)
    let page = Self.repository.appending(path: "docs/audit.1")
    #expect(try Recording.kept(in: page, for: result.outputText) == result.outputText)
  }

  // MARK: - Options

  /// The long names in the help text, each at the start of its line.
  static func optionsInHelp(_ arguments: [String] = ["--help"]) throws -> Set<String> {
    let help = try audit(arguments)
    #expect(help.status == 0)
    var names: Set<String> = []
    for line in help.outputText.split(separator: "\n") {
      guard let match = line.firstMatch(of: /^ +(?:-[a-zA-Z], )?(--[a-z][a-z-]+)/) else { continue }
      names.insert(String(match.1))
    }
    return names
  }

  @Test func everyOptionIsInTheManualPage() throws {
    let options = try Self.optionsInHelp()
    #expect(options.count >= 20)
    let page = try Self.text("docs/audit.1").replacing("\\-", with: "-")
    for option in options { #expect(page.contains("Fl \(option.dropFirst())"), "\(option)") }
    for shell in ["bash", "zsh", "fish"] {
      let script = try Self.audit(["--generate-completion-script", shell]).outputText
      for option in options {
        #expect(script.contains(shell == "fish" ? "-l \(option.dropFirst(2))" : option), "\(shell)")
      }
    }
  }

  /// Options of other programs that the pages show, and options of `audit` that help leaves out.
  static let foreign: Set<String> = [
    "--generate-manual-page",  // for packagers
    "--xattrs", "--xattrs-include", "--no-xattrs", "--no-mac-metadata", "--format", "--fake-super",
    "--preserve", "--keepParent", "--sequesterRsrc", "--norsrc", "--noextattr", "--options",
    "--filter", "--in-place", "--recursive", "--write", "--help", "--full", "--cold", "--count",
    "--faults", "--seconds",
  ]

  @Test func thePagesNameNoOptionThatDoesNotExist() throws {
    let options = try Self.optionsInHelp()
    for (path, text) in try Self.pages() {
      for line in text.split(separator: "\n") where Self.speaksOfAudit(line) {
        for match in line.matches(of: /(?:^|[\s`(])(--[a-z][A-Za-z-]+[a-zA-Z])/) {
          let name = String(match.1)
          #expect(
            options.contains(name) || Self.foreign.contains(name), "\(path): \(name)")
        }
      }
    }
  }

  /// Lines about other programs may show any option.
  static func speaksOfAudit(_ line: Substring) -> Bool {
    !["swift ", "xcrun", "xcodebuild", "git ", "apt", "docker", "pip "].contains {
      line.contains($0)
    }
  }

  @Test func optionsThatPagesUseDoExist() throws {
    // The other direction for what people copy: each command line of `audit` in a code block parses.
    let verbs = ["check", "explain", "containers", "rules", "diff", "verify", "policy"]
    for (path, text) in try Self.pages() {
      for match in text.matches(of: /(?m)^audit ([^\n#|&>]*)/) {
        let words = match.1.split(separator: " ").map(String.init)
        guard let first = words.first, !first.contains("…") else { continue }
        let verb = verbs.contains(first) ? first : "check"
        let known = try Self.optionsInHelp([verb, "--help"])
        for word in words where word.hasPrefix("--") && word != "--" {
          let name = String(word.split(separator: "=")[0])
          #expect(known.contains(name), "\(path): audit \(match.1)")
        }
      }
    }
  }

  @Test func everyOptionIsExplainedSomewhere() throws {
    let pages =
      try Self.pages().values.joined()
      + Self.text("docs/audit.1")
      .replacing("Fl \\-", with: "--")
    for option in try Self.optionsInHelp() { #expect(pages.contains(option), "\(option)") }
  }

  /// The verbs of the help text, in its order; the default one first.
  static func verbs() throws -> [String] {
    let help = try audit(["--help"]).outputText
    let usage = try #require(help.firstMatch(of: /usage: (audit .*\n(?: +audit .*\n)+)/))
    return usage.1.matches(of: /audit \[?([a-z]+)/).map { String($0.1) }
  }

  @Test func everyVerbHasItsExitStatuses() throws {
    let table = try Self.section("The verbs", of: "docs/exit-status.md")
    let verbs = try Self.verbs()
    #expect(verbs.count >= 5)
    for verb in verbs { #expect(table.contains("`audit \(verb)"), "\(verb)") }
  }

  /// What each verb does with the sample dump, as docs/exit-status.md has it.
  @Test(arguments: [
    ("check", ["Fixtures/blueguard.tar"], Int32(1)),
    ("explain", ["Sources/no-such-thing"], 2),
    ("containers", ["Fixtures/blueguard.tar"], 0),
    ("rules", [], 0),
    ("rules", ["exposed-file"], 0),
    ("diff", ["Fixtures/blueguard.tar", "Fixtures/blueguard.tar"], 0),
    ("verify", ["Sources", "--container", "Fixtures/blueguard.tar"], 2),
    ("policy", ["Fixtures/blueguard.tar"], 0),
  ])
  func everyVerbIsThere(_ verb: String, _ operands: [String], _ status: Int32) throws {
    let result = try Self.audit([verb] + operands)
    #expect(result.status == status, "\(result.errorText)")
    #expect(status == 2 ? !result.error.isEmpty : !result.output.isEmpty)
    #expect(try Self.verbs().contains(verb))
  }

  // MARK: - Words

  @Test func theReadmeHasTheVerdictsAndNoOthers() throws {
    let section = try Self.section("Verdicts", of: "README.md")
    let words = section.matches(of: /(?m)^\| `([a-z-]+)` \|/).map { String($0.1) }
    #expect(words == Verdict.allCases.map(\.word))
    let report = try Self.text("docs/report.md")
    for verdict in Verdict.allCases { #expect(report.contains("`\(verdict.word)`")) }
  }

  @Test(arguments: ["README.md", "docs/exit-status.md"])
  func theExitStatusesAreTheProgrammes(_ page: String) throws {
    let text = try Self.text(page)
    let table = try #require(
      text.firstMatch(of: /\| status \| meaning \|\n\| --- \| --- \|\n((?:\|.*\n)+)/))
    let numbers = table.1.matches(of: /(?m)^\| (\d+) \|/).compactMap { Int32($0.1) }
    let statuses: [AuditCore.ExitStatus] = [.clean, .findings, .untrusted, .usage]
    #expect(numbers == statuses.map(\.rawValue))
    for number in numbers where number != 0 {
      let help = try Self.audit(["--help"]).outputText
      #expect(help.contains("\(number) "))
    }
  }

  @Test func theFormatsAreTheProgrammes() throws {
    let help = try Self.audit(["--help"]).outputText
    let line = try #require(help.firstMatch(of: /\n +(text json [a-z ]+)\n/))
    let formats = line.1.split(separator: " ").map(String.init)
    let section = try Self.section("Formats", of: "README.md")
    let named = section.split(separator: ":")[1].split(separator: ".")[0]
      .matches(of: /`([a-z]+)`/).map { String($0.1) }
    #expect(named == formats)
    let report = try Self.text("docs/report.md")
    for format in formats { #expect(report.contains("| `\(format)` |"), "\(format)") }
  }

  @Test(arguments: [
    "text", "json", "ndjson", "sarif", "junit", "github", "gitlab", "markdown", "html", "csv",
  ])
  func everyFormatIsThere(_ format: String) throws {
    let text = try Self.audit(["-f", "text", "Fixtures/blueguard.tar"]).output
    let result = try Self.audit(["-f", format, "Fixtures/blueguard.tar"])
    #expect(result.status == 1)
    #expect(!result.output.isEmpty)
    #expect(format == "text" || result.output != text, "\(format) is text")
  }

  @Test func theEvidenceGradesAreExplained() throws {
    let readme = try Self.text("README.md")
    for grade in [Evidence.proven, .possible, .impossible] {
      #expect(readme.contains("**\(grade.word)**"))
    }
  }

  @Test func everyRuleThatAPageNamesExists() throws {
    for (path, text) in try Self.pages() {
      for match in text.matches(of: /rules\.md#([a-z-]+)/) {
        #expect(RuleID(word: String(match.1)) != nil, "\(path): \(match.1)")
      }
    }
  }

  @Test func theReadmeInstallsWhatTheSetupDoes() throws {
    let setup = try #require(
      Self.text("Scripts/setup").firstMatch(of: /(?m)^wanted='([^']*)'/))
    let readme = try #require(
      Self.text("README.md").firstMatch(of: /(?m)^apt-get install ((?:.*\\\n)*.*)$/))
    let shown = readme.1.split { $0.isWhitespace || $0 == "\\" }
    #expect(Set(shown) == Set(setup.1.split { $0.isWhitespace }))
  }

  // MARK: - Links

  @Test func everyLinkLeadsSomewhere() throws {
    for (path, text) in try Self.pages() {
      let page = Self.repository.appending(path: path)
      for match in text.matches(of: /\]\(([^)#\s]*)(?:#([^)\s]*))?\)/) {
        let target = String(match.1)
        if target.contains("://") { continue }
        let file = target.isEmpty ? page : page.deletingLastPathComponent().appending(path: target)
        #expect(
          FileManager.default.fileExists(atPath: file.standardizedFileURL.path),
          "\(path): \(target)")
        guard let anchor = match.2, let other = try? String(contentsOf: file, encoding: .utf8)
        else { continue }
        let anchors = other.split(separator: "\n").filter { $0.hasPrefix("#") }.map(Self.anchor)
        #expect(anchors.contains(String(anchor)), "\(path): \(target)#\(anchor)")
      }
    }
  }

  /// The anchor of a heading, as GitHub and GitLab make it.
  static func anchor(_ heading: Substring) -> String {
    let text = heading.drop { $0 == "#" || $0 == " " }.lowercased()
    return String(
      text.compactMap { character -> Character? in
        if character == " " { return "-" }
        return character.isLetter || character.isNumber || character == "-" ? character : nil
      })
  }

  static func section(_ title: String, of page: String) throws -> Substring {
    let text = try text(page)
    let start = try #require(text.range(of: "\n## \(title)\n")).upperBound
    let end = text.range(of: "\n## ", range: start..<text.endIndex)?.lowerBound ?? text.endIndex
    return text[start..<end]
  }
}
