/// The two sentences of a finding: what is so and what follows from it, and what to do.
///
/// One maker for each rule, so that every report says the same. Names go in as bytes and come out
/// harmless (`Shown`). Where a maker takes a `count`, one finding stands for many entries and
/// `path` is the directory they lie below.
public struct FindingText: Equatable, Sendable {
  /// The cause and the effect.
  public var message: String
  /// What to do.
  public var fix: String

  /// Makes a text.
  public init(message: String, fix: String) {
    self.message = message
    self.fix = fix
  }

  // MARK: Words

  /// A name in quotation marks; the container root for an empty path.
  static func quoted(_ path: some Collection<UInt8>) -> String {
    path.isEmpty ? "the container root" : "\"" + Shown.text(path) + "\""
  }

  /// Names in quotation marks, at most `limit` of them.
  static func list(_ names: [[UInt8]], limit: Int = 5) -> String {
    let shown = names.prefix(limit).map { quoted($0) }
    let rest = names.count - shown.count
    if rest > 0 { return shown.joined(separator: ", ") + " and " + grouped(rest) + " more" }
    guard shown.count > 1, let last = shown.last else { return shown.first ?? "" }
    return shown.dropLast().joined(separator: ", ") + " and " + last
  }

  /// A number with its thousands apart: 12,345.
  static func grouped(_ number: Int) -> String {
    var digits = Array(String(number.magnitude))
    var position = digits.count - 3
    while position > 0 {
      digits.insert(",", at: position)
      position -= 3
    }
    return (number < 0 ? "-" : "") + String(digits)
  }

  /// "1 file" or "12,345 files".
  static func files(_ count: Int) -> String {
    grouped(count) + (count == 1 ? " file" : " files")
  }

  /// "1 file below X is" or "12,345 files below X are".
  static func filesAre(_ count: Int, below directory: some Collection<UInt8>) -> String {
    "\(files(count)) below \(quoted(directory)) \(count == 1 ? "is" : "are")"
  }
}
