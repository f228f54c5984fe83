#if os(Linux)
  import CAttr
  import Glibc

  /// What the library asks of Linux. Every call answers zero or more, or a negated `errno`.
  enum Platform {
    /// Linux stores attributes of users under the prefix `user.` only.
    static let storedName = "user." + ExclusionMark.name
    /// Linux has no setter of its own; this is what a copy from a Mac carries.
    static let setterValue = ExclusionMark.backupdPlist

    static let noAttribute = ENODATA
    static let noAttributeName = "ENODATA"
    static let noSuchItem = ENOENT
    static let notDirectory = ENOTDIR
    static let exists = EEXIST
    static let interrupted = EINTR
    static let tooSmall = ERANGE
    static let invalidArgument = EINVAL
    static let notSupported = ENOTSUP
    static let notPermitted = EPERM

    /// glibc's `strerror` answers from memory of the calling thread.
    static func errorMessage(_ code: Int32) -> String {
      strerror(code).map { String(cString: $0) } ?? "error \(code)"
    }

    @Sendable static func getMark(
      _ path: UnsafePointer<CChar>, _ buffer: UnsafeMutableRawBufferPointer
    ) -> Int {
      answer(lgetxattr(path, storedName, buffer.baseAddress, buffer.count))
    }

    @Sendable static func setMark(
      _ path: UnsafePointer<CChar>, _ value: UnsafeRawBufferPointer
    ) -> Int {
      answer(Int(lsetxattr(path, storedName, value.baseAddress, value.count, 0)))
    }

    @Sendable static func removeMark(_ path: UnsafePointer<CChar>) -> Int {
      answer(Int(lremovexattr(path, storedName)))
    }

    /// `attr_copy_file` copies what its filter lets pass: this one attribute.
    @Sendable static func copyMark(
      _ old: UnsafePointer<CChar>, _ new: UnsafePointer<CChar>
    ) -> Int {
      let onlyTheMark:
        @convention(c) (
          UnsafePointer<CChar>?, UnsafeMutablePointer<error_context>?
        ) -> Int32 = { name, _ in
          guard let name else { return 0 }
          return strcmp(name, Platform.storedName) == 0 ? 1 : 0
        }
      return answer(Int(attr_copy_file(old, new, onlyTheMark, nil)))
    }

    /// Appends the names of an item's attributes as an Apple system would show them.
    static func attributeNames(_ path: UnsafePointer<CChar>, into names: inout [String]) -> Int {
      let size = llistxattr(path, nil, 0)
      if size <= 0 { return answer(size) }
      var list = [CChar](repeating: 0, count: size)
      let used = llistxattr(path, &list, list.count)
      if used < 0 { return answer(used) }
      for name in list.prefix(used).split(separator: 0) {
        let text = String(decoding: name.map(UInt8.init(bitPattern:)), as: UTF8.self)
        names.append(text.hasPrefix("user.") ? String(text.dropFirst(5)) : text)
      }
      return used
    }

    @Sendable static func makeDirectory(_ path: UnsafePointer<CChar>) -> Int {
      answer(Int(mkdir(path, 0o700)))
    }

    @Sendable static func mode(_ path: UnsafePointer<CChar>) -> Int {
      var status = stat()
      let result = lstat(path, &status)
      return result == 0 ? Int(status.st_mode) : answer(Int(result))
    }

    /// Appends the names in a directory, without `.` and `..`.
    static func directoryNames(_ path: UnsafePointer<CChar>, into names: inout [[UInt8]]) -> Int {
      guard let stream = opendir(path) else { return answer(-1) }
      defer { closedir(stream) }
      while true {
        errno = 0
        guard let entry = readdir(stream) else { return -Int(errno) }
        let name = withUnsafeBytes(of: &entry.pointee.d_name) { Array($0.prefix { $0 != 0 }) }
        if name != [0x2E] && name != [0x2E, 0x2E] { names.append(name) }
      }
    }

    /// App groups are Apple's; here a store stands in a container that is given by path.
    static func groupContainer(_ identifier: String) -> String? { nil }

    private static func answer(_ result: Int) -> Int { result < 0 ? -Int(errno) : result }
  }
#endif
