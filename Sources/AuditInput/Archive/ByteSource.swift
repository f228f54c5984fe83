import CArchive

/// One stage between a file and the reader of members: gives bytes block by block.
class ByteSource {
  /// Why there is no next block.
  private(set) var failure: String?
  /// How many bytes were given.
  private(set) var total = 0
  private var held: UnsafeRawBufferPointer?
  private let limit: (Int) -> Bool

  /// - Parameter limit: whether so many bytes may be given.
  init(limit: @escaping (Int) -> Bool) {
    self.limit = limit
  }

  /// The next bytes, valid until the next call; empty at the end, nil after a failure.
  final func next() -> UnsafeRawBufferPointer? {
    if let block = held {
      held = nil
      total += block.count
      return block
    }
    guard failure == nil, let block = produce() else { return nil }
    guard limit(total + block.count) else {
      fail("it expands too far")
      return nil
    }
    total += block.count
    return block
  }

  /// The next bytes, which are given again.
  final func peek() -> UnsafeRawBufferPointer {
    if held == nil {
      held = next()
      total -= held?.count ?? 0
    }
    return held ?? UnsafeRawBufferPointer(start: nil, count: 0)
  }

  final func fail(_ text: String) {
    if failure == nil { failure = text }
  }

  /// Makes the next bytes.
  func produce() -> UnsafeRawBufferPointer? { nil }
}

/// The file itself, in blocks that are full as long as there is more.
final class FileSource: ByteSource {
  private let read: (UnsafeMutableRawBufferPointer) -> Int?
  private let buffer = UnsafeMutableRawBufferPointer.allocate(byteCount: 1 << 16, alignment: 16)

  init(limit: @escaping (Int) -> Bool, read: @escaping (UnsafeMutableRawBufferPointer) -> Int?) {
    self.read = read
    super.init(limit: limit)
  }

  deinit { buffer.deallocate() }

  override func produce() -> UnsafeRawBufferPointer? {
    var count = 0
    while count < buffer.count {
      guard let got = read(UnsafeMutableRawBufferPointer(rebasing: buffer[count...])) else {
        fail("the file cannot be read")
        return nil
      }
      if got == 0 { break }
      count += got
    }
    return UnsafeRawBufferPointer(rebasing: buffer[..<count])
  }
}

/// A compression that libarchive knows and checks, or none.
///
/// libarchive leaves what follows the compressed data where it is; here that is a failure.
final class FilterSource: ByteSource {
  /// How many compressions there are.
  let layers: Int
  private let upstream: ByteSource
  private let stage: OpaquePointer
  private var isEmpty = false

  init(_ upstream: ByteSource, limit: @escaping (Int) -> Bool) {
    self.upstream = upstream
    stage = archive_read_new()
    archive_read_support_filter_bzip2(stage)
    archive_read_support_filter_compress(stage)
    archive_read_support_filter_xz(stage)
    archive_read_support_filter_lzma(stage)
    archive_read_support_filter_lzip(stage)
    archive_read_support_filter_lz4(stage)
    archive_read_support_filter_zstd(stage)
    archive_read_support_format_raw(stage)
    let feed = Feed(upstream)
    self.feed = feed
    archive_read_set_callback_data(stage, Unmanaged.passUnretained(feed).toOpaque())
    archive_read_set_read_callback(stage) { _, data, block in
      guard let data, let block else { return -1 }
      return Unmanaged<Feed>.fromOpaque(data).takeUnretainedValue().fill(block)
    }
    archive_read_open1(stage)
    var entry: OpaquePointer?
    let status = archive_read_next_header(stage, &entry)
    layers = max(0, Int(archive_filter_count(stage)) - 1)
    super.init(limit: limit)
    isEmpty = status == ARCHIVE_EOF
    if status < ARCHIVE_WARN {
      fail(upstream.failure ?? (layers > 0 ? "its compression is damaged or cut off" : complaint))
    }
  }

  deinit { archive_read_free(stage) }

  /// What libarchive reads from; it has an address of its own before this object has one.
  private final class Feed {
    let upstream: ByteSource
    var last = UnsafeRawBufferPointer(start: nil, count: 0)

    init(_ upstream: ByteSource) { self.upstream = upstream }

    func fill(_ block: UnsafeMutablePointer<UnsafeRawPointer?>) -> Int {
      guard let next = upstream.next() else { return Int(ARCHIVE_FATAL) }
      if !next.isEmpty { last = next }
      block.pointee = next.baseAddress
      return next.count
    }
  }

  private let feed: Feed

  private var complaint: String {
    upstream.failure ?? archive_error_string(stage).map { String(cString: $0) }
      ?? "no reason given"
  }

  override func produce() -> UnsafeRawBufferPointer? {
    var block: UnsafeRawPointer?
    var count = 0
    var offset: Int64 = 0
    while !isEmpty {
      let status = archive_read_data_block(stage, &block, &count, &offset)
      if status == ARCHIVE_EOF {
        isEmpty = true
        break
      }
      if status < ARCHIVE_WARN {
        fail(complaint)
        return nil
      }
      if count > 0 { return UnsafeRawBufferPointer(start: block, count: count) }
    }
    return isEnd() ? UnsafeRawBufferPointer(start: nil, count: 0) : nil
  }

  /// Whether nothing but zeros follows what was decompressed.
  private func isEnd() -> Bool {
    let unread = upstream.total - Int(clamping: archive_filter_bytes(stage, -1))
    var isBlank = unread <= feed.last.count
    if isBlank, unread > 0 { isBlank = feed.last.suffix(unread).allSatisfy { $0 == 0 } }
    while isBlank {
      guard let more = upstream.next() else {
        fail(complaint)
        return false
      }
      if more.isEmpty { return true }
      isBlank = more.allSatisfy { $0 == 0 }
    }
    fail(Self.behind)
    return false
  }

  static let behind = "something follows the compressed data that is none of it"
}
