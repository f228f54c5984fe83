import BackupExclusion
import Foundation
import Testing

@testable import AuditCore
@testable import AuditInput

/// Bytes as a program packs them; nil where it is not installed.
func packed(_ bytes: [UInt8], by command: [String]) throws -> [UInt8]? {
  let process = Process()
  process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
  process.arguments = command
  let path = FileManager.default.temporaryDirectory.appendingPathComponent(UUID().uuidString)
  try Data(bytes).write(to: path)
  defer { try? FileManager.default.removeItem(at: path) }
  process.standardInput = try FileHandle(forReadingFrom: path)
  let output = Pipe()
  process.standardOutput = output
  process.standardError = FileHandle.nullDevice
  try process.run()
  let data = try output.fileHandleForReading.readToEnd()
  process.waitUntilExit()
  return process.terminationStatus == 0 ? data.map { Array($0) } : nil
}

/// What stands at an archive's end, and what follows it, never changes a verdict silently.
@Suite struct ArchiveEndTests {
  private static let tar: [UInt8] = {
    var tar = TarBuilder()
    tar.directory("C", pax: markHeaders)
    for index in 0..<20 { tar.file("C/\(index)", String(repeating: "\(index)", count: 300)) }
    return tar.finished
  }()

  private static let cpio: [UInt8] = {
    var out = Packed()
    func add(_ name: String, _ mode: Int, _ body: [UInt8]) {
      out.text("070707000001000001")
      for (value, width) in [(mode, 6), (0, 6), (0, 6), (1, 6), (0, 6), (0, 11)] {
        out.text(octal(value, width))
      }
      out.text(octal(name.utf8.count + 1, 6) + octal(body.count, 11) + name + "\u{0}")
      out.raw(body)
    }
    func octal(_ value: Int, _ width: Int) -> String {
      let digits = String(value, radix: 8)
      return String(repeating: "0", count: width - digits.count) + digits
    }
    add("C", 0o040755, [])
    add("C/own", 0o100644, [1, 2, 3])
    add("C/._own", 0o100644, markedSidecar)
    add("TRAILER!!!", 0, [])
    return out.all
  }()

  /// Whether reading it, from a file and from a pipe, finds nothing wrong.
  private func isClean(_ bytes: [UInt8]) throws -> Bool {
    let file = try Listing(bytes).contents.problems
    let pipe = try Listing(piped: bytes).contents.problems
    #expect(file.isEmpty == pipe.isEmpty)
    return file.isEmpty
  }

  @Test(arguments: ["tar", "cpio"])
  func whatFollowsTheEndMark(form: String) throws {
    let whole = form == "tar" ? Self.tar : Self.cpio
    #expect(try isClean(whole))
    for count in [1, 512, 600, 70_000] {
      #expect(try isClean(whole + [UInt8](repeating: 0, count: count)), "\(count) zeros")
    }
    for junk in [[0x4A], [UInt8](repeating: 0x4A, count: 700)] {
      for gap in [0, 512, 70_000] {
        #expect(try !isClean(whole + [UInt8](repeating: 0, count: gap) + junk), "\(gap)")
      }
    }
  }

  @Test func aSecondArchiveIsReadOrNamed() throws {
    var second = TarBuilder()
    second.file("hidden")
    let both = try Listing(Self.tar + second.finished)
    #expect(both.order.contains("hidden") && both.errors.isEmpty)
    #expect(try Listing(Self.cpio + Self.cpio).errors == ["behind-end"])
    #expect(try Listing(piped: Self.cpio + Self.cpio).errors == ["behind-end"])
  }

  @Test func whatLiesBeforeACpiosTrailer() throws {
    // libarchive looks for the next header and says nothing where that is the last one.
    let trailer = 76 + "TRAILER!!!".utf8.count + 1
    let bytes = Self.cpio.dropLast(trailer) + Array("junk".utf8) + Self.cpio.suffix(trailer)
    #expect(try !isClean(Array(bytes)))
  }

  private static let packers = [
    ["gzip", "-c"], ["xz", "-c"], ["zstd", "-cq", "--check"], ["bzip2", "-c"], ["lz4", "-cq"],
    ["lzip", "-c"],
  ]

