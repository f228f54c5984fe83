/// The item is not excluded as a test required; the description explains what was found.
public struct NotExcluded: Error, Equatable, Sendable, CustomStringConvertible {
  /// The path of the item, for people.
  public let path: String
  /// What was found on disk, and what to do.
  public let explanation: String

  /// Path and explanation.
  public var description: String { "\(path): \(explanation)" }
}

/// Throws unless the item itself is marked on disk.
///
/// For tests: `try requireExcludedOnDisk(path)` fails a test of XCTest and of Swift Testing alike.
/// It reads by path, does not follow a final link, and does not count marked directories above.
public func requireExcludedOnDisk(_ path: String) throws(NotExcluded) {
  try requireExcludedOnDisk(Array(path.utf8))
}

/// Throws unless the item itself is marked on disk; the path in bytes, without a final zero.
public func requireExcludedOnDisk(_ path: [UInt8]) throws(NotExcluded) {
  let state: ExclusionMark.State
  do {
    state = try ExclusionMark.state(ofItemAt: path)
  } catch {
    throw NotExcluded(path: shown(path), explanation: explain(error))
  }
  switch state {
  case .marked: return
  case .empty:
    throw NotExcluded(
      path: shown(path),
      explanation: "the attribute \(ExclusionMark.name) exists but is empty, which is no mark.")
  case .absent:
    throw NotExcluded(path: shown(path), explanation: explainAbsence(path))
  }
}

/// Throws unless a marked directory, from the container down to the item's parent, covers it.
///
/// This is the cover that holds when the item is replaced; a mark of its own does not count.
/// `path` must lie below `container` as written; the item must exist.
public func requireCoveredOnDisk(_ path: String, in container: String) throws(NotExcluded) {
  let root = trimmed(Array(container.utf8))
  let item = trimmed(Array(path.utf8))
  let below = root == [slash] ? root : root + [slash]
  guard item.starts(with: below), item.count > below.count, !hasDotComponents(item) else {
    throw NotExcluded(
      path: shown(item), explanation: "the path does not lie below the container \(shown(root)).")
  }
  do {
    _ = try SystemCalls.perform("lstat", item, Platform.mode)
    var directory = parent(of: item)
    while true {
      if try ExclusionMark.state(ofItemAt: directory).isMarked { return }
      if directory.count <= root.count { break }
      directory = parent(of: directory)
    }
  } catch {
    throw NotExcluded(path: shown(item), explanation: explain(error))
  }
  throw NotExcluded(
    path: shown(item),
    explanation: "no directory from the container down to the item is marked. "
      + "Keep local-only files in a marked directory: see LocalOnlyStore.")
}

private let slash = UInt8(ascii: "/")

/// A path without the slashes at its end.
private func trimmed(_ path: [UInt8]) -> [UInt8] {
  var path = path
  while path.count > 1 && path.last == slash { path.removeLast() }
  return path
}

/// `..` would make the written ancestors other directories than the real ones.
private func hasDotComponents(_ path: [UInt8]) -> Bool {
  path.split(separator: slash).contains { Array($0) == Array("..".utf8) }
}

private func parent(of path: [UInt8]) -> [UInt8] {
  guard let last = path.lastIndex(of: slash) else { return Array(".".utf8) }
  return last == 0 ? [slash] : trimmed(Array(path[..<last]))
}

private func explain(_ error: MarkError) -> String {
  if error.isMissingItem { return "there is nothing at this path." }
  return "its mark could not be read, so nothing is known: \(error)."
}

/// Why an item may be without the mark, from what stands on it and above it.
private func explainAbsence(_ path: [UInt8]) -> String {
  var text = "the attribute \(ExclusionMark.name) is not there."
  for name in similarNames(path) {
    text += " It has \(shown(Array(name.utf8))), which is a different attribute."
  }
  let directory = parent(of: trimmed(path))
  if ExclusionMark.isExcludedOnDisk(directory) {
    return text + " Its directory is marked and covers it as long as it is in there;"
      + " check the directory, or use requireCoveredOnDisk."
  }
  return text + " It was never marked, or it was replaced since: a new file comes unmarked."
    + " Mark the directory instead of the file."
}

private func similarNames(_ path: [UInt8]) -> [String] {
  var names: [String] = []
  do {
    _ = try SystemCalls.perform("listxattr", path) { Platform.attributeNames($0, into: &names) }
  } catch {
    // Only the explanation gets shorter: the mark itself was read before.
    return []
  }
  return names.filter { name in
    let lower = name.lowercased()
    return lower.contains("excludeitem") || lower.contains("com.apple.mobilebackup")
  }
}
