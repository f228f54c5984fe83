import AuditCore

/// Turns sidecar files into attributes of the entries they belong to.
///
/// `D/._n` belongs to `D/n`, a file or a directory; `D/._.` belongs to `D` itself;
/// `__MACOSX/P/._n` belongs to `P/n` beside `__MACOSX`. Live trees and archives are folded by the
/// same code: the caller hands over a directory and a way to get a sidecar's content. On live
/// APFS and HFS+ sidecars have no effect, and nothing must be folded.
public struct SidecarFolding {
  let directory: Directory
  private let read: (EntryRecord, Directory) -> SidecarContent
  private let native: NativeAttributes
  /// Records to take out, by index.
  var taken: [Int] = []
  lazy var canonicalNames = Self.canonicalNames(of: directory)

  /// Folds a directory's sidecars into its records and takes them out of it.
  ///
  /// - Parameters:
  ///   - companions: The directories `B/__MACOSX/P`, for a directory that is `B/P`, with their
  ///     own records as they were read, not yet folded.
  ///   - ownerElsewhere: For a directory inside `__MACOSX`: the entry of that name in the
  ///     directory it stands for. Its sidecars are taken out and applied to nothing here.
  ///   - native: What the owners' own attributes say.
  ///   - read: The content of a record that lies in a directory; asked for files whose name is
  ///     `SidecarName.needsContent` only.
  public static func fold(
    _ directory: Directory, companions: [Directory] = [],
    ownerElsewhere: ((UnsafeBufferPointer<UInt8>) -> OwnerElsewhere)? = nil,
    native: NativeAttributes = .none,
    read: @escaping (EntryRecord, Directory) -> SidecarContent
  ) {
    guard !companions.isEmpty || mayHoldSidecars(directory) else { return }
    var folding = SidecarFolding(directory: directory, native: native, read: read)
    if let ownerElsewhere {
      folding.takeOut(ownerElsewhere: ownerElsewhere)
    } else {
      folding.foldOwn()
    }
    for companion in companions { folding.foldCompanion(companion) }
    folding.removeTaken()
  }

  /// Applies the content of a sidecar that lies outside, `._root` beside the root, to the
  /// directory itself. Returns whether it was a sidecar.
  @discardableResult
  public static func apply(
    _ content: SidecarContent, toOwn directory: Directory, native: NativeAttributes = .none
  ) -> Bool {
    if case .ordinary = content { return false }
    guard native.believes(content, isMarked: directory.own.mark.state == .marked) else {
      var detail = directory.ownDetail ?? EntryDetail()
      if detail.remark == nil { detail.remark = NativeAttributes.disagreement }
      directory.ownDetail = detail
      return false
    }
    var own = directory.own
    var detail = directory.ownDetail
    let applied = apply(
      content, mark: &own.mark, flags: &own.attributes, detail: &detail, path: directory.path)
    directory.own = own
    directory.ownDetail = detail
    return applied
  }

  private init(
    directory: Directory, native: NativeAttributes,
    read: @escaping (EntryRecord, Directory) -> SidecarContent
  ) {
    self.directory = directory
    self.native = native
    self.read = read
  }

  private static func mayHoldSidecars(_ directory: Directory) -> Bool {
    for index in 0..<directory.fileCount {
      let name = directory.name(directory.records[index])
      if SidecarName.isAppleDouble(name) || name.contains(0x3A) { return true }
    }
    return false
  }

  // MARK: - The passes

  private mutating func foldOwn() {
    var found: [(index: Int, content: SidecarContent)] = []
    for index in 0..<directory.fileCount where directory.records[index].kind == .file {
      let record = directory.records[index]
      let name = directory.name(record)
      if SidecarName.isAppleDouble(name) {
        let content = read(record, directory)
        if case .ordinary = content { continue }
        found.append((index, content))
        if case .unreadable(let problem) = content {
          note(problem, at: index)
        } else {
          taken.append(index)
        }
      } else if name.contains(0x3A) {
        foldSevenZip(record, name: name, index: index)
      }
    }
    // Owners are looked up once all sidecars are known: a sidecar owns nothing.
    var refused: [Int] = []
    for (index, content) in found {
      let name = directory.name(directory.records[index])
      let owner = UnsafeBufferPointer(rebasing: name.dropFirst(2))
      let isOwn = owner.elementsEqual([0x2E])
      let at = isOwn ? nil : find(owner)
      let isMarked = isOwn ? directory.own.mark.state == .marked : at.map(isMarked) ?? nil
      if case .unreadable = content {
        if native.isSeen() { continue }
      } else if !native.believes(content, isMarked: isMarked) {
        refused.append(index)
        continue
      }
      if isOwn {
        Self.apply(content, toOwn: directory)
      } else if let at {
        apply(content, at: at)
      } else if taken.contains(index, sorted: true) {
        directory.orphanSidecars += 1
      }
    }
    refuse(refused, found.map { ($0.index, $0.content) })
  }

  /// Whether the own attributes of an entry mark it.
  private func isMarked(_ index: Int) -> Bool {
    native.isMarked(directory.records[index], directory)
  }

