import AuditCore
import Testing

@testable import AuditReport

@Suite struct JSONReportTests {
  @Test func aReportOfNothing() throws {
    let bytes = try written(JSONReport.init(writer:)) { sink in
      try sink.begin(run: RunInfo(version: "0.0.1"))
      try sink.end(summary: RunSummary())
    }
    #expect(
      text(bytes) == """
        {"schemaVersion":1,
        "tool":{"name":"audit","version":"0.0.1"},
        "inputs":[],
        "summary":{"files":0,"symlinks":0,"specials":0,"directories":0,"containers":0,\
        "counts":{"covered-by-ancestor":0,"self-marked":0,"marked-and-covered":0,"exposed":0,\
        "outside-backup":0,"unknown":0},"bytes":{},\
        "findings":{"error":0,"warning":0,"note":0,"suppressed":0}},
        "complete":true,
        "exitStatus":0,
        "caveat":"The mark is guidance to the backup system, not a guarantee that a file stays \
        out of a backup; the defence at rest is the data-protection class."}

        """)
  }

  @Test func everyMember() throws {
    let lines = text(try written(JSONReport.init(writer:)) { try playSample(to: $0) })
      .split(separator: "\n", omittingEmptySubsequences: false)
    #expect(
      lines[3...10].joined(separator: "\n") == """
        {"path":"Dumps/group.tar","kind":"archive",
        "files":[
        {"path":"loose.bin","type":"file","size":7,"verdict":"exposed","mark":{"form":"empty",\
        "bytes":0}},
        {"path":"pipe","type":"fifo","verdict":"outside-backup",\
        "reason":"a FIFO, socket or device holds no data at rest"},
        {"path":"Documents/app.sqlite-wal","type":"file","size":4152,"verdict":"exposed"},
        {"path":"Documents/link","type":"symlink","size":9,"verdict":"exposed"},
        {"path":"io.example.localonly/a.db","type":"file","size":98304,\
        "verdict":"covered-by-ancestor","ancestor":"io.example.localonly"},
        {"path":"io.example.localonly/b.db","type":"file","size":16,\
        "verdict":"marked-and-covered","ancestor":"io.example.localonly",\
        "mark":{"form":"backupd-plist","bytes":61}}
        """)
    #expect(
      lines[11...20].joined(separator: "\n") == """
        ],
        "format":"pax","evidence":"proven","directories":3,
        "containers":[
        {"path":".","kind":"group","identifier":"group.io.example",\
        "counts":{"covered-by-ancestor":1,"self-marked":0,"marked-and-covered":1,"exposed":2,\
        "outside-backup":0,"unknown":0},"symlinks":1,"specials":1,\
        "bytes":{"covered-by-ancestor":98304,"marked-and-covered":16,"exposed":4159},\
        "markedDirectories":[
        {"path":"io.example.localonly","mark":{"form":"mobile-backup","bytes":22},"files":2,\
        "bytes":98320}
        ]}
        ],
        "findings":[
        {"rule":"exposed-sidecar","severity":"error","path":"Documents/app.sqlite-wal",\
        "message":"The newest rows are exposed.","fix":"Mark the directory.",\
        "fingerprint":"0123456789abcdef0123456789abcdef","source":"Sources/Store.swift:42"},
        {"rule":"exposed-file","severity":"error","path":".","message":"3 files are exposed.",\
        "fix":"Mark a directory.","fingerprint":"00000000000000000000000000000001",\
        "occurrences":3,"suppressed":{"kind":"exception","reason":"reviewed"}}
        """)
  }

  @Test func namesThatAreNotUTF8HaveTheirBytes() throws {
    let bytes = try written(JSONReport.init(writer:)) { sink in
      try sink.begin(run: RunInfo(version: "0.0.1"))
      try sink.begin(input: InputInfo(path: [0xFF], kind: "directory"))
      try add([SampleEntry("n")], in: [0x64, 0xC3], ancestor: nil, to: sink)
      try add(
        [SampleEntry(bytes: [0xE2, 0x82], verdict: .coveredByAncestor)], in: [0x6D],
        ancestor: [0x80], to: sink)
    }
    let lines = text(bytes).split(separator: "\n")
    #expect(
      lines.suffix(4).joined(separator: "\n") == """
        {"path":"\u{FFFD}","pathBytes":"/w==","kind":"directory",
        "files":[
        {"path":"d\u{FFFD}/n","pathBytes":"ZMMvbg==","type":"file","verdict":"exposed"},
        {"path":"m/\u{FFFD}","pathBytes":"bS/igg==","type":"file",\
        "verdict":"covered-by-ancestor","ancestor":"\u{FFFD}","ancestorBytes":"gA=="}
        """)
  }

  @Test func pathsLongerThanTheBufferAreWhole() throws {
    let long = [UInt8](repeating: 0x0A, count: 6_000)
    let path = [UInt8](repeating: 0x64, count: 270_000)
    let bytes = try written(JSONReport.init(writer:)) { sink in
      try sink.begin(run: RunInfo(version: "0.0.1"))
      try sink.begin(input: InputInfo(path: [], kind: "directory"))
      for _ in 0..<4 {
        try add([SampleEntry(bytes: long)], in: path, ancestor: nil, to: sink)
      }
    }
    let line =
      "{\"path\":\"" + String(repeating: "d", count: 270_000) + "/"
      + String(repeating: "\\n", count: 6_000) + "\",\"type\":\"file\",\"verdict\":\"exposed\"}"
    let lines = text(bytes).split(separator: "\n")
    #expect(lines.suffix(4).joined(separator: "\n") == "\(line),\n\(line),\n\(line),\n\(line)")
  }

  @Test func theFirstErrorOfTheDrainIsKept() throws {
    struct Full: Error, Equatable { var call: Int }
    var calls = 0
    let writer = ByteWriter { _ in
      calls += 1
      throw Full(call: calls)
    }
    let sink = JSONReport(writer: writer)
    try sink.begin(run: RunInfo(version: "0.0.1"))
    try sink.begin(input: InputInfo(path: [], kind: "directory"))
    let entries = (0..<3000).map { SampleEntry("entry with a name of some length \($0)") }
    #expect(throws: Full(call: 1)) { for _ in 0..<4 { try add(entries, to: sink) } }
    #expect(throws: Full(call: 1)) { try sink.end(summary: RunSummary()) }
    #expect(calls == 1)
  }
}
