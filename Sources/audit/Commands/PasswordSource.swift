import AuditCore
import AuditInput

/// Where the password of an encrypted backup comes from: a file, or who sits at the terminal.
struct PasswordSource {
  let settings: Settings

  init(_ settings: Settings) { self.settings = settings }

  /// Asks only once it is needed.
  var unlocking: BackupUnlocking {
    let isOn = settings.showsProgress && Terminal.isError && !Terminal.isDumb
    return BackupUnlocking(
      password: {
        if let file = settings.passwordFile { return try PasswordFile.read(file) }
        return PasswordPrompt.ask("Password of the backup: ")
      },
      willDerive: { rounds in
        if isOn { Terminal.put("\r\u{1B}[Kderiving the backup's key: \(rounds) rounds …") }
      },
      didDerive: { if isOn { Terminal.put("\r\u{1B}[K") } })
  }
}
