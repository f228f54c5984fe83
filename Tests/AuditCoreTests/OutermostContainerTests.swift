import Testing

@testable import AuditCore

/// What may start a container, and what may excuse files: a look-alike cannot make a place.
@Suite struct OutermostContainerTests {
  private static let uuid = "5E000000-0000-4000-8000-000000000001"

  @Test(arguments: [
    ("Containers/Data/Application/\(uuid)", true), ("Application/\(uuid)", true), (uuid, true),
    ("", true), ("private/var/mobile/Containers/Shared/AppGroup/\(uuid)", true),
    ("filesystem2/mobile/Containers/Data/Application/\(uuid)", true),
    ("private/var/PersonaVolumes/x/Containers/Data/Application/\(uuid)", true),
    (
      "Users/me/Library/Developer/CoreSimulator/Devices/\(uuid)/data/Containers/Data/Application/"
        + uuid, true
    ),
    ("A.xcappdata/AppData", true), ("AppData", true), ("Documents/A.xcappdata/AppData", false),
    ("mirror/Containers/Data/Application/\(uuid)", false),
    ("Library/Containers/Data/Application/\(uuid)", false),
    ("Library/Caches/x/private/var/mobile/Containers/Data/Application/\(uuid)", false),
    ("private/var/mobile/Documents/Containers/Data/Application/\(uuid)", false),
  ])
  func pathsAlone(_ path: String, _ isBelieved: Bool) {
    #expect(
      ContainerDetector.isBelievable(Array(path.utf8), hasMetadata: false) == isBelieved)
  }

  @Test(arguments: [
    ("", true), ("app", true), ("dump/private/var/mobile/Containers/Data/Application/x", true),
    ("Library/Containers/x/Data", true), ("Users/me/Library/Developer/x/y", true),
    ("Documents", true), ("Documents/guest", false), ("a/Library/Caches/guest", false),
    ("a/tmp/guest", false), ("a/Library", true), ("DocumentsX/a", true),
  ])
  func pathsWithMetadata(_ path: String, _ isBelieved: Bool) {
    #expect(ContainerDetector.isBelievable(Array(path.utf8), hasMetadata: true) == isBelieved)
  }

  @Test(arguments: [
    ("x", ["Documents", "Library"], true), ("x", ["Documents", "Library", "tmp"], true),
    ("x", ["Documents"], false), ("x", ["Library"], false),
    ("x", ["Containers", "Documents", "Library"], true),
    ("x", ["Containers", "Documents", "Library", "Media"], false),
    ("mobile", ["Containers", "Documents", "Library"], false),
    ("data", ["Containers", "Documents", "Library"], false),
    ("mobile", ["Documents", "Library"], true),
    ("me", ["Desktop", "Documents", "Downloads", "Library"], false),
    ("me", ["Desktop", "Documents", "Library"], true),
  ])
  func topsOfApps(_ name: String, _ directories: [String], _ isApp: Bool) {
    Array(name.utf8).withUnsafeBufferPointer { name in
      #expect(
        ContainerDetector.isAppTop(name) { directories.contains($0.description) } == isApp)
    }
  }

  @Test func namesOfDirectoriesAreFoundByTheirBytes() {
    let names = ["Documents", "Library", "tmp"]
    let directory = Directory(
      path: [], own: EntryRecord(), recordCount: 4, nameBytes: 40)
    var used = 0
    for (index, name) in (["Desktop"] + names).enumerated() {
      var record = EntryRecord()
      record.kind = index == 0 ? .symlink : .directory
      record.nameOffset = UInt32(used)
      record.nameLength = UInt16(name.utf8.count)
      for byte in name.utf8 {
        (directory.arena + used).initialize(to: byte)
        used += 1
      }
      (directory.records + index).initialize(to: record)
    }
    directory.fileCount = 1
    directory.directoryCount = 3
    #expect(directory.holdsDirectory("Documents"))
    #expect(directory.holdsDirectory("Library"))
    #expect(directory.holdsDirectory("tmp"))
    for name: StaticString in ["Desktop", "Document", "Documents1", "A", "z", ""] {
      #expect(!directory.holdsDirectory(name))
    }
  }
}
