extension ByteWriter {
  /// Appends sentences of our own as XML or HTML text or as a quoted attribute value.
  ///
  /// Unlike a name, a sentence keeps its backslashes and line breaks: names inside it were made
  /// visible when it was written. What XML 1.0 cannot hold becomes U+FFFD all the same.
  func appendMarkup(_ text: String) {
    var text = text
    text.withUTF8 { bytes in
      var cursor = reserve(6 * bytes.count)
      cursor.putMarkup(bytes)
      commit(cursor)
    }
  }
}

extension Cursor {
  /// Puts valid UTF-8 as markup; needs six times the room.
  fileprivate mutating func putMarkup(_ bytes: UnsafeBufferPointer<UInt8>) {
    guard var from = bytes.baseAddress else { return }
    let end = from + bytes.count
    while from < end {
      let step = UTF8Step(from, available: end - from)
      switch step.scalar {
      case 0x26: put("&amp;")
      case 0x3C: put("&lt;")
      case 0x3E: put("&gt;")
      case 0x22: put("&quot;")
      case 0x27: put("&#39;")
      // A line break within an attribute value would be read as a space.
      case 0x0A: put("&#10;")
      case 0x09: put("&#9;")
      case let scalar? where !UTF8Step.isTreacherous(scalar): put(from, step.count)
      default: putReplacement()
      }
      from += step.count
    }
  }
}
