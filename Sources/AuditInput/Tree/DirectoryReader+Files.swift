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
    var failure = 0
    let bytes = [UInt8](unsafeUninitializedCapacity: limit) { buffer, count in
      count = 0
      while count < limit {
        let rest = UnsafeMutableRawBufferPointer(
          UnsafeMutableBufferPointer(rebasing: buffer[count...]))
        let size = System.readFile(file.fd, rest)
        if size < 0 { failure = -size }
        if size <= 0 { break }
        count += size
      }
    }
    return failure == 0 ? .success(bytes) : .failure(failure)
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
      switch place {
      case .directory: directory.metadata = metadata
      case .appDataBeside: open.appData = metadata
      }
    }
  }

  // MARK: - Sidecars

  func fold(_ directory: Directory, _ handle: Handle, _ companion: Companion?) {
    let content = { (record: EntryRecord, holder: Directory) -> SidecarContent in
      let isOwn = holder === directory
      guard let from = isOwn ? handle : companion?.handle else { return .ordinary }
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
    var companions: [Directory] = []
    if let companion, companion.isBesideOwner {
      if names.read(companion.handle.fd) == 0 {
        companions.append(names.makeDirectory(path: companion.path, own: EntryRecord()))
      }
    }
    let elsewhere = companion.flatMap { companion in
      companion.isBesideOwner
        ? nil
        : { (name: UnsafeBufferPointer<UInt8>) -> Bool in
          var status = FileStatus()
          let owner = name.map { CChar(bitPattern: $0) } + [0]
          return System.status(companion.handle.fd, owner, &status) == 0
        }
    }
    SidecarFolding.fold(
      directory, companions: companions, ownerElsewhere: elsewhere, read: content)
  }
}
