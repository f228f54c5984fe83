/// What a property list holds, read without Foundation: its decoder ends the process on some lists.
///
/// Whatever the bytes are, reading them ends soon, takes memory in proportion to them, and says
/// either everything that the list holds or that it is damaged.
indirect enum PropertyList: Equatable {
  case string(String)
  case integer(Int)
  case boolean(Bool)
  case data([UInt8])
  /// ISO 8601, UTC.
  case date(String)
  case array([PropertyList])
  case dictionary([String: PropertyList])
  /// A real number, a null, a reference of a keyed archive, a number or date out of range.
  case other

  /// Why bytes are no property list.
  struct Malformed: Error, Equatable {
    var reason: StaticString

    init(_ reason: StaticString) { self.reason = reason }

    static func == (a: Malformed, b: Malformed) -> Bool {
      a.reason.description == b.reason.description
    }
  }

  /// How deep values may lie in each other.
  static let depthLimit = 64

  /// Reads a binary or an XML list. The old text format, which no system writes here, is none.
  init(_ bytes: [UInt8]) throws(Malformed) {
    if bytes.starts(with: "bplist".utf8) {
      self = try BinaryPropertyList.tree(bytes)
    } else {
      self = try XMLPropertyList.tree(bytes)
    }
  }

  /// A member of a dictionary.
  subscript(_ key: String) -> PropertyList? {
    guard case .dictionary(let members) = self else { return nil }
    return members[key]
  }

  /// The bytes, if it is data.
  var bytes: [UInt8]? {
    guard case .data(let bytes) = self else { return nil }
    return bytes
  }

  /// The text, if it is one.
  var string: String? {
    guard case .string(let text) = self else { return nil }
    return text
  }

  /// The number, also where it was written as a string.
  var number: Int? {
    switch self {
    case .integer(let number): number
    case .string(let text): Int(text)
    default: nil
    }
  }

  /// The truth value, also where it was written as a number.
  var flag: Bool? {
    switch self {
    case .boolean(let flag): flag
    case .integer(let number): number != 0
    default: nil
    }
  }

  /// The date, if it is one.
  var date: String? {
    guard case .date(let text) = self else { return nil }
    return text
  }
}

/// Dates of property lists as text.
enum PropertyListDate {
  /// From seconds since the start of 2001; nil outside of the years 1 to 9999.
  static func text(secondsSince2001 seconds: Double) -> String? {
    // Compared before anything is converted: no number and no infinity gets through.
    guard seconds >= -63_113_904_000, seconds < 252_423_993_600 else { return nil }
    let whole = Int(seconds.rounded(.down))
    let day = Int((Double(whole) / 86_400).rounded(.down))
    let rest = whole - day * 86_400
    // Days since 1 March of the year 0, in eras of 400 years (proleptic Gregorian calendar).
    let days = day + 730_791
    let era = days / 146_097
    let inEra = days % 146_097
    let year = (inEra - inEra / 1460 + inEra / 36_524 - inEra / 146_096) / 365
    let inYear = inEra - (365 * year + year / 4 - year / 100)
    let month = (5 * inYear + 2) / 153
    let date = inYear - (153 * month + 2) / 5 + 1
    let isNextYear = month >= 10
    return pad(era * 400 + year + (isNextYear ? 1 : 0), 4) + "-"
      + pad(isNextYear ? month - 9 : month + 3, 2) + "-" + pad(date, 2) + "T"
      + pad(rest / 3600, 2) + ":" + pad(rest / 60 % 60, 2) + ":" + pad(rest % 60, 2) + "Z"
  }

  /// Whether a text is a date as XML lists have it: `2026-01-31T23:59:59Z`.
  static func isDate(_ text: [UInt8]) -> Bool {
    let form = Array("0000-00-00T00:00:00Z".utf8)
    guard text.count == form.count else { return false }
    return zip(text, form).allSatisfy { byte, wanted in
      wanted == 0x30 ? (0x30...0x39).contains(byte) : byte == wanted
    }
  }

  private static func pad(_ number: Int, _ width: Int) -> String {
    let digits = String(number)
    return String(repeating: "0", count: max(width - digits.utf8.count, 0)) + digits
  }
}
