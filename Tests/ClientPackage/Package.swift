// swift-tools-version: 6.2
// A package of an app author's: it uses BackupExclusion and nothing else of this repository.
import PackageDescription

let package = Package(
  name: "ClientPackage",
  platforms: [.macOS(.v15), .iOS(.v18)],
  dependencies: [.package(name: "audit", path: "../..")],
  targets: [
    .target(
      name: "Notebook", dependencies: [.product(name: "BackupExclusion", package: "audit")]),
    .executableTarget(
      name: "notebook-demo",
      dependencies: [.product(name: "BackupExclusion", package: "audit")]),
    .testTarget(
      name: "NotebookTests",
      dependencies: ["Notebook", .product(name: "BackupExclusion", package: "audit")]),
  ],
  swiftLanguageModes: [.v6]
)
