import Notebook
#if canImport(Darwin)
  import Darwin
#else
  import Glibc
#endif

guard CommandLine.arguments.count == 2,
  let notebook = Notebook(container: CommandLine.arguments[1])
else {
  print("no local-only store: nothing is written")
  exit(1)
}
print(notebook.path)
