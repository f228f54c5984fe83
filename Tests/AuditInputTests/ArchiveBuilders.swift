import BackupExclusion
import Foundation

@testable import AuditCore
@testable import AuditInput

/// The attribute's name, as Apple systems store it.
let markName = ExclusionMark.name

/// Bytes that grow by numbers in either order.
struct Packed {
  var all: [UInt8] = []
  mutating func text(_ text: String) { all += Array(text.utf8) }
  mutating func raw(_ bytes: [UInt8]) { all += bytes }
  mutating func big(_ value: Int, _ width: Int) {
    all += (0..<width).reversed().map { UInt8(truncatingIfNeeded: value >> (8 * $0)) }
  }
  mutating func little(_ value: Int, _ width: Int) {
    all += (0..<width).map { UInt8(truncatingIfNeeded: value >> (8 * $0)) }
  }
}

/// An AppleDouble file as archivers write it, or, padded, as the kernel does.
func appleDouble(_ attributes: [(String, [UInt8])], kernel: Bool = false) -> [UInt8] {
  var entries = Packed()
  var values = Packed()
  let entriesSize = attributes.reduce(0) { $0 + (11 + $1.0.utf8.count + 1 + 3) & ~3 }
  for (name, value) in attributes {
    let start = entries.all.count
    entries.big(value.isEmpty ? 0 : 120 + entriesSize + values.all.count, 4)
    entries.big(value.count, 4)
    entries.big(0, 2)
    entries.big(name.utf8.count + 1, 1)
    entries.text(name)
    let length = entries.all.count - start
    entries.raw([UInt8](repeating: 0, count: (11 + name.utf8.count + 1 + 3) & ~3 - length))
    values.raw(value)
  }
  let used = 120 + entriesSize + values.all.count
  let forkAt = kernel ? 0xEE2 : used
  var file = Packed()
  file.big(0x0005_1607, 4)
  file.big(0x0002_0000, 4)
  file.text("Mac OS X        ")
  file.big(2, 2)
  for number in [9, 50, forkAt - 50, 2, forkAt, kernel ? 286 : 0] { file.big(number, 4) }
  file.raw([UInt8](repeating: 0, count: 34))
  file.text("ATTR")
  for number in [0, forkAt, 120 + entriesSize, values.all.count, 0, 0, 0] { file.big(number, 4) }
  file.big(0, 2)
  file.big(attributes.count, 2)
  file.raw(entries.all)
  file.raw(values.all)
  if kernel { file.raw([UInt8](repeating: 0, count: 4096 - used)) }
  return file.all
}

/// A sidecar that holds the mark and nothing else.
let markedSidecar = appleDouble([(markName, ExclusionMark.backupdPlist)])

/// Writes tar members one after the other.
struct TarBuilder {
  var bytes: [UInt8] = []

  /// Adds a member: type 0 file, 5 directory, 1 hard link, 2 symbolic link, x and g headers.
  mutating func add(
    _ name: [UInt8], type: Character = "0", body: [UInt8] = [], link: String = ""
  ) {
    var header = [UInt8](repeating: 0, count: 512)
    func put(_ at: Int, _ text: some Sequence<UInt8>) {
      for (index, byte) in text.enumerated() { header[at + index] = byte }
    }
    func octal(_ value: Int, _ width: Int) -> [UInt8] {
      let digits = String(value, radix: 8)
      return Array((String(repeating: "0", count: width - digits.count) + digits).utf8)
    }
    put(0, name.prefix(100))
    put(100, octal(type == "5" ? 0o755 : 0o644, 7))
    put(124, octal(body.count, 11))
    put(136, octal(1_700_000_000, 11))
    put(148, Array("        ".utf8))
    put(156, String(type).utf8)
    put(157, link.utf8.prefix(100))
    put(257, Array("ustar\u{0}00".utf8))
    put(148, octal(header.reduce(0) { $0 + Int($1) }, 6) + [0])
    bytes += header + body
    bytes += [UInt8](repeating: 0, count: -body.count & 511)
  }

  mutating func file(_ name: String, _ body: String = "x", pax: [(String, [UInt8])] = []) {
    if !pax.isEmpty { self.pax(pax) }
    add(Array(name.utf8), body: Array(body.utf8))
  }

  mutating func directory(_ name: String, pax: [(String, [UInt8])] = []) {
    if !pax.isEmpty { self.pax(pax) }
    add(Array((name + "/").utf8), type: "5")
  }

  mutating func hardLink(_ name: String, to target: String, pax: [(String, [UInt8])] = []) {
    if !pax.isEmpty { self.pax(pax) }
    add(Array(name.utf8), type: "1", link: target)
  }

  mutating func sidecar(_ name: String, _ content: [UInt8] = markedSidecar) {
    add(Array(name.utf8), body: content)
  }

  /// An extended header: records of length, key and value.
  mutating func pax(_ records: [(String, [UInt8])], type: Character = "x") {
    var body: [UInt8] = []
    for (key, value) in records {
      let rest = 1 + key.utf8.count + 1 + value.count + 1
      var length = rest + 1
      while rest + String(length).count != length { length = rest + String(length).count }
      body += Array("\(length) \(key)=".utf8) + value + [0x0A]
    }
    add(Array("PaxHeader".utf8), type: type, body: body)
  }

