import AuditCore

/// The files that are read for what they say of others: sidecars, container metadata, databases.
extension DirectoryReader {
  /// The whole of a file that was listed: not there any more is no answer.
  private func readListed(
    _ handle: Handle, _ name: UnsafePointer<CChar>, limit: Int, path: [UInt8]
  ) -> Result<[UInt8], InputProblem> {
    switch DecidingFile.whole(handle.fd, name, limit: limit, path: path, into: piece) {
    case .absent: .failure(DecidingFile.changed(path))
    case .failed(let problem): .failure(problem)
    case .read(let bytes): .success(bytes)
    }
  }

  func readMetadata(_ open: OpenDirectory, _ handle: Handle) {
    let directory = open.directory
    for index in 0..<directory.count {
      let record = directory.records[index]
      // ".com.app" and "AppDataI": one comparison rules out nearly every name.
      guard record.key == 0x2E63_6F6D_2E61_7070 || record.key == 0x4170_7044_6174_6149,
        let place = ContainerMetadataFile.place(of: directory.name(record))
      else { continue }
      let name = UnsafeRawPointer(directory.arena + Int(record.nameOffset))
        .assumingMemoryBound(to: CChar.self)
      let path = Bytes.join(directory.path, directory.name(record))
      // It shows a container even where it cannot be read.
      var metadata = ContainerMetadata()
      switch readListed(handle, name, limit: ContainerMetadataFile.sizeLimit, path: path) {
      case .success(let bytes):
        let (found, problem) = ContainerMetadataFile.read(bytes, place)
        metadata = found
        if let problem { directory.problems.append(ErrorText.malformed(path, problem)) }
      case .failure(let problem): directory.problems.append(problem)
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
    _ directory: Directory, _ handle: Handle, _ rootPath: [UInt8]
  ) -> ContainerMetadata? {
    let name = Bytes.last(rootPath)
    let isMac = name.elementsEqual("Data".utf8)
    guard isMac || name.elementsEqual("AppData".utf8) else { return nil }
    let file = isMac ? ContainerDetector.macMetadataName : ContainerDetector.appDataInfoName
    let fileName = Array(file.description.utf8)
    let shown = Bytes.join(Array("..".utf8), fileName)
    let content = Self.withCString(Array(Bytes.parent(rootPath)) + [Bytes.slash] + fileName) {
      DecidingFile.whole(
        handle.fd, $0, limit: ContainerMetadataFile.sizeLimit, path: shown, into: piece)
    }
    switch content {
    case .absent: return nil
    case .failed(let problem): directory.problems.append(problem)
    case .read(let bytes):
      let found = ContainerMetadataFile.read(bytes, isMac ? .directory : .appDataBeside)
      var metadata = found.metadata
      if let why = found.problem { directory.problems.append(ErrorText.malformed(shown, why)) }
      metadata.isMac = isMac
      return !isMac || ContainerMetadataFile.isBesideData(metadata) ? metadata : nil
    }
    return nil
  }

  private static func withCString<Result>(
    _ path: [UInt8], _ body: (UnsafePointer<CChar>) -> Result
  ) -> Result {
    (path.map { CChar(bitPattern: $0) } + [0]).withUnsafeBufferPointer { name in
      var end: CChar = 0
      return name.baseAddress.map(body) ?? body(&end)
    }
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
    attributes.read(handle.fd, name, rule: mount.rule, mustAnswer: false)?.mark.state == .marked
  }

  func fold(
    _ directory: Directory, _ handle: Handle, _ others: [Companion], _ mount: Mount
  ) {
    var places: [(directory: Directory, handle: Handle)] = []
    var problems: [InputProblem] = []
    for other in others where other.isBesideOwner {
      let failure = names.read(other.handle.fd)
      if failure != 0 {
        problems.append(ErrorText.problem(other.path, "read-directory", failure))
      }
      places.append((names.makeDirectory(path: other.path, own: EntryRecord()), other.handle))
    }
    let content = { [places] (record: EntryRecord, holder: Directory) -> SidecarContent in
      let from = places.first { $0.directory === holder }?.handle ?? handle
      let name = UnsafeRawPointer(holder.arena + Int(record.nameOffset))
        .assumingMemoryBound(to: CChar.self)
      let path = { Bytes.join(holder.path, holder.name(record)) }
      let (file, size) = DecidingFile.head(
        from.fd, name, AppleDouble.headerLimit, path: path(), into: self.piece)
      switch file {
      case .read(let bytes):
        return bytes.withUnsafeBufferPointer {
          SevenZipSideFile.owner(of: holder.name(record)) != nil
            ? .sevenZipMark($0) : .appleDouble($0, size: size)
        }
      case .absent: return .unreadable(DecidingFile.changed(path()))
      case .failed(let problem): return .unreadable(problem)
      }
    }
    let mirror = others.first { !$0.isBesideOwner }
    let elsewhere = mirror.map { mirror in
      { (name: UnsafeBufferPointer<UInt8>) -> OwnerElsewhere in
        var status = FileStatus()
        let owner = name.map { CChar(bitPattern: $0) } + [0]
        let code = System.status(mirror.handle.fd, owner, &status)
        if code != 0 {
          if !ErrorText.isGone(Int(-code)) {
            problems.append(
              ErrorText.problem(Bytes.join(mirror.path, name), "stat", Int(-code)))
          }
          return .missing
        }
        return .there(
          isMarked: mount.hasAttributes && self.isMarked(mirror.handle, owner, mount))
      }
    }
    SidecarFolding.fold(
      directory, companions: places.map(\.directory), ownerElsewhere: elsewhere,
      native: native(handle, mount), read: content)
    directory.problems += problems
  }

  /// The root's own sidecar lies beside it, or in a `__MACOSX` above it. Whether there was one.
  func applySidecarBeside(
    _ directory: Directory, _ handle: Handle, _ rootPath: [UInt8], _ mount: Mount
  ) -> Bool {
    let native = native(handle, mount)
    var found = false
    for (path, shown) in Companions.ownSidecars(of: rootPath) {
      let (file, size) = Self.withCString(path) {
        DecidingFile.head(
          handle.fd, $0, AppleDouble.headerLimit, path: shown, into: piece)
      }
      let content: SidecarContent
      switch file {
      case .absent: continue
      case .failed(let problem): content = .unreadable(problem)
      case .read(let bytes):
        content = bytes.withUnsafeBufferPointer { .appleDouble($0, size: size) }
      }
      let isApplied = SidecarFolding.apply(content, toOwn: directory, native: native)
      guard case .unreadable(let problem) = content else {
        if isApplied { found = true }
        continue
      }
      // It proves nothing. The directory itself keeps one problem of its own, and no more.
      if directory.ownDetail?.problem?.message != problem.message {
        directory.problems.append(problem)
      }
    }
    return found
  }
}
