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
    let other = System.openDirectory(handle.fd, name)
    return other < 0 ? failure(Int(-other)) : withDevice(Handle(other))
  }

  /// From the root in steps that fit into a path, for trees deeper than descriptors go.
  private func openByPath(_ path: [UInt8]) -> Result {
    var base = root
    var rest = path[...]
    while true {
      var step = rest
      if step.count > 4000 {
        let cut = step.prefix(4000).lastIndex(of: Bytes.slash) ?? step.startIndex
        step = rest[..<cut]
      }
      switch Self.open(base, step) {
      case .failure(let code): return failure(code)
      case .success(let handle): base = handle
      }
      if step.endIndex == rest.endIndex {
        return withDevice(base)
      }
      rest = rest[(step.endIndex + 1)...]
    }
  }

  enum Opened {
    case success(Handle)
    case failure(Int)
  }

  /// Opens a directory at a path of several components, none of which may be a link.
  static func open(_ base: Handle, _ path: some Collection<UInt8>) -> Opened {
    let fd = withCString(path) { System.openDirectoryBeneath(base.fd, $0, sameDevice: false) }
    if fd >= 0 { return .success(Handle(fd)) }
    guard ErrorText.isNoSuchCall(Int(-fd)) else { return .failure(Int(-fd)) }
    return openStepwise(base, path)
  }

  /// Opens a directory at an absolute path, none of whose components may be a link.
  static func openAbsolute(_ path: some Collection<UInt8>) -> Opened {
    let fd = withCString(path) {
      System.openDirectoryBeneath(System.here, $0, sameDevice: false)
    }
    if fd >= 0 { return .success(Handle(fd)) }
    guard ErrorText.isNoSuchCall(Int(-fd)) else { return .failure(Int(-fd)) }
    let top = withCString([Bytes.slash]) { System.openDirectory(System.here, $0) }
    return top < 0 ? .failure(Int(-top)) : openStepwise(Handle(top), path)
  }

  /// Without `openat2`: one component after the other.
  private static func openStepwise(_ base: Handle, _ path: some Collection<UInt8>) -> Opened {
    var at = base
    for component in path.split(separator: Bytes.slash) {
      let next = withCString(component) { System.openDirectory(at.fd, $0) }
      if next < 0 { return .failure(Int(-next)) }
      at = Handle(next)
    }
    return .success(at)
  }

  static func withCString(
    _ bytes: some Collection<UInt8>, _ body: (UnsafePointer<CChar>) -> Int32
  ) -> Int32 {
    withUnsafeTemporaryAllocation(of: CChar.self, capacity: bytes.count + 1) { buffer in
      var count = 0
      for byte in bytes {
        buffer[count] = CChar(bitPattern: byte)
        count += 1
      }
      buffer[count] = 0
      return buffer.baseAddress.map { body($0) } ?? -1
    }
  }

  private func withDevice(_ handle: Handle) -> Result {
    var status = OpenStatus()
    let code = System.status(handle.fd, &status)
    return code == 0 ? .opened(handle, device: status.device) : .failed(Int(-code))
  }

  private func failure(_ code: Int) -> Result {
    ErrorText.isGone(code) ? .gone : .failed(code)
  }
}
