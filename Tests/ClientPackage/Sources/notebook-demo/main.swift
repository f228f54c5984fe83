// Uses BackupExclusion and no Foundation: shows what a program then loads.
import BackupExclusion

guard CommandLine.arguments.count == 2 else { fatalError("usage: notebook-demo CONTAINER") }
let store = LocalOnlyStore(
  in: .path(CommandLine.arguments[1]), parent: "Library/Application Support",
  bundleIdentifier: "io.example.notebook")
do {
  print(try store.directory())
} catch {
  print(error)
}
