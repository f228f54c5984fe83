/// A system call that failed while a test was being prepared.
package struct SystemError: Error, CustomStringConvertible {
  package let description: String

  /// Takes `errno` as it is now.
  package init(_ operation: String, _ path: some Sequence<UInt8>) {
    let reason = String(cString: strerror(errno))
    description = "\(operation) \(String(decoding: Array(path), as: UTF8.self)): \(reason)"
  }
}

extension [UInt8] {
  /// Hands out the bytes with a terminating zero.
  package func withCString<R>(_ body: (UnsafePointer<CChar>) throws -> R) rethrows -> R {
    var terminated = map { CChar(bitPattern: $0) }
    terminated.append(0)
    return try terminated.withUnsafeBufferPointer { buffer in
      guard let start = buffer.baseAddress else { preconditionFailure("it holds a zero") }
      return try body(start)
    }
  }

  /// The components between slashes.
  package var components: [[UInt8]] {
    split(separator: UInt8(ascii: "/")).map(Array.init)
  }
}
