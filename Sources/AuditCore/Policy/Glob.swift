/// A pattern over paths, compared byte by byte and case-sensitively.
///
/// `*` is any run of bytes within a component, `?` one character within a component, `**` any run
/// of bytes across components; `**/` at the start of a component is any number of whole components,
/// none included. A backslash takes the next character as it is. `.` alone is the container root.
struct Glob: Hashable, Sendable {
  enum Token: Hashable, Sendable {
    case byte(UInt8)
    /// `?`
    case one
    /// `*`
    case star
    /// `**/` at the start of a component.
    case components
    /// `**`
    case deep
  }

  /// The pattern as it was written.
  let pattern: [UInt8]
  /// Bytes every match starts with: most paths are rejected by them.
  private let prefix: [UInt8]
  private let tokens: [Token]
  /// How many bytes are spelt out; the pattern with more of them speaks for a path.
  let literals: Int

  /// The bytes that every match spells out, run by run.
  var literalRuns: [[UInt8]] {
    var runs = [prefix]
    for token in tokens {
      if case .byte(let byte) = token { runs[runs.count - 1].append(byte) } else { runs.append([]) }
    }
    return runs
  }

  /// Compiles a pattern.
  init(_ pattern: [UInt8]) {
    self.pattern = pattern
    var tokens: [Token] = []
    var index = pattern.elementsEqual(".".utf8) ? 1 : 0
    while index < pattern.count {
      let byte = pattern[index]
      switch byte {
      case UInt8(ascii: "*"):
        guard index + 1 < pattern.count, pattern[index + 1] == byte else {
          tokens.append(.star)
          index += 1
          continue
        }
        let startsComponent = index == 0 || pattern[index - 1] == Bytes.slash
        index += 2
        if startsComponent && index < pattern.count && pattern[index] == Bytes.slash {
          tokens.append(.components)
          index += 1
        } else {
          tokens.append(.deep)
        }
      case UInt8(ascii: "?"):
        tokens.append(.one)
        index += 1
      case UInt8(ascii: "\\") where index + 1 < pattern.count:
        tokens.append(.byte(pattern[index + 1]))
        index += 2
      default:
        tokens.append(.byte(byte))
        index += 1
      }
    }
    var prefix: [UInt8] = []
    for case .byte(let byte) in tokens.prefix(while: { if case .byte = $0 { true } else { false } })
    {
      prefix.append(byte)
    }
    self.prefix = prefix
    literals = tokens.reduce(0) { if case .byte = $1 { $0 + 1 } else { $0 } }
    self.tokens = Array(tokens[prefix.count...])
  }

  /// Whether a path matches as a whole.
  func matches(_ path: [UInt8]) -> Bool {
    path.withUnsafeBufferPointer { matches($0) }
  }

  /// Whether a path matches as a whole.
  func matches(_ path: UnsafeBufferPointer<UInt8>) -> Bool {
    guard path.count >= prefix.count else { return false }
    for index in prefix.indices where path[index] != prefix[index] { return false }
    return matchesRest(path)
  }

  /// Matches what follows the prefix, going back to the last `*` or `**` where it does not fit.
  ///
  /// A later `*` can take over from an earlier one, for what the earlier one skipped was as short
  /// as possible; a `*` gives up at a slash, and then the last `**` moves on.
  private func matchesRest(_ path: UnsafeBufferPointer<UInt8>) -> Bool {
    var at = prefix.count
    var token = 0
    var star: (token: Int, at: Int)?
    var deep: (token: Int, at: Int, components: Bool)?
    while true {
      if token < tokens.count {
        switch tokens[token] {
        case .star:
          star = (token + 1, at)
          token += 1
          continue
        case .deep, .components:
          deep = (token + 1, at, tokens[token] == .components)
          star = nil
          token += 1
          continue
        case .byte(let byte):
          if at < path.count && path[at] == byte {
            at += 1
            token += 1
            continue
          }
        case .one:
          if at < path.count && path[at] != Bytes.slash {
            at += 1
            while at < path.count && path[at] & 0xC0 == 0x80 { at += 1 }
            token += 1
            continue
          }
        }
      } else if at == path.count {
        return true
      }
      if let last = star, last.at < path.count, path[last.at] != Bytes.slash {
        star = (last.token, last.at + 1)
        (token, at) = (last.token, last.at + 1)
      } else if let last = deep, let next = Self.advance(last.at, last.components, path) {
        deep = (last.token, next, last.components)
        star = nil
        (token, at) = (last.token, next)
      } else {
        return false
      }
    }
  }

  /// Where a `**` tries next: one byte on, or behind the next slash.
  private static func advance(
    _ at: Int, _ components: Bool, _ path: UnsafeBufferPointer<UInt8>
  ) -> Int? {
    guard components else { return at < path.count ? at + 1 : nil }
    var next = at
    while next < path.count {
      next += 1
      if path[next - 1] == Bytes.slash { return next }
    }
    return nil
  }

  /// What is wrong with a pattern over paths, if anything is.
  static func complaint(about pattern: [UInt8]) -> String? {
    if pattern.isEmpty { return "a path is needed; ** stands for everything" }
    if pattern.first == Bytes.slash {
      return "paths are relative to the container root and do not start with /"
    }
    if pattern.last == Bytes.slash {
      return "a directory alone matches nothing below it: end the path with /**"
    }
    let parts = pattern.split(separator: Bytes.slash, omittingEmptySubsequences: false)
    if parts.contains(where: { $0.elementsEqual("..".utf8) || $0.isEmpty })
      || parts.count > 1 && parts.contains(where: { $0.elementsEqual(".".utf8) })
    {
      return "paths have no empty, . or .. components"
    }
    return nil
  }
}
