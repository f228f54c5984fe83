/// JSON5 (https://spec.json5.org) as a tree of values that know where they stand in the text.
///
/// A decoder that only says "the data is not in the correct format" is of no use to someone who
/// looks for a missing comma; so this reader is our own. JSON is a part of JSON5.
enum JSON5 {
  /// A value and the offset of its first byte.
  struct Node {
    var offset: Int
    var value: Value
  }

  /// What a value is.
  enum Value {
    case null
    case bool(Bool)
    case number(Double)
    /// The string in UTF-8.
    case string([UInt8])
    case array([Node])
    case object([Member])

    /// A word for error messages.
    var word: String {
      switch self {
      case .null: "null"
      case .bool: "a truth value"
      case .number: "a number"
      case .string: "a string"
      case .array: "an array"
      case .object: "an object"
      }
    }
  }

  /// A member of an object.
  struct Member {
    var name: String
    var offset: Int
    var node: Node
  }

  /// What is wrong at an offset of the text.
  struct Failure: Error, Equatable {
    var offset: Int
    var message: String
  }

  /// Reads a text that holds one value.
  static func read(_ text: [UInt8]) throws(Failure) -> Node {
    var reader = Reader(text: text)
    return try reader.document()
  }

  /// Line and column of an offset, both from 1; the column counts characters.
  static func position(of offset: Int, in text: [UInt8]) -> (line: Int, column: Int) {
    var line = 1
    var start = 0
    let end = min(offset, text.count)
    for index in 0..<end {
      let isReturn = text[index] == 0x0D && !(index + 1 < text.count && text[index + 1] == 0x0A)
      if text[index] == 0x0A || isReturn {
        line += 1
        start = index + 1
      }
    }
    return (line, String(decoding: text[start..<end], as: UTF8.self).count + 1)
  }
}
