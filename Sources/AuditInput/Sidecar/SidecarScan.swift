import AuditCore

/// Looks through the names of a tree for one sidecar, before or while the tree is audited.
///
/// Only names are read, and the first bytes of what is called `._something`; the search ends at
/// the first hit. What cannot be read is passed over, for a hit only ever lifts a doubt: without one
/// verdicts stay unknown.
enum SidecarScan {
  /// Whether an AppleDouble file lies below an open directory, on the same device.
  static func findsAppleDouble(below root: Handle) -> Bool {
    finds(below: root) { directory, name, length, kind in
      guard SidecarName.isAppleDouble(UnsafeBufferPointer(start: name, count: length)) else {
        return false
      }
      if case .known(let kind) = kind, kind != .file { return false }
      let fd = System.openFile(directory.fd, cString(name))
      guard fd >= 0 else { return false }
      let file = Handle(fd)
      return withUnsafeTemporaryAllocation(byteCount: 4, alignment: 4) { start in
        System.readFile(file.fd, start) == 4 && start.elementsEqual([0, 5, 0x16, 7])
      }
    }
  }

  /// Whether a side file of 7-Zip belongs to a directory, anywhere below an open one.
  static func findsSevenZipOnDirectory(below root: Handle) -> Bool {
    finds(below: root) { directory, name, length, _ in
      let bytes = UnsafeBufferPointer(start: name, count: length)
      guard
        let owner = SevenZipSideFile.owner(of: bytes) ?? SevenZipSideFile.ownerOfOther(of: bytes)
      else { return false }
      var status = FileStatus()
      let code = DirectoryOpener.withCString(bytes.prefix(owner)) {
        System.status(directory.fd, $0, &status)
      }
      return code == 0 && status.kind == .directory
    }
  }

  /// Whether anything at or below an open directory, on the same device, has an attribute of its
  /// own that only a foreign system writes.
  static func findsForeignAttribute(below root: Handle, rule: NamingRule) -> Bool {
    let reader = AttributeReader()
    func isForeign(_ result: AttributeReader.Result?) -> Bool {
      guard let result else { return false }
      return result.flags.contains(.foreign) || result.mark.state == .marked
        || result.mark.state == .empty
    }
    if isForeign(reader.read(open: root.fd, rule: rule, mustAnswer: false)) { return true }
    return finds(below: root) { directory, name, _, _ in
      isForeign(reader.read(directory.fd, cString(name), rule: rule, mustAnswer: false))
    }
  }

  private typealias Visit = (
    _ directory: Handle, _ name: UnsafePointer<UInt8>, _ length: Int, _ kind: EntryType
  ) -> Bool

  private static func finds(below root: Handle, _ isHit: Visit) -> Bool {
    let device = device(of: root)
    let buffer = UnsafeMutableRawBufferPointer.allocate(byteCount: 1 << 16, alignment: 16)
    defer { buffer.deallocate() }
    var pending: [[UInt8]] = [[]]
    while let path = pending.popLast() {
      guard let directory = open(root, path),
        path.isEmpty || self.device(of: directory) == device
      else { continue }
      var isFound = false
      while !isFound {
        let size = System.readNames(directory.fd, buffer)
        if size <= 0 { break }
        System.forEachName(in: UnsafeRawBufferPointer(rebasing: buffer[..<size])) {
          name, length, _, type in
          if isFound || (name[0] == 0x2E && (length == 1 || length == 2 && name[1] == 0x2E)) {
            return
          }
          isFound = isHit(directory, name, length, type)
          if !isFound, isDirectory(directory, name, type) {
            pending.append(Bytes.join(path, UnsafeBufferPointer(start: name, count: length)))
          }
        }
      }
      if isFound { return true }
    }
    return false
  }

  private static func device(of handle: Handle) -> UInt64? {
    var status = OpenStatus()
    return System.status(handle.fd, &status) == 0 ? status.device : nil
  }

  /// A descriptor of its own, for it is read from its start to its end.
  private static func open(_ root: Handle, _ path: [UInt8]) -> Handle? {
    if path.isEmpty {
      let fd = System.duplicate(root.fd)
      return fd >= 0 ? Handle(fd) : nil
    }
    guard case .success(let handle) = DirectoryOpener.open(root, path) else { return nil }
    return handle
  }

  private static func isDirectory(
    _ directory: Handle, _ name: UnsafePointer<UInt8>, _ type: EntryType
  ) -> Bool {
    switch type {
    case .known(let kind): return kind == .directory
    case .unknown:
      var status = FileStatus()
      return System.status(directory.fd, cString(name), &status) == 0 && status.kind == .directory
    }
  }

  /// Names of a directory end with a NUL.
  private static func cString(_ name: UnsafePointer<UInt8>) -> UnsafePointer<CChar> {
    UnsafeRawPointer(name).assumingMemoryBound(to: CChar.self)
  }
}
