import AuditCore

/// Reads archives in a process of their own: this program, started again.
///
/// Whatever a stranger's archive does to the reader (a loop, all memory, a crash, libarchive's own
/// call of `exit`), the run learns of it, says so, and goes on with the next input.
public struct ArchiveProcess: Sendable {
  /// The first argument of the program when it is started as a reader.
  public static let verb = "--read-archive"

  private let program: [UInt8]

  /// Prepares readers that are started from a program that calls `serve` when it sees `verb`.
  public init(program: [UInt8]) { self.program = program }

  /// Reads an archive and hands on what it holds.
  ///
  /// - Parameters:
  ///   - descriptor: the archive, open at its beginning; it stays open.
  ///   - begin: gets what is known before the first directory.
  ///   - directory: gets the directories, in the report's order.
  /// - Returns: what went wrong with the reader itself, if anything did. What was handed on before
  ///   stands; the rest was not seen.
  func read(
    descriptor: Int32, limits: ArchiveLimits, begin: (ReaderHead) throws -> Void,
    directory: (Directory) throws -> Void
  ) throws -> InputProblem? {
    var arguments = [Array(Self.verb.utf8)]
    for number in [limits.entries, limits.headerBytes, limits.expansion, limits.nesting] {
      arguments.append(Array(String(number).utf8))
    }
    let child: ReaderChild
    switch ReaderChild.start(program, arguments, archive: descriptor) {
    case .success(let started): child = started
    case .failure(let failure):
      try begin(ReaderHead(format: "unknown", layers: [.unread], problems: [], isPartial: true))
      return ErrorText.problem([], "spawn", Int(failure.number))
    }
    var stream = FrameStream(child.pipe)
    var layers: Int?
    do {
      while let (kind, body) = try stream.next() {
        var reader = FrameReader(body)
        switch (kind, layers) {
        case (.head, nil):
          let head = try reader.head()
          layers = head.layers.count
          try begin(head)
        case (.directory, let layers?): try directory(try reader.directory(layers: layers))
        case (.end, _?) where reader.left == 0:
          child.end()
          return nil
        default: throw FrameReader.Garbled()
        }
      }
      let end = child.end()
      if layers == nil {
        try begin(ReaderHead(format: "unknown", layers: [.unread], problems: [], isPartial: true))
      }
      return Self.problem(end)
    } catch is FrameReader.Garbled {
      child.kill()
      if layers == nil {
        try begin(ReaderHead(format: "unknown", layers: [.unread], problems: [], isPartial: true))
      }
      return InputProblem(
        path: [], operation: "read-archive", error: "reader-garbled",
        message: "The process that reads the archive said what makes no sense, so nothing further "
          + "was read. Take the archive for hostile, or make it again.")
    } catch {
      child.kill()
      throw error
    }
  }

  private static func problem(_ end: ReaderChild.End) -> InputProblem {
    let (error, what): (String, SafeText) =
      switch end {
      case .signal(let number) where number == ReaderChild.stuckSignal:
        (
          "reader-stuck",
          "Reading the archive went on for \(Confinement.patience) seconds of processor time without getting further, "
            + "so it was ended"
        )
      case .signal(let number):
        (
          "reader-died",
          "The process that reads the archive was ended by signal \(number); it may have run out of "
            + "the memory that it is given"
        )
      case .status(let number):
        (
          "reader-died",
          "The process that reads the archive ended with status \(number) in the middle"
        )
      }
    return InputProblem(
      path: [], operation: "read-archive", error: error,
      message: what
        + ". The archive is damaged or made to do harm: make it again, or extract it with a tool "
        + "that keeps extended attributes and audit the folder.")
  }
}

extension Layer {
  /// Of an archive of which nothing was read.
  static let unread = Layer(
    format: "unknown", evidence: .impossible, reason: "Nothing could be read.")
}

/// The frames that come out of a pipe.
private struct FrameStream {
  private let pipe: Int32
  private var buffer: [UInt8] = []
  private var at = 0

  init(_ pipe: Int32) { self.pipe = pipe }

  /// The next whole frame, or nil at the end of the stream.
  mutating func next() throws(FrameReader.Garbled) -> (ReaderFrame, ArraySlice<UInt8>)? {
    guard fill(5) else { return nil }
    var header = FrameReader(buffer[at..<(at + 5)])
    guard let kind = ReaderFrame(rawValue: try header.number()) else {
      throw FrameReader.Garbled()
    }
    let length = Int(try header.number(UInt32.self))
    guard length <= ReaderFrame.longest else { throw FrameReader.Garbled() }
    guard fill(5 + length) else { return nil }
    defer { at += 5 + length }
    return (kind, buffer[(at + 5)..<(at + 5 + length)])
  }

  /// Reads until so many bytes are there; memory grows with what comes, not with what is announced.
  private mutating func fill(_ wanted: Int) -> Bool {
    if buffer.count - at >= wanted { return true }
    buffer.removeSubrange(..<at)
    at = 0
    while buffer.count < wanted {
      let before = buffer.count
      let room = max(65_536, min(wanted - before, 1 << 20))
      buffer.append(contentsOf: repeatElement(0, count: room))
      let count = buffer.withUnsafeMutableBytes { bytes in
        ReaderChild.read(pipe, UnsafeMutableRawBufferPointer(rebasing: bytes[before...]))
      }
      buffer.removeSubrange((before + max(count, 0))...)
      if count <= 0 { return false }
    }
    return true
  }
}
