/// What is wrong with a policy or a baseline, and where.
public struct ConfigurationError: Error, Equatable, Sendable, CustomStringConvertible {
  /// The file as the user named it.
  public var file: String
  /// The line, from 1.
  public var line: Int
  /// The column in characters, from 1.
  public var column: Int
  /// What is wrong and what would be right.
  public var message: String

  /// `policy.json5:12:5: …`
  public var description: String { "\(file):\(line):\(column): \(message)" }

  /// An error at a place in a text.
  init(file: String, _ error: JSON5.Failure, in text: [UInt8]) {
    self.file = file
    message = error.message
    (line, column) = JSON5.position(of: error.offset, in: text)
  }
}

/// An error in a policy.
public typealias PolicyError = ConfigurationError
/// An error in a baseline.
public typealias BaselineError = ConfigurationError