  @Test(arguments: packers)
  func compressionIsVerifiedToItsEnd(packer: [String]) throws {
    for whole in [Self.tar, Self.cpio] {
      guard let once = try packed(whole, by: packer) else { return }
      #expect(try isClean(once))
      #expect(try !isClean(once + [0x4A]))
      #expect(try !isClean(once + [UInt8](repeating: 0x4A, count: 70_000)))
      for cut in stride(from: 1, to: once.count, by: max(1, once.count / 40)) {
        #expect(try !isClean(Array(once.prefix(cut))), "cut at \(cut)")
      }
      #expect(try !isClean(once.dropLast()))
      // The check sum and the length; bzip2's end in the middle of a byte.
      for at in 2...8 where packer[0] != "lz4" || at < 5 {
        var changed = once
        changed[once.count - at] ^= 0x10
        #expect(try !isClean(changed), "\(at) from the end")
      }
    }
  }

  @Test(arguments: packers)
  func severalStreamsAreOne(packer: [String]) throws {
    let half = 10 * 512 + 100
    guard let first = try packed(Array(Self.tar.prefix(half)), by: packer),
      let second = try packed(Array(Self.tar.dropFirst(half)), by: packer)
    else { return }
    let whole = try Listing(first + second)
    #expect(whole.errors.isEmpty)
    #expect(whole.order == (try Listing(Self.tar)).order)
  }

  @Test func aGzipInsideAnotherCompressionIsVerified() throws {
    var inner = try #require(try packed(Self.tar, by: ["gzip", "-c"]))
    #expect(try isClean(try #require(try packed(inner, by: ["bzip2", "-c"]))))
    inner[inner.count - 6] ^= 1
    for packer in [["bzip2", "-c"], ["gzip", "-c"]] {
      #expect(try !isClean(try #require(try packed(inner, by: packer))))
    }
  }

  @Test func aZipCutAnywhereIsAProblem() throws {
    var zip = ZipBuilder()
    zip.add("C/")
    zip.add("C/own", [1, 2, 3])
    zip.add("C/._own", markedSidecar)
    let whole = zip.finished
    #expect(try Listing(whole).errors.isEmpty)
    for cut in 0..<whole.count {
      #expect(try !Listing(Array(whole.prefix(cut))).errors.isEmpty, "cut at \(cut)")
    }
    #expect(try !Listing(whole + [0]).errors.isEmpty)
    #expect(try !Listing([0] + whole).errors.isEmpty)
  }

  /// A xar of one file whose bytes end the heap.
  private func xar() throws -> [UInt8] {
    let heap: [UInt8] = Array(repeating: 7, count: 20) + Array("body".utf8)
    let table = """
      <?xml version="1.0" encoding="UTF-8"?><xar><toc><checksum style="sha1"><offset>0</offset>\
      <size>20</size></checksum><file id="1"><name>a</name><type>file</type><data>\
      <length>4</length><offset>20</offset><size>4</size>\
      <encoding style="application/octet-stream"/></data></file></toc></xar>
      """
    let script = "import sys,zlib; sys.stdout.buffer.write(zlib.compress(sys.stdin.buffer.read()))"
    let packedTable = try packed(Array(table.utf8), by: ["python3", "-c", script])
    guard let packedTable else { return [] }
    var out = Packed()
    out.text("xar!")
    for (value, width) in [(28, 2), (1, 2), (packedTable.count, 8), (table.utf8.count, 8), (0, 4)] {
      out.big(value, width)
    }
    return out.all + packedTable + heap
  }

  @Test func aXarCutAnywhereIsAProblem() throws {
    let whole = try xar()
    guard !whole.isEmpty else { return }
    #expect(try Listing(whole).errors.isEmpty)
    for cut in 0..<whole.count {
      #expect(try !Listing(Array(whole.prefix(cut))).errors.isEmpty, "cut at \(cut)")
    }
    #expect(try !Listing(whole + Array("more".utf8)).errors.isEmpty)
  }

  /// Two files, stored, as libarchive writes them.
  private static let sevenZip: [UInt8] = {
    let text = """
      N3q8ryccAAN7NAkOBgAAAAAAAAA/AAAAAAAAAIbmtEVhYmNhYmMBBAYAAgkDAwAHCwIAAQEAAQEADAMD\
      AAgKAcJBJDXCQSQ1AAAFAhEJAGEAAABiAAAAFQoBACCApIEggKSBAAA=
      """
    return Array(Data(base64Encoded: text) ?? Data())
  }()

  @Test func a7zCutAnywhereIsAProblem() throws {
    #expect(try Listing(Self.sevenZip).order == ["/", "a", "b"])
    #expect(try Listing(Self.sevenZip).errors.isEmpty)
    for cut in Self.sevenZip.indices {
      #expect(try !Listing(Array(Self.sevenZip.prefix(cut))).errors.isEmpty, "cut at \(cut)")
    }
  }
}
