extension Place {
  /// The place of a directory by its container-relative path.
  init(kind: ContainerKind, path: some Collection<UInt8>) {
    self.init(kind: kind)
    guard !path.isEmpty else { return }
    let path = Array(path)
    path.withUnsafeBufferPointer { bytes in
      for name in bytes.split(separator: Bytes.slash) {
        self = child(UnsafeBufferPointer(rebasing: name))
      }
    }
  }
}
