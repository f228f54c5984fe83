/// The last header of a cpio, which has a name instead of a mark.
enum CpioTrailer {
  private static let name = Array("TRAILER!!!\u{0}".utf8)

  /// How long the trailer is that these bytes begin with; nil if they do not.
  static func length(_ bytes: [UInt8]) -> Int? {
    let header: Int
    switch bytes {
    case _ where bytes.starts(with: "070701".utf8), _ where bytes.starts(with: "070702".utf8):
      header = 110
    case _ where bytes.starts(with: "070707".utf8): header = 76
    case _ where bytes.starts(with: "070727".utf8): header = 116
    case _ where bytes.starts(with: [0xC7, 0x71]), _ where bytes.starts(with: [0x71, 0xC7]):
      header = 26
    default: return nil
    }
    guard bytes.dropFirst(header).starts(with: name) else { return nil }
    return header + name.count
  }
}
