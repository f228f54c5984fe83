import BackupExclusion
import Testing

@testable import AuditCore
@testable import AuditInput

private func parse(_ bytes: [UInt8], size: Int? = nil) -> AppleDouble.Result {
  bytes.withUnsafeBufferPointer { AppleDouble.parse($0, size: size) }
}

private func attributes(_ bytes: [UInt8], size: Int? = nil) -> [String: [UInt8]]? {
  guard case .attributes(let list) = parse(bytes, size: size) else { return nil }
  return Dictionary(
    uniqueKeysWithValues: list.map { (String(decoding: $0.name, as: UTF8.self), $0.value) })
}

@Suite struct SidecarAppleDoubleTests {
  @Test(arguments: [false, true])
  func bothDialects(kernel: Bool) {
    let values: [(String, [UInt8])] = [
      ("com.apple.quarantine", [1, 2, 3]), ("e", []), (markName, ExclusionMark.backupdPlist),
    ]
    let file = appleDouble(values, kernel: kernel)
    #expect(file.count == (kernel ? 4096 : 120 + 32 + 16 + 60 + 3 + 61))
    let found = attributes(file)
    #expect(found?[markName] == ExclusionMark.backupdPlist)
    #expect(found?["com.apple.quarantine"] == [1, 2, 3])
    #expect(found?["e"] == [])
    #expect(attributes(appleDouble([], kernel: kernel)) == [:])
  }

  @Test func theMarkAloneTakes241Bytes() {
    #expect(markedSidecar.count == 241)
    #expect(markedSidecar[120..<124].elementsEqual([0, 0, 0, 180]))
  }

  @Test func withoutAnAttributeBlock() {
    var plain = Array(appleDouble([]).prefix(82))
    // The Finder information is 32 bytes long, the fork is empty behind it.
    plain[37] = 32
    plain[45] = 82
    #expect(attributes(plain) == [:])
  }

  @Test func whatIsNotAppleDouble() {
    let single = [0, 5, 0x16, 0] + Array(markedSidecar.dropFirst(4))
    let others: [[UInt8]] = [[], [0], Array("an ordinary file".utf8), single]
    for bytes in others {
      guard case .notAppleDouble = parse(bytes) else {
        Issue.record("\(bytes.prefix(4))")
        continue
      }
    }
  }

  @Test func everyTruncationIsDamage() {
    for length in 4..<markedSidecar.count {
      guard case .damaged = parse(Array(markedSidecar.prefix(length))) else {
        Issue.record("\(length) bytes")
        continue
      }
    }
  }

  @Test func aValueBehindThePartThatWasRead() {
    let big = [UInt8](repeating: 7, count: 100_000)
    let file = appleDouble([(markName, ExclusionMark.backupdPlist), ("z", big)])
    let found = attributes(Array(file.prefix(AppleDouble.headerLimit)), size: file.count)
    #expect(found?[markName]?.count == 61)
    #expect((found?["z"]?.count ?? 0) > 60_000)
    #expect(attributes(Array(file.prefix(AppleDouble.headerLimit))) == nil)
  }

  @Test func numbersThatLieAreDamage() {
    for (at, value) in [(118, 0xFF), (130, 0), (130, 129), (130, 255), (121, 0xFF), (125, 0xFF)] {
      var file = markedSidecar
      file[at] = UInt8(value)
      if case .attributes = parse(file) { Issue.record("byte \(at) = \(value)") }
    }
  }

  @Test func anyBytesAreReadWithoutHarm() {
    var random = Xorshift(state: 42)
    var outcomes = (0, 0, 0)
    for seed in [markedSidecar, appleDouble([("a", [1]), (markName, [2])], kernel: true)] {
      for _ in 0..<4000 {
        switch parse(random.mutate(seed)) {
        case .notAppleDouble: outcomes.0 += 1
        case .damaged: outcomes.1 += 1
        case .attributes: outcomes.2 += 1
        }
      }
    }
    #expect(outcomes.0 > 0 && outcomes.1 > 0 && outcomes.2 > 0)
  }

  @Test func sideFilesOf7Zip() {
    func owner(_ name: String) -> Int? {
      Array(name.utf8).withUnsafeBufferPointer { SevenZipSideFile.owner(of: $0) }
    }
    func other(_ name: String) -> Int? {
      Array(name.utf8).withUnsafeBufferPointer { SevenZipSideFile.ownerOfOther(of: $0) }
    }
    let tail = ":com.apple.metadata_com_apple_backup_excludeItem"
    #expect(owner("a.bin" + tail) == 5)
    #expect(owner("a:b" + tail) == 3)
    #expect(owner(tail) == nil)
    #expect(owner("a.bin" + tail + "x") == nil)
    #expect(owner("a.bin") == nil)
    #expect(other("a.bin:com.apple.quarantine") == 5)
    #expect(other("a.bin:com.apple.") == nil)
    #expect(other(":com.apple.x") == nil)
  }
}
