/// Text that people read, of which no part can repaint a terminal or forge a line.
///
/// What is written in the source passes as it stands; what is put in is made visible, as `Shown`
/// does it: controls, C1, bidirectional and invisible characters, line separators, invalid UTF-8.
/// Bytes are names: their backslashes are doubled, so that no two names look the same. A `String`
/// is a sentence that may quote names already shown: its backslashes pass, so that nothing is
/// escaped twice. Another `SafeText` passes as it is. There is no other way to make one.
///
/// What a format needs beyond that (quotes, `<`, `|`, `%`) is the format's own, done once where a
/// report is written.
public struct SafeText: Equatable, Hashable, Sendable, ExpressibleByStringInterpolation,
  CustomStringConvertible
{
  /// The text for a format to escape in its own way.
  public private(set) var string: String
  /// The same as UTF-8.
  public var utf8: String.UTF8View { string.utf8 }
  /// The same.
  public var description: String { string }
  /// Whether there is none.
  public var isEmpty: Bool { string.isEmpty }

  /// Whether a part is in it.
  public func contains(_ part: String) -> Bool { string.contains(part) }

  /// What the source says.
  public init(stringLiteral value: StaticString) { string = value.description }
  /// What the source says with what was put in.
  public init(stringInterpolation: StringInterpolation) { string = stringInterpolation.text }

  private init(joined string: String) { self.string = string }

  /// One after the other.
  public static func + (a: SafeText, b: SafeText) -> SafeText {
    SafeText(joined: a.string + b.string)
  }
  /// Appends.
  public static func += (a: inout SafeText, b: SafeText) { a.string += b.string }

  /// Collects literals and what stands between them.
  public struct StringInterpolation: StringInterpolationProtocol {
    fileprivate var text = ""

    /// Makes room.
    public init(literalCapacity: Int, interpolationCount: Int) {
      text.reserveCapacity(literalCapacity + 16 * interpolationCount)
    }
    /// What the source says; the compiler alone calls this.
    public mutating func appendLiteral(_ literal: StaticString) { text += literal.description }
    /// A name.
    public mutating func appendInterpolation(_ bytes: some Collection<UInt8>) {
      text += Shown.text(bytes)
    }
    /// What the source says.
    public mutating func appendInterpolation(_ literal: StaticString) {
      text += literal.description
    }
    /// A sentence.
    public mutating func appendInterpolation(_ sentence: String) {
      text += Shown.sentence(sentence)
    }
    /// A part of a sentence.
    public mutating func appendInterpolation(_ sentence: Substring) {
      text += Shown.sentence(String(sentence))
    }
    /// Text that is safe already.
    public mutating func appendInterpolation(_ safe: SafeText) { text += safe.string }
    /// A number.
    public mutating func appendInterpolation(_ number: some BinaryInteger) {
      text += String(number)
    }
  }
}

extension Shown {
  /// A sentence of which hidden characters became visible and backslashes stay: doing it twice
  /// changes nothing.
  public static func sentence(_ text: String) -> String {
    if text.utf8.allSatisfy({ $0 >= 0x20 && $0 < 0x7F }) { return text }
    var out = ""
    for scalar in text.unicodeScalars {
      if isHidden(scalar) {
        out += Shown.text(String(scalar).utf8)
      } else {
        out.unicodeScalars.append(scalar)
      }
    }
    return out
  }
}
