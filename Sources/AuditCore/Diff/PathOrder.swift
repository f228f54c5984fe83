/// The order of reports: directories depth-first by the bytes of their names.
enum PathOrder {
  /// Negative, zero or positive as the bytes of `a` sort before, as or after those of `b`.
  @inline(__always)
  static func compare(_ a: UnsafeBufferPointer<UInt8>, _ b: UnsafeBufferPointer<UInt8>) -> Int {
    let count = min(a.count, b.count)
    for index in 0..<count where a[index] != b[index] { return Int(a[index]) - Int(b[index]) }
    return a.count - b.count
  }

  /// Negative, zero or positive as the directory `a` comes before, is or comes after `b`.
  ///
  /// A slash sorts before every other byte, so that a directory comes before its neighbours whose
  /// names start with its own.
  static func compare(_ a: ArraySlice<UInt8>, _ b: ArraySlice<UInt8>) -> Int {
    var i = a.startIndex
    var j = b.startIndex
    while i < a.endIndex && j < b.endIndex {
      let x = a[i] == Bytes.slash ? 0 : Int(a[i])
      let y = b[j] == Bytes.slash ? 0 : Int(b[j])
      if x != y { return x - y }
      i += 1
      j += 1
    }
    return (a.endIndex - i) - (b.endIndex - j)
  }

  /// Whether the directory `a` comes before `b`.
  static func precedes(_ a: ArraySlice<UInt8>, _ b: ArraySlice<UInt8>) -> Bool {
    compare(a, b) < 0
  }

  /// Whether the entry `a`, which is no directory, comes before `b`.
  static func comesBefore(_ a: [UInt8], _ b: [UInt8]) -> Bool {
    let order = compare(Bytes.parent(a), Bytes.parent(b))
    return order != 0 ? order < 0 : Bytes.last(a).lexicographicallyPrecedes(Bytes.last(b))
  }
}
