import CZlib

/// Expands gzip, RFC 1952: all members as one stream, with their check sums and lengths verified,
/// which libarchive does not do.
final class GzipSource: ByteSource {
  private enum State {
    case inMember, between, padding
  }

  private let upstream: ByteSource
  private var stream = UnsafeMutablePointer<z_stream>.allocate(capacity: 1)
  private let buffer = UnsafeMutableRawBufferPointer.allocate(byteCount: 1 << 16, alignment: 16)
  private var input = UnsafeRawBufferPointer(start: nil, count: 0)
  private var state = State.inMember

  /// Whether bytes begin as a gzip does.
  static func begins(_ bytes: UnsafeRawBufferPointer) -> Bool {
    bytes.starts(with: [0x1F, 0x8B, 0x08])
  }

  init(_ upstream: ByteSource, limit: @escaping (Int) -> Bool) {
    self.upstream = upstream
    stream.initialize(to: z_stream())
    super.init(limit: limit)
    // 15 bits of window, and 16 for gzip's header and trailer.
    let size = Int32(MemoryLayout<z_stream>.size)
    if inflateInit2_(stream, 15 + 16, ZLIB_VERSION, size) != Z_OK { fail("zlib cannot be used") }
  }

  deinit {
    inflateEnd(stream)
    stream.deallocate()
    buffer.deallocate()
  }

  override func produce() -> UnsafeRawBufferPointer? {
    while true {
      if input.isEmpty {
        guard let next = upstream.next() else {
          fail(upstream.failure ?? "no reason given")
          return nil
        }
        if next.isEmpty {
          if state != .inMember { return next }
          fail("the gzip is cut off")
          return nil
        }
        input = next
      }
      switch state {
      case .inMember:
        guard let count = inflateMore() else { return nil }
        if count > 0 { return UnsafeRawBufferPointer(rebasing: buffer[..<count]) }
      case .between:
        switch input[0] {
        case 0: state = .padding
        case 0x1F:
          inflateReset(stream)
          state = .inMember
        default:
          fail(FilterSource.behind)
          return nil
        }
      case .padding:
        guard input.allSatisfy({ $0 == 0 }) else {
          fail(FilterSource.behind)
          return nil
        }
        input = UnsafeRawBufferPointer(rebasing: input[input.endIndex...])
      }
    }
  }

  private func inflateMore() -> Int? {
    let bytes = input.bindMemory(to: UInt8.self)
    stream.pointee.next_in = UnsafeMutablePointer(mutating: bytes.baseAddress)
    stream.pointee.avail_in = UInt32(clamping: bytes.count)
    let given = Int(stream.pointee.avail_in)
    stream.pointee.next_out = buffer.bindMemory(to: UInt8.self).baseAddress
    stream.pointee.avail_out = UInt32(buffer.count)
    let status = inflate(stream, Z_NO_FLUSH)
    input = UnsafeRawBufferPointer(rebasing: input[(given - Int(stream.pointee.avail_in))...])
    let count = buffer.count - Int(stream.pointee.avail_out)
    switch status {
    case Z_STREAM_END: state = .between
    case Z_OK: break
    default:
      // What came before stands, and is followed by the failure.
      fail(stream.pointee.msg.map { "gzip: " + String(cString: $0) } ?? "the gzip is damaged")
      return count > 0 ? count : nil
    }
    return count
  }
}
