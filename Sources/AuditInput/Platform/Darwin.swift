#if os(macOS) || os(iOS)
  import AuditCore
  import Darwin

  /// The system calls of the walk on Apple systems, written from the manual pages. Each returns
  /// what the kernel returns, or the negated error number; nothing is decided here.
  enum System {
    /// Whether this system keeps the mark under its bare name on its own volumes.
    static let isApple = true
    /// The names under which the mark may be stored, for probing a volume.
    static let probeNames = ["com.apple.metadata:com_apple_backup_excludeItem"]
    /// The descriptor that stands for the working directory.
    static let here: Int32 = AT_FDCWD

    /// `openat` for reading a directory; a final link is not followed.
    static func openDirectory(_ parent: Int32, _ name: UnsafePointer<CChar>) -> Int32 {
      retry { openat(parent, name, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC) }
    }

    /// `openat` that refuses links anywhere on the way. There is no way to refuse another device,
    /// so with `sameDevice` the answer is EXDEV-like: the caller opens and asks for the device.
    static func openDirectoryBeneath(
      _ parent: Int32, _ path: UnsafePointer<CChar>, sameDevice: Bool
    ) -> Int32 {
      if sameDevice { return -EXDEV }
      return retry {
        openat(parent, path, O_RDONLY | O_DIRECTORY | O_NOFOLLOW_ANY | O_CLOEXEC)
      }
    }

    /// `open` of a path that the user gave: here a link is followed.
    static func openInput(_ path: UnsafePointer<CChar>) -> Int32 {
      retry { open(path, O_RDONLY | O_NONBLOCK | O_CLOEXEC) }
    }

    /// `openat` of a regular file; never waits for a FIFO, never follows a link.
    static func openFile(_ parent: Int32, _ name: UnsafePointer<CChar>) -> Int32 {
      retry { openat(parent, name, O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC) }
    }

    static func readFile(_ fd: Int32, _ buffer: UnsafeMutableRawBufferPointer) -> Int {
      retryLong { read(fd, buffer.baseAddress, buffer.count) }
    }

    /// Moves an open file back to its start.
    static func rewind(_ fd: Int32) -> Bool { lseek(fd, 0, SEEK_SET) == 0 }

    /// A second descriptor of the same open directory, which reads it from the start.
    static func duplicate(_ fd: Int32) -> Int32 {
      retry { openat(fd, ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC) }
    }

    static func close(_ fd: Int32) { _ = Darwin.close(fd) }

    /// `getattrlistbulk` for name, type and inode: the size filled, 0 at the end.
    static func readNames(_ fd: Int32, _ buffer: UnsafeMutableRawBufferPointer) -> Int {
      var wanted = attrlist()
      wanted.bitmapcount = UInt16(ATTR_BIT_MAP_COUNT)
      wanted.commonattr =
        attrgroup_t(truncatingIfNeeded: ATTR_CMN_RETURNED_ATTRS)
        | attrgroup_t(ATTR_CMN_NAME | ATTR_CMN_OBJTYPE | ATTR_CMN_FILEID)
      let count = retryLong {
        Int(getattrlistbulk(fd, &wanted, buffer.baseAddress, buffer.count, 0))
      }
      guard count > 0 else { return count }
      var used = 0
      for _ in 0..<count where used + 4 <= buffer.count {
        used += Int(buffer.loadUnaligned(fromByteOffset: used, as: UInt32.self))
      }
      return min(used, buffer.count)
    }

    /// Calls `body` for each record that `readNames` filled in.
    ///
    /// A record is its length, the set of attributes that were returned, a reference to the name
    /// (an offset from the reference itself, a length with the NUL), the type and the inode.
    @inline(__always)
    static func forEachName(
      in buffer: UnsafeRawBufferPointer,
      _ body: (
        _ name: UnsafePointer<UInt8>, _ length: Int, _ inode: UInt64, _ kind: EntryType
      ) -> Void
    ) {
      let reference = 4 + 20
      var offset = 0
      while offset + reference + 20 <= buffer.count {
        let size = Int(buffer.loadUnaligned(fromByteOffset: offset, as: UInt32.self))
        let start =
          offset + reference
          + Int(buffer.loadUnaligned(fromByteOffset: offset + reference, as: Int32.self))
        let length = Int(
          buffer.loadUnaligned(fromByteOffset: offset + reference + 4, as: UInt32.self))
        let type = buffer.loadUnaligned(fromByteOffset: offset + reference + 8, as: UInt32.self)
        let inode = buffer.loadUnaligned(fromByteOffset: offset + reference + 12, as: UInt64.self)
        guard let base = buffer.baseAddress, size > 0, length > 0, start + length <= buffer.count
        else { return }
        body(
          (base + start).assumingMemoryBound(to: UInt8.self), length - 1, inode, kind(type))
        offset += size
      }
    }

    /// The `vtype` that `ATTR_CMN_OBJTYPE` returns: VREG 1, VDIR 2, VBLK 3, VCHR 4, VLNK 5,
    /// VSOCK 6, VFIFO 7.
    private static func kind(_ type: UInt32) -> EntryType {
      switch type {
      case 1: .known(.file)
      case 2: .known(.directory)
      case 3, 4: .known(.device)
      case 5: .known(.symlink)
      case 6: .known(.socket)
      case 7: .known(.fifo)
      default: .unknown
      }
    }

    /// `listxattr` by path, not following a final link: there is no call relative to a directory.
    static func listAttributes(
      _ directory: Int32, _ name: UnsafePointer<CChar>, _ buffer: UnsafeMutableRawBufferPointer
    ) -> Int {
      withPath(directory, name) { path in
        retryLong {
          listxattr(
            path, buffer.baseAddress?.assumingMemoryBound(to: CChar.self), buffer.count,
            XATTR_NOFOLLOW)
        }
      }
    }

    /// `getxattr` by path, not following a final link.
    static func attribute(
      _ directory: Int32, _ name: UnsafePointer<CChar>, _ attribute: UnsafePointer<CChar>,
      _ buffer: UnsafeMutableRawBufferPointer
    ) -> Int {
      withPath(directory, name) { path in
        retryLong {
          getxattr(path, attribute, buffer.baseAddress, buffer.count, 0, XATTR_NOFOLLOW)
        }
      }
    }

    /// `flistxattr` of an open directory.
    static func listAttributes(_ fd: Int32, _ buffer: UnsafeMutableRawBufferPointer) -> Int {
      retryLong {
        flistxattr(
          fd, buffer.baseAddress?.assumingMemoryBound(to: CChar.self), buffer.count, 0)
      }
    }

    /// `fgetxattr` of an open directory.
    static func attribute(
      _ fd: Int32, _ attribute: UnsafePointer<CChar>, _ buffer: UnsafeMutableRawBufferPointer
    ) -> Int {
      retryLong { fgetxattr(fd, attribute, buffer.baseAddress, buffer.count, 0, 0) }
    }

    /// `fstatat` for type, size, links and inode.
    static func status(
      _ directory: Int32, _ name: UnsafePointer<CChar>, _ out: inout FileStatus
    ) -> Int32 {
      var raw = stat()
      let result = retry { fstatat(directory, name, &raw, AT_SYMLINK_NOFOLLOW) }
      guard result == 0 else { return result }
      out.kind = fileKind(raw.st_mode)
      out.size = Int64(raw.st_size)
      out.links = UInt32(raw.st_nlink)
      out.inode = UInt64(raw.st_ino)
      return 0
    }

    /// `fstat`: what an open descriptor is.
    static func status(_ fd: Int32, _ out: inout OpenStatus) -> Int32 {
      var raw = stat()
      let result = retry { fstat(fd, &raw) }
      guard result == 0 else { return result }
      out.kind = fileKind(raw.st_mode)
      out.device = UInt64(bitPattern: Int64(raw.st_dev))
      out.size = Int64(raw.st_size)
      return 0
    }

    static func fileKind(_ mode: mode_t) -> EntryKind {
      switch mode & S_IFMT {
      case S_IFREG: .file
      case S_IFDIR: .directory
      case S_IFLNK: .symlink
      case S_IFIFO: .fifo
      case S_IFSOCK: .socket
      default: .device
      }
    }

    /// `fstatfs`: the file system's type by name.
    static func volume(_ fd: Int32) -> Volume {
      var raw = statfs()
      let result = retry { fstatfs(fd, &raw) }
      guard result == 0 else { return Volume(format: "unknown", trait: .silent(Int(-result))) }
      let format = withUnsafeBytes(of: raw.f_fstypename) { bytes in
        String(decoding: bytes.prefix { $0 != 0 }, as: UTF8.self)
      }
      switch format {
      case "apfs", "hfs": return Volume(format: format, trait: .appleNative)
      // These keep attributes in `._` files, and the kernel shows them as attributes.
      default: return Volume(format: format, trait: .probe)
      }
    }

    /// Raises the soft limit of open descriptors as far as allowed; the limit now in force.
    static func raiseDescriptorLimit(to wanted: Int) -> Int {
      var limit = rlimit()
      guard getrlimit(RLIMIT_NOFILE, &limit) == 0 else { return 256 }
      if limit.rlim_cur < UInt64(wanted) {
        limit.rlim_cur = min(UInt64(wanted), limit.rlim_max)
        _ = setrlimit(RLIMIT_NOFILE, &limit)
        _ = getrlimit(RLIMIT_NOFILE, &limit)
      }
      return Int(clamping: limit.rlim_cur)
    }

    /// The absolute path of an open descriptor.
    static func path(of fd: Int32) -> [UInt8] {
      withUnsafeTemporaryAllocation(of: CChar.self, capacity: Int(MAXPATHLEN)) { buffer in
        guard let start = buffer.baseAddress, fcntl(fd, F_GETPATH, start) == 0 else { return [] }
        return UnsafeBufferPointer(start: start, count: strlen(start)).map {
          UInt8(bitPattern: $0)
        }
      }
    }

    private static func withPath(
      _ directory: Int32, _ name: UnsafePointer<CChar>, _ body: (UnsafePointer<CChar>) -> Int
    ) -> Int {
      if directory == AT_FDCWD { return body(name) }
      let capacity = Int(MAXPATHLEN) + 1 + Int(NAME_MAX) + 1
      return withUnsafeTemporaryAllocation(of: CChar.self, capacity: capacity) { buffer in
        guard let start = buffer.baseAddress else { return -Int(ENOMEM) }
        guard fcntl(directory, F_GETPATH, start) == 0 else { return -Int(errno) }
        let length = strlen(start)
        let count = strlen(name)
        guard length + 1 + count < buffer.count else { return -Int(ENAMETOOLONG) }
        start[length] = CChar(bitPattern: Bytes.slash)
        memcpy(start + length + 1, name, count + 1)
        return body(start)
      }
    }

    private static func retry(_ call: () -> Int32) -> Int32 {
      while true {
        let result = call()
        if result >= 0 { return result }
        if errno != EINTR { return -errno }
      }
    }

    private static func retryLong(_ call: () -> Int) -> Int {
      while true {
        let result = call()
        if result >= 0 { return result }
        if errno != EINTR { return -Int(errno) }
      }
    }
  }
#endif