  /// The archive with its end mark.
  var finished: [UInt8] { bytes + [UInt8](repeating: 0, count: 1024) }
}

/// A pax record that GNU tar and star write.
func schily(_ name: String, _ value: [UInt8]) -> (String, [UInt8]) {
  ("SCHILY.xattr." + name, value)
}

/// A pax record that libarchive writes: base64 without padding.
func libarchive(_ name: String, _ value: [UInt8]) -> (String, [UInt8]) {
  var text = Data(value).base64EncodedString()
  while text.last == "=" { text.removeLast() }
  return ("LIBARCHIVE.xattr." + name, Array(text.utf8))
}

/// The mark as both headers of macOS's tar.
let markHeaders = [
  libarchive(markName, ExclusionMark.backupdPlist), schily(markName, ExclusionMark.backupdPlist),
]

/// Writes zip archives without compression.
struct ZipBuilder {
  private var bytes = Packed()
  private var index = Packed()
  private var count = 0
  var madeBy = 0x0314

  mutating func add(
    _ name: String, _ body: [UInt8] = [], extra: [UInt8] = [], flags: Int = 0
  ) {
    let offset = bytes.all.count
    let mode = name.hasSuffix("/") ? 0o040755 : 0o100644
    var common = Packed()
    for number in [20, flags, 0, 0, 0x5400] { common.little(number, 2) }
    common.little(Int(crc32(body)), 4)
    common.little(body.count, 4)
    common.little(body.count, 4)
    common.little(name.utf8.count, 2)
    common.little(extra.count, 2)
    bytes.little(0x0403_4B50, 4)
    bytes.raw(common.all)
    bytes.text(name)
    bytes.raw(extra + body)
    index.little(0x0201_4B50, 4)
    index.little(madeBy, 2)
    index.raw(common.all)
    for number in [0, 0, 0] { index.little(number, 2) }
    index.little(mode << 16, 4)
    index.little(offset, 4)
    index.text(name)
    index.raw(extra)
    count += 1
  }

  var finished: [UInt8] {
    var end = bytes
    end.raw(index.all)
    end.little(0x0605_4B50, 4)
    for number in [0, 0, count, count] { end.little(number, 2) }
    end.little(index.all.count, 4)
    end.little(bytes.all.count, 4)
    end.little(0, 2)
    return end.all
  }

  private func crc32(_ bytes: [UInt8]) -> UInt32 {
    var crc: UInt32 = 0xFFFF_FFFF
    for byte in bytes {
      crc ^= UInt32(byte)
      for _ in 0..<8 { crc = crc >> 1 ^ (crc & 1 == 0 ? 0 : 0xEDB8_8320) }
    }
    return ~crc
  }
}

/// What an archive says, flat.
struct Listing {
  var contents: ArchiveContents
  /// Directories and entries in the order of delivery; directories end in `/`.
  var order: [String] = []
  var marks: [String: OwnMark] = [:]
  var details: [String: EntryDetail] = [:]
  var records: [String: EntryRecord] = [:]
  var metadata: [String: ContainerMetadata] = [:]
  var sidecars = 0
  var orphans = 0

  var evidence: Evidence { contents.layers[0].evidence }
  var errors: [String] { contents.problems.map(\.error) }
  var marked: [String] { order.filter { marks[$0]?.state == .marked } }

  init(_ contents: ArchiveContents) {
    self.contents = contents
    contents.forEachDirectory { directory in
      let path = String(decoding: directory.path, as: UTF8.self)
      let own = path + "/"
      order.append(own)
      marks[own] = directory.own.mark
      details[own] = directory.ownDetail
      metadata[own] = directory.metadata
      sidecars += directory.sidecars
      orphans += directory.orphanSidecars
      for index in 0..<directory.fileCount {
        let record = directory.records[index]
        let name = String(decoding: directory.name(record), as: UTF8.self)
        let full = path.isEmpty ? name : path + "/" + name
        order.append(full)
        marks[full] = record.mark
        records[full] = record
        if record.detail >= 0 { details[full] = directory.details[Int(record.detail)] }
      }
    }
  }

  /// Reads bytes as a file.
  init(_ bytes: [UInt8], limits: ArchiveLimits = ArchiveLimits()) throws {
    let path = FileManager.default.temporaryDirectory.appendingPathComponent(
      "archive-\(UUID().uuidString)")
    try Data(bytes).write(to: path)
    defer { try? FileManager.default.removeItem(at: path) }
    self.init(readArchive(path: path.path, limits: limits))
  }

  /// Reads bytes from a pipe.
  init(piped bytes: [UInt8]) throws {
    let pipe = Pipe()
    let writer = Thread {
      try? pipe.fileHandleForWriting.write(contentsOf: Data(bytes))
      try? pipe.fileHandleForWriting.close()
    }
    writer.start()
    self.init(readArchive(descriptor: pipe.fileHandleForReading.fileDescriptor))
    // A reader that stops early must not leave the writer waiting.
    _ = try pipe.fileHandleForReading.readToEnd()
  }
}
