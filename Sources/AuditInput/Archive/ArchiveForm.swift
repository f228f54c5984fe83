import AuditCore

/// What the first bytes of an input say that it is.
///
/// libarchive tries all forms that it is given on all bytes, so that a zip stored inside of
/// something else is taken for the whole. Here the beginning decides, once, and libarchive gets that
/// form only. What is not a form that dumps are delivered in is refused by name.
enum ArchiveForm: Equatable {
  case zip, sevenZip, xar
  /// A tar or a cpio, and what nobody knows: libarchive says whether it is one.
  case tarOrCpio
  case refused(SafeText)

  /// How many of the first bytes are wanted.
  static let wanted = 1100

  /// Decides by bytes at offsets of the uncompressed archive.
  ///
  /// - Parameters:
  ///   - start: the first bytes, `wanted` of them where there are so many.
  ///   - last: the last 512 bytes, where the whole is a file.
  ///   - volume: the bytes from 32,769 on, where a disc image has its name.
  init(start: [UInt8], last: [UInt8] = [], volume: [UInt8] = []) {
    func has(_ magic: [UInt8], at offset: Int = 0) -> Bool {
      start.count >= offset + magic.count
        && start[offset..<(offset + magic.count)].elementsEqual(magic)
    }
    func text(_ magic: String, at offset: Int = 0) -> Bool { has(Array(magic.utf8), at: offset) }

    if text("PK\u{3}\u{4}") || text("PK\u{5}\u{6}") {
      self = .zip
    } else if has([0x37, 0x7A, 0xBC, 0xAF, 0x27, 0x1C]) {
      self = .sevenZip
    } else if text("xar!") {
      self = .xar
    } else if text("ustar", at: 257) || text("07070") || has([0xC7, 0x71]) || has([0x71, 0xC7]) {
      self = .tarOrCpio
    } else if let packed = Self.packed.first(where: { has($0.magic, at: $0.offset) }) {
      self = .refused(packed.sentence)
    } else if let image = Self.images.first(where: { has($0.magic, at: $0.offset) }) {
      self = .refused(Self.image(image.name))
    } else if last.starts(with: "koly".utf8) {
      self = .refused(Self.image("a DMG"))
    } else if volume.starts(with: "CD001".utf8) {
      self = .refused(Self.image("ISO 9660"))
    } else {
      self = .tarOrCpio
    }
  }

  /// Whether it keeps names as text, not as bytes.
  var hasTextNames: Bool {
    switch self {
    case .zip, .sevenZip, .xar: true
    case .tarOrCpio, .refused: false
    }
  }

  private struct Magic {
    var magic: [UInt8]
    var offset: Int
    var name: StaticString

    init(_ magic: String, at offset: Int = 0, _ name: StaticString) {
      self.init(Array(magic.utf8), at: offset, name)
    }

    init(_ magic: [UInt8], at offset: Int = 0, _ name: StaticString) {
      self.magic = magic
      self.offset = offset
      self.name = name
    }

    /// The sentence for a form that is unpacked, or is none.
    var sentence: SafeText { "It is \(name)" }
  }

  private static func image(_ name: StaticString) -> SafeText {
    "It is \(name): a disk image, not an archive of files. Mount it read-only (for APFS: apfs-fuse; for HFS+: the "
      + "hfsplus driver; for EWF: ewfmount; or on a Mac: hdiutil attach -readonly) and give the "
      + "mount point."
  }

  /// Archives of other forms, and what is no archive.
  private static let packed: [Magic] = [
    Magic("!<arch>\n", "an ar archive (or Debian package). Unpack it and give what is in it."),
    Magic("Rar!", "a RAR archive, which holds no extended attributes. Make a tar instead."),
    Magic("-lh", at: 2, "an LHA archive, which holds no extended attributes. Make a tar instead."),
    Magic("-lz", at: 2, "an LHA archive, which holds no extended attributes. Make a tar instead."),
    Magic("MSCF", "a cabinet file, which holds no extended attributes. Make a tar instead."),
    Magic("MSWIM\0\0\0", "a WIM image. Mount it read-only (wimmount) and give the mount point."),
    Magic("hsqs", "a squashfs image. Mount it read-only and give the mount point."),
    Magic("MZ", "a program; a self-extracting one has to be unpacked first. Give what is in it."),
    Magic([0x7F, 0x45, 0x4C, 0x46], "a program, not an archive."),
    Magic("WARC/", "a web archive, not an archive of files."),
    Magic("#mtree", "a list of files (mtree), which holds none. Give the files themselves."),
    Magic("AA01", "an Apple Archive; no free reader knows all of its forms. Make a tar instead."),
    Magic("YAA1", "an Apple Archive; no free reader knows all of its forms. Make a tar instead."),
    Magic("pbz", "an Apple Archive; no free reader knows all of its forms. Make a tar instead."),
    Magic(
      "SQLite format 3\0",
      "a database, not an archive. For a backup's Manifest.db use `audit verify` with its folder."),
    Magic("bplist00", "a property list, not an archive."),
    Magic("PK\u{7}\u{8}", "one part of a split zip. Join the parts first: zip -s 0."),
    Magic("encrcdsa", "an encrypted disk image. Attach it on macOS, or decrypt it first."),
    Magic("cdsaencr", "an encrypted disk image. Attach it on macOS, or decrypt it first."),
    Magic("mbdb\u{5}\0", "the manifest of a backup: use `audit verify` with the backup's folder."),
  ]

  /// Images of disks and volumes.
  private static let images: [Magic] = [
    Magic("H+", at: 1024, "an HFS+ volume"),
    Magic("HX", at: 1024, "an HFS+ volume"),
    Magic("NXSB", at: 32, "an APFS container"),
    Magic("EFI PART", at: 512, "a whole disk (GPT)"),
    Magic([0x45, 0x56, 0x46, 0x09, 0x0D, 0x0A, 0xFF, 0x00], "EWF (E01)"),
    Magic([0x45, 0x56, 0x46, 0x32, 0x0D, 0x0A, 0x81, 0x00], "EWF2 (Ex01)"),
    Magic([0x4C, 0x56, 0x46, 0x09, 0x0D, 0x0A, 0xFF, 0x00], "EWF (L01)"),
    Magic("AFF10\r\n", "AFF"),
    Magic("sprs", "a sparse bundle of Apple's"),
    Magic([0x53, 0xEF], at: 1080, "an ext volume"),
  ]
}
