/// A system call that failed on a path.
public struct MarkError: Error, Equatable, Sendable, CustomStringConvertible {
  /// What was attempted, as the name of the call: `getxattr`, `setxattr`, `mkdir` …
  public let operation: String
  /// The path as it was given, in bytes.
  public let path: [UInt8]
  /// The system's error number (`errno`).
  public let code: Int32

  /// Makes an error.
  public init(operation: String, path: [UInt8], code: Int32) {
    self.operation = operation
    self.path = path
    self.code = code
  }

  /// The symbolic name of the error number, such as `EACCES`.
  public var name: String { Platform.errorName(code) }

  /// Whether the path leads nowhere.
  public var isMissingItem: Bool {
    code == Platform.noSuchItem || code == Platform.notDirectory
  }

  /// Whether the file system, or this kind of item, cannot hold the attribute.
  public var isUnsupported: Bool { code == Platform.notSupported }

  /// A sentence: call, path, what the system said, and what it means for the mark.
  public var description: String {
    var text = "\(operation) \(shown(path)): \(Platform.errorMessage(code)) (\(name))"
    if isUnsupported {
      text += "; this file system cannot hold the mark"
    } else if code == Platform.notPermitted && operation == "setxattr" {
      text += "; symbolic links and special files cannot hold the mark, nor can another user's item"
    }
    return text
  }
}

/// A path for people: invalid UTF-8 repaired, control characters escaped.
func shown(_ path: [UInt8]) -> String {
  var text = ""
  for scalar in String(decoding: path, as: UTF8.self).unicodeScalars {
    switch scalar.properties.generalCategory {
    case .control, .format, .lineSeparator, .paragraphSeparator:
      text += scalar.escaped(asASCII: true)
    default: text.unicodeScalars.append(scalar)
    }
  }
  return text.isEmpty ? "\"\"" : text
}
