import CCrypto

/// Bytes that are wiped when the last reference to them goes.
public final class Secret {
  private let memory: UnsafeMutableRawBufferPointer

  /// Makes room for `count` bytes, zero at first.
  public init(count: Int) {
    memory = .allocate(byteCount: max(1, count), alignment: 16)
    memory.initializeMemory(as: UInt8.self, repeating: 0)
    self.count = count
  }

  /// Copies bytes.
  public convenience init(_ bytes: some Collection<UInt8>) {
    self.init(count: bytes.count)
    bytes.withContiguousStorageIfAvailable { memory.copyBytes(from: $0) }
      ?? memory.copyBytes(from: bytes)
  }

  deinit {
    cc_wipe(memory.baseAddress, memory.count)
    memory.deallocate()
  }

  /// How many bytes it holds.
  public private(set) var count: Int

  /// Leaves bytes at the end out; they are still wiped.
  public func shorten(to count: Int) { self.count = min(count, self.count) }

  /// The bytes, to be read or filled, while a reference to the secret is kept: a pointer keeps none.
  public var bytes: UnsafeMutableRawBufferPointer {
    UnsafeMutableRawBufferPointer(rebasing: memory[..<count])
  }

  /// Writes zeros over it at once.
  public func wipe() { cc_wipe(memory.baseAddress, memory.count) }
}
