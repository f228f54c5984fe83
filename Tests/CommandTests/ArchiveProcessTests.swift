import Foundation
import TestSupport
import Testing

/// Archives are read in a process of their own: whatever becomes of it, the run says so and goes on.
@Suite struct ArchiveProcessTests {
  private let place: TemporaryDirectory
  private let good: String

  init() throws {
    place = try TemporaryDirectory()
    good = try place.file("good.tar", Self.tar(["a.txt"]))
  }

  private func run(_ script: String, _ arguments: [String]) throws -> Command.Result {
    var command = Command("/bin/sh", ["-c", script, Audit.binary] + arguments)
    command.timeout = 300
    return try command.run()
  }

  /// libarchive before 3.7.5 never returns from a table of contents that names an original twice.
  @Test func aReaderThatGetsNoFurtherIsEnded() throws {
    let link = "<type link=\"original\">hardlink</type>"
    let contents = """
      <?xml version="1.0"?><xar><toc><checksum style="none"><offset>0</offset><size>0</size>\
      </checksum><file id="1"><name>a</name>\(link)\(link)<mode>0644</mode></file>\
      <file id="2"><name>b</name><type link="9">hardlink</type><mode>0644</mode></file></toc></xar>
      """
    let xar = try place.file("loop.xar", Self.xar(Array(contents.utf8)))
    var command = Audit.command(["-q", "-f", "json", "--allow-empty", xar, good])
    // Seconds of processor time are many more where everything is tested at once.
    command.timeout = 300
    let result = try command.run()
    #expect(result.status == 2)
    let report = try Report(result.output)
    #expect(report.inputs.count == 2)
    #expect(!report.inputs[0].errors.isEmpty)
    #expect(report.inputs[1].errors.isEmpty && report.inputs[1].files.count == 1)
  }

  /// A process without room for what it has to hold dies; nothing that it did not say passes.
  @Test func aReaderThatDiesIsAnError() throws {
    let names = (0..<20_000).map { "\(String(repeating: "n", count: 80))\($0)" }
    let big = try place.file("big.tar", Self.tar(names))
    // What the program itself needs is not known here: the first limit at which it ends by itself.
    for megabytes in [60, 100, 140] {
      let result = try run(
        "ulimit -c 0; ulimit -v \(megabytes)000; \"$0\" \"$@\"",
        ["-q", "-j", "1", "-f", "csv", big])
      #expect(result.status != 0, "\(megabytes) MB")
      if result.status == 1 { #expect(result.output.split(separator: 0x0A).count == 20_001) }
    }
  }

  /// The reader is gone when the run is, and no descriptor of the caller's reaches it.
  @Test(arguments: ["INT", "TERM", "KILL"]) func noReaderIsLeft(_ signal: String) throws {
    let script = """
      cd \(place.text); mkfifo hold; exec 3<>hold
      "$0" -q -f csv -o out.csv - <hold >/dev/null 2>&1 &
      pid=$!; n=0
      while [ -z "$(cat /proc/$pid/task/*/children 2>/dev/null)" ] && [ $n -lt 300 ]; do
        sleep 0.02; n=$((n + 1))
      done
      child=$(cat /proc/$pid/task/*/children); child=${child% }
      ls /proc/$child/fd | tr '\\n' ' '
      kill -\(signal) $pid
      n=0; while [ -d /proc/$child ] && [ $n -lt 300 ]; do sleep 0.02; n=$((n + 1)); done
      kill -KILL $pid 2>/dev/null
      [ -d /proc/$child ] && echo left || echo gone
      """
    // Without job control a background program ignores INT: then it is the last KILL that ends it.
    let result = try run(script, [])
    let words = result.outputText.split(whereSeparator: \.isWhitespace).map(String.init)
    #expect(words.dropLast() == ["0", "1", "2"], "\(result.outputText)")
    if signal != "INT" { #expect(words.last == "gone", "\(result.outputText)") }
  }

  /// Files, the first of which shows that attributes were kept.
  private static func tar(_ names: [String]) -> [UInt8] {
    var spec = TreeSpec()
    for (index, name) in names.enumerated() {
      var entry = TreeSpec.Entry(.file, Array(name.utf8))
      if index == 0 {
        entry.attributes = [.init(Array("com.apple.metadata:_kMDItemUserTags".utf8), [1])]
      }
      spec.entries.append(entry)
    }
    return spec.tar()
  }

  private static func xar(_ contents: [UInt8]) -> [UInt8] {
    // A zlib stream of one stored block (RFC 1950, RFC 1951).
    var packed: [UInt8] = [0x78, 0x01, 0x01]
    let count = UInt16(contents.count)
    for number in [count, ~count] { packed += [UInt8(number & 255), UInt8(number >> 8)] }
    packed += contents
    var (a, b): (UInt32, UInt32) = (1, 0)
    for byte in contents {
      a = (a + UInt32(byte)) % 65_521
      b = (b + a) % 65_521
    }
    let sum = b << 16 | a
    func big<Number: FixedWidthInteger>(_ number: Number) -> [UInt8] {
      withUnsafeBytes(of: number.bigEndian) { Array($0) }
    }
    packed += big(sum)
    return Array("xar!".utf8) + big(UInt16(28)) + big(UInt16(1)) + big(UInt64(packed.count))
      + big(UInt64(contents.count)) + big(UInt32(0)) + packed
  }
}
