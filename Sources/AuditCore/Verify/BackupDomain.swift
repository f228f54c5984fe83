/// The name under which a Finder backup keeps a container.
public enum BackupDomain {
  /// The domains that can hold a container; none where nothing tells its identifier, and for
  /// containers of a Mac, which are not in a device's backup.
  ///
  /// A container of unknown kind may be in any of the three.
  public static func candidates(_ container: ContainerReport) -> [[UInt8]] {
    guard let identifier = container.identifier, !identifier.isEmpty else { return [] }
    let prefixes: [String]
    switch container.kind {
    case .app: prefixes = ["AppDomain-"]
    case .plugin: prefixes = ["AppDomainPlugin-"]
    case .group: prefixes = ["AppDomainGroup-"]
    case .unknown: prefixes = ["AppDomain-", "AppDomainPlugin-", "AppDomainGroup-"]
    case .macApp, .macGroup: prefixes = []
    }
    return prefixes.map { Array(($0 + identifier).utf8) }
  }
}
