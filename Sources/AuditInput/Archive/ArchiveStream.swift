import CArchive

/// A libarchive reader over a file or pipe that keeps its own books.
///
/// Reading through own callbacks, and decompression as a stage of its own, lets the reader know
/// how many bytes there were on either side: that shows a tar that was cut off before it was
/// compressed, which libarchive takes for a whole one, and a stream that expands without end.
final class ArchiveStream {
  /// The reader to ask for members.
  let archive: OpaquePointer
  /// The uncompressed bytes so far; all of them once the end was reached.
  var length: Int64 { inner == nil ? (file.size ?? position) : produced }
  /// Whether the archive lies uncompressed in a file, where it can be read at any place.
  var isRandomAccess: Bool { inner == nil && file.size != nil }
  /// What stopped the stream, if it was not libarchive's reader of members.
  private(set) var failure: String?
  /// The limit that stopped the stream.
  private(set) var reached: ArchiveLimits.Kind?

  private let file: ArchiveFile
  private let limits: ArchiveLimits
  private let buffer = UnsafeMutableRawBufferPointer.allocate(byteCount: 1 << 16, alignment: 16)
  private var position: Int64 = 0
  /// The stage that only decompresses, if there is anything to decompress or nothing to seek in.
  private var inner: OpaquePointer?
  private var produced: Int64 = 0
  /// The first block of decompression, which was looked at and not yet delivered.
  private var first: UnsafeRawBufferPointer?
  /// The last block that the reader of members got, and where it lies in the archive.
  private var block = UnsafeRawBufferPointer(start: nil, count: 0)
  private var blockStart: Int64 = 0
  /// What earlier blocks held of the headers of the current member.
  private var headers: [UInt8] = []
  private var isReadingHeader = false
  /// Where the headers of the member before begin.
  private var before: Int64 = -1

  /// Opens a stream; a failure is told by `failure`, `reached`, or when the first member is read.
  init(_ file: consuming ArchiveFile, limits: ArchiveLimits) {
    self.file = file
    self.limits = limits
    archive = archive_read_new()
    unwrap()
    archive_read_support_format_tar(archive)
    archive_read_support_format_cpio(archive)
    archive_read_support_format_zip(archive)
    archive_read_support_format_7zip(archive)
    archive_read_support_format_xar(archive)
    archive_read_support_format_iso9660(archive)
    archive_read_support_format_rar(archive)
    archive_read_support_format_rar5(archive)
    archive_read_support_format_cab(archive)
    archive_read_support_format_lha(archive)
    // Sidecars stay members: with this option libarchive pairs them by order, not by name.
    archive_read_set_format_option(archive, "tar", "mac-ext", nil)
    archive_read_set_format_option(archive, "zip", "mac-ext", nil)
    archive_read_set_format_option(archive, "tar", "read_concatenated_archives", "1")
    open(archive, filtered: inner != nil)
  }

  deinit {
    archive_read_free(archive)
    if let inner { archive_read_free(inner) }
    buffer.deallocate()
  }

  /// What libarchive last said of a reader of members or of the decompression.
  var complaint: String {
    if let failure { return failure }
    guard let text = archive_error_string(archive) else { return "no reason given" }
    return String(cString: text)
  }

  /// Reads the header of the next member.
  func nextHeader(_ entry: OpaquePointer) -> Int32 {
    headers.removeAll(keepingCapacity: true)
    members &+= 1
    if members & 1023 == 0 { Confinement.madeProgress() }
    isReadingHeader = true
    let status = archive_read_next_header2(archive, entry)
    isReadingHeader = false
    headersAt = archive_read_header_position(archive)
    before = headersAt
    return status
  }

  private var headersAt: Int64 = 0
  private var members = 0

  /// Whether a tar's member does not simply start with its own header: a global one comes first,
  /// or the end mark of a tar that another one follows.
  var startsUnusually: Bool {
    if headers.isEmpty {
      let at = Int(headersAt - blockStart)
      guard at >= 0, at + 157 <= block.count else { return false }
      return block[at + 156] == UInt8(ascii: "g") || block[at + 156] == 0 && block[at] == 0
    }
    guard let start = headerBytes.slice(0, 157) else { return false }
    return start[156] == UInt8(ascii: "g") || start[156] == 0 && start[0] == 0
  }

