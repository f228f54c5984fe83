import Foundation
import Testing

@testable import BackupExclusion

@Suite(.enabled(if: Marks.canBeTested, Marks.skipReason))
struct StoreNameTests {
  let scratch: Scratch

  init() throws { scratch = try Scratch() }

  private func isAccepted(
    parent: String, name: String?, id: String = "io.example.app", container: String? = nil
  ) throws -> Bool {
    let store = LocalOnlyStore(
      in: .path(container ?? scratch.path), parent: parent, name: name, bundleIdentifier: id)
    do {
      _ = try store.directory()
      return true
    } catch {
      guard case .badName = error else { throw error }
      #expect(store.path() == nil)
      return false
    }
  }

  @Test(arguments: [
    ("", nil), ("", "io.example.app"), ("", "anything"), ("Library", "io.example.app"),
    ("Library/Application Support", "io.example.app"), ("Library/", "io.example.app.cache"),
    ("./Library//Application Support/", nil), ("Documents", "anything"),
  ])
  func accepted(_ parent: String, _ name: String?) throws {
    #expect(try isAccepted(parent: parent, name: name))
  }

  @Test(arguments: [
    ("Library", "Private"), ("Library/Application Support", "Store"), ("library", "Private"),
    ("./Library", "Private"), ("Library", "io.example.application"), ("Library", "io.example"),
    ("Library/Private", "Store"), ("", ""), ("", "."), ("", ".."), ("", "a/b"), ("/etc", "a"),
    ("../other", "io.example.app"), ("Library/..", "io.example.app"), ("", "a\0b"), ("a\0b", "a"),
    ("", "Documents"), ("", "Library"), ("", "tmp"), ("", "documents"), (".", "Library"),
  ])
  func refused(_ parent: String, _ name: String) throws {
    #expect(try !isAccepted(parent: parent, name: name))
    #expect(try FileManager.default.contentsOfDirectory(atPath: scratch.path).isEmpty)
  }

  @Test(arguments: ["", "app", "io..app", ".io.app", "io.app.", "io.exa mple", "io/app.x", "io.ä"])
  func refusedIdentifiers(_ id: String) throws {
    #expect(try !isAccepted(parent: "Library", name: "x", id: id))
    #expect(try !isAccepted(parent: "", name: "x", id: id))
  }

  @Test(arguments: ["Library", "Library/Application Support", "Library/"])
  func aLibraryGivenAsTheContainerIsALibrary(_ folder: String) throws {
    let container = try scratch.directory(folder)
    #expect(try !isAccepted(parent: "", name: "Private", container: container))
    #expect(try isAccepted(parent: "", name: "io.example.app", container: container))
  }

  @Test func aContainerMayLieBelowALibrary() throws {
    let container = try scratch.directory("Library/Group Containers/group.io.example")
    #expect(try isAccepted(parent: "", name: "Private", container: container))
  }
}
