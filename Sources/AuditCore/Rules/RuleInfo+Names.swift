/// Notes on what was taken for what: look-alikes of containers, and names spelled in two ways.
extension RuleInfo {
  static let nestedContainer = RuleInfo(
    .nestedContainer,
    title: "What looks like a container inside another one was taken for ordinary content.",
    why: """
      Containers lie side by side on a device and never in one another. An app that hosts other \
      apps, or that keeps device paths in its caches, makes directories that look like them. A \
      backup takes them with the container they lie in: its marks and its places decide.
      """,
    example: """
      Documents/Data/Application/<UUID>        in the container of com.example.host
      """,
    fix: """
      Nothing, if the app makes such directories. If a container was copied in there by the way \
      the dump was made, audit that copy by itself.
      """,
    except: "It is a note, and it fails no run.",
    tags: RuleTag.method)

  static let otherSpelling = RuleInfo(
    .otherSpelling,
    title: "A name was matched with another spelling of the same characters.",
    why: """
      An accented letter can be one character or a letter and an accent. A device takes both for \
      one name, and tools that copy files may change one into the other. Where no name is equal \
      byte for byte, the one that Unicode calls equivalent is taken for the same.
      """,
    example: """
      Documents/M\u{e4}rz.db                       one character in the backup, two in the dump
      """,
    fix: "Nothing, unless the two are different files; then rename one of them.",
    except: "It is a note, and it fails no run.",
    tags: RuleTag.method)
}

extension FindingText {
  /// `nested-container`.
  ///
  /// - Parameter count: how many directories of the container look like one.
  static func nestedContainer(count: Int) -> FindingText {
    let more = count - 1
    let others =
      more == 0
      ? "" : ", and so \(more == 1 ? "does" : "do") \(grouped(more)) more of this container"
    return FindingText(
      message: "This directory looks like a container\(others), but lies inside one: it is "
        + "ordinary content, and the marks and places of the outer one decide.",
      fix: RuleInfo.nestedContainer.fix)
  }

  /// `other-spelling`.
  ///
  /// - Parameter count: how many names of the container were matched so.
  static func otherSpelling(count: Int) -> FindingText {
    let more = count - 1
    let others = more == 0 ? "" : ", as \(more == 1 ? "was" : "were") \(grouped(more)) more"
    return FindingText(
      message: "This name was matched with a canonically equivalent one, for none was equal byte "
        + "for byte\(others).",
      fix: RuleInfo.otherSpelling.fix)
  }
}
