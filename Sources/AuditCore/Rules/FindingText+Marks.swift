extension FindingText {
  /// `empty-mark`.
  public static func emptyMark(isDirectory: Bool) -> FindingText {
    FindingText(
      message: "The mark's attribute is there without a byte of value, which is not counted as a "
        + "mark"
        + (isDirectory ? ": nothing below this directory is covered by it." : "."),
      fix: "Set the mark again with the platform's setter and read it back from disk; if the value "
        + "was lost while copying, make the dump anew.")
  }

  /// `unfamiliar-value`.
  ///
  /// - Parameter bytes: the size of the value.
  public static func unfamiliarValue(bytes: Int) -> FindingText {
    FindingText(
      message: "Marked, but with a value of \(grouped(bytes)) \(bytes == 1 ? "byte" : "bytes") "
        + "that no Apple system writes; how the system takes such a value is undocumented by Apple.",
      fix: "Set the mark with the platform's setter, which writes the usual value.")
  }

  /// `partial-mark`.
  ///
  /// - Parameter name: the attribute's name as it was found.
  public static func partialMark(name: some Collection<UInt8>) -> FindingText {
    let shown = Shown.text(name)
    let kind =
      if shown.contains("cloudBackup") {
        "concerns iCloud backups only"
      } else if shown.contains("unencryptedBackup") {
        "concerns unencrypted backups on a computer only"
      } else {
        "concerns one kind of backup only"
      }
    return FindingText(
      message: "The attribute \(shown) \(kind) (undocumented by Apple); it is not the mark, so "
        + "other backups may hold this item.",
      fix: "If it has to stay out of every backup, set the mark itself on the directory that holds "
        + "it.")
  }

  /// `legacy-mark`.
  ///
  /// - Parameter name: the attribute's name as it was found.
  public static func legacyMark(name: some Collection<UInt8>) -> FindingText {
    FindingText(
      message: "The attribute \(Shown.text(name)) is the one of iOS 5.0.1; today's systems are "
        + "not known to read it, so it is not counted as a mark.",
      fix: "Set today's mark on the directory that holds the data.")
  }

  /// `misnamed-mark`.
  ///
  /// - Parameter name: the attribute's name as it was found.
  public static func misnamedMark(name: some Collection<UInt8>) -> FindingText {
    FindingText(
      message: "The attribute \(Shown.text(name)) looks like the mark, but its name is not "
        + "exact: no backup reads it.",
      fix: "Set the mark with the platform's setter instead of writing the attribute by hand.")
  }

  /// `system-directory-marked`.
  ///
  /// - Parameters:
  ///   - directory: the path relative to the container root; empty for the root itself.
  ///   - files: how many files lie below it, if it is known.
  public static func systemDirectoryMarked(
    directory: some Collection<UInt8>, files count: Int? = nil
  ) -> FindingText {
    let below = count.map { " (\(files($0)))" } ?? ""
    if directory.isEmpty {
      return FindingText(
        message: "The container root is marked: everything in the container\(below) is excluded, "
          + "and iOS was observed not to restore such a container at all (undocumented by Apple).",
        fix: "Remove the mark from the container root and mark a directory of the app's own inside "
          + "it.")
    }
    return FindingText(
      message: "\(quoted(directory)) is a directory of the system and is marked: everything below "
        + "it\(below) is gone after a restore, also what users expect back. Apple advises against "
        + "it.",
      fix: "Remove the mark and mark a directory of the app's own below it, named after the bundle "
        + "identifier.")
  }

  /// `generic-directory-name`.
  ///
  /// - Parameter directory: the path relative to the container root.
  public static func genericDirectoryName(directory: some Collection<UInt8>) -> FindingText {
    FindingText(
      message: "\(quoted(directory)) is marked, but not named after a bundle identifier; other "
        + "code in the app may pick the same name and put its files there, or replace the directory.",
      fix: "Name the directory after the bundle identifier, such as com.example.app.localonly.")
  }

  /// `mark-above-root`.
  ///
  /// - Parameter directory: the marked directory as the user would write it.
  public static func markAboveRoot(directory: some Collection<UInt8>) -> FindingText {
    FindingText(
      message: "\(directory.isEmpty ? "The input itself" : quoted(directory)) is marked, but lies "
        + "above the container root, where marks were observed not to count (undocumented by "
        + "Apple): it covers nothing.",
      fix: "Mark a directory inside the container.")
  }

  /// `attributes-unproven`.
  ///
  /// - Parameter format: the archive or file-system format.
  public static func attributesUnproven(format: String) -> FindingText {
    FindingText(
      message: "No attribute of an Apple system was seen in this input (\(format)): it may have "
        + "lost all of them on the way, and with them every mark.",
      fix: "Make the dump with a tool that keeps extended attributes and put a marked canary file "
        + "into it; or, if it is known that they were kept, pass --assume-attributes-kept.")
  }
}
