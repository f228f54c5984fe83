import Testing

@testable import AuditCore

/// A policy with one member, which starts line 2.
private func entry(_ member: String) -> String { "{version: 1,\n" + member + "}" }

/// A policy with one exception.
private func exception(_ members: String) -> String {
  entry("exceptions: [{\(members), path: 'a', reason: 'r'}]")
}

struct PolicyReaderTests {
  @Test func everythingAPolicyCanSay() throws {
    let text = """
      // our store
      {
        $schema: "policy.schema.json",
        version: 1,
        unlisted: "warning",
        localOnly: [
          {path: "io.example.app.localonly/**", reason: "history stays here",
           source: "Sources/Store.swift:42"},
          {path: "Library/cache.bin", container: "group.*", require: "any", reason: "in place"},
        ],
        backedUp: [{path: "Documents/**", reason: "the user's own documents"}],
        exceptions: [
          {rule: "exposed-file", path: "Library/Preferences/**", reason: "reviewed",
           expires: "2027-06-30"},
        ],
        severities: {"fragile-mark": "error", 'mark-above-root': "warning"},
      }
      """
    let policy = try Policy(parsing: Array(text.utf8), name: "p.json5")
    #expect(policy.unlisted == .warning)
    #expect(policy.localOnly.map(\.require) == [.directory, .any])
    #expect(policy.localOnly.map(\.line) == [7, 9])
    #expect(policy.localOnly[0].source == "Sources/Store.swift:42")
    #expect(policy.localOnly[1].pattern.container == Array("group.*".utf8))
    #expect(policy.backedUp.map(\.reason) == ["the user's own documents"])
    #expect(policy.exceptions.map(\.rule) == [.exposedFile])
    #expect(policy.exceptions[0].expires == PolicyDate(year: 2027, month: 6, day: 30))
    #expect(policy.severities == [.fragileMark: .error, .markAboveRoot: .warning])
  }

  @Test func theSmallestPolicy() throws {
    let policy = try Policy(parsing: Array("{version: 1}".utf8), name: "p")
    #expect(policy.unlisted == nil && policy.localOnly.isEmpty && policy.severities.isEmpty)
  }

  @Test(arguments: [
    ("[]", "1:1: a policy is an object, not an array"),
    ("{}", "1:1: a policy needs version: 1"),
    ("{version: 2}", "1:11: only version 1"),
    ("{version: '1'}", "1:11: only version 1"),
    (entry("exeptions: []"), "2:1: a policy has no member exeptions; did you mean exceptions?"),
    (entry("zzz: []"), "2:1: a policy has no member zzz"),
    (entry("unlisted: 'eror'"), "2:11: a severity \"eror\" is not known; did you mean error?"),
    (
      entry("unlisted: 'off'"), "2:11: a severity \"off\" is not known; it is one of error, warning"
    ),
    (entry("localOnly: {}"), "2:12: localOnly is an array, not an object"),
    (entry("localOnly: [{reason: 'r'}]"), "2:13: an entry needs a path"),
    (entry("localOnly: [{path: 'a'}]"), "2:13: an entry needs a reason"),
    (entry("localOnly: [{path: 'a', reason: ' '}]"), "2:33: reason is empty"),
    (entry("localOnly: [{path: '/a', reason: 'r'}]"), "2:20: paths are relative"),
    (entry("localOnly: [{path: 'a/', reason: 'r'}]"), "2:20: a directory alone"),
    (entry("localOnly: [{path: 1, reason: 'r'}]"), "2:20: path is a string, not a number"),
    (entry("localOnly: [{path: 'a', reason: 'r', require: 'dir'}]"), "one of directory, any"),
    (entry("backedUp: [{path: 'a', reason: 'r', require: 'any'}]"), "no member require"),
    (
      entry("localOnly: [{path: 'a', reason: 'r'}],\nbackedUp: [{path: 'a', reason: 'q'}]"),
      "3:12: localOnly says the opposite of the same path in line 2"
    ),
    (entry("exceptions: [{path: 'a', reason: 'r'}]"), "2:14: an exception needs a rule"),
    (exception("rule: 'exposed-files'"), "2:21: rule \"exposed-files\" is not known; did you mean"),
    (exception("rule: 'unknown'"), "audit rules lists them"),
    (exception("rule: 'unused-exception'"), "cannot be excepted"),
    (exception("rule: 'attributes-unproven'"), "pass --assume-attributes-kept"),
    (exception("rule: 'exposed-file', expires: '2027-02-29'"), "\"2027-02-29\" is no day"),
    (exception("rule: 'exposed-file', expires: 20270229"), "expires is a string, not a number"),
    (
      entry("severities: {'exposed-fil': 'note'}"),
      "2:14: severities has no member exposed-fil; did"
    ),
    (entry("unlisted: 'note', severities: {'exposed-file': 'note'}"), "2:31: unlisted gives"),
  ])
  func whatIsWrongIsSaidWithItsPlace(text: String, message: String) {
    do {
      _ = try Policy(parsing: Array(text.utf8), name: "p")
      Issue.record("\(text) was accepted")
    } catch {
      #expect(error.description.contains(message), "\(error)")
      #expect(error.description.hasPrefix("p:"))
    }
  }

  /// What the catalogue tells people to write can be read.
  @Test(arguments: RuleID.allCases)
  func theCataloguesSnippetsAreValid(_ rule: RuleID) throws {
    guard let snippet = rule.info.policy else { return }
    let text = "{version: 1, \(snippet)}"
    let policy = try Policy(parsing: Array(text.utf8), name: rule.word)
    let said =
      policy.exceptions.count + policy.localOnly.count + policy.backedUp.count
      + policy.severities.count
    #expect(said > 0)
  }

  @Test(arguments: [
    ("2027-06-30", true), ("2028-02-29", true), ("2000-02-29", true), ("1900-02-29", false),
    ("2027-13-01", false), ("2027-00-10", false), ("2027-04-31", false), ("2027-6-30", false),
    ("2027-06-00", false), (" 2027-06-30", false), ("2027-06-30T00:00", false), ("", false),
    ("0000-01-01", false), ("２027-06-3", false),
  ])
  func daysExist(text: String, exists: Bool) {
    let date = PolicyDate(text: text.utf8)
    #expect((date != nil) == exists)
    if let date { #expect(date.text == text) }
  }

  @Test(arguments: [
    (0, "1970-01-01"), (-1, "1969-12-31"), (86_399, "1970-01-01"), (951_782_400, "2000-02-29"),
    (1_814_313_600, "2027-06-30"), (1_814_399_999, "2027-06-30"), (4_107_542_400, "2100-03-01"),
  ])
  func momentsHaveADay(seconds: Int, day: String) {
    #expect(PolicyDate(unixTime: seconds).text == day)
    #expect(PolicyDate(unixTime: seconds - 7200, offset: 7200).text == day)
  }

  @Test func theNearestWord() {
    #expect(Nearest.match("exemptions", among: ["exceptions", "version"]) == "exceptions")
    #expect(Nearest.match("localonly", among: ["localOnly", "backedUp"]) == "localOnly")
    #expect(Nearest.match("banana", among: ["localOnly", "backedUp"]) == nil)
    #expect(Nearest.distance(Array("ab".utf8), Array("ba".utf8)) == 1)
  }
}
