import AuditCore

/// Reads the names of directories, sorted, into buffers that are used again and again.
final class NameList {
  /// A name in the buffer. The key orders most names without looking at their bytes.
  struct Name {
    var key: UInt64
    var inode: UInt64
    var start: UnsafePointer<UInt8>
    var length: UInt16
    var kind: EntryKind
  }

  private var buffer: UnsafeMutableRawBufferPointer
  private(set) var names: UnsafeMutablePointer<Name>
  private var capacity = 512
  private(set) var count = 0
  /// How many of the names are no directories; they come first.
  private(set) var fileCount = 0
  private var nameBytes = 0
  /// Whether a name looks like that of a sidecar: it starts with `._` or contains a colon.
  private(set) var mayHoldSidecars = false

  /// Beyond this the buffers are given back after use.
  private static let keep = 256 * 1024
  private static let step = 32 * 1024

  init() {
    buffer = .allocate(byteCount: 2 * Self.step, alignment: 16)
    names = .allocate(capacity: capacity)
  }

  deinit {
    buffer.deallocate()
    names.deallocate()
  }

  /// Reads all names of an open directory; zero, or the error number of the read that failed.
  /// What was read before a failure is kept.
  func read(_ fd: Int32) -> Int {
    var used = 0
    var failure = 0
    while true {
      if buffer.count - used < Self.step { growBuffer(used) }
      let size = System.readNames(fd, UnsafeMutableRawBufferPointer(rebasing: buffer[used...]))
      if size < 0 { failure = -size }
      if size <= 0 { break }
      used += size
    }
    collect(fd, used)
    partition()
    Self.sort(names, 0, fileCount)
    Self.sort(names, fileCount, count)
    return failure
  }

  private func collect(_ fd: Int32, _ used: Int) {
    // Locals: a property of a class is checked for exclusive access each time it is touched.
    var count = 0
    var nameBytes = 0
    var mayHoldSidecars = false
    var names = names
    var capacity = capacity
    System.forEachName(in: UnsafeRawBufferPointer(rebasing: buffer[..<used])) {
      start, length, inode, type in
      if start[0] == 0x2E {
        if length == 1 || (length == 2 && start[1] == 0x2E) { return }
        if start[1] == 0x5F { mayHoldSidecars = true }
      }
      if RawBytes.contain(0x3A, start, length) { mayHoldSidecars = true }
      if count == capacity {
        names = Self.grow(names, capacity)
        capacity *= 2
      }
      let kind: EntryKind
      switch type {
      case .known(let known): kind = known
      case .unknown:
        var status = FileStatus()
        let name = UnsafeRawPointer(start).assumingMemoryBound(to: CChar.self)
        kind = System.status(fd, name, &status) == 0 ? status.kind : .file
      }
      (names + count).initialize(
        to: Name(
          key: Self.key(start, length), inode: inode, start: start, length: UInt16(length),
          kind: kind))
      count += 1
      nameBytes += length + 1
    }
    self.names = names
    self.capacity = capacity
    self.count = count
    self.nameBytes = nameBytes
    self.mayHoldSidecars = mayHoldSidecars
  }

  /// Moves what has been read into a directory of its own.
  func makeDirectory(path: [UInt8], own: EntryRecord) -> Directory {
    let directory = Directory(path: path, own: own, recordCount: count, nameBytes: nameBytes)
    let arena = directory.arena
    let records = directory.records
    let names = names
    var offset = 0
    for index in 0..<count {
      let name = names[index]
      let length = Int(name.length)
      RawBytes.copy(arena + offset, name.start, length)
      arena[offset + length] = 0
      var record = EntryRecord()
      record.key = name.key
      record.inode = name.inode
      record.nameOffset = UInt32(offset)
      record.nameLength = name.length
      record.kind = name.kind
      (records + index).initialize(to: record)
      offset += length + 1
    }
    directory.fileCount = fileCount
    directory.directoryCount = count - fileCount
    if buffer.count > Self.keep { shrink() }
    return directory
  }

  private static func key(_ start: UnsafePointer<UInt8>, _ length: Int) -> UInt64 {
    // The record's name is NUL-terminated and padded to eight bytes, but not always to eight
    // from its start, so bytes are taken one by one where the name is short.
    if length >= 8 {
      return UInt64(bigEndian: UnsafeRawPointer(start).loadUnaligned(as: UInt64.self))
    }
    var key: UInt64 = 0
    for index in 0..<length { key |= UInt64(start[index]) << UInt64(56 - 8 * index) }
    return key
  }

  private func partition() {
    let names = names
    var files = 0
    for index in 0..<count where names[index].kind != .directory {
      if index != files {
        let other = names[files]
        names[files] = names[index]
        names[index] = other
      }
      files += 1
    }
    fileCount = files
  }

  private static func sort(_ names: UnsafeMutablePointer<Name>, _ low: Int, _ high: Int) {
    if high - low <= 24 {
      for index in (low + 1)..<max(high, low + 1) {
        let name = names[index]
        var slot = index
        while slot > low && precedes(name, names[slot - 1]) {
          names[slot] = names[slot - 1]
          slot -= 1
        }
        names[slot] = name
      }
      return
    }
    var part = UnsafeMutableBufferPointer(start: names + low, count: high - low)
    part.sort(by: precedes)
  }

  @inline(__always)
  private static func precedes(_ a: Name, _ b: Name) -> Bool {
    if a.key != b.key { return a.key < b.key }
    let length = Int(min(a.length, b.length))
    let order = RawBytes.compare(a.start, b.start, length)
    return order != 0 ? order < 0 : a.length < b.length
  }

  private func growBuffer(_ used: Int) {
    let larger = UnsafeMutableRawBufferPointer.allocate(
      byteCount: buffer.count * 2, alignment: 16)
    if let from = buffer.baseAddress { larger.baseAddress?.copyMemory(from: from, byteCount: used) }
    buffer.deallocate()
    buffer = larger
  }

  private static func grow(
    _ names: UnsafeMutablePointer<Name>, _ count: Int
  ) -> UnsafeMutablePointer<Name> {
    let larger = UnsafeMutablePointer<Name>.allocate(capacity: count * 2)
    larger.moveInitialize(from: names, count: count)
    names.deallocate()
    return larger
  }

  private func shrink() {
    buffer.deallocate()
    names.deallocate()
    buffer = .allocate(byteCount: 2 * Self.step, alignment: 16)
    capacity = 512
    names = .allocate(capacity: capacity)
  }
}
