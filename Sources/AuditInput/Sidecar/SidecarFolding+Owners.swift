import AuditCore

/// Which entry a sidecar belongs to.
extension SidecarFolding {
  /// The record of a name: equal bytes first, then the same text in another Unicode form.
  mutating func find(_ name: UnsafeBufferPointer<UInt8>) -> Int? {
    let fileCount = directory.fileCount
    if let index = search(name, in: 0..<fileCount) ?? search(name, in: fileCount..<directory.count)
    {
      return taken.contains(index, sorted: true) ? nil : index
    }
    guard name.contains(where: { $0 >= 0x80 }), let text = String(validating: name, as: UTF8.self),
      let index = canonicalNames[text], index >= 0
    else { return nil }
    return taken.contains(index, sorted: true) ? nil : index
  }

  private func search(_ name: UnsafeBufferPointer<UInt8>, in range: Range<Int>) -> Int? {
    var low = range.lowerBound
    var high = range.upperBound
    while low < high {
      let middle = (low + high) / 2
      let other = directory.name(directory.records[middle])
      if other.lexicographicallyPrecedes(name) { low = middle + 1 } else { high = middle }
    }
    guard low < range.upperBound, directory.name(directory.records[low]).elementsEqual(name) else {
      return nil
    }
    return low
  }

  /// Names outside ASCII by their text: Swift's strings are equal when NFC and NFD forms are the
  /// same text, which is what is wanted here and nowhere else. Negative where two names are.
  static func canonicalNames(of directory: Directory) -> [String: Int] {
    var names: [String: Int] = [:]
    for index in 0..<directory.count {
      let name = directory.name(directory.records[index])
      guard name.contains(where: { $0 >= 0x80 }), !SidecarName.isAppleDouble(name),
        let text = String(validating: name, as: UTF8.self)
      else { continue }
      names[text] = names[text] == nil ? index : -1
    }
    return names
  }
}

extension [Int] {
  /// Whether an ascending array holds a number.
  func contains(_ number: Int, sorted: Bool) -> Bool {
    var low = 0
    var high = count
    while low < high {
      let middle = (low + high) / 2
      if self[middle] < number { low = middle + 1 } else { high = middle }
    }
    return low < count && self[low] == number
  }
}
