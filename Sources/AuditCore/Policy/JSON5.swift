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

  /// Where the lines of a text start, so that asking for the line of every entry stays cheap.
  struct Lines {
    private var starts = [0]

    init(_ text: [UInt8]) {
      text.withUnsafeBufferPointer { text in
        for index in text.indices where JSON5.endsLine(index, in: text) {
          starts.append(index + 1)
        }
      }
    }

    /// The line of an offset, from 1.
    func line(of offset: Int) -> Int {
      var low = 0
      var high = starts.count
      while low < high {
        let middle = low + (high - low) / 2
        if starts[middle] <= offset { low = middle + 1 } else { high = middle }
      }
      return low
    }
  }

  /// A line ends with LF, with CR LF, or with CR alone.
  private static func endsLine(_ index: Int, in text: UnsafeBufferPointer<UInt8>) -> Bool {
    switch text[index] {
    case 0x0A: true
    case 0x0D: !(index + 1 < text.count && text[index + 1] == 0x0A)
    default: false
    }
  }

  /// Line and column of an offset, both from 1; the column counts characters.
  static func position(of offset: Int, in text: [UInt8]) -> (line: Int, column: Int) {
    let end = min(offset, text.count)
    return text.withUnsafeBufferPointer { text in
      var line = 1
      var start = 0
      for index in 0..<end where endsLine(index, in: text) {
        line += 1
        start = index + 1
      }
      return (line, String(decoding: text[start..<end], as: UTF8.self).count + 1)
    }
  }
}
