import AuditCore

/// Backups in a folder that is none itself, such as `MobileSync/Backup`.
enum BackupsBelow {
  /// The names of the folders directly below an open one that hold a `Manifest.db`, in byte order.
  static func names(in fd: Int32) -> [[UInt8]] {
    let names = NameList()
    guard names.read(fd) == 0 else { return [] }
    let directory = names.makeDirectory(path: [], own: EntryRecord())
    return (0..<directory.count).compactMap { index in
      let name = Array(directory.name(directory.records[index]))
      var status = FileStatus()
      let code = DirectoryOpener.withCString(name + Array("/Manifest.db".utf8)) {
        System.status(fd, $0, &status)
      }
      return code == 0 && status.kind == .file ? name : nil
    }
  }

  /// What to say of a folder without a `Manifest.db`.
  static func advice(_ path: [UInt8], _ fd: Int32) -> SafeText {
    let found = names(in: fd)
    guard let first = found.first else {
      return "\(path) holds no Manifest.db; a backup's folder is named after the device, below "
        + "MobileSync/Backup"
    }
    let shown = found.prefix(5).dropFirst().reduce("\(first)" as SafeText) { $0 + ", \($1)" }
    let more: SafeText = found.count > 5 ? " and \(found.count - 5) more" : ""
    return found.count == 1
      ? "\(path) is no backup itself, but holds one: give \(Bytes.join(path, first))"
      : "\(path) is no backup itself, but holds several: \(shown)\(more); give one of them"
  }
}