  /// The extended headers of a tar's member.
  var paxHeaders: PaxHeaders { PaxHeaders(headerBytes) }

  private var headerBytes: HeaderBytes {
    let at = Int(headersAt - blockStart) + headers.count
    guard at >= 0, at <= block.count else {
      return HeaderBytes(kept: headers, block: UnsafeRawBufferPointer(rebasing: block[..<0]))
    }
    return HeaderBytes(kept: headers, block: UnsafeRawBufferPointer(rebasing: block[at...]))
  }

  /// Keeps what the last block holds of the headers that are being read, before the next comes.
  private func keepHeaders() {
    guard isReadingHeader else { return }
    headersAt = archive_read_header_position(archive)
    // Otherwise the rest of the member before is being skipped.
    guard headersAt != before, headers.count <= 2 * PaxHeaders.sizeLimit else { return }
    let at = Int(headersAt - blockStart) + headers.count
    if at >= 0, at < block.count { headers.append(contentsOf: block[at...]) }
  }

  /// Reads bytes of the file itself; for archives that are read at any place.
  func read(at offset: Int64, into buffer: UnsafeMutableRawBufferPointer) -> Int? {
    try? file.read(at: offset, into: buffer)
  }

  /// The first bytes of the archive, uncompressed, to tell forms apart.
  func beginning() -> [UInt8] {
    if let first { return Array(first.prefix(16)) }
    guard isRandomAccess else { return [] }
    return [UInt8](unsafeUninitializedCapacity: 16) { bytes, count in
      count = read(at: 0, into: UnsafeMutableRawBufferPointer(bytes)) ?? 0
    }
  }

  /// Whether it is a form that keeps names as text, not as bytes.
  var hasTextNames: Bool {
    let start = beginning()
    let signatures: [[UInt8]] = [
      Array("PK".utf8), [0x37, 0x7A, 0xBC, 0xAF], Array("xar!".utf8), Array("Rar!".utf8),
      Array("MSCF".utf8), Array("MZ".utf8), [0, 0, 0, 0, 0, 0, 0, 0],
    ]
    if signatures.contains(where: { start.starts(with: $0) }) { return true }
    if start.dropFirst(2).starts(with: "-lh".utf8) { return true }
    guard isRandomAccess else { return false }
    // An ISO image, whose first 32 KiB may hold anything.
    let volume = [UInt8](unsafeUninitializedCapacity: 5) { bytes, count in
      count = read(at: 32_769, into: UnsafeMutableRawBufferPointer(bytes)) ?? 0
    }
    return volume.elementsEqual("CD001".utf8)
  }

  /// Sets up decompression, unless the file is seekable and not compressed.
  private func unwrap() {
    guard let stage = archive_read_new() else { return }
    archive_read_support_filter_gzip(stage)
    archive_read_support_filter_bzip2(stage)
    archive_read_support_filter_compress(stage)
    archive_read_support_filter_xz(stage)
    archive_read_support_filter_lzma(stage)
    archive_read_support_filter_lzip(stage)
    archive_read_support_filter_lz4(stage)
    archive_read_support_filter_zstd(stage)
    archive_read_support_format_raw(stage)
    open(stage, filtered: false)
    var entry: OpaquePointer?
    let status = archive_read_next_header(stage, &entry)
    let filters = Int(archive_filter_count(stage)) - 1
    if filters > limits.nesting { reached = .nesting }
    if filters > 0 || file.size == nil {
      inner = stage
      if status < ARCHIVE_WARN, failure == nil { failure = Self.text(stage) }
      // An empty stream is left to the reader of members.
      if status == ARCHIVE_OK, reached == nil {
        var block: UnsafeRawPointer?
        let count = expandBlock(&block)
        if count > 0 { first = UnsafeRawBufferPointer(start: block, count: count) }
      }
    } else {
      archive_read_free(stage)
      failure = nil
      position = 0
    }
  }

