/// Collects the bytes of one report in a raw buffer and hands them on in large pieces.
///
/// Appending never throws: the first error of the drain is kept, everything after it is
/// discarded, and `check` and `flush` throw it. Not for use on two threads at once.
public final class ByteWriter {
  /// What takes the bytes away: called with whole buffers, in order.
  public typealias Drain = (UnsafeRawBufferPointer) throws -> Void

  private var start: UnsafeMutablePointer<UInt8>
  private var capacity: Int
  private var used = 0
  private let drain: Drain
  private var failure: (any Error)?

  /// Makes a writer with a buffer of 128 KiB.
  ///
  /// - Parameter drain: takes the bytes away; it may throw, once.
  public init(drain: @escaping Drain) {
    capacity = 128 * 1024
    start = .allocate(capacity: capacity)
    self.drain = drain
  }

  deinit { start.deallocate() }

  /// Hands on everything that was appended.
  ///
  /// - Throws: the first error of the drain, also if it happened earlier.
  public func flush() throws {
    empty()
    try check()
  }

  /// Throws the first error of the drain, if there was one.
  public func check() throws {
    if let failure { throw failure }
  }

  /// A cursor with room for `count` bytes; pass it to `commit` before any other append.
  ///
  /// The buffer grows where a single piece is larger than it: a path, never a report.
  func reserve(_ count: Int) -> Cursor {
    if capacity - used < count { makeRoom(count) }
    return Cursor(start + used)
  }

  /// Takes over what was written through a cursor of `reserve`.
  func commit(_ cursor: Cursor) { used = cursor.position - start }

  /// How many bytes can follow `cursor` without another `reserve`.
  func room(after cursor: Cursor) -> Int { capacity - (cursor.position - start) }

  private func makeRoom(_ count: Int) {
    empty()
    guard capacity < count else { return }
    start.deallocate()
    capacity = count
    start = .allocate(capacity: capacity)
  }

  private func empty() {
    defer { used = 0 }
    guard used > 0, failure == nil else { return }
    do {
      try drain(UnsafeRawBufferPointer(start: start, count: used))
    } catch {
      failure = error
    }
  }
}

extension ByteWriter {
  /// Appends a literal.
  @inline(__always) func append(_ text: StaticString) {
    var cursor = reserve(text.utf8CodeUnitCount)
    cursor.put(text)
    commit(cursor)
  }

  /// Appends bytes as they are.
  func append(_ bytes: UnsafeBufferPointer<UInt8>) {
    var cursor = reserve(bytes.count)
    cursor.put(bytes)
    commit(cursor)
  }

  /// Appends bytes as they are.
  func append(_ bytes: [UInt8]) { bytes.withUnsafeBufferPointer(append) }

  /// Appends text of our own that needs no escaping.
  func append(_ text: String) {
    var text = text
    text.withUTF8(append)
  }

  /// Appends a number in decimal digits.
  func append(_ number: Int) {
    var cursor = reserve(Cursor.digits)
    cursor.put(number)
    commit(cursor)
  }
}
