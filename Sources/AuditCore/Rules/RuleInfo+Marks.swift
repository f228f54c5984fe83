extension RuleInfo {
  static let emptyMark = RuleInfo(
    .emptyMark,
    title: "The attribute exists, but has no value: not a mark.",
    why: """
      Every system writes at least one byte. What an empty value means to a backup is unknown, so \
      it is not counted as a mark.
      """,
    example: """
      Library/cache.bin                        exposed
        com.apple.metadata:com_apple_backup_excludeItem, 0 bytes
      """,
    fix: """
      Set the mark again with the platform's own setter and read it back from disk. If the dump \
      lost the value on the way, make the dump anew with a tool that keeps it.
      """,
    snippet: """
      import BackupExclusion

      try ExclusionMark.set(onItemAt: path)
      """,
    except: "Not sound for data that has to stay on the device.",
    policy: exception(.emptyMark, path: "Library/old/**", reason: "left by version 1"),
    tags: RuleTag.exposure)

  static let unfamiliarValue = RuleInfo(
    .unfamiliarValue,
    title: "A mark has a value that no Apple system writes.",
    why: """
      Counted as a mark, for its presence with at least one byte decides. But some script or tool \
      wrote it, and what the system's own check makes of such a value is undocumented by Apple.
      """,
    example: """
      Library/cache.bin                        self-marked (other, 4 bytes)
      """,
    fix: "Set the mark with the platform's own setter, which writes the usual value.",
    snippet: """
      import BackupExclusion

      try ExclusionMark.set(onItemAt: path)
      """,
    except: "Sound where a build script sets the mark on purpose.",
    policy: exception(.unfamiliarValue, path: "Fixtures/**", reason: "marked by the build script"),
    tags: RuleTag.method)

  static let partialMark = RuleInfo(
    .partialMark,
    title: "An attribute is set that keeps an item out of one kind of backup only.",
    why: """
      Two private names exist beside the mark: one concerns iCloud backups, the other unencrypted \
      backups on a computer. Neither is the mark, and both are undocumented by Apple. The other \
      kinds of backup may hold the item.
      """,
    example: """
      Library/cache.bin                        exposed
        com.apple.metadata:com_apple_cloudBackup_excludeItem, 22 bytes
      """,
    fix: "Set the mark itself on the directory that holds the data.",
    snippet: storeSnippet,
    except: "Sound where the item may be in the other kinds of backup.",
    policy: exception(
      .partialMark, path: "Documents/Media/**", reason: "too large for iCloud; local backup wanted"),
    tags: RuleTag.exposure)

  static let legacyMark = RuleInfo(
    .legacyMark,
    title: "Only the attribute of iOS 5.0.1 is set.",
    why: """
      The name com.apple.MobileBackup was an interim for one release. Nothing says that today's \
      systems still read it, so it is not counted as a mark.
      """,
    example: """
      Documents/cache.db                       exposed
        com.apple.MobileBackup, 1 byte
      """,
    fix: "Set today's mark, on the directory; the old attribute can stay or go.",
    snippet: storeSnippet,
    except: "Not sound for data that has to stay on the device.",
    policy: exception(.legacyMark, path: "Documents/old/**", reason: "left by version 1"),
    tags: RuleTag.exposure)

  static let misnamedMark = RuleInfo(
    .misnamedMark,
    title: "An attribute looks like the mark, but its name is not exact.",
    why: """
      The name is compared byte by byte. A prefix, a suffix or other letters make it a different \
      attribute that no backup reads.
      """,
    example: """
      Library/cache.bin                        exposed
        com.apple.metadata:com_apple_backup_excludeitem, 61 bytes
      """,
    fix: """
      Set the mark with the platform's own setter instead of writing the attribute by hand. If \
      the dump was copied through another system, see which form of the name that system gives.
      """,
    snippet: """
      import BackupExclusion

      try ExclusionMark.set(onItemAt: path)
      """,
    except: "Sound where the attribute has another purpose.",
    policy: exception(.misnamedMark, path: "Library/import/**", reason: "attribute of a sync tool"),
    tags: RuleTag.exposure)

  static let systemDirectoryMarked = RuleInfo(
    .systemDirectoryMarked,
    title: "A directory of the system is marked, or the container root itself.",
    why: """
      Everything below is excluded: also what users expect to find again after a restore, and \
      what other code in the app puts there later. Apple advises against it. A mark on the \
      container root was also seen to keep iOS from restoring the container at all (undocumented \
      by Apple).
      """,
    example: """
      Library/Application Support              marked; 1,204 files below
      """,
    fix: """
      Remove the mark and mark a directory of the app's own below it, named after the bundle \
      identifier.
      """,
    snippet: """
      import BackupExclusion

      try ExclusionMark.remove(fromItemAt: applicationSupport.path)
      let store = LocalOnlyStore(
        in: .path(container.path), parent: "Library/Application Support",
        bundleIdentifier: "com.example.app")
      guard let directory = store.path() else { return nil }
      """,
    except: "Sound for an app that keeps nothing a user would miss.",
    policy: exception(
      .systemDirectoryMarked, path: "Library/Application Support",
      reason: "everything is downloaded again"))

  static let genericDirectoryName = RuleInfo(
    .genericDirectoryName,
    title: "A marked directory below Library is not named after a bundle identifier.",
    why: """
      Library is shared with the system and with every SDK in the app. Another writer that picks \
      the same common name puts its files below the mark, or replaces the directory.
      """,
    example: """
      Library/Application Support/data         marked
      """,
    fix: "Name the directory after the bundle identifier, such as com.example.app.localonly.",
    except: "Sound for a directory that an SDK made and whose name the app cannot choose.",
    policy: exception(
      .genericDirectoryName, path: "Library/Application Support/RealmStore",
      reason: "name given by the SDK"))

  static let markAboveRoot = RuleInfo(
    .markAboveRoot,
    title: "A directory above the container root is marked; that covers nothing.",
    why: """
      A backup starts to look at the container root. Marks above it were observed not to count \
      (undocumented by Apple), so the audit does not count them either.
      """,
    example: """
      Containers                               marked
      Containers/Data/Application/<UUID>       the container root
      """,
    fix: """
      Mark a directory inside the container. If the input is no container at all, give the \
      container itself as PATH.
      """,
    except: "It is a note, and it fails no run.",
    tags: RuleTag.method)

  static let attributesDisagree = RuleInfo(
    .attributesDisagree,
    title: "What was read says two things of an entry's attributes.",
    why: """
      A mark may come from the volume or archive itself and from an AppleDouble file beside the \
      entry. Where a carrier states attributes itself, such a file never overrules it: it may be \
      the app's own, as unpacking a Mac's archive on the device leaves it. It then marks nothing \
      and is a file in the backup.
      """,
    example: """
      Documents                                not marked, by the archive itself
      ._Documents                              says that Documents is marked
      """,
    fix: """
      Remove the file if it is the app's own. If it was made while copying, make the dump anew \
      without it.
      """,
    except: "It is a note, and it fails no run.",
    tags: RuleTag.method)
}
