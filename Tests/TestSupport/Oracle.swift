/// A second opinion on a tree: the definitions written down as plainly as possible.
///
/// Shares no code with the product. Every directory is opened from the top again and every
/// attribute is asked for by path; nothing here is fast.
package struct Oracle {
  /// What is to be said of one entry that is not a directory.
  package struct Item: Equatable, Sendable {
    package var type: String
    package var verdict: String
    package var size: Int
    package var mark: Report.Mark?
  }

  /// Whose eyes to see with.
  package enum Eyes: Sendable { case own, stranger }

  /// The entries by path.
  package private(set) var items: [[UInt8]: Item] = [:]
  /// Directories that could not be read.
  package private(set) var closed: Set<[UInt8]> = []

  private let top: Int32
  private let eyes: Eyes

  /// Looks at a whole tree.
  package init(_ root: [UInt8], as eyes: Eyes = .own) throws {
    self.eyes = eyes
    top = root.withCString { open($0, O_RDONLY | O_DIRECTORY | O_CLOEXEC) }
    if top < 0 { throw SystemError("open", root) }
    defer { close(top) }
    let dot = [UInt8(ascii: ".")]
    let own = try attribute(TreeSpec.markName, of: dot, in: top)
    try visit([], Context(covered: own.map { !$0.isEmpty } ?? false))
  }

  private struct Context {
    /// Whether a directory from the container's root down to here is marked.
    var covered: Bool
    /// The class of the container that this is in.
    var contentClass = 0
    /// How many components lead to that container's root; `nil` outside all containers.
    var rootDepth: Int?
    /// Whether this is below the top of an app's container, which no metadata told.
    var isSealed = false
  }

  private static func isDirectory(_ name: String, in directory: Int32) -> Bool {
    var status = stat()
    return fstatat(directory, name, &status, AT_SYMLINK_NOFOLLOW) == 0
      && status.st_mode & S_IFMT == S_IFDIR
  }

  private func reach(_ path: [[UInt8]]) -> Int32 {
    var current = dup(top)
    for component in path {
      var status = stat()
      let next = component.withCString { name -> Int32 in
        if fstatat(current, name, &status, AT_SYMLINK_NOFOLLOW) != 0 { return -1 }
        if eyes == .stranger, status.st_mode & 0o005 != 0o005 { return -1 }
        return openat(current, name, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC)
      }
      close(current)
      if next < 0 { return -1 }
      current = next
    }
    return current
  }

  private static func names(_ directory: Int32) -> [[UInt8]] {
    guard let stream = fdopendir(dup(directory)) else { return [] }
    defer { closedir(stream) }
    var names: [[UInt8]] = []
    while let entry = readdir(stream) {
      let name = withUnsafePointer(to: &entry.pointee.d_name) { pointer in
        pointer.withMemoryRebound(to: UInt8.self, capacity: 256) {
          Array(UnsafeBufferPointer(start: $0, count: strlen($0)))
        }
      }
      if name != Array(".".utf8), name != Array("..".utf8) { names.append(name) }
    }
    return names
  }

  private mutating func visit(_ path: [[UInt8]], _ context: Context) throws {
    let directory = reach(path)
    let joined = Array(path.joined(separator: [UInt8(ascii: "/")]))
    if directory < 0 {
      closed.insert(joined)
      return
    }
    var below: [([UInt8], Bool)] = []
    var here = context
    let names = Self.names(directory)
    let metadata = Array(".com.apple.mobile_container_manager.metadata.plist".utf8)
    if names.contains(metadata), here.rootDepth == nil, !here.isSealed {
      // A container begins here: marks above do not count. Inside another one it is content.
      let own = try attribute(TreeSpec.markName, of: [UInt8(ascii: ".")], in: directory)
      here.covered = own.map { !$0.isEmpty } ?? false
      // Apps keep copies there, which must not take files out of a backup.
      let places = ["Documents", "Library", "tmp"].map { Array($0.utf8) }
      let isKeptByApps = path.dropLast().contains { places.contains($0) }
      here.contentClass = isKeptByApps ? 0 : Self.contentClass(metadata, directory)
      here.rootDepth = path.count
    }
    if ["Documents", "Library"].allSatisfy({ Self.isDirectory($0, in: directory) }) {
      here.isSealed = true
    }
    for name in names {
      var status = stat()
      if name.withCString({ fstatat(directory, $0, &status, AT_SYMLINK_NOFOLLOW) }) != 0 {
        throw SystemError("fstatat", name)
      }
      if status.st_mode & S_IFMT == S_IFDIR {
        // A directory that hides its attributes also hides its names: nothing depends on them.
        let value = try? attribute(TreeSpec.markName, of: name, in: directory)
        below.append((name, value.map { !$0.isEmpty } ?? false))
        continue
      }
      let value = try attribute(TreeSpec.markName, of: name, in: directory)
      let marked = value.map { !$0.isEmpty } ?? false
      let relative = Array((path + [name]).dropFirst(here.rootDepth ?? 0))
      let type = Self.type(status.st_mode)
      items[joined.isEmpty ? name : joined + [UInt8(ascii: "/")] + name] = Item(
        type: type, verdict: Self.verdict(type, relative, marked, here),
        size: Int(status.st_size), mark: value.map(Self.mark))
    }
    close(directory)
    for (name, marked) in below {
      var context = here
      context.covered = here.covered || marked
      try visit(path + [name], context)
    }
  }

  private static func verdict(
    _ type: String, _ relative: [[UInt8]], _ marked: Bool, _ context: Context
  ) -> String {
    if type != "file", type != "symlink" { return "outside-backup" }
    let text = relative.map { String(decoding: $0, as: UTF8.self) }
    if context.contentClass == 2 || context.contentClass == 4, text.count > 1 {
      if text[0] == "tmp" { return "outside-backup" }
      if text.count > 2, text[0] == "Library", text[1] == "Caches" { return "outside-backup" }
    }
    switch (marked, context.covered) {
    case (true, true): return "marked-and-covered"
    case (true, false): return "self-marked"
    case (false, true): return "covered-by-ancestor"
    case (false, false): return "exposed"
    }
  }

  private static func type(_ mode: mode_t) -> String {
    switch mode & S_IFMT {
    case S_IFREG: "file"
    case S_IFLNK: "symlink"
    case S_IFIFO: "fifo"
    case S_IFSOCK: "socket"
    default: "device"
    }
  }

  private static func mark(_ value: [UInt8]) -> Report.Mark {
    let form =
      switch value {
      case []: "empty"
      case TreeSpec.backupdPlist: "backupd-plist"
      case Array("com.apple.MobileBackup".utf8): "mobile-backup"
      case Array("com.apple.backupd".utf8): "backupd-text"
      default: "other"
      }
    return Report.Mark(form: form, bytes: value.count)
  }

  /// The class that the tests' own property lists state.
  private static func contentClass(_ name: [UInt8], _ directory: Int32) -> Int {
    let file = name.withCString { openat(directory, $0, O_RDONLY | O_NOFOLLOW | O_CLOEXEC) }
    if file < 0 { return 0 }
    defer { close(file) }
    var buffer = [UInt8](repeating: 0, count: 4096)
    let count = read(file, &buffer, buffer.count)
    let text = String(decoding: buffer[..<max(count, 0)], as: UTF8.self)
    for value in [2, 4, 7] where text.contains(">\(value)</") { return value }
    return 0
  }
}
