import Foundation
import TestSupport
import Testing

@testable import AuditCore

/// The repository's root, from the place of this file.
let repository = URL(fileURLWithPath: #filePath)
  .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()

struct RuleCatalogueTests {
  @Test(arguments: RuleID.allCases)
  func everyRuleIsExplained(_ rule: RuleID) {
    let info = rule.info
    #expect(info.rule == rule)
    for text in [info.title, info.why, info.fix, info.except] {
      #expect(text.hasSuffix("."), "\(rule.word): \(text)")
      #expect(!text.contains("\n"), "\(rule.word): \(text)")
    }
    #expect(!info.example.isEmpty)
    #expect(info.text().split(separator: "\n").allSatisfy { $0.count <= 100 })
    if let policy = info.policy, policy.contains("exceptions") {
      #expect(policy.contains("rule: \"\(rule.word)\""))
    }
  }

  @Test func rulesAboutDataNameTheWeakness() {
    let serving = RuleID.allCases.filter { $0.info.tags.contains(RuleTag.weakness) }
    #expect(serving.contains(.exposedFile) && serving.contains(.hardLinkEscape))
    #expect(!serving.contains(.mustBeBackedUp) && !serving.contains(.staleBaseline))
  }

  @Test func theListHasALineForEachRule() {
    let lines = RuleCatalogue.text().split(separator: "\n")
    #expect(lines.count == RuleID.allCases.count + 1)
    #expect(lines[0].hasPrefix("exposed-file "))
    #expect(lines[0].contains("  error    A file is neither marked"))
  }

  /// `docs/rules.md` is generated: `AUDIT_RECORD=1` writes it anew.
  @Test func theDocumentationIsTheCatalogue() throws {
    let page = repository.appendingPathComponent("docs/rules.md")
    let wanted = RuleCatalogue.markdown()
    #expect(try Recording.kept(in: page, for: wanted) == wanted)
  }
}

struct FindingTextTests {
  @Test func namesCannotLeaveTheSentence() {
    let name = Array("a\u{1B}[31m\n\u{202E}b".utf8) + [0xFF]
    let text = FindingText.sidecarReturnsUnmarked(database: name, predicted: [name])
    #expect(text.message.utf8.allSatisfy { $0 >= 0x20 })
    #expect(text.message.contains("\"a\\e[31m\\n\\u{202E}b\\xFF\""))
  }

  @Test func numbersAreGrouped() {
    #expect(FindingText.grouped(0) == "0")
    #expect(FindingText.grouped(999) == "999")
    #expect(FindingText.grouped(1000) == "1,000")
    #expect(FindingText.grouped(1_234_567) == "1,234,567")
    let text = FindingText.exposedFiles(count: 12_345, below: Array("Documents".utf8))
    #expect(text.message.hasPrefix("12,345 files below \"Documents\" are neither marked"))
    let one = FindingText.exposedFiles(count: 1, below: [UInt8]())
    #expect(one.message.hasPrefix("1 file below the container root is neither"))
    #expect(one.message.hasSuffix("may hold it."))
  }

  @Test func predictedSidecarsAreNamedOneByOne() {
    let wal = FindingText.sidecarReturnsUnmarked(
      database: Array("h.sqlite".utf8),
      predicted: [Array("h.sqlite-wal".utf8), Array("h.sqlite-shm".utf8)], header: .wal)
    #expect(wal.message.contains("\"h.sqlite-wal\" and \"h.sqlite-shm\" do not exist now; they"))
    #expect(wal.message.contains("opens the database"))
    let journal = FindingText.sidecarReturnsUnmarked(
      database: Array("h.sqlite".utf8), predicted: [Array("h.sqlite-journal".utf8)],
      header: .rollback)
    #expect(journal.message.contains("\"h.sqlite-journal\" does not exist now; it will"))
    #expect(journal.message.contains("next transaction"))
  }

  @Test func anExposedSidecarSaysWhatItHolds() {
    let wal = FindingText.exposedSidecar(
      sidecar: Array("h.db-wal".utf8), database: Array("h.db".utf8), header: .wal)
    #expect(wal.message.contains("\"h.db\" is marked") && wal.message.contains("newest rows"))
    #expect(!wal.message.contains("encrypted"))
    let cipher = FindingText.exposedSidecar(
      sidecar: Array("h.db-journal".utf8), database: Array("h.db".utf8),
      header: .encryptedOrOther)
    #expect(cipher.message.contains("old pages"))
    #expect(cipher.message.contains("encrypted"))
    #expect(cipher.message.contains("undocumented by Apple"))
  }

  @Test func onlyPlainFilesMayKeepTheirOwnMark() {
    #expect(FindingText.fragileMark().fix.contains("require: \"any\""))
    let store = [
      StoreRole.database, .sqliteSidecar(baseLength: 1, kind: .wal), .member(.levelDB),
    ]
    for role in store { #expect(!FindingText.fragileMark(family: role).fix.contains("any")) }
    #expect(FindingText.fragileMark(family: .member(.realm)).message.contains("Realm replaces"))
  }

  @Test func aHardLinkNamesTheWayOut() {
    let inside = FindingText.hardLinkEscape(others: [Array("Documents/a".utf8)], outside: 1)
    #expect(inside.message.contains("as \"Documents/a\", which is exposed"))
    #expect(inside.message.contains("1 more name lies outside"))
    let outside = FindingText.hardLinkEscape(others: [], outside: 2)
    #expect(outside.message.contains("2 more names outside"))
    let exposed = FindingText.hardLinkEscape(covered: Array("local/a".utf8))
    #expect(exposed.message.contains("same file as \"local/a\""))
    let many = (1...7).map { Array("n\($0)".utf8) }
    #expect(FindingText.hardLinkEscape(others: many).message.contains("\"n5\" and 2 more"))
  }

  @Test func theCauseOfALossOnRestoreIsNamed() {
    let covered = FindingText.mustBeBackedUp(
      verdict: .coveredByAncestor, ancestor: Array("Documents".utf8), reason: "user's own")
    #expect(covered.message.contains("(user's own), but the marked directory \"Documents\""))
    let marked = FindingText.mustBeBackedUp(verdict: .selfMarked)
    #expect(marked.message.contains("it carries the mark itself"))
  }
}