  /// Leaves files in the directory that are sidecars by their form only.
  private mutating func refuse(_ refused: [Int], _ found: [(Int, SidecarContent)]) {
    guard !refused.isEmpty else { return }
    let kept = Set(refused)
    taken.removeAll { kept.contains($0) }
    for (index, content) in found where kept.contains(index) {
      guard case .attributes(let summary) = content, summary.mark.state == .marked else { continue }
      changeDetail(at: index) { _, detail in
        var changed = detail ?? EntryDetail()
        if changed.remark == nil { changed.remark = NativeAttributes.disagreement }
        detail = changed
      }
    }
  }

  private mutating func foldSevenZip(
    _ record: EntryRecord, name: UnsafeBufferPointer<UInt8>, index: Int
  ) {
    let isMark = SevenZipSideFile.owner(of: name)
    guard let length = isMark ?? SevenZipSideFile.ownerOfOther(of: name),
      let owner = find(UnsafeBufferPointer(rebasing: name.prefix(length)))
    else { return }
    var content = SidecarContent.attributes(AttributeSummary())
    if isMark != nil {
      content = read(record, directory)
      if case .ordinary = content { return }
    } else {
      var summary = AttributeSummary()
      summary.flags = .foreign
      content = .attributes(summary)
    }
    guard native.believes(content, isMarked: isMark == nil ? false : isMarked(owner)) else {
      refuse([index], [(index, content)])
      return
    }
    if directory.records[owner].kind == .directory {
      directory.sevenZipOnDirectories += 1
    } else {
      directory.sevenZipOnFiles += 1
    }
    taken.append(index)
    apply(content, at: owner)
  }

  private mutating func foldCompanion(_ companion: Directory) {
    for index in 0..<companion.fileCount where companion.records[index].kind == .file {
      let record = companion.records[index]
      let name = companion.name(record)
      guard SidecarName.isAppleDouble(name),
        let owner = find(UnsafeBufferPointer(rebasing: name.dropFirst(2)))
      else { continue }
      let content = read(record, companion)
      if case .ordinary = content { continue }
      // Where it is not believed, it stays an entry of the directory that it lies in.
      if native.believes(content, isMarked: isMarked(owner)) { apply(content, at: owner) }
    }
  }

  private mutating func takeOut(
    ownerElsewhere: (UnsafeBufferPointer<UInt8>) -> OwnerElsewhere
  ) {
    for index in 0..<directory.fileCount where directory.records[index].kind == .file {
      let record = directory.records[index]
      let name = directory.name(record)
      guard SidecarName.isAppleDouble(name) else { continue }
      let content = read(record, directory)
      switch content {
      case .ordinary: continue
      case .unreadable(let problem): note(problem, at: index)
      case .attributes, .damaged:
        let owner = ownerElsewhere(UnsafeBufferPointer(rebasing: name.dropFirst(2)))
        guard native.believes(content, isMarked: owner.isMarked) else {
          refuse([index], [(index, content)])
          continue
        }
        taken.append(index)
        if owner == .missing { directory.orphanSidecars += 1 }
      }
    }
  }

  // MARK: - Applying

  private func apply(_ content: SidecarContent, at index: Int) {
    let directory = directory
    changeDetail(at: index) { record, detail in
      let name = directory.name(record)
      Self.apply(
        content, mark: &record.mark, flags: &record.attributes, detail: &detail,
        path: Bytes.join(directory.path, name))
    }
  }

  /// Says at a sidecar that could not be read, and stays an entry, what happened.
  private func note(_ problem: InputProblem, at index: Int) {
    changeDetail(at: index) { record, detail in
      detail = Self.adding(problem, to: detail)
      if record.mark.state != .marked { record.mark = .unknown }
    }
  }

  private func changeDetail(
    at index: Int, _ change: (inout EntryRecord, inout EntryDetail?) -> Void
  ) {
    let at = Int(directory.records[index].detail)
    var detail = at >= 0 ? directory.details[at] : nil
    change(&directory.records[index], &detail)
    guard let detail else { return }
    if at >= 0 {
      directory.details[at] = detail
    } else {
      directory.records[index].detail = Int32(directory.details.count)
      directory.details.append(detail)
    }
  }

  @discardableResult
  private static func apply(
    _ content: SidecarContent, mark: inout OwnMark, flags: inout AttributeFlags,
    detail: inout EntryDetail?, path: @autoclosure () -> [UInt8]
  ) -> Bool {
    let problem: InputProblem
    switch content {
    case .ordinary: return false
    case .attributes(let summary):
      summary.merge(into: &mark, flags: &flags, detail: &detail, isWhole: true)
      return true
    case .damaged(let why):
      problem = InputProblem(
        path: path(), operation: "read-sidecar", error: "damaged",
        message: "The AppleDouble file beside it is damaged: \(why). Copy it again from the source."
      )
      flags.insert(.foreign)
    case .unreadable(let failure): problem = failure
    }
    // A mark found elsewhere stands; without one, nobody can tell.
    if mark.state != .marked { mark = .unknown }
    detail = adding(problem, to: detail)
    return true
  }

  private static func adding(_ problem: InputProblem, to detail: EntryDetail?) -> EntryDetail {
    var changed = detail ?? EntryDetail()
    if changed.problem == nil { changed.problem = problem }
    return changed
  }

  private mutating func removeTaken() {
    guard !taken.isEmpty else { return }
    var kept = 0
    var next = 0
    for index in 0..<directory.count {
      if next < taken.count, taken[next] == index {
        next += 1
      } else {
        directory.records[kept] = directory.records[index]
        kept += 1
      }
    }
    directory.fileCount -= taken.count
    directory.sidecars += taken.count
  }
}
