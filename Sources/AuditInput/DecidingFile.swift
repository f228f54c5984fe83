import AuditCore

/// A file whose content, or absence, changes an answer.
///
/// There is no third answer that looks like one of these: what could not be read, is no regular
/// file or changes meanwhile is a problem with a name, and makes the run incomplete.
enum DecidingFile {
  /// Nothing of this name is there.
  case absent
  case read([UInt8])
  case failed(InputProblem)

  /// Reads a whole file of at most `limit` bytes.
  ///
  /// A link is not followed, and nothing blocks: a FIFO is opened without waiting.
  ///
  /// - Parameters:
  ///   - name: relative to the open directory, or absolute.
  ///   - path: what the problem calls it.
  static func whole(
    _ directory: Int32, _ name: UnsafePointer<CChar>, limit: Int, path: @autoclosure () -> [UInt8],
    into buffer: UnsafeMutableRawBufferPointer? = nil
  ) -> DecidingFile {
    read(directory, name, .whole(limit), path, buffer).file
  }

  /// Reads the first bytes of a file; fewer only where it has no more.
  static func head(
    _ directory: Int32, _ name: UnsafePointer<CChar>, _ count: Int,
    path: @autoclosure () -> [UInt8], into buffer: UnsafeMutableRawBufferPointer? = nil
  ) -> (file: DecidingFile, size: Int) {
    read(directory, name, .head(count), path, buffer)
  }

  /// Reads a whole file of a folder.
  static func whole(_ directory: Int32, _ name: StaticString, limit: Int) -> DecidingFile {
    name.withCString { whole(directory, $0, limit: limit, path: Array(name.description.utf8)) }
  }

  /// Reads the first bytes of a file of a folder.
  static func head(_ directory: Int32, _ name: StaticString, _ count: Int) -> DecidingFile {
    name.withCString { head(directory, $0, count, path: Array(name.description.utf8)).file }
  }

  private enum Extent {
    case whole(Int)
    case head(Int)
  }

  private static func read(
    _ directory: Int32, _ name: UnsafePointer<CChar>, _ extent: Extent, _ path: () -> [UInt8],
    _ buffer: UnsafeMutableRawBufferPointer?
  ) -> (file: DecidingFile, size: Int) {
    let fd = System.openFile(directory, name)
    if fd < 0 {
      let code = Int(-fd)
      if ErrorText.isNowhere(code) { return (.absent, 0) }
      if ErrorText.isLink(code) { return (.failed(notAFile(path(), .symlink)), 0) }
      if ErrorText.isNoSuchDevice(code) { return (.failed(notAFile(path(), .socket)), 0) }
      return (.failed(ErrorText.problem(path(), "open", code)), 0)
    }
    let file = Handle(fd)
    var status = OpenStatus()
    let code = System.status(file.fd, &status)
    guard code == 0 else { return (.failed(ErrorText.problem(path(), "stat", Int(-code))), 0) }
    guard status.kind == .file else { return (.failed(notAFile(path(), status.kind)), 0) }
    let size = Int(clamping: status.size)
    let wanted: Int
    switch extent {
    case .head(let count): wanted = min(count, size)
    case .whole(let limit):
      guard size <= limit else { return (.failed(tooLarge(path(), limit)), size) }
      // One more than there should be, to see whether it grows.
      wanted = size + 1
    }
    let result = fill(file, wanted, buffer)
    guard case .success(let bytes) = result else {
      guard case .failure(let code) = result else { return (.absent, 0) }
      return (.failed(ErrorText.problem(path(), "read", code.number)), size)
    }
    let isAsLong =
      switch extent {
      case .head: bytes.count == wanted
      case .whole: bytes.count == size
      }
    return isAsLong ? (.read(bytes), size) : (.failed(changed(path())), size)
  }

  private struct Failure: Error {
    var number: Int
  }

  private static func fill(
    _ file: Handle, _ wanted: Int, _ buffer: UnsafeMutableRawBufferPointer?
  ) -> Result<[UInt8], Failure> {
    // Nearly all of them are small: room that is used again costs less than room of their own.
    if let buffer { return fill(file, wanted, through: buffer) }
    return withUnsafeTemporaryAllocation(byteCount: 4096, alignment: 16) {
      fill(file, wanted, through: $0)
    }
  }

  private static func fill(
    _ file: Handle, _ wanted: Int, through buffer: UnsafeMutableRawBufferPointer
  ) -> Result<[UInt8], Failure> {
    var bytes: [UInt8] = []
    while bytes.count < wanted {
      let piece = UnsafeMutableRawBufferPointer(
        rebasing: buffer[..<min(buffer.count, wanted - bytes.count)])
      let count = System.readFile(file.fd, piece)
      if count < 0 { return .failure(Failure(number: -count)) }
      if count == 0 { break }
      bytes.append(contentsOf: piece[..<count])
    }
    return .success(bytes)
  }

  // MARK: - Problems

  /// Something else stands where a file should be.
  static func notAFile(_ path: [UInt8], _ kind: EntryKind) -> InputProblem {
    InputProblem(
      path: path, operation: "open", error: "not-a-file",
      message: "\(Shown.text(path)) decides something and is a \(kind.word), not a file; it is "
        + "neither followed nor read")
  }

  private static func tooLarge(_ path: [UInt8], _ limit: Int) -> InputProblem {
    InputProblem(
      path: path, operation: "read", error: "too-large",
      message: "\(Shown.text(path)) has more than \(limit) bytes, as no such file has; it is not "
        + "read")
  }

  /// It is not what it was a moment ago.
  static func changed(_ path: [UInt8]) -> InputProblem {
    InputProblem(
      path: path, operation: "read", error: "changed",
      message: "\(Shown.text(path)) changed while it was read; run again once nobody writes to it")
  }
}

extension StaticString {
  /// Calls a closure with the text as a C string.
  fileprivate func withCString<Result>(_ body: (UnsafePointer<CChar>) -> Result) -> Result {
    description.withCString(body)
  }
}

extension Optional {
  /// Gives the value away.
  mutating func take() -> Wrapped? {
    let value = self
    self = nil
    return value
  }
}
