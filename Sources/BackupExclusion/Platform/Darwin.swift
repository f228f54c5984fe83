#if canImport(Darwin)
  import Darwin

  /// What the library asks of Apple systems. Every call answers zero or more, or a negated `errno`.
  enum Platform {
    static let storedName = ExclusionMark.name
    #if os(macOS)
      static let setterValue = ExclusionMark.backupdPlist
    #else
      static let setterValue = ExclusionMark.mobileBackup
    #endif

    static let noAttribute = ENOATTR
    static let noAttributeName = "ENOATTR"
    static let noSuchItem = ENOENT
    static let notDirectory = ENOTDIR
    static let exists = EEXIST
    static let interrupted = EINTR
    static let tooSmall = ERANGE
    static let invalidArgument = EINVAL
    static let notSupported = ENOTSUP
    static let notPermitted = EPERM

    static func errorMessage(_ code: Int32) -> String {
      var text = [CChar](repeating: 0, count: 256)
      strerror_r(code, &text, text.count)
      return String(decoding: text.prefix { $0 != 0 }.map(UInt8.init(bitPattern:)), as: UTF8.self)
    }

    @Sendable static func getMark(
      _ path: UnsafePointer<CChar>, _ buffer: UnsafeMutableRawBufferPointer
    ) -> Int {
      answer(getxattr(path, storedName, buffer.baseAddress, buffer.count, 0, XATTR_NOFOLLOW))
    }

    @Sendable static func setMark(
      _ path: UnsafePointer<CChar>, _ value: UnsafeRawBufferPointer
    ) -> Int {
      answer(
        Int(setxattr(path, storedName, value.baseAddress, value.count, 0, XATTR_NOFOLLOW)))
    }

    @Sendable static func removeMark(_ path: UnsafePointer<CChar>) -> Int {
      answer(Int(removexattr(path, storedName, XATTR_NOFOLLOW)))
    }

    /// `copyfile(3)` knows no single attribute: with `COPYFILE_XATTR` it would carry quarantine
    /// flags and resource forks too. So the one value is read and written.
    @Sendable static func copyMark(
      _ old: UnsafePointer<CChar>, _ new: UnsafePointer<CChar>
    ) -> Int {
      let size = getxattr(old, storedName, nil, 0, 0, XATTR_NOFOLLOW)
      if size <= 0 { return answer(size) }
      var value = [UInt8](repeating: 0, count: size)
      let used = getxattr(old, storedName, &value, value.count, 0, XATTR_NOFOLLOW)
      if used < 0 { return answer(used) }
      return answer(Int(setxattr(new, storedName, value, used, 0, XATTR_NOFOLLOW)))
    }

    /// Appends the names of an item's attributes.
    static func attributeNames(_ path: UnsafePointer<CChar>, into names: inout [String]) -> Int {
      let size = listxattr(path, nil, 0, XATTR_NOFOLLOW)
      if size <= 0 { return answer(size) }
      var list = [CChar](repeating: 0, count: size)
      let used = listxattr(path, &list, list.count, XATTR_NOFOLLOW)
      if used < 0 { return answer(used) }
      for name in list.prefix(used).split(separator: 0) {
        names.append(String(decoding: name.map(UInt8.init(bitPattern:)), as: UTF8.self))
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

    private static func answer(_ result: Int) -> Int { result < 0 ? -Int(errno) : result }
  }
#endif
