import AuditCore

extension ArchiveProcess {
  /// The other side: reads the archive on standard input and says on standard output what it holds.
  ///
  /// Before anything of the archive is read, the process gives up what it does not need: files,
  /// network, memory without end, and processor time without progress.
  ///
  /// - Parameter arguments: what follows `verb`.
  /// - Returns: the status to leave with; the other side goes by the last frame, not by this.
  public static func serve(_ arguments: [[UInt8]]) -> Int32 {
    let numbers = arguments.compactMap { Int(String(decoding: $0, as: UTF8.self)) }
    guard numbers.count == 4 else { return 64 }
    var limits = ArchiveLimits()
    limits.entries = numbers[0]
    limits.headerBytes = numbers[1]
    limits.expansion = numbers[2]
    limits.nesting = numbers[3]

    let contents = readArchive(descriptor: 0, limits: limits, whenLoaded: Confinement.enter)
    var output = FrameOutput()
    output.body.put(contents.head)
    output.send(.head)
    contents.forEachDirectory { directory in
      Confinement.madeProgress()
      output.body.put(directory)
      output.send(.directory)
    }
    output.send(.end)
    return output.flush() ? 0 : 1
  }
}

/// Frames on their way to standard output.
private struct FrameOutput {
  var body = FrameWriter()
  private var buffer: [UInt8] = []
  private var isBroken = false

  mutating func send(_ kind: ReaderFrame) {
    var header = FrameWriter()
    header.put(kind.rawValue)
    header.put(UInt32(clamping: body.bytes.count))
    buffer += header.bytes
    buffer += body.bytes
    body.removeAll()
    if buffer.count > 1 << 16 { _ = flush() }
  }

  /// Whether everything was taken.
  mutating func flush() -> Bool {
    if !isBroken { isBroken = !buffer.withUnsafeBytes { ReaderChild.write(1, $0) } }
    buffer.removeAll(keepingCapacity: true)
    return !isBroken
  }
}
