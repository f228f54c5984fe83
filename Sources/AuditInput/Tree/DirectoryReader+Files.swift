import AuditCore

/// The files that are read for what they say of others: sidecars, container metadata, databases.
extension DirectoryReader {
  enum FileResult {
    case success([UInt8])
    case failure(Int)
  }

  /// At most `limit` first bytes of a regular file.
  func readFile(_ handle: Handle, _ name: UnsafePointer<CChar>, limit: Int) -> FileResult {
    let fd = System.openFile(handle.fd, name)
    if fd < 0 { return .failure(Int(-fd)) }
    let file = Handle(fd)
    var bytes: [UInt8] = []
    // Nearly all of them are small: room for a large one would come from the system each time.
    while bytes.count < limit {
      let size = System.readFile(
        file.fd,
        UnsafeMutableRawBufferPointer(rebasing: piece[..<min(piece.count, limit - bytes.count)]))
      if size < 0 { return .failure(-size) }
      if size == 0 { break }
      bytes.append(contentsOf: piece[..<size])
    }
    return .success(bytes)
  }

  /// At most `limit` first bytes of a regular file at an absolute path.
  func readFile(_ base: Handle, path: [UInt8], limit: Int) -> FileResult {
    (path.map { CChar(bitPattern: $0) } + [0]).withUnsafeBufferPointer { name in
      name.baseAddress.map { readFile(base, $0, limit: limit) } ?? .failure(0)
    }
  }

  func readMetadata(_ open: OpenDirectory, _ handle: Handle) {
    let directory = open.directory
    for index in 0..<directory.fileCount {
      let record = directory.records[index]
      // ".com.app" and "AppDataI": one comparison rules out nearly every name.
      guard record.key == 0x2E63_6F6D_2E61_7070 || record.key == 0x4170_7044_6174_6149,
        record.kind == .file, let place = ContainerMetadataFile.place(of: directory.name(record))
      else { continue }
      let name = UnsafeRawPointer(directory.arena + Int(record.nameOffset))
        .assumingMemoryBound(to: CChar.self)
      var metadata = ContainerMetadata()
      if case .success(let bytes) = readFile(
        handle, name, limit: ContainerMetadataFile.sizeLimit)
      {
        metadata = ContainerMetadataFile.decode(bytes) ?? metadata
      }
      metadata.isMac = Bytes.equal(directory.name(record), ContainerDetector.macMetadataName)
      if place == .appDataBeside {
        open.beside = (ContainerDetector.appDataName, metadata)
      } else if ContainerMetadataFile.isBesideData(metadata), hasData(directory) {
        open.beside = (ContainerDetector.macDataName, metadata)
      } else {
        directory.metadata = metadata
      }
    }
  }

  private func hasData(_ directory: Directory) -> Bool {
    (directory.fileCount..<directory.count).contains {
      Bytes.equal(directory.name(directory.records[$0]), ContainerDetector.macDataName)
    }
  }

  /// What the property list beside the input says of it: it is the data of a container.
  func metadataBeside(
    _ name: [UInt8], _ handle: Handle, _ rootPath: [UInt8]
  ) -> ContainerMetadata? {
    let isMac = name.elementsEqual("Data".utf8)
    guard isMac || name.elementsEqual("AppData".utf8) else { return nil }
    let file = isMac ? ContainerDetector.macMetadataName : ContainerDetector.appDataInfoName
    let path = Array(Bytes.parent(rootPath)) + [Bytes.slash] + Array(file.description.utf8)
    guard
      case .success(let bytes) = readFile(
        handle, path: path, limit: ContainerMetadataFile.sizeLimit),
      var metadata = ContainerMetadataFile.decode(bytes)
    else { return nil }
    metadata.isMac = isMac
    return !isMac || ContainerMetadataFile.isBesideData(metadata) ? metadata : nil
  }

  // MARK: - Sidecars

  /// What the volume itself says of entries of an open directory.
  private func native(_ handle: Handle, _ mount: Mount) -> NativeAttributes {
    guard mount.hasAttributes else { return .none }
    return NativeAttributes(
      isSeen: { mount.isNative }, isComplete: false,
      isMarked: { record, directory in
        let name = UnsafeRawPointer(directory.arena + Int(record.nameOffset))
          .assumingMemoryBound(to: CChar.self)
        return self.isMarked(handle, name, mount)
      })
  }

  private func isMarked(_ handle: Handle, _ name: UnsafePointer<CChar>, _ mount: Mount) -> Bool {
    attributes.read(handle.fd, name, rule: mount.rule)?.mark.state == .marked
  }

  func fold(
    _ directory: Directory, _ handle: Handle, _ others: [Companion], _ mount: Mount
  ) {
    var places: [(directory: Directory, handle: Handle)] = []
    for other in others where other.isBesideOwner && names.read(other.handle.fd) == 0 {
      places.append((names.makeDirectory(path: other.path, own: EntryRecord()), other.handle))
    }
    let content = { [places] (record: EntryRecord, holder: Directory) -> SidecarContent in
      let from = places.first { $0.directory === holder }?.handle ?? handle
      let name = UnsafeRawPointer(holder.arena + Int(record.nameOffset))
        .assumingMemoryBound(to: CChar.self)
      switch self.readFile(from, name, limit: AppleDouble.headerLimit) {
      case .success(let bytes):
        var size = bytes.count
        if size == AppleDouble.headerLimit {
          var status = FileStatus()
          if System.status(from.fd, name, &status) == 0 { size = max(size, Int(status.size)) }
        }
        return bytes.withUnsafeBufferPointer {
          SevenZipSideFile.owner(of: holder.name(record)) != nil
            ? .sevenZipMark($0) : .appleDouble($0, size: size)
        }
      case .failure(let code):
        return .unreadable(
          ErrorText.problem(Bytes.join(holder.path, holder.name(record)), "read", code))
      }
    }
    let mirror = others.first { !$0.isBesideOwner }?.handle
    let elsewhere = mirror.map { mirror in
      { (name: UnsafeBufferPointer<UInt8>) -> OwnerElsewhere in
        var status = FileStatus()
        let owner = name.map { CChar(bitPattern: $0) } + [0]
        guard System.status(mirror.fd, owner, &status) == 0 else { return .missing }
        return .there(isMarked: mount.hasAttributes && self.isMarked(mirror, owner, mount))
      }
    }
    SidecarFolding.fold(
      directory, companions: places.map(\.directory), ownerElsewhere: elsewhere,
      native: native(handle, mount), read: content)
  }

  /// The root's own sidecar lies beside it, or in a `__MACOSX` above it. Whether there was one.
  func applySidecarBeside(
    _ directory: Directory, _ handle: Handle, _ rootPath: [UInt8], _ mount: Mount
  ) -> Bool {
    let native = native(handle, mount)
    var found = false
    for path in Companions.ownSidecars(of: rootPath) {
      guard
        case .success(let bytes) = readFile(handle, path: path, limit: AppleDouble.headerLimit)
      else { continue }
      let content = bytes.withUnsafeBufferPointer { SidecarContent.appleDouble($0) }
      if SidecarFolding.apply(content, toOwn: directory, native: native) { found = true }
    }
    return found
  }
}
