/// The system calls the library makes, as one value so that tests can make any of them fail.
///
/// Every call answers zero or more, or a negated `errno`.
struct SystemCalls: Sendable {
  typealias Path = UnsafePointer<CChar>

  /// Reads the mark's value; an empty buffer asks for its size only.
  var getMark: @Sendable (Path, UnsafeMutableRawBufferPointer) -> Int = Platform.getMark
  /// Writes the mark's value.
  var setMark: @Sendable (Path, UnsafeRawBufferPointer) -> Int = Platform.setMark
  /// Removes the mark.
  var removeMark: @Sendable (Path) -> Int = Platform.removeMark
  /// Copies the mark, and no other attribute, from the first path to the second.
  var copyMark: @Sendable (Path, Path) -> Int = Platform.copyMark
  /// Makes a directory that only its owner may enter.
  var makeDirectory: @Sendable (Path) -> Int = Platform.makeDirectory
  /// The `st_mode` of an item.
  var mode: @Sendable (Path) -> Int = Platform.mode

  static let live = SystemCalls()

  /// Makes one call: hands over the path, repeats it when a signal cut it short, and is the one
  /// place where a failure becomes an error.
  static func perform(
    _ operation: String, _ path: [UInt8], _ call: (Path) -> Int
  ) throws(MarkError) -> Int {
    // A C string would end at the first NUL: the call would speak of another item.
    if path.contains(0) {
      throw MarkError(operation: operation, path: path, code: Platform.invalidArgument)
    }
    var result: Int
    repeat {
      result = (path + [0]).withUnsafeBufferPointer { bytes in
        bytes.withMemoryRebound(to: CChar.self) { chars in
          chars.baseAddress.map(call) ?? -Int(Platform.invalidArgument)
        }
      }
    } while result == -Int(Platform.interrupted)
    if result < 0 { throw MarkError(operation: operation, path: path, code: Int32(-result)) }
    return result
  }
}

/// What an `st_mode` says of an item; the numbers are the same on every system.
enum ItemKind {
  case directory, file, symlink, other

  init(mode: Int) {
    switch mode & 0o170000 {
    case 0o040000: self = .directory
    case 0o100000: self = .file
    case 0o120000: self = .symlink
    default: self = .other
    }
  }

  /// The word for error messages.
  var word: String {
    switch self {
    case .directory: "directory"
    case .file: "file"
    case .symlink: "symbolic link"
    case .other: "special file"
    }
  }
}
