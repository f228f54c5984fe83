/// The words of a finding, from what was kept of it.
enum FindingMessage {
  static func text(
    _ rule: RuleID, _ group: FindingFold.Group, folded: Bool, relative: [UInt8]
  ) -> FindingText {
    if folded, let text = foldedText(rule, group) { return text }
    let name = Array(Bytes.last(group.path))
    let role = name.withUnsafeBufferPointer { StoreFamily.role($0) }
    switch (rule, group.detail) {
    case (.exposedFile, _): return .exposedFile(family: role)
    case (.fragileMark, _): return .fragileMark(family: role)
    case (.undocumentedSkip, .reason(let reason)): return .undocumentedSkip(reason: reason)
    case (.exposedSidecar, .sidecar(let database, let header)):
      return .exposedSidecar(sidecar: name, database: database, header: header)
    case (.sidecarReturnsUnmarked, .predicted(let names, let header)):
      return .sidecarReturnsUnmarked(database: name, predicted: names, header: header)
    case (.hardLinkEscape, .links(let others, let outside)):
      return .hardLinkEscape(others: others, outside: outside)
    case (.emptyMark, .mark(_, let isDirectory)): return .emptyMark(isDirectory: isDirectory)
    case (.unfamiliarValue, .mark(let mark, _)): return .unfamiliarValue(bytes: Int(mark.bytes))
    case (.partialMark, .nearMiss(let miss)): return .partialMark(name: miss.name)
    case (.legacyMark, .nearMiss(let miss)): return .legacyMark(name: miss.name)
    case (.misnamedMark, .nearMiss(let miss)): return .misnamedMark(name: miss.name)
    case (.attributesDisagree, .remark(let remark)):
      return FindingText(message: remark, fix: rule.info.fix)
    case (.systemDirectoryMarked, _): return .systemDirectoryMarked(directory: relative)
    case (.genericDirectoryName, _): return .genericDirectoryName(directory: relative)
    case (.markAboveRoot, .path(let path)): return .markAboveRoot(directory: path)
    case (.nestedContainer, .lookAlikes(let count)): return .nestedContainer(count: count)
    case (.otherSpelling, .spellings(let count)): return .otherSpelling(count: count)
    case (.attributesUnproven, .format(let format)): return .attributesUnproven(format: format)
    case (.mustBeBackedUp, .covered(let verdict, let ancestor)):
      return .mustBeBackedUp(verdict: verdict, ancestor: ancestor)
    case (.markLost, .lost(let before, let replaced)):
      return .markLost(before: before, replaced: replaced, family: role)
    case (.markLost, .lostByDirectory): return .markLostByDirectory
    case (.inBackupThoughCovered, .inBackup(let verdict, let record)):
      return .inBackupThoughCovered(verdict: verdict, record: record)
    default:
      return FindingText(message: rule.info.title, fix: rule.info.fix)
    }
  }

  /// One finding that stands for many entries below a directory.
  private static func foldedText(_ rule: RuleID, _ group: FindingFold.Group) -> FindingText? {
    switch rule {
    case .exposedFile: return .exposedFiles(count: group.count, below: group.path)
    case .undocumentedSkip: return .undocumentedSkips(count: group.count, below: group.path)
    case .markLost: return .marksLost(count: group.count, below: group.path)
    case .inBackupThoughCovered:
      return .inBackupThoughCovered(count: group.count, below: group.path)
    case .fragileMark: return .fragileMarks(count: group.count, below: group.path)
    default:
      let place = group.path.isEmpty ? "the input" : Shown.text(group.path)
      return FindingText(
        message: "\(group.count) entries below \(place): \(rule.info.title)", fix: rule.info.fix)
    }
  }
}
