import TestSupport
import Testing

@testable import AuditInput

@Suite struct BackupItemTests {
  private let mark = "com.apple.metadata:com_apple_backup_excludeItem"

  @Test func sizeClassAndMark() throws {
    let plain = try #require(BackupItem(BinaryPlist.backupItem(size: 1 << 40).bytes))
    #expect(plain.size == 1 << 40)
    #expect(plain.protectionClass == 3)
    #expect(!plain.hasMark)
    for inData in [false, true] {
      let marked = try #require(
        BackupItem(
          BinaryPlist.backupItem(size: 1, attributes: [("a", [1]), (mark, [1])], inData: inData)
            .bytes))
      #expect(marked.hasMark)
    }
    // A name without a value is no mark, and neither is a name that comes close.
    for attribute in [(mark, []), (mark + "#S", [UInt8(1)]), ("x" + mark, [1])] {
      let item = try #require(
        BackupItem(BinaryPlist.backupItem(size: 1, attributes: [attribute]).bytes))
      #expect(!item.hasMark)
    }
  }

  /// Damage gives no answer or another answer, and never a crash.
  @Test func everyByteDamaged() throws {
    let whole = BinaryPlist.backupItem(size: 5, attributes: [(mark, [1])]).bytes
    for index in whole.indices {
      for value: UInt8 in [0x00, 0x0F, 0x7F, 0x80, 0xA1, 0xDF, 0xFF] {
        var damaged = whole
        damaged[index] = value
        _ = BackupItem(damaged)
      }
      #expect(BackupItem(Array(whole[..<index])) == nil)
    }
    #expect(BackupItem(Array("<plist/>".utf8)) == nil)
  }

  @Test func loopsAndStrayReferences() {
    func archive(_ root: BinaryPlist, objects: [BinaryPlist]) -> BackupItem? {
      BackupItem(
        BinaryPlist.dictionary([
          ("$objects", .array(objects)), ("$top", .dictionary([("root", root)])),
        ]).bytes)
    }
    #expect(archive(.uid(9), objects: [.string("a")]) == nil)
    #expect(archive(.integer(0), objects: [.dictionary([])]) == nil)
    #expect(archive(.uid(0), objects: [.uid(0)]) == nil)
    let loop = archive(.uid(0), objects: [.dictionary([("Size", .uid(1))]), .uid(1)])
    #expect(loop?.size == nil)
    let stray = archive(.uid(0), objects: [.dictionary([("Size", .uid(200))])])
    #expect(stray?.size == nil)
  }

  @Test func integersAndText() throws {
    for number in [0, 1, -1, Int.max, Int.min] {
      let list = try #require(BinaryPropertyList(BinaryPlist.integer(number).bytes))
      #expect(list[list.top] == .integer(number))
    }
    let long = String(repeating: "x", count: 300)
    let list = try #require(BinaryPropertyList(BinaryPlist.string(long).bytes))
    #expect(list[list.top] == .string(Array(long.utf8)))
    #expect(list[1] == nil)
    #expect(list[-1] == nil)
  }
}
