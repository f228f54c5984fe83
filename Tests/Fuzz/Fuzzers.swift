// One program for libFuzzer; AUDIT_FUZZ names the parser. Built by Scripts/fuzz, not by the package.
import Glibc

@testable import AuditCore
@testable import AuditInput

/// The parsers, each as a closure that must come back, whatever the bytes.
let parsers: [String: @Sendable (UnsafeBufferPointer<UInt8>) -> Void] = [
  "apple-double": { bytes in
    _ = AppleDouble.parse(bytes)
    _ = AppleDouble.parse(bytes, size: Int.max)
  },
  "property-list": { bytes in _ = try? PropertyList(Array(bytes)) },
  "backup-item": { bytes in _ = BackupItem(Array(bytes)) },
  "message-pack": { bytes in
    var at = 0
    var reader = MessagePackReader { buffer in
      let count = min(buffer.count, bytes.count - at)
      buffer.copyBytes(from: bytes[at..<(at + count)])
      at += count
      return count
    }
    while (try? reader.skipValue()) != nil {}
  },
  "graykey": { bytes in _ = GrayKeyBlock.parse(bytes) },
  "zip-index": { bytes in
    try? ZipIndex.forEachMember(
      size: Int64(bytes.count),
      read: { start, buffer in
        guard start >= 0, start <= bytes.count else { return nil }
        let count = min(buffer.count, bytes.count - Int(start))
        buffer.copyBytes(from: bytes[Int(start)..<(Int(start) + count)])
        return count
      },
      { _ in true })
  },
  "pax-headers": { bytes in
    _ = PaxHeaders(HeaderBytes(kept: [], block: UnsafeRawBufferPointer(bytes)))
  },
  "json5": { bytes in _ = try? JSON5.read(Array(bytes)) },
  "policy": { bytes in _ = try? Policy(parsing: Array(bytes), name: "policy") },
  "baseline": { bytes in _ = try? Baseline(parsing: Array(bytes), name: "baseline") },
  "report": { bytes in
    var ends: [Int32] = [0, 0]
    guard pipe(&ends) == 0 else { return }
    _ = write(ends[1], bytes.baseAddress, bytes.count)
    close(ends[1])
    _ = ReportReader.read(ends[0], path: Array("report".utf8))
    close(ends[0])
  },
  "glob": { bytes in
    let halves = bytes.split(separator: 0, maxSplits: 1).map(Array.init)
    let pattern = halves.first ?? []
    _ = Glob.complaint(about: pattern)
    _ = Glob(pattern).matches(halves.count > 1 ? halves[1] : pattern)
  },
  "attribute-name": { bytes in
    for rule in [NamingRule.archive, .osxOnly] { _ = AttributeName.meaning(of: bytes, rule: rule) }
    _ = AttributeName.mark(value: bytes, trailingNul: true)
  },
  "seven-zip-name": { bytes in
    _ = SevenZipSideFile.owner(of: bytes)
    _ = SevenZipSideFile.ownerOfOther(of: bytes)
  },
]

let parser: @Sendable (UnsafeBufferPointer<UInt8>) -> Void = {
  let name = getenv("AUDIT_FUZZ").map { String(cString: $0) } ?? ""
  guard let parser = parsers[name] else {
    print("AUDIT_FUZZ is none of: \(parsers.keys.sorted().joined(separator: " "))")
    exit(64)
  }
  return parser
}()

/// What libFuzzer calls with each input.
@_cdecl("LLVMFuzzerTestOneInput")
public func testOneInput(_ start: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
  parser(UnsafeBufferPointer(start: start, count: count))
  return 0
}
