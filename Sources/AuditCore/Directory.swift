/// One directory as a batch: its records and the bytes of its names in one block of memory.
///
/// Records are sorted: first everything that is not a directory by name bytes, then the
/// subdirectories by name bytes. A source fills a directory on one thread and hands it over when
/// it is done.
public final class Directory: @unchecked Sendable {
  /// The path relative to the input, `/`-separated; empty for the input itself.
  public let path: [UInt8]
  /// The directory's own record, as found in its parent (for the input: as read directly).
  public var own: EntryRecord
  /// What is known of the directory itself beyond its record.
  public var ownDetail: EntryDetail?
  /// The bytes of the names, uninitialized until a source writes them.
  public let arena: UnsafeMutablePointer<UInt8>
  /// The records, uninitialized until a source writes them.
  public let records: UnsafeMutablePointer<EntryRecord>
  /// How many records are not directories; they come first.
  public var fileCount = 0
  /// How many records are directories; they come last.
  public var directoryCount = 0
  /// Details of single entries, found through `EntryRecord.detail`.
  public var details: [EntryDetail] = []
  /// What could not be read of the directory as a whole.
  public var problems: [InputProblem] = []
  /// What its container metadata property list says, if it holds one.
  public var metadata: ContainerMetadata?
  /// Which of the input's layers (a device, an archive) it lies in; the auditor sets it for trees.
  public var layer = 0
  /// Set where a mounted file system starts: the device and how it keeps attributes.
  public var mountedLayer: Layer?
  /// The number of the device that `mountedLayer` speaks of.
  public var device: UInt64 = 0
  /// AppleDouble and other sidecar files that were read as attributes and are no entries.
  public var sidecars = 0
  /// How many of them were side files of 7-Zip that belong to files.
  public var sevenZipOnFiles = 0
  /// How many of them were side files of 7-Zip that belong to directories. From APFS images it
  /// writes none, so that their marks are lost.
  public var sevenZipOnDirectories = 0
  /// Sidecar files without an owner.
  public var orphanSidecars = 0
  /// Names that were gone when their turn came.
  public var vanished = 0

  private let storage: UnsafeMutableRawPointer

  /// Makes a directory with room for so many records and bytes of names, none of them set yet.
  public init(path: [UInt8], own: EntryRecord, recordCount: Int = 0, nameBytes: Int = 0) {
    self.path = path
    self.own = own
    let size = recordCount * MemoryLayout<EntryRecord>.stride
    storage = .allocate(
      byteCount: size + nameBytes, alignment: MemoryLayout<EntryRecord>.alignment)
    records = storage.bindMemory(to: EntryRecord.self, capacity: recordCount)
    arena = (storage + size).bindMemory(to: UInt8.self, capacity: nameBytes)
  }

  deinit { storage.deallocate() }

  /// All records.
  public var count: Int { fileCount + directoryCount }

  /// Calls `body` with the last component of the path.
  func withLastComponent<Result>(_ body: (UnsafeBufferPointer<UInt8>) -> Result) -> Result {
    path.withUnsafeBufferPointer { body(Bytes.last($0)) }
  }

  /// The bytes of a record's name.
  @inlinable public func name(_ record: EntryRecord) -> UnsafeBufferPointer<UInt8> {
    UnsafeBufferPointer(start: arena + Int(record.nameOffset), count: Int(record.nameLength))
  }
}

/// What a container metadata property list says.
public struct ContainerMetadata: Equatable, Sendable {
  /// `MCMMetadataIdentifier`: the bundle or group identifier.
  public var identifier: String?
  /// `MCMMetadataContentClass`, leniently parsed.
  public var contentClass: Int?
  /// Whether it is the file that macOS writes.
  public var isMac = false

  /// Makes a description.
  public init(identifier: String? = nil, contentClass: Int? = nil, isMac: Bool = false) {
    self.identifier = identifier
    self.contentClass = contentClass
    self.isMac = isMac
  }
}

/// How far an input can be believed when it shows no mark.
public enum Evidence: UInt8, Comparable, Sendable {
  /// The carrier cannot hold the attribute: unmarked entries are `unknown`.
  case impossible
  /// It can, but no foreign attribute was seen.
  case possible
  /// A foreign attribute was seen, or the carrier always keeps them.
  case proven

  /// The word that reports use.
  public var word: String {
    switch self {
    case .impossible: "impossible"
    case .possible: "possible"
    case .proven: "proven"
    }
  }

  /// A weaker grade is the lesser one.
  public static func < (a: Evidence, b: Evidence) -> Bool { a.rawValue < b.rawValue }
}

/// A part of an input with one way of keeping attributes: a mounted device, an archive.
public struct Layer: Equatable, Sendable {
  /// A name for people: `ext4`, `pax`, `vfat` …
  public var format: String
  /// What is known before anything was read; entries can only raise it.
  public var evidence: Evidence
  /// Why, where it is not self-evident.
  public var reason: String?

  /// Makes a layer.
  public init(format: String, evidence: Evidence, reason: String? = nil) {
    self.format = format
    self.evidence = evidence
    self.reason = reason
  }
}

extension Directory {
  /// The index of the entry (no directory) called `stem` followed by `suffix`, by binary search.
  public func fileIndex(_ stem: UnsafeBufferPointer<UInt8>, _ suffix: StaticString) -> Int? {
    index(stem, suffix, in: 0..<fileCount)
  }

  /// Whether a subdirectory has a name, by binary search.
  func holdsDirectory(_ wanted: StaticString) -> Bool {
    let none = UnsafeBufferPointer<UInt8>(start: nil, count: 0)
    return index(none, wanted, in: fileCount..<count) != nil
  }

  private func index(
    _ stem: UnsafeBufferPointer<UInt8>, _ suffix: StaticString, in range: Range<Int>
  ) -> Int? {
    var low = range.lowerBound
    var high = range.upperBound
    while low < high {
      let middle = (low + high) / 2
      let order = Directory.compare(name(records[middle]), stem, suffix)
      if order == 0 { return middle }
      if order < 0 { low = middle + 1 } else { high = middle }
    }
    return nil
  }

  /// Negative, zero or positive as `name` sorts before, as or after `stem` followed by `suffix`.
  private static func compare(
    _ name: UnsafeBufferPointer<UInt8>, _ stem: UnsafeBufferPointer<UInt8>, _ suffix: StaticString
  ) -> Int {
    let length = stem.count + suffix.utf8CodeUnitCount
    for index in 0..<min(name.count, length) {
      let other = index < stem.count ? stem[index] : suffix.utf8Start[index - stem.count]
      if name[index] != other { return Int(name[index]) - Int(other) }
    }
    return name.count - length
  }
}

extension Directory {
  /// Moves details of a run of entries into the directory and renumbers the records.
  ///
  /// Only the consumer of a directory touches `details`, so that runs of one directory can be read
  /// side by side.
  public func adopt(_ new: [EntryDetail], in range: Range<Int>, numberedFrom start: Int) {
    guard !new.isEmpty else { return }
    let shift = Int32(details.count - start)
    details.append(contentsOf: new)
    for index in range where records[index].detail >= start { records[index].detail += shift }
  }
}
