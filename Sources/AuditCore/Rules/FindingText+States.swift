/// The findings of a comparison of two states, and of a backup with what it was made from.
extension FindingText {
  /// `mark-lost`.
  ///
  /// - Parameters:
  ///   - before: the verdict in the older state.
  ///   - replaced: whether the file is known to be another one under the same name.
  ///   - family: what the name tells of the file.
  public static func markLost(
    before: Verdict, replaced: Bool = false, family: StoreRole = .none
  ) -> FindingText {
    if before == .outsideBackup {
      return FindingText(
        message: "Was at a place that is never backed up, or of a kind that is not, and is exposed "
          + "now: a backup may hold it.",
        fix: "Hold the two runs' --kind and --location-rules against each other; if they are the "
          + "same, move the file into a marked directory.")
    }
    var cause =
      replaced ? "it was replaced in between" : "it was replaced or its mark was taken away"
    if before == .coveredByAncestor || before == .markedAndCovered {
      cause = "no directory from the container root down to it is marked any more"
    }
    if before == .selfMarked {
      switch family {
      case .sqliteSidecar(_, .wal), .sqliteSidecar(_, .sharedMemory):
        cause =
          "SQLite deletes this file when the last connection closes and creates it anew "
          + "without the mark"
      case .sqliteSidecar(_, .journal), .sqliteSidecar(_, .superJournal):
        cause = "SQLite creates this file anew for a transaction, without the mark"
      case .none, .database, .member, .atomicSave: break
      }
    }
    return FindingText(
      message: "Was \(before.word), is exposed now: \(cause), so a backup may hold it.",
      fix: before == .selfMarked
        ? "Move it into a marked directory; a mark on the file does not survive its replacement."
        : "Find out what created the directory anew or removed its mark, and set and re-read the "
          + "mark whenever the directory is opened.")
  }

  /// `mark-lost` of many files.
  public static func marksLost(count: Int, below directory: some Collection<UInt8>) -> FindingText {
    FindingText(
      message:
        "\(filesAre(count, below: directory)) exposed now, and \(count == 1 ? "was" : "were") "
        + "marked, covered or outside backups before: a backup may hold \(count == 1 ? "it" : "them").",
      fix: "Keep such files in a marked directory: then a replacement changes nothing. If the "
        + "directory's own mark is gone, find out what created it anew or removed its mark.")
  }

  /// `in-backup-though-covered` of many files.
  public static func inBackupThoughCovered(
    count: Int, below directory: some Collection<UInt8>
  ) -> FindingText {
    FindingText(
      message: "\(filesAre(count, below: directory)) in the backup, although the audit says that "
        + "they are excluded: the backup is older than the marks, or the marks were not heeded.",
      fix: "Compare the dates and delete backups that are older than the marks. Do not rely on "
        + "marks alone: the defence at rest is the data-protection class.")
  }

  /// `mark-lost` of a directory below which nothing is exposed yet.
  public static var markLostByDirectory: FindingText {
    FindingText(
      message: "This directory was marked before and is not marked now, or is gone. Nothing below "
        + "it is exposed yet, but what is created there will be.",
      fix: "Find out what created the directory anew or removed its mark, and set and re-read the "
        + "mark whenever the directory is opened.")
  }

  /// `in-backup-though-covered`.
  ///
  /// - Parameters:
  ///   - verdict: what the audit says of the file.
  ///   - record: what the backup says of it.
  public static func inBackupThoughCovered(
    verdict: Verdict, record: BackupRecord
  ) -> FindingText {
    let said =
      verdict == .outsideBackup
      ? "the audit says that its place or kind is never backed up"
      : "the audit says \(verdict.word)"
    let cause =
      switch record.hasMark {
      case true?: "the backup's own record shows the mark on the file, so the mark was not heeded"
      case false? where verdict == .selfMarked || verdict == .markedAndCovered:
        "the backup's own record shows no mark on the file, so the backup is older than the mark, "
          + "or the file was replaced in between"
      case false?, nil: "the backup is older than the mark, or the mark was not heeded"
      }
    return FindingText(
      message: "The backup holds this file in \(Shown.text(record.domain)), although \(said): "
        + "\(cause).",
      fix: "Compare the dates and delete backups that are older than the mark. Do not rely on the "
        + "mark alone: the defence at rest is the data-protection class.")
  }
}
