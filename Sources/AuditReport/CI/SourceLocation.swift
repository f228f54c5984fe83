import AuditCore

/// A place in the repository for a finding about a file that is not in the repository.
///
/// The services that show findings beside source code need one: the place the policy names, else
/// the policy file, else the input as it was written on the command line.
struct SourceLocation: Equatable {
  /// Relative to the root of the repository.
  var path: [UInt8]
  /// The line, from 1.
  var line: Int

  /// The place of one finding, or of the input where `finding` is nil.
  static func of(_ finding: Finding?, in input: InputInfo, run: RunInfo) -> SourceLocation {
    if let source = finding?.source, let place = SourceLocation(source: source) { return place }
    if let policy = run.policyPath, let path = relative(Array(policy.utf8)) {
      return SourceLocation(path: path, line: 1)
    }
    let path = relative(input.path) ?? relative(lastComponent(input.path)) ?? Array("audit".utf8)
    return SourceLocation(path: path, line: 1)
  }

  private init(path: [UInt8], line: Int) {
    self.path = path
    self.line = line
  }

  /// Reads `Sources/Store.swift:42`, with or without the line.
  private init?(source: String) {
    var path = Array(source.utf8)
    var line = 1
    if let colon = path.lastIndex(of: 0x3A),
      let number = Int(String(decoding: path[(colon + 1)...], as: UTF8.self)), number > 0
    {
      line = number
      path.removeSubrange(colon...)
    }
    guard let relative = SourceLocation.relative(path) else { return nil }
    self.init(path: relative, line: line)
  }

  /// The path without `.` components; nil if it is absolute, empty, or leaves the repository.
  private static func relative(_ path: [UInt8]) -> [UInt8]? {
    guard path.first != 0x2F else { return nil }
    let parts = path.split(separator: 0x2F).filter { !$0.elementsEqual([0x2E]) }
    guard !parts.isEmpty, !parts.contains(where: { $0.elementsEqual([0x2E, 0x2E]) }) else {
      return nil
    }
    return Array(parts.joined(separator: [0x2F]))
  }

  private static func lastComponent(_ path: [UInt8]) -> [UInt8] {
    path.split(separator: 0x2F).last.map { Array($0) } ?? []
  }

  /// The path as a relative URI reference (RFC 3986).
  var uri: String {
    var uri = ""
    for byte in path {
      switch byte {
      case 0x30...0x39, 0x41...0x5A, 0x61...0x7A, 0x2D, 0x2E, 0x2F, 0x5F, 0x7E:
        uri.unicodeScalars.append(Unicode.Scalar(byte))
      default:
        let digits = Array("0123456789ABCDEF".unicodeScalars)
        uri.unicodeScalars.append("%")
        uri.unicodeScalars.append(digits[Int(byte >> 4)])
        uri.unicodeScalars.append(digits[Int(byte & 15)])
      }
    }
    return uri
  }
}
