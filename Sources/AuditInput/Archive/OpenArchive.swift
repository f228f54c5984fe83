import AuditCore
import CArchiveCalls

/// Reads an archive: a tar with any compression, zip, cpio, xar, 7z, ISO and what else libarchive
/// knows, GrayKey's and Cellebrite's full-file-system zips.
///
/// Nothing is extracted. What cannot be read is told in `problems`; what was read before stands.
///
/// - Parameters:
///   - path: The file, or `-` for standard input.
///   - limits: How far a stranger's archive is followed.
public func readArchive(path: String, limits: ArchiveLimits = ArchiveLimits()) -> ArchiveContents {
  readArchive(path: Array(path.utf8), limits: limits)
}

/// Reads an archive whose path is given as bytes.
public func readArchive(
  path: [UInt8], limits: ArchiveLimits = ArchiveLimits()
) -> ArchiveContents {
  if path.elementsEqual([0x2D]) { return readArchive(descriptor: 0, limits: limits) }
  return readArchive(limits) { () throws(ArchiveFile.Failure) in try ArchiveFile(path: path) }
}

/// Reads an archive from a descriptor that is open at its beginning; it stays open.
public func readArchive(
  descriptor: Int32, limits: ArchiveLimits = ArchiveLimits()
) -> ArchiveContents {
  readArchive(descriptor: descriptor, limits: limits, whenLoaded: {})
}

/// Reads an archive from a descriptor, and calls `whenLoaded` once libarchive is there and before
/// anything of the archive is read.
func readArchive(
  descriptor: Int32, limits: ArchiveLimits, whenLoaded: () -> Void
) -> ArchiveContents {
  readArchive(limits, whenLoaded) { () throws(ArchiveFile.Failure) in
    try ArchiveFile(descriptor: descriptor)
  }
}

private func readArchive(
  _ limits: ArchiveLimits, _ whenLoaded: () -> Void = {},
  _ open: () throws(ArchiveFile.Failure) -> ArchiveFile
) -> ArchiveContents {
  if let reason = ca_load() {
    return unopened(
      InputProblem(
        path: [], operation: "load", error: "no-libarchive",
        message: "Archives cannot be read without libarchive: \(String(cString: reason)). "
          + "Install it (Debian: libarchive13)."))
  }
  whenLoaded()
  do {
    return ArchiveReading(try open(), limits: limits).contents()
  } catch {
    return unopened(
      InputProblem(
        path: [], operation: error.operation, error: error.name,
        message: "The archive cannot be opened: \(error.text)."))
  }
}

private func unopened(_ problem: InputProblem) -> ArchiveContents {
  ArchiveContents(
    format: "unknown", layers: [.unread], problems: [problem], members: 0,
    table: MemberTable(depthLimit: 1), sidecars: SidecarTable(), headers: [:], metadata: [:])
}
