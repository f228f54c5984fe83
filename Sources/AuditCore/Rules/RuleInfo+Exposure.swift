extension RuleInfo {
  static let exposedFile = RuleInfo(
    .exposedFile,
    title: "A file is neither marked nor below a marked directory.",
    why: """
      The next backup of the device may hold the file, in iCloud or on a computer, and keep it \
      after the app has deleted it.
      """,
    example: """
      Documents/history.sqlite                 exposed
      """,
    fix: """
      If the file has to stay on the device, put it into a directory of its own and mark the \
      directory. A mark on the file itself is lost whenever the file is replaced. If the file \
      belongs into backups, say so in the policy under backedUp.
      """,
    snippet: storeSnippet,
    except: """
      Files that users need back after a restore are not an exception but a decision: list them \
      under backedUp. Except what is reviewed and holds nothing worth protecting.
      """,
    policy: """
      backedUp: [
        {path: "Documents/**", reason: "the user's own documents"},
      ],
      \(exception(.exposedFile, path: "Library/Preferences/**", reason: "no secrets, reviewed"))
      """,
    tags: RuleTag.exposure)

  static let undocumentedSkip = RuleInfo(
    .undocumentedSkip,
    title: "A file is exposed by all that Apple documents, at a place iOS was seen to skip.",
    why: """
      iOS was observed to leave such places out of backups. That is undocumented by Apple and can \
      change with any release, so it is no protection to rely on.
      """,
    example: """
      Library/SplashBoard/Snapshots/a.ktx      exposed, place observed to be skipped
      """,
    fix: """
      Do not keep local-only data at such a place: move it below a marked directory. Files that \
      the system itself keeps there need nothing; --location-rules observed counts the place as \
      outside backups.
      """,
    except: """
      Sound for files of the system, such as the container's metadata property list.
      """,
    policy: exception(
      .undocumentedSkip, path: "Library/SplashBoard/**", reason: "launch images of the system"),
    tags: RuleTag.exposure)

  static let exposedSidecar = RuleInfo(
    .exposedSidecar,
    title: "A database is marked, but one of its sidecar files is exposed.",
    why: """
      SQLite keeps the newest rows in the -wal file until a checkpoint, and the old pages of a \
      transaction in the -journal file. The last connection that closes deletes the -wal and -shm \
      files; the next one creates them anew, without the mark. Whoever gets the sidecar gets rows.
      """,
    example: """
      Documents/history.sqlite                 self-marked
      Documents/history.sqlite-wal             exposed
      """,
    fix: """
      Move the database with all its sidecars into a directory of its own and mark the directory: \
      then it does not matter how often they are created anew. Marking the sidecar does not help, \
      for SQLite deletes it.
      """,
    snippet: storeSnippet,
    except: """
      Hardly ever sound: the database was marked because its rows have to stay, and the sidecar \
      holds rows.
      """,
    policy: exception(
      .exposedSidecar, path: "Documents/old.sqlite-shm",
      reason: "index only, no rows; moves to a marked directory in the next release"),
    tags: RuleTag.exposure)

  static let fragileMark = RuleInfo(
    .fragileMark,
    title: "A file is excluded by its own mark only.",
    why: """
      The mark lies on the inode. An atomic save, a download that is moved into place, a \
      compaction or a migration puts a new inode under the old name, and that one is unmarked. \
      Nothing tells the app.
      """,
    example: """
      Library/cache.bin                        self-marked (backupd-plist)
      """,
    fix: """
      Mark the directory that holds the file. Every file created there is covered from its first \
      byte, however often it is replaced.
      """,
    snippet: storeSnippet,
    except: """
      Sound for a file that is only ever written in place. Say so with require: "any", which \
      accepts the file's own mark, rather than with an exception.
      """,
    policy: """
      localOnly: [
        {path: "Library/cache.bin", require: "any", reason: "written in place only"},
      ]
      """,
    tags: RuleTag.exposure)

  static let sidecarReturnsUnmarked = RuleInfo(
    .sidecarReturnsUnmarked,
    title: "A marked database lies in an unmarked directory; its sidecars will come back exposed.",
    why: """
      The sidecars do not exist now, so nothing is exposed now. As soon as the app opens the \
      database (write-ahead log) or writes to it (rollback journal), SQLite creates them without \
      a mark, and they hold the newest rows.
      """,
    example: """
      Documents/history.sqlite                 self-marked, header says write-ahead log
        will come back exposed: history.sqlite-wal, history.sqlite-shm
      """,
    fix: """
      Move the database into a marked directory. Marking the sidecars when they appear is a race \
      that the app loses on every start.
      """,
    snippet: storeSnippet,
    except: "Sound for a database that is shipped with the app and only ever opened immutable.",
    policy: exception(
      .sidecarReturnsUnmarked, path: "Library/dictionary.sqlite",
      reason: "opened with immutable=1, never written"),
    tags: RuleTag.exposure)

  static let hardLinkEscape = RuleInfo(
    .hardLinkEscape,
    title: "A covered file has another name that is not covered.",
    why: """
      A hard link is a second name of the same file. A marked directory covers the name below it, \
      not the file: through the other name a backup may hold the same bytes.
      """,
    example: """
      local/history.sqlite                     covered-by-ancestor (local)
      Documents/history-copy.sqlite            exposed, same inode
      """,
    fix: """
      Remove the other name, or move it below a marked directory too. Where a copy is wanted, \
      make a copy. If the names lie outside what was audited, audit a directory that holds them \
      all.
      """,
    except: """
      Sound where the other names are known to lie outside every backup, such as a build \
      directory on a computer.
      """,
    policy: exception(
      .hardLinkEscape, path: "local/model.bin", reason: "second name lies in tmp, which is skipped"),
    tags: RuleTag.exposure)

  static let mustBeBackedUp = RuleInfo(
    .mustBeBackedUp,
    title: "A file that the policy wants in backups is excluded from them.",
    why: """
      An excluded file is gone after a restore or a move to a new device. A mark on a directory \
      that is too high up takes the user's own documents with it.
      """,
    example: """
      Library/Application Support              marked
      Library/Application Support/notes.db     covered-by-ancestor
      policy: backedUp "Library/Application Support/notes.db"
      """,
    fix: """
      Remove the mark from the directory named in the finding and mark a narrower one. There is \
      no mark that includes a file again below a marked directory.
      """,
    snippet: """
      import BackupExclusion

      try ExclusionMark.remove(fromItemAt: applicationSupport.path)
      """,
    except: "Rather narrow the backedUp entry: the exception says the opposite of it.",
    policy: exception(
      .mustBeBackedUp, path: "Documents/Downloads/**", reason: "can be downloaded again"))
}
