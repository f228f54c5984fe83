import Foundation

/// What the repository keeps of the program's words: snapshots, generated pages, measured tables.
///
/// After a change on purpose, run the tests with `AUDIT_RECORD=1` and read the difference in the
/// version control. Such a run fails wherever it wrote something, so that no build server can be
/// left recording, where every comparison would hold.
package enum Recording {
  /// Whether this run writes what the others compare.
  package static let isOn = getenv("AUDIT_RECORD").map { String(cString: $0) == "1" } ?? false

  /// A file was written instead of compared.
  package struct Written: Error, CustomStringConvertible {
    let file: String

    package var description: String {
      "\(file) was recorded, not compared: run again without AUDIT_RECORD"
    }
  }

  /// Gives the text that the file keeps; while recording, writes `text` and throws.
  package static func kept(in file: URL, for text: @autoclosure () throws -> String) throws
    -> String
  {
    if isOn {
      try Data(text().utf8).write(to: file, options: .atomic)
      throw Written(file: file.lastPathComponent)
    }
    return try String(decoding: Data(contentsOf: file), as: UTF8.self)
  }
}
