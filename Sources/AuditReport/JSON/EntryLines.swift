import AuditCore

/// Writes the entries of slices as JSON objects: the hot loop of the two JSON formats.
///
/// Per slice, what all entries share is prepared once; per entry there is no allocation, no
/// `String`, and no call through a protocol.
final class EntryLines {
  private let opening: [UInt8]
  private let writer: ByteWriter
  /// For each kind what stands between the path and the verdict, without a size and with one.
  private let kinds = PieceTable(EntryLines.kindPieces())
  private let verdicts = EntryLines.verdictPieces()
  private let marks = PieceTable(
    OwnMark.Form.allCases.map { ",\"mark\":{\"form\":\"\($0.word)\",\"bytes\":" })
  /// What every entry of the slice starts with, the directory's path included.
  private let prefix = Scratch()
  /// What every covered entry of the slice ends with.
  private let ancestor = Scratch()
  private var lastAncestor: [UInt8]?
  private var hasValidDirectory = true

  /// Prepares the writing of entries that each start with `opening`, up to the `"` of the path.
  ///
  /// - Parameter opening: starts with the separator from the entry before, one byte or more.
  init(writer: ByteWriter, opening: StaticString) {
    self.writer = writer
    self.opening = Array(
      UnsafeBufferPointer(start: opening.utf8Start, count: opening.utf8CodeUnitCount))
  }

  /// Writes the entries of one slice.
  ///
  /// - Parameter skipping: how many bytes of the opening the first entry goes without.
  func write(_ slice: ClassifiedSlice, skipping: Int = 0) {
    prepare(slice)
    let directory = slice.directory
    let kinds = kinds.view
    let verdicts = verdicts.view
    let marks = marks.view
    let reasonCount = EntryLines.reasonCount
    let isDirectoryValid = hasValidDirectory
    let prefix = prefix.bytes
    let ancestor = ancestor.bytes
    let shared = prefix.count + ancestor.count + 4 * directory.path.count / 3 + 1024
    let arena = UnsafePointer(directory.arena)
    let records = UnsafePointer(directory.records)
    var skip = skipping
    var cursor = writer.reserve(0)
    var room = writer.room(after: cursor)
    var index = 0
    for record in slice.range {
      let record = records + record
      let length = Int(record.pointee.nameLength)
      let need = shared + 8 * length
      if room < need {
        writer.commit(cursor)
        cursor = writer.reserve(need)
        room = writer.room(after: cursor)
      }
      let before = cursor.position
      cursor.put(UnsafeBufferPointer(rebasing: prefix[skip...]))
      skip = 0
      let name = arena + Int(record.pointee.nameOffset)
      let isValid = cursor.putJSON(name, length)
      if !(isValid && isDirectoryValid) {
        cursor.put("\",\"pathBytes\":\"")
        cursor.putBase64(directory.path, UnsafeBufferPointer(start: name, count: length))
      }
      let kind = record.pointee.kind
      if record.pointee.size >= 0, kind == .file || kind == .symlink {
        cursor.put(kinds[2 * Int(kind.rawValue) + 1])
        cursor.put(Int(record.pointee.size))
      } else {
        cursor.put(kinds[2 * Int(kind.rawValue)])
      }
      let verdict = slice.verdicts[index]
      cursor.put(
        verdicts[Int(verdict.rawValue) * reasonCount + Int(slice.reasons[index].rawValue)])
      if verdict == .coveredByAncestor || verdict == .markedAndCovered {
        cursor.put(ancestor)
      }
      let mark = record.pointee.mark
      if mark.state == .marked {
        cursor.put(marks[Int(mark.form.rawValue)])
        cursor.put(Int(mark.bytes))
        cursor.put("}")
      } else if mark.state == .empty {
        cursor.put(",\"mark\":{\"form\":\"empty\",\"bytes\":0}")
      }
      cursor.put("}")
      room -= cursor.position - before
      index += 1
    }
    writer.commit(cursor)
  }

  /// Escapes what the slice's entries share.
  private func prepare(_ slice: ClassifiedSlice) {
    let path = slice.directory.path
    hasValidDirectory = true
    prefix.write(room: opening.count + Cursor.jsonBound(path.count) + 1) { cursor in
      cursor.put(opening, opening.count)
      guard !path.isEmpty else { return }
      hasValidDirectory = cursor.putJSON(path, path.count)
      cursor.put("/")
    }
    // Neighbours mostly share it.
    guard slice.ancestor != lastAncestor else { return }
    lastAncestor = slice.ancestor
    guard let marked = slice.ancestor else { return ancestor.write(room: 0) { _ in } }
    ancestor.write(room: Cursor.jsonBound(marked.count) + 2 * marked.count + 64) { cursor in
      cursor.put(",\"ancestor\":\"")
      if marked.isEmpty { cursor.put(".") }
      if !cursor.putJSON(marked, marked.count) {
        cursor.put("\",\"ancestorBytes\":\"")
        cursor.putBase64(marked)
      }
      cursor.put("\"")
    }
  }

  private static func kindPieces() -> [String] {
    (0...EntryKind.device.rawValue).flatMap { raw in
      let piece = "\",\"type\":\"\(EntryKind(rawValue: raw)?.word ?? "")\""
      return [piece, piece + ",\"size\":"]
    }
  }

  /// How many reasons there are.
  private static let reasonCount = Reason.allCases.count

  /// A piece for each pair of a verdict and a reason.
  private static func verdictPieces() -> PieceTable {
    var pieces: [String] = []
    for verdict in Verdict.allCases {
      for raw in 0..<reasonCount {
        var piece = ",\"verdict\":\"\(verdict.word)\""
        let reason = Reason(rawValue: UInt8(raw))?.text ?? ""
        if !reason.isEmpty, verdict == .outsideBackup || verdict == .unknown {
          piece += ",\"reason\":\"\(reason)\""
        }
        pieces.append(piece)
      }
    }
    return PieceTable(pieces)
  }
}

/// Bytes that are written anew again and again, in storage that is kept.
private final class Scratch {
  private var start = UnsafeMutablePointer<UInt8>.allocate(capacity: 256)
  private var capacity = 256
  private var count = 0

  deinit { start.deallocate() }

  /// What was written last; valid until the next `write`.
  var bytes: UnsafeBufferPointer<UInt8> { UnsafeBufferPointer(start: start, count: count) }

  /// Replaces the bytes by what `body` writes, which is at most `room` bytes.
  func write(room: Int, _ body: (inout Cursor) -> Void) {
    if capacity < room {
      start.deallocate()
      capacity = room
      start = .allocate(capacity: capacity)
    }
    var cursor = Cursor(start)
    body(&cursor)
    count = cursor.position - start
  }
}

extension Cursor {
  /// Puts the base64 of a path made of a directory and a name.
  fileprivate mutating func putBase64(_ directory: [UInt8], _ name: UnsafeBufferPointer<UInt8>) {
    if directory.isEmpty { return putBase64(name) }
    putBase64(directory + [0x2F] + name)
  }
}
