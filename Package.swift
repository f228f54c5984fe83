// swift-tools-version: 6.2
import PackageDescription

#if os(Linux)
  // Its headers are where the compiler looks, and it is loaded by CArchiveCalls, not linked.
  let libarchive: String? = nil
#else
  let libarchive: String? = "libarchive"
#endif
let settings: [SwiftSetting] = [.treatAllWarnings(as: .error)]

let package = Package(
  name: "audit",
  platforms: [.macOS(.v15), .iOS(.v18)],
  products: [
    .executable(name: "audit", targets: ["audit"]),
    .library(name: "BackupExclusion", targets: ["BackupExclusion"]),
  ],
  targets: [
    .systemLibrary(name: "CAttr", pkgConfig: "libattr", providers: [.apt(["libattr1-dev"])]),
    .systemLibrary(
      name: "CArchive", pkgConfig: libarchive,
      providers: [.apt(["libarchive-dev"]), .brew(["libarchive"])]),
    .systemLibrary(
      name: "CSQLite", pkgConfig: "sqlite3", providers: [.apt(["libsqlite3-dev"])]),
    .systemLibrary(
      name: "CZlib", pkgConfig: "zlib", providers: [.apt(["zlib1g-dev"])]),
    .systemLibrary(name: "CExpat", pkgConfig: "expat", providers: [.apt(["libexpat1-dev"])]),
    .target(name: "CArchiveCalls"),
    // libcrypto, loaded as well; what builds it needs libssl-dev.
    .target(name: "CCrypto"),
    .target(name: "CKernel"),
    // Only tests use these: stores whose files are watched.
    .systemLibrary(
      name: "CLMDB", path: "Tests/CLMDB", pkgConfig: "lmdb",
      providers: [.apt(["liblmdb-dev"]), .brew(["lmdb"])]),
    .systemLibrary(
      name: "CLevelDB", path: "Tests/CLevelDB",
      providers: [.apt(["libleveldb-dev"]), .brew(["leveldb"])]),

    .target(
      name: "BackupExclusion",
      dependencies: [.target(name: "CAttr", condition: .when(platforms: [.linux]))],
      swiftSettings: settings),
    .target(name: "AuditCore", dependencies: ["BackupExclusion"], swiftSettings: settings),
    .target(
      name: "AuditInput",
      dependencies: [
        "AuditCore", "CKernel", "CArchive", "CArchiveCalls", "CCrypto", "CSQLite",
        "CZlib", "CExpat",
      ],
      swiftSettings: settings),
    .target(
      name: "AuditReport", dependencies: ["AuditCore"],
      resources: [.embedInCode("HTML/page.js"), .embedInCode("HTML/page.css")],
      swiftSettings: settings),
    .executableTarget(
      name: "audit",
      dependencies: ["AuditCore", "AuditInput", "AuditReport", "BackupExclusion", "CKernel"],
      swiftSettings: settings),

    .executableTarget(
      name: "StoreHelper", dependencies: ["BackupExclusion", "CSQLite", "CLMDB", "CLevelDB"],
      path: "Tests/StoreHelper", swiftSettings: settings),
    .target(
      name: "TestSupport",
      dependencies: [.target(name: "CAttr", condition: .when(platforms: [.linux]))],
      path: "Tests/TestSupport", swiftSettings: settings),
    .testTarget(
      name: "BackupExclusionTests",
      dependencies: [
        "BackupExclusion", "CSQLite", "CLMDB", "CLevelDB", "StoreHelper", "TestSupport",
      ],
      swiftSettings: settings),
    .testTarget(
      name: "AuditCoreTests", dependencies: ["AuditCore", "TestSupport"], swiftSettings: settings),
    .testTarget(
      name: "AuditInputTests",
      dependencies: ["AuditInput", "AuditCore", "CCrypto", "TestSupport"],
      swiftSettings: settings),
    .testTarget(
      name: "AuditReportTests", dependencies: ["AuditReport", "AuditCore", "TestSupport"],
      swiftSettings: settings),
    .testTarget(
      name: "CommandTests",
      dependencies: ["audit", "AuditCore", "BackupExclusion", "CSQLite", "TestSupport"],
      exclude: ["Snapshots"], swiftSettings: settings),
  ],
  swiftLanguageModes: [.v6]
)
