import AuditCore

/// Hands a tree to an auditor and looks out for trees that 7-Zip unpacked.
///
/// From APFS images 7-Zip writes the attributes of files into side files, but not those of
/// directories (seen with 26.02). So where there are such files and none of a directory, nobody
/// knows which directories were marked, and an unmarked file is `unknown`, not exposed. Verdicts
/// are handed on while the tree is read: the first few thousand entries are therefore held back,
/// until a side file was seen or it is unlikely that there is one. If the first one comes later,
/// what was said before is called into question by a problem.
final class SevenZipWatch: TreeWalk.Consumer {
  private enum Call {
    case enter(Directory)
    case classify(Directory, Range<Int>)
  }

  private let auditor: Auditor
  private let root: Int32
  private var held: [Call] = []
  private var weight = 0
  private var isHolding = true
  private var isDecided = false

  /// How many entries and directories are held back.
  private static let limit = 4096

  /// - Parameter root: the open directory of the input, open as long as the watch is used.
  init(_ auditor: Auditor, root: Int32) {
    self.auditor = auditor
    self.root = root
  }

  func enter(_ directory: Directory) throws {
    if !isDecided && directory.sevenZipOnFiles + directory.sevenZipOnDirectories > 0 {
      decide(directory)
      try release()
    }
    guard isHolding else { return auditor.enter(directory) }
    held.append(.enter(directory))
    try hold(1)
  }

  func classify(_ directory: Directory, _ range: Range<Int>) throws {
    guard isHolding else { return try auditor.classify(directory, range) }
    held.append(.classify(directory, range))
    try hold(range.count)
  }

  /// Hands on whatever is held back; called at the end of the tree, too.
  func release() throws {
    isHolding = false
    let calls = held
    held = []
    for call in calls {
      switch call {
      case .enter(let directory): auditor.enter(directory)
      case .classify(let directory, let range): try auditor.classify(directory, range)
      }
    }
  }

  private func hold(_ count: Int) throws {
    weight += count
    if weight > Self.limit { try release() }
  }

  private func decide(_ directory: Directory) {
    isDecided = true
    let copy = System.duplicate(root)
    guard
      directory.sevenZipOnDirectories == 0,
      copy < 0 || !SidecarScan.findsSevenZipOnDirectory(below: Handle(copy))
    else { return }
    auditor.doubt(SevenZipSideFile.lossReason)
    if !isHolding { auditor.add(problem: Self.tooLate) }
  }

  private static let tooLate = InputProblem(
    path: [], operation: "audit", error: "directory-marks-lost",
    message: "7-Zip unpacked this tree and left out the attributes of directories, which was seen "
      + "after verdicts had been given: files that are called exposed may be covered. Mount the "
      + "image instead.")
}
