import BackupExclusion
import Foundation

/// Replaces a file that carries a mark of its own, and keeps the mark.
public func replace(_ path: String, with content: Data) throws {
  let new = path + ".new"
  try content.write(to: URL(fileURLWithPath: new))
  // Before the rename: the name is never seen unmarked.
  try ExclusionMark.carry(from: path, to: new)
  guard rename(new, path) == 0 else { throw CocoaError(.fileWriteUnknown) }
}
