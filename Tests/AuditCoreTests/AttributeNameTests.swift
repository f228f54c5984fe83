import BackupExclusion
import Testing

@testable import AuditCore

private let mark = "com.apple.metadata:com_apple_backup_excludeItem"
private let served = "com.apple.metadata\u{F022}com_apple_backup_excludeItem"

private func meaning(
  _ name: String, _ rule: NamingRule = .any
) -> (meaning: AttributeMeaning, trailingNul: Bool) {
  Array(name.utf8).withUnsafeBufferPointer { AttributeName.meaning(of: $0, rule: rule) }
}

private func state(_ value: [UInt8], trailingNul: Bool = false) -> OwnMark {
  value.withUnsafeBufferPointer { AttributeName.mark(value: $0, trailingNul: trailingNul) }
}

private let dresses: [(String, Bool)] = [
  (mark, false), ("user.\(mark)", true), ("osx.\(mark)", false), ("user.osx.\(mark)", true),
  ("user.rsync.\(mark)", false), ("user.rsync.osx.\(mark)", false),
  ("user.DosStream.\(mark):$DATA", true), ("user.DosStream.\(served):$DATA", true),
  ("user.\(served)", true), ("\(mark):$DATA", true),
]

private let misnames: [String] = [
  "user.user.\(mark)", "osx.osx.\(mark)", "osx.user.\(mark)", "trusted.\(mark)",
  "security.\(mark)", "user.\(mark)#S", "\(mark):", "\(mark):$DATA:$DATA", "\(mark)s",
  "user.com.apple.metadata:com_apple_Backup_excludeItem", "COM.APPLE.METADATA:\(mark)",
  "com_apple_backup_excludeItem", "user.com_apple_backup_excludeItem",
  "user.com.apple.metadata_com_apple_backup_excludeItem", "user.DosStreamExt.0.\(mark)",
  "com.apple.metadata%3Acom_apple_backup_excludeItem",
]

private let others: [(String, AttributeMeaning)] = [
  ("user.com.apple.metadata:kMDItemWhereFroms", .metadata),
  ("user.DosStream.com.apple.metadata\u{F022}_kMDItemUserTags:$DATA", .metadata),
  ("user.com.apple.quarantine", .foreign), ("com.apple.provenance", .foreign),
  ("user.com.macromates.caret", .foreign), ("osx.org.example.note", .foreign),
  ("net.example.note", .foreign), ("user.com.dropbox.attrs", .none), ("user.DOSATTRIB", .none),
  ("system.posix_acl_access", .none), ("security.selinux", .none), ("trusted.overlay.x", .none),
  ("user.xdg.origin.url", .none), ("user.hfsfuse.record.parent", .none),
  ("user.rsync.%stat", .none), ("user.org.netatalk.Metadata", .none), ("ceph.dir.layout", .none),
  ("", .none), ("user.", .none), ("com.", .none),
]

@Suite struct AttributeNameTests {
  @Test(arguments: dresses)
  func everyDressOfTheMark(name: String, trailingNul: Bool) {
    let found = meaning(name)
    #expect(found.meaning == .mark)
    #expect(found.trailingNul == trailingNul)
    #expect(meaning(name, .archive).meaning == .mark)
  }

  @Test(arguments: misnames)
  func misnamed(name: String) {
    #expect(meaning(name).meaning == .nearMiss(.misnamed))
    #expect(meaning(name, .archive).meaning == .nearMiss(.misnamed))
  }

  @Test func siblingsAndLegacy() {
    let sibling = "com.apple.metadata:com_apple_cloudBackup_excludeItem"
    #expect(meaning("user." + sibling).meaning == .nearMiss(.partial))
    #expect(
      meaning("osx.com.apple.metadata:com_apple_unencryptedBackup_excludeItem").meaning
        == .nearMiss(.partial))
    #expect(meaning("user.com.apple.MobileBackup").meaning == .nearMiss(.legacy))
    #expect(meaning("com.apple.MobileBackup2").meaning == .foreign)
  }

  @Test func onHFSPlusOnlyOsxNamesCount() {
    #expect(meaning("osx.\(mark)", .osxOnly).meaning == .mark)
    #expect(meaning("user.\(mark)", .osxOnly).meaning == .nearMiss(.misnamed))
    #expect(meaning(mark, .osxOnly).meaning == .nearMiss(.misnamed))
    #expect(meaning("user.com.apple.quarantine", .osxOnly).meaning == .none)
    #expect(meaning("osx.com.apple.FinderInfo", .osxOnly).meaning == .foreign)
  }

  @Test(arguments: others)
  func evidence(name: String, expected: AttributeMeaning) {
    #expect(meaning(name).meaning == expected)
    #expect(meaning(name, .archive).meaning == expected)
  }

  @Test func percentEncodingIsReadInArchivesOnly() {
    let name = "user.DosStream.com.apple.metadata%EF%80%A2com_apple_backup_excludeItem:$DATA"
    #expect(meaning(name, .archive).meaning == .mark)
    #expect(meaning(name, .archive).trailingNul)
    #expect(meaning(name, .any).meaning == .nearMiss(.misnamed))
    let invalid = "com.apple.%FFx"
    #expect(meaning(invalid, .archive).meaning == .foreign)
    #expect(meaning("com.apple.x%", .archive).meaning == .foreign)
  }

  @Test func theValueTellsTheState() {
    let plist = ExclusionMark.backupdPlist
    #expect(state(plist) == OwnMark(state: .marked, form: .backupdPlist, bytes: 61))
    #expect(
      state(plist + [0], trailingNul: true)
        == OwnMark(state: .marked, form: .backupdPlist, bytes: 61))
    #expect(state(plist, trailingNul: true).bytes == 61)
    #expect(state([]).state == .empty)
    #expect(state([0], trailingNul: true).state == .empty)
    #expect(state([0]) == OwnMark(state: .marked, form: .other, bytes: 1))
    #expect(state([0, 0], trailingNul: true).state == .marked)
    #expect(state(ExclusionMark.mobileBackup).form == .mobileBackup)
  }
}
