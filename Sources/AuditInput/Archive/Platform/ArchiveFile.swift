#if canImport(Darwin)
  import Darwin
#else
  import Glibc
#endif

/// An archive's bytes on disk or on a pipe, opened for reading.
struct ArchiveFile: ~Copyable {
  /// Why a file could not be opened or read.
  struct Failure: Error {
    var operation: String
    var number: Int32

    /// The symbolic name of the usual errors, else the number.
    var name: String {
      switch number {
      case ENOENT: "ENOENT"
      case EACCES: "EACCES"
      case EPERM: "EPERM"
      case EISDIR: "EISDIR"
      case EIO: "EIO"
      case ENOTDIR: "ENOTDIR"
      case ELOOP: "ELOOP"
      case EMFILE: "EMFILE"
      case EBADF: "EBADF"
      default: "errno \(number)"
      }
    }

    var text: String { String(cString: strerror(number)) }
  }

  private let descriptor: Int32
  private let isOwned: Bool
  /// The size in bytes; nil for what cannot be read at any place, such as a pipe.
  let size: Int64?

  /// Opens a file. A symbolic link is followed: it was named by the user.
  init(path: [UInt8]) throws(Failure) {
    guard !path.contains(0) else { throw Failure(operation: "open", number: ENOENT) }
    let opened = open(path.map { CChar(bitPattern: $0) } + [0], O_RDONLY | O_CLOEXEC)
    guard opened >= 0 else { throw Failure(operation: "open", number: errno) }
    try self.init(descriptor: opened, isOwned: true)
  }

  /// Reads from an open descriptor, which stays open.
  init(descriptor: Int32) throws(Failure) {
    try self.init(descriptor: descriptor, isOwned: false)
  }

  private init(descriptor: Int32, isOwned: Bool) throws(Failure) {
    self.descriptor = descriptor
    self.isOwned = isOwned
    var status = stat()
    guard fstat(descriptor, &status) == 0 else {
      throw Failure(operation: "fstat", number: errno)
    }
    let kind = status.st_mode & S_IFMT
    guard kind != S_IFDIR else { throw Failure(operation: "read", number: EISDIR) }
    let atStart = lseek(descriptor, 0, SEEK_CUR) == 0
    size = kind == S_IFREG && (isOwned || atStart) ? Int64(status.st_size) : nil
  }

  deinit {
    if isOwned { _ = close(descriptor) }
  }

  /// Reads at a place (regular files) or what comes next (pipes); 0 at the end.
  func read(at offset: Int64, into buffer: UnsafeMutableRawBufferPointer) throws(Failure) -> Int {
    while true {
      let count =
        size == nil
        ? systemRead(descriptor, buffer.baseAddress, buffer.count)
        : pread(descriptor, buffer.baseAddress, buffer.count, off_t(offset))
      if count >= 0 {
        if count > 0 { Confinement.hasRead(at: size == nil ? nil : offset) }
        return count
      }
      if errno != EINTR { throw Failure(operation: "read", number: errno) }
    }
  }

  /// The bytes of a C string, without its NUL.
  static func bytes(of text: UnsafePointer<CChar>) -> UnsafeBufferPointer<UInt8> {
    let raw = UnsafeRawBufferPointer(start: text, count: strlen(text))
    return raw.bindMemory(to: UInt8.self)
  }
}

/// The character set in which libarchive delivers names, for this thread while it lives.
///
/// Where the set is UTF-8, libarchive composes what it takes for UTF-8 (NFC; on macOS it
/// decomposes), and two names may become one. In the plain `C` set it leaves every byte of a
/// tar's or cpio's names alone. Forms that keep names as UTF-16 need UTF-8 to show them at all.
struct NameCharacterSet: ~Copyable {
  private let own: locale_t?
  private let before: locale_t?

  init(isUTF8: Bool) {
    let names = isUTF8 ? ["C.UTF-8", "en_US.UTF-8", "UTF-8"] : ["C"]
    own = names.lazy.compactMap { newlocale(CInt(LC_CTYPE_MASK), $0, nil) }.first
    before = own.map { uselocale($0) } ?? nil
  }

  deinit {
    if let own {
      _ = uselocale(before)
      freelocale(own)
    }
  }
}

private func systemRead(
  _ descriptor: Int32, _ buffer: UnsafeMutableRawPointer?, _ count: Int
) -> Int {
  read(descriptor, buffer, count)
}
