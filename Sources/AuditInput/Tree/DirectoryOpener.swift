import AuditCore

/// Opens subdirectories without ever following a link, from the nearest descriptor there is.
struct DirectoryOpener {
  let root: Handle

  enum Result {
    /// Open; with its device where it may be another than its parent's.
    case opened(Handle, device: UInt64?)
    case gone
    case failed(Int)
  }

  func open(_ parent: OpenDirectory, _ record: EntryRecord, _ path: [UInt8]) -> Result {
    guard let handle = parent.handle else { return openByPath(path) }
    let name = UnsafeRawPointer(parent.directory.arena + Int(record.nameOffset))
      .assumingMemoryBound(to: CChar.self)
    let fd = System.openDirectoryBeneath(handle.fd, name, sameDevice: true)
    if fd >= 0 { return .opened(Handle(fd), device: nil) }
    let code = Int(-fd)
    guard ErrorText.isOtherDevice(code) || ErrorText.isNoSuchCall(code) else {
      return failure(code)
    }
    return withDevice(System.openDirectory(handle.fd, name))
  }

  /// From the root in steps that fit into a path, for trees deeper than descriptors go.
  private func openByPath(_ path: [UInt8]) -> Result {
    var base = root
    var rest = path[...]
    while true {
      var step = rest
      if step.count > 4000 {
        guard let cut = step.prefix(4000).lastIndex(of: Bytes.slash) else { return .failed(36) }
        step = rest[..<cut]
      }
      let fd = open(base, step)
      if fd < 0 { return failure(Int(-fd)) }
      if step.endIndex == rest.endIndex { return withDevice(fd) }
      base = Handle(fd)
      rest = rest[(step.endIndex + 1)...]
    }
  }

  private func open(_ base: Handle, _ path: ArraySlice<UInt8>) -> Int32 {
    let fd = (path.map { CChar(bitPattern: $0) } + [0]).withUnsafeBufferPointer { bytes in
      bytes.baseAddress.map {
        System.openDirectoryBeneath(base.fd, $0, sameDevice: false)
      } ?? -1
    }
    guard fd < 0, ErrorText.isNoSuchCall(Int(-fd)) else { return fd }
    // Without `openat2`: one component after the other, none of which may be a link.
    var at = base
    var result: Int32 = -1
    for component in path.split(separator: Bytes.slash) {
      result = (component.map { CChar(bitPattern: $0) } + [0]).withUnsafeBufferPointer { bytes in
        bytes.baseAddress.map { System.openDirectory(at.fd, $0) } ?? -1
      }
      if result < 0 { return result }
      at = Handle(dup: result)
    }
    return result
  }

  private func withDevice(_ fd: Int32) -> Result {
    if fd < 0 { return failure(Int(-fd)) }
    return .opened(Handle(fd), device: System.status(fd)?.device ?? 0)
  }

  private func failure(_ code: Int) -> Result {
    ErrorText.isGone(code) ? .gone : .failed(code)
  }
}
