/// A tree to be tested with, as written in `Fixtures/trees/*.tree`; the grammar is described there.
package struct TreeSpec: Sendable {
  /// What `% container` promises about the report.
  package struct Container: Sendable {
    package var path: [UInt8]
    package var kind: String
    package var identifier: String?
  }

  /// One name in the tree.
  package struct Entry: Sendable {
    /// What stands for the name.
    package enum Kind: UInt8, Sendable {
      case directory = 0x64
      case file = 0x66
      case symlink = 0x6C
      case fifo = 0x70
      case hardLink = 0x68
    }
    package var kind: Kind
    /// Relative to the tree; empty for the tree's own root.
    package var path: [UInt8]
    /// Attributes in the order they are written; the exclusion mark is one of them.
    package var attributes: [Attribute] = []
    /// Where a link leads; for a hard link the path of the other name in the tree.
    package var target: [UInt8] = []
    /// The first bytes of the file; zeros follow up to `size`.
    package var content: [UInt8] = []
    /// Logical size in bytes.
    package var size = 0
    /// Permissions, where not the usual ones.
    package var mode: UInt32?
    /// The word the report must use.
    package var verdict: String?
    /// Rules that must have a finding at this path.
    package var findings: [String] = []

    /// Makes an entry.
    package init(_ kind: Kind, _ path: [UInt8]) {
      self.kind = kind
      self.path = path
    }

    /// The value of the exclusion mark's attribute, possibly empty.
    package var mark: [UInt8]? { attributes.last { $0.name == TreeSpec.markName }?.value }
  }

  /// An extended attribute under the name a Mac uses.
  package struct Attribute: Sendable, Equatable {
    package var name: [UInt8]
    package var value: [UInt8]

    /// Makes an attribute.
    package init(_ name: [UInt8], _ value: [UInt8]) {
      self.name = name
      self.value = value
    }
  }

  /// The part of the tree that is audited.
  package var input: [UInt8] = []
  /// More arguments for the command.
  package var options: [String] = []
  /// The exit status that the command must have.
  package var status: Int32?
  /// Whether an archive of the input must give the same verdicts.
  package var archive = true
  /// Whether the command has to run without a superuser's rights.
  package var asUser = false
  /// Paths that must be among the errors of the report.
  package var errors: [[UInt8]] = []
  /// Containers that must be in the report.
  package var containers: [Container] = []
  /// The names, parents not necessarily first or listed.
  package var entries: [Entry] = []

  /// Makes an empty tree.
  package init() {}

  static let markName = Array("com.apple.metadata:com_apple_backup_excludeItem".utf8)
  static let backupdPlist: [UInt8] =
    Array("bplist00".utf8) + [0x5F, 0x10, 0x11] + Array("com.apple.backupd".utf8) + [8]
    + [0, 0, 0, 0, 0, 0, 1, 1, 0, 0, 0, 0, 0, 0, 0, 1, 0, 0, 0, 0, 0, 0, 0, 0]
    + [0, 0, 0, 0, 0, 0, 0, 28]

  /// A path as seen from the input, or `nil` where it lies outside; empty for the input itself.
  package func seenFromInput(_ path: [UInt8]) -> [UInt8]? {
    if input.isEmpty { return path }
    if path == input { return [] }
    let prefix = input + [UInt8(ascii: "/")]
    return path.starts(with: prefix) ? Array(path.dropFirst(prefix.count)) : nil
  }
}
