extension RuleInfo {
  static let attributesUnproven = RuleInfo(
    .attributesUnproven,
    title: "Not one attribute of an Apple system was seen: the dump may have lost them all.",
    why: """
      Many ways to copy a container drop extended attributes without a word. Then every file \
      looks exposed although it is marked on the device.
      """,
    example: """
      evidence: possible (tar without any attribute record)
      """,
    fix: """
      Make the dump with a tool that keeps extended attributes, and put a marked canary file into \
      the container to prove it. If it is known that they were kept, say so with \
      --assume-attributes-kept.
      """,
    except: "An exception cannot make a dump prove anything; use --assume-attributes-kept.",
    tags: RuleTag.method)

  static let markLost = RuleInfo(
    .markLost,
    title: "A file was marked or covered before and is exposed now.",
    why: """
      Something between the two states replaced the file, created it anew or took the mark away. \
      It will happen again on users' devices.
      """,
    example: """
      Documents/history.sqlite-wal             before: self-marked, now: exposed
      """,
    fix: """
      Keep the file in a marked directory: then a replacement changes nothing. If the directory's \
      own mark is gone, find the code that creates the directory anew and let it set and re-read \
      the mark.
      """,
    snippet: storeSnippet,
    except: "Sound where the file was meant to be in backups again; list it under backedUp.",
    policy: """
      backedUp: [
        {path: "Documents/notes.json", reason: "belongs into backups since version 4"},
      ]
      """,
    tags: RuleTag.exposure)

  static let inBackupThoughCovered = RuleInfo(
    .inBackupThoughCovered,
    title: "A backup holds a file that the audit calls covered.",
    why: """
      The mark is guidance, not a guarantee; or the file was not covered yet when the backup was \
      made. Either way the backup holds its bytes.
      """,
    example: """
      local/history.sqlite                     covered-by-ancestor (local)
      AppDomainGroup-group.com.example.app     holds local/history.sqlite, 98,304 bytes
      """,
    fix: """
      Compare the dates. If the backup is older than the mark, delete that backup. If it is \
      younger, rely on the data-protection class for this file, and report it to Apple.
      """,
    except: "Sound for a known old backup only; better audit against a new one.",
    policy: exception(
      .inBackupThoughCovered, path: "local/**", reason: "backup of before version 4"),
    tags: RuleTag.exposure)

  static let expiredException = RuleInfo(
    .expiredException,
    title: "An exception in the policy is past its last day and no longer suppresses anything.",
    why: "The finding was accepted for a time, and the time is over. What it hid counts again.",
    example: """
      policy.json5:12: exposed-file "Library/old/**" expired on 2026-06-30
      """,
    fix: """
      Fix the finding and delete the exception, or decide anew and write a new date and a reason \
      that still holds.
      """,
    except: "Cannot be excepted: change the entry itself.")

  static let unusedException = RuleInfo(
    .unusedException,
    title: "An exception in the policy matched no finding.",
    why: """
      Either the finding was fixed and the exception would hide the next one at the same place, \
      or its path has a slip and it never did what it says.
      """,
    example: """
      policy.json5:12: exposed-file "Libary/Preferences/**" matched nothing
      """,
    fix: "Delete the exception, or correct its rule, path or container.",
    except: """
      Cannot be excepted. Where one policy serves several inputs, narrow the severity instead.
      """,
    policy: """
      severities: {"unused-exception": "note"}
      """)

  static let staleBaseline = RuleInfo(
    .staleBaseline,
    title: "The baseline lists a finding that is not there any more.",
    why: """
      A baseline may only shrink. An entry that stays after its finding is fixed would hide the \
      same finding when it comes back.
      """,
    example: """
      baseline.json: exposed-file Documents/history.sqlite was not found
      """,
    fix: "Write the baseline anew with --write-baseline and commit it.",
    except: """
      Cannot be excepted. Where one baseline serves several inputs, narrow the severity instead.
      """,
    policy: """
      severities: {"stale-baseline": "note"}
      """)

  static let unmatchedEntry = RuleInfo(
    .unmatchedEntry,
    title: "A localOnly or backedUp entry in the policy matched no file.",
    why: """
      Either its path has a slip, and the data it means is not watched; or the dump does not hold \
      that data, and the run has proved nothing about it.
      """,
    example: """
      policy.json5:4: localOnly "io.example.app.localony/**" matched nothing
      """,
    fix: """
      Correct the path or the container. If the path is right, make the dump after the app has \
      stored something there.
      """,
    except: """
      Cannot be excepted. Where one policy serves several inputs, narrow the severity instead.
      """,
    policy: """
      severities: {"unmatched-entry": "note"}
      """)
}
