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
  var length: Int64 { source.map { Int64($0.total) } ?? file.size ?? position }
  /// Whether the archive lies uncompressed in a file, where it can be read at any place.
  var isRandomAccess: Bool { source == nil && file.size != nil }
  /// What stopped the stream, if it was not libarchive's reader of members.
  private(set) var failure: String?
  /// The limit that stopped the stream.
  private(set) var reached: ArchiveLimits.Kind?

  /// What the first bytes say that it is; libarchive is asked for that only.
  private(set) var form = ArchiveForm.tarOrCpio

  private let file: ArchiveFile
  private let limits: ArchiveLimits
  private let buffer = UnsafeMutableRawBufferPointer.allocate(byteCount: 1 << 16, alignment: 16)
  private var position: Int64 = 0
  /// The last stage of decompression, if there is anything to decompress or nothing to seek in.
  private var source: ByteSource?
  /// The first bytes behind it.
  private var start: [UInt8] = []
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
    form = readForm()
    switch form {
    case .zip: archive_read_support_format_zip(archive)
    case .sevenZip: archive_read_support_format_7zip(archive)
    case .xar: archive_read_support_format_xar(archive)
    case .tarOrCpio:
      archive_read_support_format_tar(archive)
      archive_read_support_format_cpio(archive)
    case .refused: return
    }
    // Sidecars stay members: with this option libarchive pairs them by order, not by name.
    archive_read_set_format_option(archive, "tar", "mac-ext", nil)
    archive_read_set_format_option(archive, "zip", "mac-ext", nil)
    archive_read_set_format_option(archive, "tar", "read_concatenated_archives", "1")
    open(archive)
  }

  deinit {
    archive_read_free(archive)
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
    // Negative after a failure; then it is what was seen when the last block was asked for.
    let place = archive_read_header_position(archive)
    if place >= 0 { headersAt = place }
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
    headersAt = max(0, archive_read_header_position(archive))
    // Otherwise the rest of the member before is being skipped.
    guard headersAt != before, headers.count <= 2 * PaxHeaders.sizeLimit else { return }
    let at = Int(headersAt - blockStart) + headers.count
    if at >= 0, at < block.count { headers.append(contentsOf: block[at...]) }
  }

  /// Reads bytes of the file itself; for archives that are read at any place.
  func read(at offset: Int64, into buffer: UnsafeMutableRawBufferPointer) -> Int? {
    try? file.read(at: offset, into: buffer)
  }

  /// Whether it is a form that keeps names as text, not as bytes.
  var hasTextNames: Bool { form.hasTextNames }

  private func readForm() -> ArchiveForm {
    if source != nil { return ArchiveForm(start: start) }
    guard isRandomAccess else { return .tarOrCpio }
    return ArchiveForm(
      start: bytes(at: 0, ArchiveForm.wanted), last: bytes(at: max(0, length - 512), 512),
      volume: bytes(at: 32_769, 5))
  }

  private func bytes(at offset: Int64, _ wanted: Int) -> [UInt8] {
    [UInt8](unsafeUninitializedCapacity: wanted) { bytes, count in
      count = max(0, read(at: offset, into: UnsafeMutableRawBufferPointer(bytes)) ?? 0)
    }
  }

  /// Sets up decompression, unless the file is seekable and not compressed.
  private func unwrap() {
    var last: ByteSource = FileSource(limit: isWithinLimits) { [unowned self] buffer in
      self.readFile(buffer)
    }
    var layers = 0
    while layers <= limits.nesting {
      if GzipSource.begins(last.peek()) {
        last = GzipSource(last, limit: isWithinLimits)
        layers += 1
        continue
      }
      let filtered = FilterSource(last, limit: isWithinLimits)
      last = filtered
      if filtered.layers == 0 { break }
      layers += filtered.layers
    }
    if layers > limits.nesting { reached = .nesting }
    if layers > 0 || file.size == nil {
      source = last
      start = Array(last.peek().prefix(ArchiveForm.wanted))
    } else {
      failure = nil
      position = 0
    }
  }

  private func isWithinLimits(_ total: Int) -> Bool {
    guard total > limits.expansionFloor, Int64(total) / max(1, position) > Int64(limits.expansion)
    else { return true }
    reached = .expansion
    return false
  }

  private func open(_ reader: OpaquePointer) {
    archive_read_set_callback_data(reader, Unmanaged.passUnretained(self).toOpaque())
    archive_read_set_read_callback(reader) { _, data, block in
      guard let data, let block else { return -1 }
      let stream = Unmanaged<ArchiveStream>.fromOpaque(data).takeUnretainedValue()
      return stream.source == nil ? stream.fill(block) : stream.expand(block)
    }
    if isRandomAccess {
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
    // What goes wrong here comes back with the first member.
    archive_read_open1(reader)
  }

  // MARK: - Callbacks

  private func fill(_ next: UnsafeMutablePointer<UnsafeRawPointer?>) -> Int {
    keepHeaders()
    let start = position
    guard let count = readFile(buffer) else { return Int(ARCHIVE_FATAL) }
    block = UnsafeRawBufferPointer(rebasing: buffer[..<count])
    blockStart = start
    next.pointee = UnsafeRawPointer(buffer.baseAddress)
    return count
  }

  /// Reads what comes next in the file.
  private func readFile(_ buffer: UnsafeMutableRawBufferPointer) -> Int? {
    do {
      let count = try file.read(at: position, into: buffer)
      position += Int64(count)
      return count
    } catch {
      failure = "\(error.operation): \(error.text)"
      return nil
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
    guard let block = nextBlock() else { return Int(ARCHIVE_FATAL) }
    next.pointee = block.baseAddress
    return block.count
  }

  private func nextBlock() -> UnsafeRawBufferPointer? {
    guard let source, failure == nil, reached == nil else { return nil }
    guard let next = source.next() else {
      if failure == nil { failure = source.failure ?? "no reason given" }
      return nil
    }
    if !next.isEmpty {
      block = next
      blockStart = Int64(source.total - next.count)
    }
    return next
  }

  // MARK: - The end

  /// The first bytes of the header that was read last, at most so many.
  func headerPrefix(_ count: Int) -> [UInt8] {
    if source == nil {
      var bytes = [UInt8](repeating: 0, count: count)
      let got = bytes.withUnsafeMutableBytes { read(at: headersAt, into: $0) } ?? 0
      return Array(bytes.prefix(max(0, got)))
    }
    let header = headerBytes
    return header.slice(0, min(count, header.kept.count + header.block.count)) ?? []
  }

  /// Whether all bytes are zero from so many behind the start of the last header on.
  ///
  /// Reads to the end, so that the check sums of the compression are looked at, too.
  func isBlank(behindHeader count: Int) -> Bool {
    let place = headersAt + Int64(count)
    if source == nil { return isBlankFile(from: place) }
    var isBlank = headers.dropFirst(count).allSatisfy { $0 == 0 }
    let rest = block.dropFirst(Int(clamping: max(0, place - blockStart)))
    isBlank = isBlank && rest.allSatisfy { $0 == 0 }
    while let next = nextBlock(), !next.isEmpty {
      let rest = next.dropFirst(Int(clamping: max(0, place - blockStart)))
      isBlank = isBlank && rest.allSatisfy { $0 == 0 }
    }
    return isBlank
  }

  /// Reads what is left, for the check sums of the compression.
  func drain() {
    while let next = nextBlock(), !next.isEmpty {}
  }

  /// Whether nothing but zeros, a tar's end mark of two blocks at least, came in place of a header.
  var endsBlank: Bool {
    let start = headerPrefix(1024)
    return start.count == 1024 && start.allSatisfy { $0 == 0 } && isBlank(behindHeader: 1024)
  }

  /// Whether all bytes of the file from a place on are zero.
  func isBlank(from place: Int64) -> Bool { isRandomAccess && isBlankFile(from: place) }

  private func isBlankFile(from place: Int64) -> Bool {
    position = place
    while let count = readFile(buffer) {
      if count == 0 { return true }
      guard buffer[..<count].allSatisfy({ $0 == 0 }) else { return false }
    }
    return false
  }
}
