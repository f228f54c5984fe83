extension FindingText {
  /// What to do with data that has to stay on the device.
  private static let moveFix =
    "If it has to stay on the device, move it into a directory of its own and mark that directory; "
    + "if it belongs into backups, list it under backedUp in the policy."

  /// `exposed-file`.
  ///
  /// - Parameter family: what the name says of the file (`StoreFamily.role`), if it was asked.
  public static func exposedFile(family: StoreRole = .none) -> FindingText {
    switch family {
    case .sqliteSidecar(_, let kind):
      FindingText(
        message: "Neither the file nor any directory above it is marked, so a backup may hold it; "
          + kind.content,
        fix: "Move the database with all its sidecars into a directory of its own and mark that "
          + "directory; if it belongs into backups, list it under backedUp in the policy.")
    case .database:
      FindingText(
        message: "Neither the file nor any directory above it is marked, so a backup may hold "
          + "this database and what lies in its sidecar files.",
        fix: "Move the database with all its sidecars into a directory of its own and mark that "
          + "directory; if it belongs into backups, list it under backedUp in the policy.")
    case .member(let store):
      FindingText(
        message: "Neither the file nor any directory above it is marked, so a backup may hold "
          + "it; its name is one that \(store.word) creates anew again and again.",
        fix: "Mark the directory that holds the whole store; a mark on single files is lost with "
          + "every compaction.")
    case .atomicSave:
      FindingText(
        message: "Neither the file nor any directory above it is marked, so a backup may hold "
          + "it; its name is one of an unfinished atomic save.",
        fix: "Mark the directory that holds the file that was being saved.")
    case .none:
      FindingText(
        message: "Neither the file nor any directory above it is marked, so a backup may hold it.",
        fix: moveFix)
    }
  }

  /// `exposed-file` for many files below a directory.
  public static func exposedFiles(count: Int, below directory: some Collection<UInt8>)
    -> FindingText
  {
    FindingText(
      message: "\(filesAre(count, below: directory)) neither marked nor below a marked directory, "
        + "so a backup may hold \(count == 1 ? "it" : "them").",
      fix: "Where they have to stay on the device, mark \(quoted(directory)) or a directory of "
        + "their own below it; where they belong into backups, list them under backedUp in the "
        + "policy.")
  }

  /// `undocumented-skip`.
  public static func undocumentedSkip(reason: Reason) -> FindingText {
    let place =
      reason == .observedName
      ? "has a name that iOS was observed to skip"
      : "lies at a place that iOS was observed to skip"
    return FindingText(
      message: "Neither the file nor any directory above it is marked. It \(place) in backups, "
        + "which is undocumented by Apple and can change.",
      fix: "Do not rely on it for data that has to stay on the device: move that below a marked "
        + "directory. Files of the system need nothing; --location-rules observed accepts them.")
  }

  /// `undocumented-skip` for many files below a directory.
  public static func undocumentedSkips(count: Int, below directory: some Collection<UInt8>)
    -> FindingText
  {
    FindingText(
      message: "\(filesAre(count, below: directory)) exposed by all that Apple documents, at "
        + "places that iOS was observed to skip; that is undocumented by Apple and can change.",
      fix: "Do not rely on it for data that has to stay on the device: move that below a marked "
        + "directory. Files of the system need nothing; --location-rules observed accepts them.")
  }

  /// `exposed-sidecar`.
  ///
  /// - Parameters:
  ///   - sidecar: the name of the sidecar.
  ///   - database: the name of the database that is marked or covered.
  ///   - header: what the database's first bytes say, if they were read.
  public static func exposedSidecar(
    sidecar: some Collection<UInt8>, database: some Collection<UInt8>,
    header: SQLiteHeader? = nil
  ) -> FindingText {
    let name = Array(sidecar)
    let role = name.withUnsafeBufferPointer { StoreFamily.role($0) }
    var message = "The database \(quoted(database)) is marked, but this sidecar of it is not"
    if case .sqliteSidecar(_, let kind) = role {
      message += "; \(kind.content)"
    } else {
      message += "."
    }
    if header == .encryptedOrOther || header == .empty {
      message +=
        " The database does not start like SQLite (it may be encrypted, or still be empty); beside "
        + "such files iOS was observed to copy the sidecars as they are (undocumented by Apple)."
    }
    return FindingText(
      message: message,
      fix: "Move the database with all its sidecars into a directory of its own and mark that "
        + "directory. A mark on the sidecar itself is lost when SQLite creates it anew.")
  }

  /// `fragile-mark`.
  ///
  /// - Parameter family: what the name says of the file, if it was asked.
  public static func fragileMark(family: StoreRole = .none) -> FindingText {
    let cause: String
    var fix = "Mark the directory that holds it, or move it into a marked directory."
    switch family {
    case .sqliteSidecar:
      cause = "SQLite deletes such a file and creates it anew without the mark"
      fix = "Move the database with all its sidecars into a marked directory."
    case .database:
      cause = "a migration, a restore or a copy in its place un-marks it"
      fix = "Move the database into a marked directory, where its sidecars are covered too."
    case .member(let store):
      cause = "\(store.word) replaces such files, and the new one is unmarked"
      fix = "Mark the directory that holds the whole store."
    case .atomicSave, .none:
      cause = "the next atomic save or other replacement un-marks it"
      fix +=
        " If the file is only ever written in place, accept its own mark with require: \"any\" in "
        + "the policy."
    }
    return FindingText(
      message: "Excluded by its own mark only: \(cause), and then a backup may hold it.", fix: fix)
  }

  /// `fragile-mark` for many files below a directory.
  public static func fragileMarks(count: Int, below directory: some Collection<UInt8>)
    -> FindingText
  {
    FindingText(
      message: "\(filesAre(count, below: directory)) excluded by "
        + "\(count == 1 ? "its" : "their") own marks only: each loses its mark when it is replaced.",
      fix: "Mark \(quoted(directory)) or a directory below it that holds them.")
  }

  /// `sidecar-returns-unmarked`.
  ///
  /// - Parameters:
  ///   - database: the name of the database.
  ///   - predicted: the names of the sidecars that do not exist now
  ///     (`StoreFamily.predictedSidecars`).
  ///   - header: what the database's first bytes say, if they were read.
  public static func sidecarReturnsUnmarked(
    database: some Collection<UInt8>, predicted: [[UInt8]], header: SQLiteHeader? = nil
  ) -> FindingText {
    let one = predicted.count == 1
    let when =
      switch header {
      case .wal: "when the app opens the database (its header says write-ahead log)"
      case .rollback:
        "with the app's next transaction (the database's header says rollback journal)"
      default: "when the app uses the database"
      }
    return FindingText(
      message: "\(quoted(database)) is excluded by its own mark, in a directory that is not "
        + "marked. \(list(predicted)) \(one ? "does" : "do") not exist now; \(one ? "it" : "they") "
        + "will come back exposed \(when), and \(one ? "holds" : "hold") its rows.",
      fix: "Move the database into a marked directory, so that every sidecar is covered from its "
        + "first byte.")
  }

  /// `hard-link-escape`.
  ///
  /// - Parameters:
  ///   - others: the exposed other names, relative to the input.
  ///   - outside: how many names lie outside of what was audited.
  public static func hardLinkEscape(others: [[UInt8]], outside: Int = 0) -> FindingText {
    if others.isEmpty {
      let one = outside == 1
      return FindingText(
        message: "This covered file has \(grouped(outside)) more \(one ? "name" : "names") "
          + "outside of what was audited; where \(one ? "that is" : "those are") not below a "
          + "marked directory, a backup may hold the same bytes.",
        fix: "Audit a directory that holds all its names, or replace the hard link by a copy.")
    }
    var message =
      "This covered file can also be reached as \(list(others)), which "
      + "\(others.count == 1 ? "is" : "are") exposed: a backup may hold the same bytes from there."
    if outside > 0 {
      message +=
        " \(grouped(outside)) more \(outside == 1 ? "name lies" : "names lie") outside of what was "
        + "audited."
    }
    return FindingText(
      message: message,
      fix: "Remove the other \(others.count == 1 ? "name" : "names") or move "
        + "\(others.count == 1 ? "it" : "them") below a marked directory.")
  }

  /// `hard-link-escape` on the exposed name.
  ///
  /// - Parameters:
  ///   - covered: the name that is covered, relative to the input.
  ///   - outside: how many names lie outside of what was audited.
  public static func hardLinkEscape(covered: some Collection<UInt8>, outside: Int = 0)
    -> FindingText
  {
    var message =
      "This exposed name is the same file as \(quoted(covered)), which is covered: a backup may "
      + "hold its bytes from here."
    if outside > 0 {
      message +=
        " \(grouped(outside)) more \(outside == 1 ? "name lies" : "names lie") outside of what was "
        + "audited."
    }
    return FindingText(
      message: message,
      fix: "Remove this name or move it below a marked directory; where a copy is wanted, copy.")
  }

  /// `must-be-backed-up`.
  ///
  /// - Parameters:
  ///   - verdict: why it is excluded.
  ///   - ancestor: the marked directory that covers it, if one does.
  ///   - reason: the policy's reason, if it is at hand.
  public static func mustBeBackedUp(
    verdict: Verdict, ancestor: (some Collection<UInt8>)? = [UInt8]?.none, reason: String? = nil
  ) -> FindingText {
    let wanted = reason.map { " (\($0))" } ?? ""
    let cause: String
    let fix: String
    if let ancestor, verdict != .selfMarked {
      cause = "the marked directory \(quoted(ancestor)) covers it"
      fix =
        "Remove the mark from \(quoted(ancestor)) and mark a narrower directory, or move this file "
        + "out of it. No mark includes a file again below a marked directory."
        + (verdict == .markedAndCovered ? " Remove the file's own mark too." : "")
    } else {
      cause = "it carries the mark itself"
      fix = "Remove the mark from the file, or take the file out of backedUp in the policy."
    }
    return FindingText(
      message: "The policy wants this file in backups\(wanted), but \(cause): it is gone after a "
        + "restore.",
      fix: fix)
  }
}
