import AuditCore

/// What a carrier states of attributes itself, without sidecars.
///
/// A sidecar never overrules it. macOS's tar writes both from one source, so that they agree; what
/// says more is a file of the app's own, as unpacking a Mac's archive on the device leaves it: it
/// marks nothing there, and a backup holds it.
public struct NativeAttributes {
  /// Whether the carrier states them at all. Asked only where it decides, for it may take a search.
  let isSeen: () -> Bool
  /// Whether it states those of every entry and never writes a sidecar.
  let isComplete: Bool
  /// Whether the own attributes of an entry of a directory mark it.
  let isMarked: (EntryRecord, Directory) -> Bool

  /// Nothing is stated: sidecars speak alone.
  public static var none: NativeAttributes {
    NativeAttributes(
      isSeen: { false }, isComplete: false, isMarked: { _, _ in false })
  }

  /// A carrier whose records hold what it states.
  static func recorded(isComplete: Bool) -> NativeAttributes {
    NativeAttributes(
      isSeen: { true }, isComplete: isComplete,
      isMarked: { record, _ in record.mark.state == .marked })
  }

  /// Whether a sidecar counts beside its owner's own attributes.
  ///
  /// - Parameter isMarked: whether those mark the owner; nil where there is no owner.
  func believes(_ content: SidecarContent, isMarked: Bool?) -> Bool {
    if isComplete { return false }
    guard let isMarked, case .attributes(let summary) = content else { return !isSeen() }
    return isMarked == (summary.mark.state == .marked) || !isSeen()
  }

  /// What is said of a file that is no sidecar for that reason.
  static let disagreement =
    "It has the form of an AppleDouble file and says that the entry beside it is marked. What was "
    + "read states attributes itself, and that mark is not among them, so that this is a file like "
    + "others and marks nothing."
}

/// The owner of a sidecar, in the directory that a directory in `__MACOSX` stands for.
public enum OwnerElsewhere: Equatable, Sendable {
  /// There is no entry of that name.
  case missing
  /// There is one; whether its own attributes mark it.
  case there(isMarked: Bool)

  var isMarked: Bool? {
    if case .there(let isMarked) = self { isMarked } else { nil }
  }
}
