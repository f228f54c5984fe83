import BackupExclusion

/// How a volume shows the names of foreign attributes.
public enum NamingRule: UInt8, Sendable {
  /// The usual Linux forms: `user.`, `osx.`, raw and what file servers make of them.
  case any
  /// The kernel's `hfsplus` driver: only `osx.` names are attributes a Mac would read.
  case osxOnly
  /// Inside an archive: also percent-encoded.
  case archive
}

/// What the name of an extended attribute says.
public enum AttributeMeaning: Equatable, Sendable {
  /// The mark itself.
  case mark
  /// A name that comes close to the mark's; no system reads it as the mark.
  case nearMiss(NearMiss.Kind)
  /// Another `com.apple.metadata:` name: it travels exactly as the mark does.
  case metadata
  /// Another attribute that only a foreign system writes: attributes survived the way here.
  case foreign
  /// Made on Linux, or of unknown make: says nothing about the way here.
  case none
}

/// Reads the names under which Linux, file servers and archives show an Apple attribute.
///
/// The bare name cannot be stored on most Linux file systems, so every carrier dresses it:
/// `user.` (most), `osx.` (the kernel's HFS+ and APFS drivers), `user.rsync.` (rsync's
/// `--fake-super`), `user.DosStream.…:$DATA` with U+F022 in place of the colon (Samba). One
/// normaliser takes all of it off, every layer once at most, then names are compared whole.
public enum AttributeName {
  /// Tells what a name means under a volume's rule.
  ///
  /// `trailingNul` says that the value may end in one extra NUL, as Samba and netatalk write it
  /// below `user.`. Allocates nothing on the heap. A name proves a foreign origin when it starts
  /// with `com.apple.` or `com.macromates.`; other reverse-DNS names (`com.`, `org.`, `net.`,
  /// `io.`) prove it raw or below `osx.` only, since Linux programs write such names below `user.`.
  public static func meaning(
    of raw: UnsafeBufferPointer<UInt8>, rule: NamingRule
  ) -> (meaning: AttributeMeaning, trailingNul: Bool) {
    if rule == .osxOnly {
      guard let name = raw.dropping("osx.") else {
        return (raw.resemblesMark ? .nearMiss(.misnamed) : .none, false)
      }
      return (meaning(ofBare: name, reverseDNS: true), false)
    }
    guard rule == .archive, raw.contains(0x25) else { return undress(raw) }
    return withUnsafeTemporaryAllocation(of: UInt8.self, capacity: raw.count) { buffer in
      let count = percentDecode(raw, into: buffer)
      let decoded = UnsafeBufferPointer(rebasing: buffer[..<count])
      // A name that is not text after decoding was not percent-encoded in the first place.
      let isText = String(validating: decoded, as: UTF8.self) != nil
      return undress(isText ? decoded : raw)
    }
  }

  /// Tells the state of the mark from its value.
  ///
  /// With `trailingNul` one NUL at the end does not count, so that a single NUL is an empty value.
  public static func mark(value: UnsafeBufferPointer<UInt8>, trailingNul: Bool) -> OwnMark {
    var value = value
    if trailingNul, value.last == 0 { value = UnsafeBufferPointer(rebasing: value.dropLast()) }
    if value.isEmpty { return OwnMark(state: .empty) }
    return OwnMark(
      state: .marked, form: ExclusionMark.form(of: value), bytes: UInt32(clamping: value.count))
  }

  /// Takes the carriers' prefixes and suffixes off.
  private static func undress(
    _ raw: UnsafeBufferPointer<UInt8>
  ) -> (meaning: AttributeMeaning, trailingNul: Bool) {
    var name = raw
    var served = false
    var belowUser = false
    var trailingNul = false
    if let rest = name.dropping("user.DosStream.") {
      name = rest
      served = true
      trailingNul = true
    }
    if let rest = name.dropping("user.rsync.") {
      name = rest
      belowUser = true
    }
    if let rest = name.dropping("user.") {
      name = rest
      belowUser = true
      trailingNul = true
    }
    if let rest = name.dropping("osx.") {
      name = rest
      belowUser = false
    }
    let stream: StaticString = ":$DATA"
    if name.hasSuffix(stream) {
      name = UnsafeBufferPointer(rebasing: name.dropLast(stream.utf8CodeUnitCount))
      trailingNul = true
    }
    // U+F022, the private-use character that stands for a colon on SMB.
    guard let colon = name.firstColonStandIn else {
      return (meaning(ofBare: name, reverseDNS: !belowUser && !served), trailingNul)
    }
    return withUnsafeTemporaryAllocation(of: UInt8.self, capacity: name.count) { buffer in
      var count = 0
      var index = 0
      while index < name.count {
        let standsIn = index >= colon && name.isColonStandIn(at: index)
        buffer[count] = standsIn ? 0x3A : name[index]
        count += 1
        index += standsIn ? 3 : 1
      }
      let plain = UnsafeBufferPointer(rebasing: buffer[..<count])
      return (meaning(ofBare: plain, reverseDNS: false), true)
    }
  }