  private static func text(_ archive: OpaquePointer) -> String {
    archive_error_string(archive).map { String(cString: $0) } ?? "no reason given"
  }

  private func open(_ reader: OpaquePointer, filtered: Bool) {
    archive_read_set_callback_data(reader, Unmanaged.passUnretained(self).toOpaque())
    if filtered {
      archive_read_set_read_callback(reader) { _, data, block in
        guard let data, let block else { return -1 }
        return Unmanaged<ArchiveStream>.fromOpaque(data).takeUnretainedValue().expand(block)
      }
    } else {
      archive_read_set_read_callback(reader) { _, data, block in
        guard let data, let block else { return -1 }
        return Unmanaged<ArchiveStream>.fromOpaque(data).takeUnretainedValue().fill(block)
      }
      if file.size != nil {
        archive_read_set_skip_callback(reader) { _, data, request in
          guard let data else { return 0 }
          return Unmanaged<ArchiveStream>.fromOpaque(data).takeUnretainedValue().skip(request)
        }
        archive_read_set_seek_callback(reader) { _, data, offset, whence in
          guard let data else { return -1 }
          return Unmanaged<ArchiveStream>.fromOpaque(data).takeUnretainedValue()
            .seek(offset, whence)
        }
      }
    }
    // What goes wrong here comes back with the first member.
    archive_read_open1(reader)
  }

  // MARK: - Callbacks

  private func fill(_ next: UnsafeMutablePointer<UnsafeRawPointer?>) -> Int {
    if inner == nil { keepHeaders() }
    do {
      let count = try file.read(at: position, into: buffer)
      if inner == nil {
        block = UnsafeRawBufferPointer(rebasing: buffer[..<count])
        blockStart = position
      }
      position += Int64(count)
      next.pointee = UnsafeRawPointer(buffer.baseAddress)
      return count
    } catch {
      failure = "\(error.operation): \(error.text)"
      return Int(ARCHIVE_FATAL)
    }
  }

  /// Skips no further than to the end, so that a body that was cut off is noticed.
  private func skip(_ request: Int64) -> Int64 {
    let skipped = max(0, min(request, (file.size ?? 0) - position))
    position += skipped
    return skipped
  }

  private func seek(_ offset: Int64, _ whence: Int32) -> Int64 {
    let size = file.size ?? 0
    let base = whence == SEEK_END ? size : whence == SEEK_CUR ? position : 0
    let (target, overflow) = base.addingReportingOverflow(offset)
    guard !overflow, target >= 0 else { return Int64(ARCHIVE_FATAL) }
    position = target
    return position
  }

  private func expand(_ next: UnsafeMutablePointer<UnsafeRawPointer?>) -> Int {
    keepHeaders()
    let count = expandBlock(next)
    if count > 0 {
      block = UnsafeRawBufferPointer(start: next.pointee, count: count)
      blockStart = produced - Int64(count)
    }
    return count
  }

  private func expandBlock(_ block: UnsafeMutablePointer<UnsafeRawPointer?>) -> Int {
    if let ready = first {
      first = nil
      block.pointee = ready.baseAddress
      return ready.count
    }
    guard let inner, failure == nil, reached == nil else { return Int(ARCHIVE_FATAL) }
    var count = 0
    var offset: Int64 = 0
    while true {
      let status = archive_read_data_block(inner, block, &count, &offset)
      if status == ARCHIVE_EOF { return 0 }
      if status < ARCHIVE_WARN {
        if failure == nil { failure = Self.text(inner) }
        return Int(ARCHIVE_FATAL)
      }
      if count > 0 { break }
    }
    produced += Int64(count)
    if produced > Int64(limits.expansionFloor),
      produced / max(1, position) > Int64(limits.expansion)
    {
      reached = .expansion
      return Int(ARCHIVE_FATAL)
    }
    return count
  }
}
