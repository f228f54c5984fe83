/// Which items below a directory were marked at one moment.
public struct MarkRecord: Equatable, Sendable {
  /// The directory that was recorded.
  public let root: [UInt8]
  /// The marked items: paths relative to `root`, empty for the directory itself, in byte order.
  public let marked: [[UInt8]]
}

/// A mark that was on disk when it was recorded and is gone from the same path.
public struct LostMark: Equatable, Sendable, CustomStringConvertible {
  /// The path relative to the recorded directory, empty for the directory itself.
  public let path: [UInt8]
  /// Whether a marked directory, from the recorded one down, covers the item all the same.
  public let isStillCovered: Bool

  /// A sentence for a test's output.
  public var description: String {
    let name = path.isEmpty ? "the recorded directory" : shown(path)
    return isStillCovered
      ? "\(name) lost its own mark; a marked directory still covers it"
      : "\(name) lost its mark and nothing covers it: it was replaced, recreated or un-marked"
  }
}

/// A record that would have nothing to lose: a test on it could not fail.
public struct NothingMarked: Error, Equatable, Sendable, CustomStringConvertible {
  /// The directory that was looked through.
  public let root: [UInt8]
  /// A sentence for a test's output.
  public var description: String { "\(shown(root)): nothing in it is marked, not even itself" }
}

/// Records which items of a directory are marked, itself included, to compare with later.
///
/// Links are not followed. Throws `NothingMarked` when there is no mark to lose, and `MarkError`
/// when anything cannot be read.
public func recordMarks(below directory: String) throws -> MarkRecord {
  let root = Array(directory.utf8)
  let marked = try allItems(below: root).filter(\.isMarked).map(\.path)
  if marked.isEmpty { throw NothingMarked(root: root) }
  return MarkRecord(root: root, marked: marked.sorted { $0.lexicographicallyPrecedes($1) })
}

/// The recorded marks that are gone although an item stands at the path; none means all were kept.
///
/// An item that no longer exists lost nothing: nothing of it can be backed up.
public func lostMarks(since record: MarkRecord) throws(MarkError) -> [LostMark] {
  let items = try allItems(below: record.root)
  let recorded = Set(record.marked)
  return items.filter { !$0.isMarked && recorded.contains($0.path) }
    .map { LostMark(path: $0.path, isStillCovered: $0.isCovered) }
    .sorted { $0.path.lexicographicallyPrecedes($1.path) }
}

private struct Item {
  var path: [UInt8]
  var isMarked: Bool
  var isCovered: Bool
}

/// Everything below a directory, itself first; unreadable is an error, never "unmarked".
private func allItems(below root: [UInt8]) throws(MarkError) -> [Item] {
  var items: [Item] = []
  var waiting = [Item(path: [], isMarked: false, isCovered: false)]
  while var item = waiting.popLast() {
    let full = item.path.isEmpty ? root : root + [UInt8(ascii: "/")] + item.path
    do {
      item.isMarked = try ExclusionMark.state(ofItemAt: full).isMarked
      items.append(item)
      let mode = try SystemCalls.perform("lstat", full, Platform.mode)
      guard ItemKind(mode: mode) == .directory else { continue }
      for name in try names(in: full) {
        let path = item.path.isEmpty ? name : item.path + [UInt8(ascii: "/")] + name
        let isCovered = item.isCovered || item.isMarked
        waiting.append(Item(path: path, isMarked: false, isCovered: isCovered))
      }
    } catch {
      // A name may vanish between being listed and being read; the directory itself may not.
      guard error.isMissingItem && !item.path.isEmpty else { throw error }
    }
  }
  return items
}

private func names(in directory: [UInt8]) throws(MarkError) -> [[UInt8]] {
  var names: [[UInt8]] = []
  _ = try SystemCalls.perform("readdir", directory) { path in
    // A call that a signal cut short starts again from an empty list.
    names.removeAll()
    return Platform.directoryNames(path, into: &names)
  }
  return names
}
