import Foundation
import Testing

@testable import AuditCore

/// The schema that editors use says what the reader accepts.
struct PolicySchemaTests {
  private func schema() throws -> [String: Any] {
    let data = try Data(contentsOf: repository.appendingPathComponent("docs/policy.schema.json"))
    return try #require(try JSONSerialization.jsonObject(with: data) as? [String: Any])
  }

  private func value(_ path: String...) throws -> Any? {
    var value: Any? = try schema()
    for name in path { value = (value as? [String: Any])?[name] }
    return value
  }

  @Test func theRulesAreAllRules() throws {
    let rules = try value("$defs", "rule", "enum") as? [String]
    #expect(rules == RuleID.allCases.map(\.word))
    let severities = try value("$defs", "severity", "enum") as? [String]
    #expect(severities == ["error", "warning", "note"])
  }

  /// Every member the schema knows is accepted by the reader, and one more is not.
  @Test(arguments: ["localOnly", "backedUp", "exceptions"])
  func entriesHaveTheSameMembers(list: String) throws {
    let item = try value("properties", list, "items")
    let properties = (item as? [String: Any])?["properties"] as? [String: Any]
    let known = try #require(properties).keys.sorted()
    let values = [
      "rule": "exposed-file", "path": "a", "container": "c", "require": "any", "reason": "r",
      "expires": "2027-06-30", "source": "s",
    ]
    func text(_ members: [String]) throws -> [UInt8] {
      let pairs = try members.map { "\"\($0)\": \"\(try #require(values[$0]))\"" }
      return Array("{version: 1, \(list): [{\(pairs.joined(separator: ", "))}]}".utf8)
    }
    _ = try Policy(parsing: text(known), name: "p")
    for other in values.keys where !known.contains(other) {
      #expect(throws: PolicyError.self) { try Policy(parsing: text(known + [other]), name: "p") }
    }
    let required = (item as? [String: Any])?["required"] as? [String] ?? []
    _ = try Policy(parsing: text(required), name: "p")
    for name in required {
      let fewer = required.filter { $0 != name }
      #expect(throws: PolicyError.self) { try Policy(parsing: text(fewer), name: "p") }
    }
  }

  private func block(_ language: String, of page: String) throws -> [UInt8] {
    let text = try String(contentsOf: repository.appendingPathComponent(page), encoding: .utf8)
    let start = try #require(text.range(of: "```\(language)\n"))
    let end = try #require(text[start.upperBound...].range(of: "\n```"))
    return Array(text[start.upperBound..<end.lowerBound].utf8)
  }

  @Test func theDocumentedFilesCanBeRead() throws {
    let policy = try Policy(parsing: block("json5", of: "docs/policy.md"), name: "policy.md")
    #expect(policy.localOnly.count == 2 && policy.exceptions.count == 1)
    let text = try block("json", of: "docs/baseline.md")
    let baseline = try Baseline(parsing: text, name: "baseline.md")
    // What is shown is what would be written.
    #expect(Baseline.text(of: baseline.entries) == text + [0x0A])
  }
}
