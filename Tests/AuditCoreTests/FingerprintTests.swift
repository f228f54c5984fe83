import Testing

@testable import AuditCore

struct FingerprintTests {
  @Test func aFingerprintIsTheSameOnEveryDevice() {
    let group = container()
    func print(_ path: String, _ report: ContainerReport? = nil, _ rule: RuleID = .exposedFile)
      -> String
    {
      Fingerprint.of(rule, container: report ?? group, path: Array(path.utf8))
    }
    var seen: Set<String> = []
    for number in 0..<1000 {
      let text = print("file\(number)")
      #expect(text.utf8.count == 32 && text.utf8.allSatisfy { StoreFamily.isHexDigit($0) })
      seen.insert(text)
    }
    #expect(seen.count == 1000)
    let one = print("s/0F3A6C1E-1111-2222-3333-000000000001/a")
    #expect(one == print("s/0F3A6C1E-1111-2222-3333-000000000002/a"))
    #expect(one != print("s/0F3A6C1E-1111-2222-3333-000000000002/b"))
    #expect(one != print("s/0F3A6C1E-1111-2222-3333-000000000001/a", nil, .fragileMark))
    #expect(one != print("s/0F3A6C1E-1111-2222-3333-000000000001/a", container("other")))
  }
}
