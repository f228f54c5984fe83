#if os(Linux)
  import AuditCore
  import CKernel
  import Glibc
  import Synchronization

  /// The system calls of the walk on Linux. Each returns what the kernel returns, or the negated
  /// error number; nothing is decided here.
  enum System {
    /// Whether this system keeps the mark under its bare name on its own volumes.
    static let isApple = false
    /// The names under which the mark may be stored, for probing a volume.
    static let probeNames = [
      "user.com.apple.metadata:com_apple_backup_excludeItem",
      "com.apple.metadata:com_apple_backup_excludeItem",
      "osx.com.apple.metadata:com_apple_backup_excludeItem",
    ]

    /// `openat` for reading a directory; a final link is not followed.
    static func openDirectory(_ parent: Int32, _ name: UnsafePointer<CChar>) -> Int32 {
      retry { openat(parent, name, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC) }
    }

    /// `openat2` that refuses links anywhere on the way, and with EXDEV another device.
    static func openDirectoryBeneath(
      _ parent: Int32, _ path: UnsafePointer<CChar>, sameDevice: Bool
    ) -> Int32 {
      let flags = UInt64(O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC)
      let resolve = CK_RESOLVE_NO_SYMLINKS | (sameDevice ? CK_RESOLVE_NO_XDEV : 0)
      return retry { ck_openat2(parent, path, flags, UInt64(resolve)) }
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

    /// The descriptor that stands for the working directory.
    static let here: Int32 = AT_FDCWD

    /// A second descriptor of the same open directory, which reads it from the start.
    static func duplicate(_ fd: Int32) -> Int32 {
      retry { openat(fd, ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC) }
    }

    static func close(_ fd: Int32) { _ = Glibc.close(fd) }

    /// `getdents64` into the buffer: the size filled, 0 at the end.
    static func readNames(_ fd: Int32, _ buffer: UnsafeMutableRawBufferPointer) -> Int {
      retryLong { ck_getdents64(fd, buffer.baseAddress, buffer.count) }
    }

    /// Calls `body` for each record that `readNames` filled in.
    @inline(__always)
    static func forEachName(
      in buffer: UnsafeRawBufferPointer,
      _ body: (_ name: UnsafePointer<UInt8>, _ length: Int, _ inode: UInt64, _ kind: EntryType) ->
        Void
    ) {
      var offset = 0
      while offset + 19 < buffer.count {
        let inode = buffer.loadUnaligned(fromByteOffset: offset, as: UInt64.self)
        let size = Int(buffer.loadUnaligned(fromByteOffset: offset + 16, as: UInt16.self))
        let type = buffer[offset + 18]
        guard let base = buffer.baseAddress, size > 19 else { return }
        let name = (base + offset + 19).assumingMemoryBound(to: UInt8.self)
        body(
          name, strlen(UnsafeRawPointer(name).assumingMemoryBound(to: CChar.self)), inode,
          kind(type))
        offset += size
      }
    }

    private static func kind(_ type: UInt8) -> EntryType {
      switch Int(type) {
      case DT_REG: .known(.file)
      case DT_DIR: .known(.directory)
      case DT_LNK: .known(.symlink)
      case DT_FIFO: .known(.fifo)
      case DT_SOCK: .known(.socket)
      case DT_CHR, DT_BLK: .known(.device)
      default: .unknown
      }
    }

    private static let hasAttributeCallsAt = Atomic<Bool>(true)

    /// `listxattrat`, or before Linux 6.13 `llistxattr` through the descriptor's path.
    static func listAttributes(
      _ directory: Int32, _ name: UnsafePointer<CChar>, _ buffer: UnsafeMutableRawBufferPointer
    ) -> Int {
      let list = buffer.baseAddress?.assumingMemoryBound(to: CChar.self)
      if hasAttributeCallsAt.load(ordering: .relaxed) {
        let count = retryLong {
          ck_listxattrat(directory, name, UInt32(AT_SYMLINK_NOFOLLOW), list, buffer.count)
        }
        // A container's filter for system calls may say EPERM of one that it does not know.
        if count != -Int(ENOSYS) && count != -Int(EPERM) { return count }
        if count == -Int(ENOSYS) { hasAttributeCallsAt.store(false, ordering: .relaxed) }
      }
      return withDescriptorPath(directory, name) { path in
        retryLong { llistxattr(path, list, buffer.count) }
      }
    }

    /// `getxattrat`, or before Linux 6.13 `lgetxattr` through the descriptor's path.
    static func attribute(
      _ directory: Int32, _ name: UnsafePointer<CChar>, _ attribute: UnsafePointer<CChar>,
      _ buffer: UnsafeMutableRawBufferPointer
    ) -> Int {
      if hasAttributeCallsAt.load(ordering: .relaxed) {
        let count = retryLong {
          ck_getxattrat(
            directory, name, UInt32(AT_SYMLINK_NOFOLLOW), attribute, buffer.baseAddress,
            buffer.count)
        }
        // A container's filter for system calls may say EPERM of one that it does not know.
        if count != -Int(ENOSYS) && count != -Int(EPERM) { return count }
        if count == -Int(ENOSYS) { hasAttributeCallsAt.store(false, ordering: .relaxed) }
      }
      return withDescriptorPath(directory, name) { path in
        retryLong { lgetxattr(path, attribute, buffer.baseAddress, buffer.count) }
      }
    }

    /// `flistxattr` of an open directory.
    static func listAttributes(_ fd: Int32, _ buffer: UnsafeMutableRawBufferPointer) -> Int {
      retryLong {
        flistxattr(fd, buffer.baseAddress?.assumingMemoryBound(to: CChar.self), buffer.count)
      }
    }

    /// `fgetxattr` of an open directory.
    static func attribute(
      _ fd: Int32, _ attribute: UnsafePointer<CChar>, _ buffer: UnsafeMutableRawBufferPointer
    ) -> Int {
      retryLong { fgetxattr(fd, attribute, buffer.baseAddress, buffer.count) }
    }

    /// `statx` for type, size, links and inode; nothing is synchronised with a server.
    static func status(_ directory: Int32, _ name: UnsafePointer<CChar>, _ out: inout FileStatus)
      -> Int32
    {
      var raw = statx()
      let result = retry {
        ck_statx(
          directory, name,
          CK_AT_SYMLINK_NOFOLLOW | CK_AT_NO_AUTOMOUNT | CK_AT_STATX_DONT_SYNC,
          UInt32(STATX_TYPE | STATX_NLINK | STATX_INO | STATX_SIZE), &raw)
      }
      guard result == 0 else { return result }
      out.kind = fileKind(UInt32(raw.stx_mode))
      out.size = Int64(clamping: raw.stx_size)
      out.links = raw.stx_nlink
      out.inode = raw.stx_ino
      return 0
    }

    /// `fstat`: what an open descriptor is.
    static func status(_ fd: Int32, _ out: inout OpenStatus) -> Int32 {
      var raw = stat()
      let result = retry { fstat(fd, &raw) }
      guard result == 0 else { return result }
      out.kind = fileKind(raw.st_mode)
      out.device = UInt64(raw.st_dev)
      out.size = Int64(raw.st_size)
      return 0
    }

    static func fileKind(_ mode: UInt32) -> EntryKind {
      switch mode & S_IFMT {
      case S_IFREG: .file
      case S_IFDIR: .directory
      case S_IFLNK: .symlink
      case S_IFIFO: .fifo
      case S_IFSOCK: .socket
      default: .device
      }
    }

    /// `fstatfs`: the file system's type.
    static func volume(_ fd: Int32) -> Volume {
      var raw = statfs()
      let result = retry { fstatfs(fd, &raw) }
      guard result == 0 else { return Volume(format: "unknown", trait: .silent(Int(-result))) }
      switch UInt32(truncatingIfNeeded: raw.f_type) {
      case 0xEF53: return Volume(format: "ext4", trait: .probe)
      case 0x5846_5342: return Volume(format: "xfs", trait: .probe)
      case 0x9123_683E: return Volume(format: "btrfs", trait: .probe)
      case 0x2FC1_2FC1: return Volume(format: "zfs", trait: .probe)
      case 0x0102_1994: return Volume(format: "tmpfs", trait: .probe)
      case 0x794C_7630: return Volume(format: "overlayfs", trait: .probe)
      case 0x8584_58F6: return Volume(format: "ramfs", trait: .probe)
      case 0x482B, 0x4858: return Volume(format: "hfsplus", trait: .appleNative)
      case 0x4253_584E: return Volume(format: "apfs", trait: .appleNative)
      case 0x4D44: return Volume(format: "vfat", trait: .holdsNone)
      case 0x2011_BAB0: return Volume(format: "exfat", trait: .holdsNone)
      case 0xFF53_4D42, 0xFE53_4D42, 0x517B: return Volume(format: "cifs", trait: .hides)
      case 0x0102_1997: return Volume(format: "9p", trait: .hides)
      case 0x6969: return Volume(format: "nfs", trait: .probe)
      case 0x6573_5546: return Volume(format: "fuse", trait: .probe)
      case let type:
        return Volume(format: "0x" + String(type, radix: 16), trait: .probe)
      }
    }

    /// Raises the soft limit of open descriptors as far as allowed; the limit now in force.
    static func raiseDescriptorLimit(to wanted: Int) -> Int {
      var limit = rlimit()
      guard getrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit) == 0 else { return 256 }
      if limit.rlim_cur < UInt(wanted) {
        limit.rlim_cur = min(UInt(wanted), limit.rlim_max)
        _ = setrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit)
        _ = getrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit)
      }
      return Int(clamping: limit.rlim_cur)
    }

    /// The absolute path of an open descriptor.
    static func path(of fd: Int32) -> [UInt8] {
      withUnsafeTemporaryAllocation(of: CChar.self, capacity: 4096) { buffer in
        guard let start = buffer.baseAddress else { return [] }
        let count = readlink("/proc/self/fd/\(fd)", start, buffer.count)
        guard count > 0, count < buffer.count else { return [] }
        return buffer[..<count].map { UInt8(bitPattern: $0) }
      }
    }

    private static func withDescriptorPath(
      _ directory: Int32, _ name: UnsafePointer<CChar>, _ body: (UnsafePointer<CChar>) -> Int
    ) -> Int {
      withUnsafeTemporaryAllocation(of: CChar.self, capacity: 32 + Int(NAME_MAX) + 1) { buffer in
        guard let start = buffer.baseAddress else { return -Int(ENOMEM) }
        var length = 0
        for byte in "/proc/self/fd/".utf8 {
          start[length] = CChar(bitPattern: byte)
          length += 1
        }
        for byte in String(directory).utf8 {
          start[length] = CChar(bitPattern: byte)
          length += 1
        }
        start[length] = CChar(bitPattern: Bytes.slash)
        length += 1
        let count = strlen(name)
        guard length + count < buffer.count else { return -Int(ENAMETOOLONG) }
        memcpy(start + length, name, count + 1)
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
