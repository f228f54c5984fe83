/// How far an archive was read: what tells progress from going round in circles.
struct FurthestRead {
  private var place: Int64 = -1

  /// Whether a read gets further than all before it, and takes note of it.
  ///
  /// - Parameter next: the place in a file, which can be read for ever; nil for a pipe, where what
  ///   comes comes once.
  mutating func isPassed(by next: Int64?) -> Bool {
    guard let next else { return true }
    guard next > place else { return false }
    place = next
    return true
  }
}
