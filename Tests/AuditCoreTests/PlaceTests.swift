import Testing

@testable import AuditCore

/// Location rules by container kind and container-relative path.
@Suite struct PlaceTests {
  private func place(_ kind: ContainerKind, _ path: String) -> Place {
    path.split(separator: "/").reduce(Place(kind: kind)) { place, name in
      Array(name.utf8).withUnsafeBufferPointer { place.child($0) }
    }
  }

  @Test(arguments: [
    ("tmp", Reason.temporaryDirectory), ("tmp/a/b", .temporaryDirectory), ("Tmp", .none),
    ("Documents/tmp", .none), ("Library/Caches", .cachesDirectory),
    ("Library/Caches/x", .cachesDirectory), ("Library/caches", .none),
    ("Library/Application Support/Caches", .none), ("Documents/Library/Caches", .none),
    ("", .none), ("Documents/Inbox", .none),
  ])
  func documentedByApple(_ path: String, _ reason: Reason) {
    #expect(place(.app, path).documented == reason)
    #expect(place(.plugin, path).documented == reason)
    #expect(place(.group, path).documented == .none)
    #expect(place(.unknown, path).documented == .none)
    #expect(place(.macApp, path).documented == .none)
  }

  @Test(arguments: [
    ("SystemData", true, false), ("StoreKit/x", true, false), ("Documents", false, false),
    ("GeoJSON", false, false), ("Library/SyncedPreferences", true, true),
    ("Library/Saved Application State/x", true, true), ("Library/SplashBoard", true, true),
    ("Library/Preferences", false, false), ("Library/Caches", false, true),
    ("SystemData/com.apple.chrono", true, true), ("SystemData/com.apple.chronos", true, false),
    ("Caches", true, false), ("Library/X/SplashBoard", false, false),
  ])
  func observed(_ path: String, _ app: Bool, _ group: Bool) {
    #expect((place(.app, path).observed != .none) == app)
    #expect((place(.group, path).observed != .none) == group)
    #expect(place(.unknown, path).observed == .none)
  }

  @Test(arguments: [
    ("", ".com.apple.mobile_container_manager.metadata.plist", true, true),
    ("", "own.txt", true, false), ("", "Documents", false, false),
    ("Documents", "a.plist.AbCdEfG", true, true), ("Documents", ".plist.AbCdEfG", true, true),
    ("Documents", "a.plist.AbCdEf", false, false), ("Documents", "a.plist.AbCdEfGh", false, false),
    ("Documents", ".dat.nosync1a2b", true, true), ("Documents", "x.dat.nosync", false, false),
    ("Library/binarycookies_tmp", "a.dat", true, true), ("Library", "a.dat", false, false),
    ("Library/binarycookies_tmp/b", "a.dat", true, true),
  ])
  func names(_ directory: String, _ name: String, _ app: Bool, _ group: Bool) {
    Array(name.utf8).withUnsafeBufferPointer { name in
      #expect((place(.app, directory).observed(name: name) != .none) == app)
      #expect((place(.group, directory).observed(name: name) != .none) == group)
      #expect(place(.unknown, directory).observed(name: name) == .none)
    }
  }

  @Test func longPaths() {
    let directory = "Documents/" + String(repeating: "d", count: 900)
    for (length, isSkipped) in [(86, false), (87, true)] {
      let name = [UInt8](repeating: 0x66, count: length)
      name.withUnsafeBufferPointer {
        #expect((place(.app, directory).observed(name: $0) != .none) == isSkipped)
      }
    }
  }

  @Test(arguments: [
    ("Containers/Data/Application/5E000000-0000-4000-8000-000000000001", ContainerKind.app),
    ("x/Containers/Data/PluginKitPlugin/5E000000-0000-4000-8000-00000000000a", .plugin),
    ("private/var/mobile/Containers/Shared/AppGroup/5E000000-0000-4000-8000-000000000002", .group),
    ("Users/a/Library/Containers/com.example.app/Data", .macApp),
    ("Users/a/Library/Group Containers/group.com.example", .macGroup),
    ("Notes.xcappdata/AppData", .app),
  ])
  func containersKnownByTheirPath(_ path: String, _ kind: ContainerKind) {
    #expect(ContainerDetector.match(path: Array(path.utf8))?.kind == kind)
    let parts = path.split(separator: "/")
    let base = "/" + parts.dropLast().joined(separator: "/")
    let name = Array((parts.last ?? "").utf8)
    #expect(ContainerDetector.match(path: name, below: Array(base.utf8))?.kind == kind)
    #expect(ContainerDetector.match(path: [], below: Array("/\(path)".utf8))?.kind == kind)
    #expect(ContainerDetector.match(path: Array("\(path)/Documents".utf8)) == nil)
  }

  @Test(arguments: [
    "Containers/Data/Application/not-a-uuid",
    "Data/Application/5E000000-0000-4000-8000-000000000001",
    "Containers/Shared/Application/5E000000-0000-4000-8000-000000000001", "AppData", "Data",
    "x/Containers/com.example/Data", "xcappdata/AppData",
  ])
  func pathsThatAreNone(_ path: String) {
    #expect(ContainerDetector.match(path: Array(path.utf8)) == nil)
  }
}
