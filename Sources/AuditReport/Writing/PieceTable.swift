/// Ready-made pieces of output, found by a small number without touching a `String`.
final class PieceTable {
  private let bytes: UnsafeMutablePointer<UInt8>
  private let spans: UnsafeMutablePointer<Range<Int>>

  /// Copies the pieces, in order.
  init(_ pieces: [String]) {
    bytes = .allocate(capacity: pieces.reduce(1) { $0 + $1.utf8.count })
    spans = .allocate(capacity: pieces.count)
    var end = 0
    for (index, piece) in pieces.enumerated() {
      let start = end
      for byte in piece.utf8 {
        bytes[end] = byte
        end += 1
      }
      (spans + index).initialize(to: start..<end)
    }
  }

  deinit {
    bytes.deallocate()
    spans.deallocate()
  }

  /// A view that is valid as long as the table lives.
  var view: View { View(bytes: bytes, spans: spans) }

  /// The pieces, as pointers that fit into registers.
  struct View {
    fileprivate let bytes: UnsafePointer<UInt8>
    fileprivate let spans: UnsafePointer<Range<Int>>

    /// One piece.
    @inline(__always) subscript(_ index: Int) -> UnsafeBufferPointer<UInt8> {
      let span = spans[index]
      return UnsafeBufferPointer(start: bytes + span.lowerBound, count: span.count)
    }
  }
}
