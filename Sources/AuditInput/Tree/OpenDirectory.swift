import AuditCore
import Synchronization

/// An open descriptor that closes itself.
final class Handle: Sendable {
  let fd: Int32
  init(_ fd: Int32) {
    self.fd = fd
    Handle.count.wrappingAdd(1, ordering: .relaxed)
  }
  deinit {
    System.close(fd)
    Handle.count.wrappingSubtract(1, ordering: .relaxed)
  }

  private static let count = Atomic<Int>(0)
  /// Directories keep their descriptors for their children only while there is room.
  static var hasRoom: Bool { count.load(ordering: .relaxed) < limit }
  /// What is left over is for readers, each with a few, and for reports. Beside a low limit, half.
  private static let limit = {
    let allowed = System.raiseDescriptorLimit(to: 8192)
    return max(allowed - 128, allowed / 2)
  }()
}

/// How attributes are kept on the device a directory lies on.
final class Mount {
  let device: UInt64
  private(set) var layer: Layer
  let rule: NamingRule
  /// Whether listing attributes can tell anything.
  let hasAttributes: Bool
  /// Whether a file that answers "no attributes here" is an exception, so that nothing is known of
  /// it, and not what every file of the volume says.
  let answersForAll: Bool
  /// Whether `._` files are sidecars here: on a live Apple volume they are ordinary files.
  let hasSidecars: Bool

  /// Where the volume, or the part of it that is read, begins; for a search.
  private let root: Handle?
  private let native = Mutex<Bool?>(nil)

  /// Whether an attribute that only a foreign system writes is kept by the volume itself, on
  /// anything that is read. Sidecars then count only where they agree with it.
  ///
  /// Takes a search, once, which ends at the first hit.
  var isNative: Bool {
    guard let root else { return false }
    return native.withLock { known in
      if let known { return known }
      let found = SidecarScan.findsForeignAttribute(below: root, rule: rule)
      known = found
      return found
    }
  }

  /// Whether the volume holds no attributes, so that a Mac writes `._` files on it instead.
  private let needsSidecars: Bool

  /// Asks the file system what it is, and probes it for the mark.
  ///
  /// Where only sidecars can carry attributes, the names below the open directory are looked
  /// through for one: verdicts are given while the tree is read, and must not depend on whether
  /// the first sidecar comes early or late.
  init(open handle: Handle, device: UInt64) {
    self.device = device
    let fd = handle.fd
    let volume = System.volume(fd)
    needsSidecars =
      volume.trait == .holdsNone || volume.trait == .probe && !Mount.answers(fd)
    answersForAll = volume.trait == .appleNative || volume.trait == .probe && !needsSidecars
    switch volume.trait {
    case .appleNative:
      layer = Layer(format: volume.format, evidence: .proven)
      rule = System.isApple ? .any : volume.format == "hfsplus" ? .osxOnly : .any
      hasAttributes = true
      hasSidecars = false
    case .holdsNone:
      layer = Layer(
        format: volume.format, evidence: .impossible,
        reason: "\(volume.format) cannot hold extended attributes; copy the dump in a form that "
          + "keeps them (docs/dumps.md)")
      rule = .any
      hasAttributes = false
      hasSidecars = true
    case .silent(let code):
      layer = Layer(
        format: volume.format, evidence: .impossible,
        reason: "the file system does not say what it is (\(ErrorText.symbol(code))), so that "
          + "nobody knows whether it shows attributes; copy the dump to a sound disk")
      rule = .any
      hasAttributes = true
      hasSidecars = true
    case .hides:
      layer = Layer(
        format: volume.format, evidence: .impossible,
        reason: "\(volume.format) hides foreign attributes; run audit where the files are stored")
      rule = .any
      hasAttributes = true
      hasSidecars = true
    case .probe:
      rule = .any
      hasAttributes = !needsSidecars
      hasSidecars = true
      layer =
        hasAttributes
        ? Layer(format: volume.format, evidence: .possible)
        : Layer(
          format: volume.format, evidence: .impossible,
          reason: "this \(volume.format) file system does not support the attribute; copy the "
            + "dump in a form that keeps it (docs/dumps.md)")
    }
    root = hasAttributes && hasSidecars ? handle : nil
    proveBySidecars { SidecarScan.findsAppleDouble(below: handle) }
  }

  /// Believes the volume if an AppleDouble file shows that whoever wrote it kept attributes.
  func proveBySidecars(_ isThere: () -> Bool) {
    guard needsSidecars, layer.evidence == .impossible, isThere() else { return }
    layer.evidence = .proven
    layer.reason = nil
  }

  /// Whether the file system knows any of the names under which the mark may be stored.
  private static func answers(_ fd: Int32) -> Bool {
    let nothing = UnsafeMutableRawBufferPointer(start: nil, count: 0)
    return System.probeNames.contains { name in
      let result = name.withCString { System.attribute(fd, $0, nothing) }
      return result >= 0 || !ErrorText.isUnsupported(-result)
    }
  }
}

/// A directory that was read and whose subdirectories are still to come.
final class OpenDirectory {
  let directory: Directory
  /// Nil where too many descriptors are open already: children are then opened by path.
  private(set) var handle: Handle?
  let mount: Mount
  /// Whether it or a directory above it, up to the input, is marked.
  let isCovered: Bool
  /// What a property list in it says of the container in a subdirectory: `AppDataInfo.plist` of
  /// `AppData`, the metadata of a macOS app container of `Data`.
  var beside: (name: StaticString, metadata: ContainerMetadata)?
  /// The directory's details as its sidecars gave them. Readers look here: the consumer appends to
  /// `Directory.details` meanwhile.
  let sidecarDetails: [EntryDetail]

  init(_ directory: Directory, _ handle: Handle?, _ mount: Mount, isCovered: Bool) {
    self.directory = directory
    sidecarDetails = directory.details
    self.handle = handle
    self.mount = mount
    self.isCovered = isCovered
  }

  /// The `__MACOSX` folder in whose reach it lies, if any.
  var companions: Companions?

  /// Gives the descriptor up where nothing is opened through it any more, or too many are open.
  func release(isNeeded: Bool) {
    if !isNeeded || !Handle.hasRoom { handle = nil }
  }
}
