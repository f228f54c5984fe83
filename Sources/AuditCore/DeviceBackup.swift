/// Backups of devices among what is to be audited.
///
/// A backup's files are copies that were backed up: a mark on them, or none, says nothing. So they
/// are `unknown` with a word on what reads them, never exposed and never covered. Within an app's
/// container such names are the app's own.
enum DeviceBackup {
  /// How a backup lies there.
  enum Form {
    /// `Manifest.db` or `Manifest.mbdb` beside its property lists, content under hashed names.
    case hashed
    /// Unpacked into a folder for each domain.
    case byDomain
  }

  /// Whether a directory is the top of a backup.
  static func form(of directory: Directory) -> Form? {
    func has(_ name: StaticString) -> Bool {
      directory.fileIndex(UnsafeBufferPointer(start: nil, count: 0), name) != nil
    }
    if has("Manifest.db") || has("Manifest.mbdb"),
      has("Manifest.plist") || has("Info.plist") || has("Status.plist")
    {
      return .hashed
    }
    let directories = directory.fileCount..<directory.count
    let isDomain = directories.contains { index in
      let name = directory.name(directory.records[index])
      return domains.contains { name.starts(with: $0.utf8) }
    }
    return isDomain ? .byDomain : nil
  }

  /// The domains that every backup unpacked by domain has some of.
  private static let domains = ["AppDomain-", "AppDomainGroup-", "AppDomainPlugin-"]

  static func problem(_ form: Form, at path: [UInt8]) -> InputProblem {
    let place: SafeText = path.isEmpty ? "This" : "\(path)"
    return InputProblem(
      path: path, operation: "read", error: "device-backup",
      message: form == .hashed
        ? "\(place) is the backup of a device: marks mean nothing in it. Use `audit verify` with this "
          + "folder, and the containers that it was made from"
        : "\(place) is the backup of a device, unpacked into a folder for each domain: what is in it "
          + "was backed up, and marks mean nothing in it. Use `audit verify` with the original backup"
    )
  }
}
