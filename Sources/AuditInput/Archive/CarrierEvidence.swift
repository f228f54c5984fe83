import AuditCore
import CArchive

/// What an archive's form says of its power to keep attributes.
struct CarrierEvidence {
  /// An attribute that only a foreign system writes.
  var sawForeign = false
  var sawAppleDouble = false
  /// Any attribute at all.
  var sawAttributes = false
  /// A zip made by Apple's archiver, which adds sidecars where there are attributes.
  var isApplesZip = false
  /// A zip on a pipe: its index was not seen.
  var lacksIndex = false
  /// Side files of 7-Zip belong to files, and none to a directory: those lost theirs.
  var lostDirectories = false
  var hasGrayKey = false
  var saysCellebrite = false
  var hasCellebrite = false
  private var formats: Set<Int32> = []
  private var last: Int32 = 0

  /// Notes the form of the current member.
  mutating func see(format: Int32) {
    guard format != last, format != 0 else { return }
    last = format
    formats.insert(format)
  }

  private func has(_ base: Int32) -> Bool {
    formats.contains { $0 & Int32(ARCHIVE_FORMAT_BASE_MASK) == base }
  }

  private var isPax: Bool {
    formats.contains(ARCHIVE_FORMAT_TAR_PAX_INTERCHANGE)
      || formats.contains(ARCHIVE_FORMAT_TAR_PAX_RESTRICTED)
  }

  var isKnown: Bool { !formats.isEmpty }
  var isTar: Bool { has(ARCHIVE_FORMAT_TAR) }
  var isCpio: Bool { has(ARCHIVE_FORMAT_CPIO) }
  var isXar: Bool { has(ARCHIVE_FORMAT_XAR) }
  var isZip: Bool { has(ARCHIVE_FORMAT_ZIP) }
  /// Whether the current member is a tar's.
  var isTarNow: Bool { last & Int32(ARCHIVE_FORMAT_BASE_MASK) == ARCHIVE_FORMAT_TAR }

  /// The form's word in reports.
  var format: String {
    if hasCellebrite { return "clbx" }
    if hasGrayKey { return "graykey" }
    if isPax { return "pax" }
    if formats.contains(ARCHIVE_FORMAT_TAR_GNUTAR) { return "gnutar" }
    if formats.contains(ARCHIVE_FORMAT_TAR_USTAR) { return "ustar" }
    let words: [(Int32, String)] = [
      (ARCHIVE_FORMAT_TAR, "tar"), (ARCHIVE_FORMAT_CPIO, "cpio"), (ARCHIVE_FORMAT_ZIP, "zip"),
      (ARCHIVE_FORMAT_7ZIP, "7z"), (ARCHIVE_FORMAT_XAR, "xar"), (ARCHIVE_FORMAT_ISO9660, "iso"),
      (ARCHIVE_FORMAT_RAR, "rar"), (ARCHIVE_FORMAT_RAR_V5, "rar"), (ARCHIVE_FORMAT_CAB, "cab"),
      (ARCHIVE_FORMAT_LHA, "lha"),
    ]
    return words.first { has($0.0) }?.1 ?? "unknown"
  }

  /// The archive as one layer of the input.
  var layer: Layer {
    if hasCellebrite || hasGrayKey {
      return Layer(
        format: format, evidence: .proven,
        reason: "This form keeps the attributes of every entry.")
    }
    if lostDirectories {
      return Layer(format: format, evidence: .impossible, reason: SevenZipSideFile.lossReason)
    }
    if sawForeign || sawAppleDouble {
      return Layer(format: format, evidence: .proven)
    }
    if isPax {
      return Layer(
        format: format, evidence: .possible,
        reason: "The tar can hold attributes, but no foreign one is in it: either there was none, "
          + "or it was made without them. GNU tar needs --xattrs --xattrs-include='*'.")
    }
    if format == "xar" {
      return Layer(
        format: format, evidence: .possible,
        reason: "The archive can hold attributes, but none is in it.")
    }
    if isZip, isApplesZip {
      return Layer(
        format: format, evidence: .possible,
        reason: "Finder or ditto made this zip, which adds ._ files where there are attributes, "
          + "but none is in it: either there was none, or ditto was told to leave them out.")
    }
    if isZip, lacksIndex {
      return Layer(
        format: format, evidence: .impossible,
        reason: "A zip keeps what would show the attributes at its end, which a pipe does not "
          + "give. Pass it as a file.")
    }
    return Layer(format: format, evidence: .impossible, reason: lossReason)
  }

  private var lossReason: String {
    if isTar {
      return "The tar has no extended header and no ._ file, so that it cannot hold attributes. "
        + "On macOS make it with tar -cf and no --format; on Linux with GNU tar's --xattrs "
        + "--xattrs-include='*'."
    }
    if isZip {
      return "The zip has no ._ file, and the program that made it keeps no attributes. "
        + "Make it with Finder's Compress or ditto -c -k --sequesterRsrc --keepParent."
    }
    if format == "unknown" { return "Nothing could be read." }
    return "A \(format) archive cannot hold attributes, and no ._ file is in it. "
      + "Make a tar on macOS instead: tar -cf."
  }
}
