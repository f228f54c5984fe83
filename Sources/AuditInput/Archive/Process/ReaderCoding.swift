import AuditCore
import BackupExclusion

/// What the two processes say to each other of an archive as a whole.
struct ReaderHead {
  var format: String
  var layers: [Layer]
  var problems: [InputProblem]
  var isPartial: Bool
}

extension ArchiveContents {
  var head: ReaderHead {
    ReaderHead(format: format, layers: layers, problems: problems, isPartial: isPartial)
  }
}

extension FrameWriter {
  mutating func put(_ head: ReaderHead) {
    put(head.format)
    put(list: head.layers) { writer, layer in
      writer.put(layer.format)
      writer.put(layer.evidence.rawValue)
      writer.put(layer.reason) { $0.put($1) }
    }
    put(list: head.problems) { $0.put($1) }
    put(head.isPartial)
  }

  mutating func put(_ problem: InputProblem) {
    put(problem.path)
    put(problem.operation)
    put(problem.error)
    put(problem.message.utf8)
  }

  mutating func put(_ record: EntryRecord) {
    put(record.inode)
    put(record.size)
    put(record.links)
    put(record.detail)
    put(record.nameLength)
    put(record.kind.rawValue)
    put(record.attributes.rawValue)
    put(record.mark.state.rawValue)
    put(record.mark.form.rawValue)
    put(record.mark.bytes)
  }

  mutating func put(_ detail: EntryDetail) {
    put(list: detail.nearMisses) { writer, miss in
      writer.put(miss.kind.rawValue)
      writer.put(miss.name)
      writer.put(miss.bytes) { $0.put(Int64($1)) }
    }
    put(detail.problem) { $0.put($1) }
    put(detail.header) { $0.put($1) }
    put(detail.remark) { $0.put($1) }
  }

  mutating func put(_ directory: Directory) {
    put(directory.path)
    put(directory.own)
    put(directory.ownDetail) { $0.put($1) }
    put(UInt32(clamping: directory.fileCount))
    put(UInt32(clamping: directory.directoryCount))
    for index in 0..<directory.count {
      put(directory.records[index])
      put(directory.name(directory.records[index]))
    }
    put(list: directory.details) { $0.put($1) }
    put(list: directory.problems) { $0.put($1) }
    put(directory.metadata) { writer, metadata in
      writer.put(metadata.identifier) { $0.put($1) }
      writer.put(metadata.contentClass) { $0.put(Int64($1)) }
      writer.put(metadata.isMac)
    }
    put(UInt32(clamping: directory.layer))
    for count in [
      directory.sidecars, directory.sevenZipOnFiles, directory.sevenZipOnDirectories,
      directory.orphanSidecars, directory.vanished,
    ] {
      put(UInt64(clamping: count))
    }
  }
}

extension FrameReader {
  mutating func head() throws(Garbled) -> ReaderHead {
    ReaderHead(
      format: try string(),
      layers: try list { reader throws(Garbled) in
        Layer(
          format: try reader.string(), evidence: try reader.value(Evidence.init(rawValue:)),
          reason: try reader.optional { reader throws(Garbled) in try reader.string() })
      },
      problems: try list { reader throws(Garbled) in try reader.problem() },
      isPartial: try flag())
  }

  /// A value that is one of few.
  private mutating func value<Raw: FixedWidthInteger, Value>(
    _ make: (Raw) -> Value?
  ) throws(Garbled) -> Value {
    guard let value = make(try number(Raw.self)) else { throw Garbled() }
    return value
  }

  private mutating func count() throws(Garbled) -> Int {
    guard let count = Int(exactly: try number(UInt64.self)) else { throw Garbled() }
    return count
  }

  mutating func problem() throws(Garbled) -> InputProblem {
    InputProblem(
      path: try text(), operation: try string(), error: try string(),
      message: "\(try string())")
  }

  private mutating func record() throws(Garbled) -> EntryRecord {
    var record = EntryRecord()
    record.inode = try number()
    record.size = try number()
    record.links = try number()
    record.detail = try number()
    record.nameLength = try number()
    record.kind = try value(EntryKind.init(rawValue:))
    record.attributes = AttributeFlags(rawValue: try number())
    record.mark.state = try value(OwnMark.State.init(rawValue:))
    record.mark.form = try value(ExclusionMark.Form.init(rawValue:))
    record.mark.bytes = try number()
    return record
  }

  private mutating func detail() throws(Garbled) -> EntryDetail {
    var detail = EntryDetail()
    detail.nearMisses = try list { reader throws(Garbled) in
      NearMiss(
        kind: try reader.value(NearMiss.Kind.init(rawValue:)), name: try reader.text(),
        bytes: try reader.optional { reader throws(Garbled) in
          Int(truncatingIfNeeded: try reader.number(Int64.self))
        })
    }
    detail.problem = try optional { reader throws(Garbled) in try reader.problem() }
    detail.header = try optional { reader throws(Garbled) in try reader.text() }
    detail.remark = try optional { reader throws(Garbled) in try reader.string() }
    return detail
  }

  /// A directory of an archive that has so many layers.
  mutating func directory(layers: Int) throws(Garbled) -> Directory {
    let path = try text()
    let own = try record()
    let ownDetail = try optional { reader throws(Garbled) in try reader.detail() }
    let files = Int(try number(UInt32.self))
    let count = files + Int(try number(UInt32.self))
    guard count <= left else { throw Garbled() }
    // The names come between the records and are together shorter than what is left.
    let directory = Directory(path: path, own: own, recordCount: count, nameBytes: left)
    directory.own.detail = -1
    directory.ownDetail = ownDetail
    var offset = 0
    for index in 0..<count {
      var record = try record()
      let name = try slice(Int(number(UInt32.self)))
      guard name.count == Int(record.nameLength), !name.isEmpty else { throw Garbled() }
      guard (record.kind == .directory) == (index >= files) else { throw Garbled() }
      record.nameOffset = UInt32(clamping: offset)
      record.key = Self.key(name)
      for byte in name {
        (directory.arena + offset).initialize(to: byte)
        offset += 1
      }
      (directory.records + index).initialize(to: record)
    }
    directory.fileCount = files
    directory.directoryCount = count - files
    directory.details = try list { reader throws(Garbled) in try reader.detail() }
    for index in 0..<count where Int(directory.records[index].detail) >= directory.details.count {
      throw Garbled()
    }
    directory.problems = try list { reader throws(Garbled) in try reader.problem() }
    directory.metadata = try optional { reader throws(Garbled) in
      var metadata = ContainerMetadata()
      metadata.identifier = try reader.optional { reader throws(Garbled) in try reader.string() }
      metadata.contentClass = try reader.optional { reader throws(Garbled) in
        Int(truncatingIfNeeded: try reader.number(Int64.self))
      }
      metadata.isMac = try reader.flag()
      return metadata
    }
    directory.layer = Int(try number(UInt32.self))
    guard directory.layer < max(layers, 1) else { throw Garbled() }
    directory.sidecars = try self.count()
    directory.sevenZipOnFiles = try self.count()
    directory.sevenZipOnDirectories = try self.count()
    directory.orphanSidecars = try self.count()
    directory.vanished = try self.count()
    return directory
  }

  /// The first eight bytes of a name, as `EntryRecord.key` wants them.
  private static func key(_ name: ArraySlice<UInt8>) -> UInt64 {
    var key: UInt64 = 0
    for place in 0..<8 {
      key <<= 8
      if place < name.count { key |= UInt64(name[name.startIndex + place]) }
    }
    return key
  }
}
