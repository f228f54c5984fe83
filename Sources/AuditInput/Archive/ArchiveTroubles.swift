import AuditCore

/// What went wrong in an archive, counted by kind: a hostile archive makes few sentences.
struct ArchiveTroubles {
  /// How often one thing happened, and where first.
  struct Tally {
    private(set) var count = 0
    private(set) var first: [UInt8] = []
    private(set) var text = ""

    mutating func add(_ path: [UInt8], text: String = "") {
      if count == 0 {
        first = path
        self.text = text
      }
      count += 1
    }
  }

  var absolute = Tally()
  var escaping = Tally()
  var tooLong = Tally()
  var nameless = Tally()
  var damaged = Tally()
  var encrypted = Tally()
  var fileAndDirectory = Tally()
  var unmatched = Tally()
  var disagreeing = Tally()
  var repeated = Tally()
  var globalAttributes = Tally()
  private var whole: [InputProblem] = []

  /// Whether every member is in the table under the name it was given.
  var allNamesAreKept: Bool { escaping.count + tooLong.count + nameless.count == 0 }

  mutating func add(_ problem: InputProblem) {
    if !whole.contains(problem) { whole.append(problem) }
  }

  /// It is something that is not read here.
  mutating func refused(_ sentence: SafeText) { add(Self.problem("unsupported", sentence)) }

  /// Reading ended before the archive did.
  mutating func stopped(_ complaint: String, members: Int) {
    if let known = Self.known(complaint) {
      add(Self.problem(known.error, known.sentence))
    } else if members == 0 {
      add(
        Self.problem(
          "unreadable",
          "It cannot be read as an archive (\(complaint)). Check that it is whole, and not "
            + "encrypted or one part of several."))
    } else {
      add(
        Self.problem(
          "damaged",
          "The archive is damaged or cut off after \(members) members (libarchive says: "
            + "\(complaint)); the rest was not checked. Make or copy it again."))
    }
  }

  /// What libarchive cannot read although it is whole, by its own words.
  private static func known(_ complaint: String) -> (error: String, sentence: SafeText)? {
    if complaint.contains("pecial header too large") || complaint.contains("ttribute too large") {
      return (
        "header-too-large",
        "A member has a header larger than the reader takes (an extended attribute or a name above "
          + "1 MiB), so reading stopped there and the rest was not checked. Unpack it with a tool "
          + "that keeps extended attributes and give the folder, or make the tar without resource "
          + "forks."
      )
    }
    if complaint.contains("GNU sparse") || complaint.contains("sparse file") {
      return (
        "sparse",
        "The tar holds a sparse file in an old form that cannot be read here. Make it again in the "
          + "pax form, without the option for sparse files."
      )
    }
    if complaint.contains("ulti-volume") || complaint.contains("ultivolume") {
      return ("multi-volume", "It is one part of an archive in several. Join the parts first.")
    }
    if complaint.contains("ncrypt") || complaint.contains("assphrase") {
      return ("encrypted", "The archive is encrypted. Decrypt it first.")
    }
    return nil
  }

  /// Members of a zip's index that were not delivered.
  mutating func missing(_ count: Int, of all: Int) {
    add(
      Self.problem(
        "missing",
        "The zip's index lists \(all) members, but \(count) of them could not be read. "
          + "Make or copy the archive again."))
  }

  /// Everything as problems, in a fixed order.
  var problems: [InputProblem] {
    var all = whole
    func tell(_ tally: Tally, _ error: String, _ message: (String) -> SafeText) {
      guard tally.count > 0 else { return }
      let members = tally.count == 1 ? "1 member" : "\(tally.count) members"
      all.append(Self.problem(error, message(members), path: tally.first))
    }
    tell(damaged, "damaged") {
      "The headers or data of \($0) are damaged (libarchive says: \(damaged.text)). "
        + "Make or copy the archive again."
    }
    tell(globalAttributes, "global-attributes") { _ in
      "The tar gives extended attributes to many members at once, in a global header, or such a "
        + "header cannot be read. That is not supported, so that marks may be missing. Make the "
        + "tar again with bsdtar or GNU tar."
    }
    tell(encrypted, "encrypted") { _ in
      "Members are encrypted, so that sidecars in them cannot be read. Decrypt the archive first."
    }
    tell(absolute, "absolute-path") {
      "The names of \($0) begin with a slash; they are reported without it. "
        + "Make the archive with relative names if it is not the dump of a whole device."
    }
    tell(escaping, "parent-path") {
      "The names of \($0) lead out of the archive with “..”; they were left out."
    }
    tell(tooLong, "path-too-long") {
      "The names of \($0) are longer or deeper than a file system allows; they were left out. "
        + "\(ArchiveLimits.Kind.nesting.rawValue) raises the depth."
    }
    tell(nameless, "no-name") { "\($0) have no readable name; they were left out." }
    tell(fileAndDirectory, "file-and-directory") {
      "\($0) are a file and a directory at once; they are reported as directories."
    }
    tell(disagreeing, "two-headers") {
      "The zip's index and the own headers of \($0) disagree about \(disagreeing.text), so that "
        + "nobody can tell what is in it. Make or copy the archive again."
    }
    tell(repeated, "repeated") {
      "The zip's index lists \($0) again under a path that it has already; unpackers differ in "
        + "which one they take. Make the archive again."
    }
    tell(unmatched, "unmatched") {
      "The zip's index speaks of \($0) that were not found by that name."
    }
    return all
  }

  private static func problem(
    _ error: String, _ message: SafeText, path: [UInt8] = []
  ) -> InputProblem {
    InputProblem(path: path, operation: "read-archive", error: error, message: message)
  }
}

extension InputProblem {
  /// A tar without its end.
  static let cutOff = InputProblem(
    path: [], operation: "read-archive", error: "truncated",
    message: "The tar has no end mark: it was cut off between two members, and what came after "
      + "was not checked. Make or copy it again.")

  /// Something that is no member lies at a cpio's end.
  static let behindCpio = InputProblem(
    path: [], operation: "read-archive", error: "behind-end",
    message: "Something lies before or behind the end mark of the cpio that is no member of it, "
      + "and was not checked. Make or copy it again, or pass what was joined one by one.")

  /// A xar that is longer or shorter than its table says.
  static let xarEnd = InputProblem(
    path: [], operation: "read-archive", error: "heap",
    message: "The xar is longer or shorter than its table of contents says, or the table cannot be "
      + "read: it was cut off, or something follows it. Make or copy it again.")

  /// A xar of which only the beginning was seen.
  static let xarOnAPipe = InputProblem(
    path: [], operation: "read-archive", error: "no-heap",
    message: "Whether the xar is whole can be seen in a file only, not on a pipe or inside another "
      + "compression. Pass the xar itself as a file.")

  /// A zip of which more was read than its index lists.
  static let unlisted = InputProblem(
    path: [], operation: "read-archive", error: "unlisted",
    message: "The zip holds members that its index does not list, and which an unpacker will not "
      + "show. Make or copy the archive again.")
}
