import AuditCore

/// What a file that may be a sidecar turned out to be.
public enum SidecarContent: Sendable {
  /// An ordinary file.
  case ordinary
  /// A sidecar with these attributes.
  case attributes(AttributeSummary)
  /// A sidecar that cannot be read; the text says why.
  case damaged(String)
  /// It could not be read, so that it may be anything.
  case unreadable(InputProblem)

  /// Reads the first bytes of a file called `._something`.
  ///
  /// - Parameter size: The size of the whole file, if `bytes` is only its beginning; at most
  ///   `AppleDouble.headerLimit` bytes are needed.
  public static func appleDouble(
    _ bytes: UnsafeBufferPointer<UInt8>, size: Int? = nil
  ) -> SidecarContent {
    var summary = AttributeSummary()
    // The file itself, even without an attribute, shows that metadata was kept on the way.
    summary.flags = .foreign
    let outcome = AppleDouble.forEachAttribute(in: bytes, size: size) { name, value in
      summary.add(name: name, value: value, rule: .any)
    }
    switch outcome {
    case .notAppleDouble: return .ordinary
    case .damaged(let why): return .damaged(why)
    case .whole:
      if summary.mark.state != .absent { summary.flags.insert(.carried) }
      return .attributes(summary)
    }
  }

  /// Reads the value of the mark from a side file of 7-Zip.
  public static func sevenZipMark(_ value: UnsafeBufferPointer<UInt8>) -> SidecarContent {
    var summary = AttributeSummary()
    summary.flags = [.foreign, .carried]
    summary.mark = AttributeName.mark(value: value, trailingNul: false)
    return .attributes(summary)
  }
}

/// Names that a reader of directories looks out for.
public enum SidecarName {
  /// Whether a name is `._something`.
  public static func isAppleDouble(_ name: UnsafeBufferPointer<UInt8>) -> Bool {
    name.count > 2 && name[0] == 0x2E && name[1] == 0x5F
  }

  /// Whether a file of this name may be a sidecar whose content has to be read.
  public static func needsContent(_ name: UnsafeBufferPointer<UInt8>) -> Bool {
    isAppleDouble(name) || SevenZipSideFile.owner(of: name) != nil
  }

  /// The folder in which Finder's zip archives keep their sidecars.
  public static let macOSX: [UInt8] = Array("__MACOSX".utf8)
}