  private static func meaning(
    ofBare name: UnsafeBufferPointer<UInt8>, reverseDNS: Bool
  ) -> AttributeMeaning {
    if let tail = name.dropping("com.apple.metadata:") {
      if tail.equals("com_apple_backup_excludeItem") { return .mark }
      if tail.equals("com_apple_cloudBackup_excludeItem")
        || tail.equals("com_apple_unencryptedBackup_excludeItem")
      {
        return .nearMiss(.partial)
      }
      return tail.resemblesMark ? .nearMiss(.misnamed) : .metadata
    }
    if name.equals("com.apple.MobileBackup") { return .nearMiss(.legacy) }
    if name.resemblesMark { return .nearMiss(.misnamed) }
    if name.dropping("com.apple.") != nil || name.dropping("com.macromates.") != nil {
      return .foreign
    }
    guard reverseDNS else { return .none }
    for domain in ["com.", "org.", "net.", "io."] as [StaticString] where name.count > 4 {
      if name.dropping(domain) != nil { return .foreign }
    }
    return .none
  }

  /// Decodes what tar writers encode in attribute names: control and non-ASCII bytes, `%`, `=`.
  ///
  /// No writer encodes a colon. Decoding one would turn a name that is not the mark into it.
  private static func percentDecode(
    _ raw: UnsafeBufferPointer<UInt8>, into buffer: UnsafeMutableBufferPointer<UInt8>
  ) -> Int {
    var count = 0
    var index = 0
    while index < raw.count {
      var byte = raw[index]
      index += 1
      if byte == 0x25, index + 1 < raw.count, let high = hexDigit(raw[index]),
        let low = hexDigit(raw[index + 1])
      {
        let value = high << 4 | low
        if value < 33 || value > 126 || value == 0x25 || value == 0x3D {
          byte = value
          index += 2
        }
      }
      buffer[count] = byte
      count += 1
    }
    return count
  }

  private static func hexDigit(_ byte: UInt8) -> UInt8? {
    switch byte {
    case 0x30...0x39: byte - 0x30
    case 0x41...0x46: byte - 0x41 + 10
    case 0x61...0x66: byte - 0x61 + 10
    default: nil
    }
  }
}

extension UnsafeBufferPointer<UInt8> {
  /// The rest after a prefix, or nil without the prefix.
  fileprivate func dropping(_ prefix: StaticString) -> UnsafeBufferPointer<UInt8>? {
    let length = prefix.utf8CodeUnitCount
    guard count >= length else { return nil }
    for index in 0..<length where self[index] != prefix.utf8Start[index] { return nil }
    return UnsafeBufferPointer(rebasing: self[length...])
  }

  fileprivate func equals(_ other: StaticString) -> Bool {
    count == other.utf8CodeUnitCount && dropping(other) != nil
  }

  fileprivate func hasSuffix(_ suffix: StaticString) -> Bool {
    let length = suffix.utf8CodeUnitCount
    guard count >= length else { return false }
    return UnsafeBufferPointer(rebasing: self[(count - length)...]).equals(suffix)
  }

  /// Whether the part that only the mark's name has stands in the name, in any case.
  fileprivate var resemblesMark: Bool {
    let needle: StaticString = "backup_excludeitem"
    let length = needle.utf8CodeUnitCount
    guard count >= length else { return false }
    next: for start in 0...(count - length) {
      for index in 0..<length {
        let byte = self[start + index]
        let lower = (0x41...0x5A).contains(byte) ? byte | 0x20 : byte
        if lower != needle.utf8Start[index] { continue next }
      }
      return true
    }
    return false
  }

  fileprivate func isColonStandIn(at index: Int) -> Bool {
    index + 2 < count && self[index] == 0xEF && self[index + 1] == 0x80
      && self[index + 2] == 0xA2
  }

  fileprivate var firstColonStandIn: Int? {
    for index in 0..<count where self[index] == 0xEF && isColonStandIn(at: index) { return index }
    return nil
  }
}
