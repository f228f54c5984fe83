import BackupExclusion
import Foundation
import Testing

/// What programs do to a single file.
enum FileScenarios {
  static let all = inPlace + replaced + moved + directories

  private static let new = Data("new content".utf8)

  static let inPlace = [
    onFile("`Data.write`, not atomic") { stage in try new.write(to: stage.url("file")) },
    onFile("`FileHandle`: append, truncate") { stage in
      let handle = try FileHandle(forUpdating: stage.url("file"))
      try handle.seekToEnd()
      try handle.write(contentsOf: new)
      try handle.truncate(atOffset: 3)
      try handle.close()
    },
    onFile("`open` with `O_TRUNC`, `write`") { stage in
      let descriptor = open(stage("file"), O_WRONLY | O_TRUNC)
      try #require(descriptor >= 0)
      try #require(write(descriptor, "new", 3) == 3)
      close(descriptor)
    },
  ]

  static let replaced = [
    onFile("`Data.write`, `.atomic`") { stage in
      try new.write(to: stage.url("file"), options: .atomic)
    },
    onFile("`String.write`, `atomically: true`") { stage in
      try "new".write(to: stage.url("file"), atomically: true, encoding: .utf8)
    },
    onFile("`FileManager.createFile` over it") { stage in
      try #require(FileManager.default.createFile(atPath: stage("file"), contents: new))
    },
    onFile("`FileManager.replaceItemAt` with a new file") { stage in
      let other = try stage.scratch.file("other")
      // Foundation on Linux up to Swift 6.3 renames the wrong way round and throws.
      _ = try? FileManager.default.replaceItemAt(
        stage.url("file"), withItemAt: URL(fileURLWithPath: other))
    },
    onFile("`rename` of a new file over it") { stage in
      let other = try stage.scratch.file("other")
      try #require(rename(other, stage("file")) == 0)
    },
    onFile("`ExclusionMark.carry` to a new file, then `rename`") { stage in
      let other = try stage.scratch.file("other")
      try ExclusionMark.carry(from: stage("file"), to: other)
      try #require(rename(other, stage("file")) == 0)
    },
    onFile("deleted and made anew") { stage in
      try FileManager.default.removeItem(atPath: stage("file"))
      try new.write(to: stage.url("file"))
    },
  ]

  static let moved = [
    onFile("`rename`") { stage in
      try #require(rename(stage("file"), stage("renamed")) == 0)
    },
    onFile("`FileManager.moveItem`") { stage in
      try FileManager.default.moveItem(atPath: stage("file"), toPath: stage("renamed"))
    },
    onFile("`FileManager.copyItem`") { stage in
      try FileManager.default.copyItem(atPath: stage("file"), toPath: stage("copy"))
    },
    onFile("`cp`") { stage in try command("cp", stage("file"), stage("copy")) },
    onFile("`cp -a`") { stage in try command("cp", "-a", stage("file"), stage("copy")) },
    onFile("`cp` over an existing marked file") { stage in
      let other = try stage.scratch.file("other")
      try command("cp", other, stage("file"))
    },
    onFile("hard link") { stage in try #require(link(stage("file"), stage("link")) == 0) },
    Scenario("file", "hard link, then an atomic write to one of the two names") { stage in
      try new.write(to: stage.url("file"))
      try #require(link(stage("file"), stage("link")) == 0)
      try stage.mark()
      try new.write(to: stage.url("file"), options: .atomic)
      try stage.observe()
    },
  ]

  static let directories = [
    onDirectory("deleted and made anew with its file") { stage in
      try FileManager.default.removeItem(atPath: stage.directory)
      try stage.scratch.directory("store")
      try new.write(to: stage.url("file"))
    },
    onDirectory("`FileManager.moveItem`") { stage in
      stage.observedDirectory = stage.scratch("other")
      try FileManager.default.moveItem(atPath: stage.directory, toPath: stage.observedDirectory)
    },
    onDirectory("`FileManager.copyItem`; the copy") { stage in
      stage.observedDirectory = stage.scratch("other")
      try FileManager.default.copyItem(atPath: stage.directory, toPath: stage.observedDirectory)
    },
    onDirectory("`cp -R`; the copy") { stage in
      stage.observedDirectory = stage.scratch("other")
      try command("cp", "-R", stage.directory, stage.observedDirectory)
    },
    onDirectory("`cp -a`; the copy") { stage in
      stage.observedDirectory = stage.scratch("other")
      try command("cp", "-a", stage.directory, stage.observedDirectory)
    },
  ]

  /// A directory with a file in it, and what is done to the directory.
  private static func onDirectory(
    _ operation: String, _ body: @escaping @Sendable (Stage) throws -> Void
  ) -> Scenario {
    Scenario("directory", operation) { stage in
      try new.write(to: stage.url("file"))
      try stage.mark()
      try body(stage)
      try stage.observe()
    }
  }

  /// A file that is marked, and what is done to it.
  private static func onFile(
    _ operation: String, _ body: @escaping @Sendable (Stage) throws -> Void
  ) -> Scenario {
    Scenario("file", operation) { stage in
      try Data("old content".utf8).write(to: stage.url("file"))
      try stage.mark()
      try body(stage)
      try stage.observe()
    }
  }

  private static func command(_ arguments: String...) throws {
    let process = Process()
    process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
    process.arguments = arguments
    try process.run()
    process.waitUntilExit()
    try #require(process.terminationStatus == 0)
  }
}
