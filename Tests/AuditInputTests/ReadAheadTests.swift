import TestSupport
import Testing

@testable import AuditCore
@testable import AuditInput

/// The order of a walk, with readers that are played one step at a time in random turns: what
/// threads do, but every failure comes again with its seed.
@Suite struct ReadAheadTests {
  /// A directory of a tree that is only thought of.
  private struct Node {
    var path: [UInt8]
    var files: Int
    var children: [Int]
  }

  @Test(arguments: 0..<200)
  func handsOnEverythingInOrderAndNeverStalls(_ seed: UInt64) throws {
    var random = SeededGenerator(seed: seed)
    let nodes = Self.tree(&random)
    var play = try Play(
      nodes, readers: Int.random(in: 1...5, using: &random),
      budget: [0, 300, 5_000, 1 << 20].randomElement(using: &random) ?? 0)
    try play.run(&random)
    #expect(play.log == Self.wanted(nodes), "seed \(seed)")
  }

  private static func tree(_ random: inout SeededGenerator) -> [Node] {
    var nodes = [Node(path: [], files: 0, children: [])]
    for number in 1..<Int.random(in: 2...120, using: &random) {
      // Mostly wide, with a few levels.
      let parent = Bool.random(using: &random) ? 0 : Int.random(in: 0..<number, using: &random)
      let files = Int.random(in: 0..<6, using: &random) == 0 ? 1300 : 3
      nodes[parent].children.append(number)
      nodes.append(
        Node(
          path: Bytes.join(nodes[parent].path, Array("\(number)".utf8)), files: files,
          children: []))
    }
    return nodes
  }

  /// A directory, its files in runs, its subdirectories: the report's order.
  private static func wanted(_ nodes: [Node], from number: Int = 0) -> [String] {
    let node = nodes[number]
    let name = String(decoding: node.path, as: UTF8.self)
    let runs = stride(from: 0, to: node.files > 1000 ? node.files : 0, by: ReadAhead.slice).map {
      "\(name) \($0..<min($0 + ReadAhead.slice, node.files))"
    }
    return [name] + runs + node.children.flatMap { wanted(nodes, from: $0) }
  }

  private struct Reader {
    var reserved: ReadAhead.Slot?
    var task: (ReadAhead.Task, ReadAhead.Slot)?
  }

  private struct Play {
    let nodes: [Node]
    let mount: Mount
    var numbers: [[UInt8]: Int] = [:]
    var order: ReadAhead
    var readers: [Reader]
    var log: [String] = []

    init(_ nodes: [Node], readers: Int, budget: Int) throws {
      self.nodes = nodes
      let fd = DirectoryOpener.withCString([Bytes.slash]) { System.openInput($0) }
      try #require(fd >= 0)
      mount = Mount(open: Handle(fd), device: 0)
      order = ReadAhead(budget: budget)
      self.readers = Array(repeating: Reader(), count: readers)
      for (number, node) in nodes.enumerated() { numbers[node.path] = number }
      let slot = ReadAhead.Slot(.reading)
      fill(slot, 0)
      order.start(slot)
    }

    mutating func run(_ random: inout SeededGenerator) throws {
      while !order.isEmpty {
        let turns = readers.indices.shuffled(using: &random)
        // One step of the first who can do one; a thread that cannot sleeps until others did one.
        try #require(turns.contains { step($0, &random) }, "nobody can go on")
      }
      #expect(readers.allSatisfy { $0.task == nil && $0.reserved == nil })
      #expect(order.backlog == 0)
    }

    /// What the loop of a thread does in one turn; false where it would sleep.
    private mutating func step(_ number: Int, _ random: inout SeededGenerator) -> Bool {
      if let (task, slot) = readers[number].task {
        switch task {
        case .child(let parent, let index):
          let name = parent.directory.name(parent.directory.records[index])
          fill(slot, numbers[Bytes.join(parent.directory.path, name)] ?? 0)
        case .entries(let open, let range):
          slot.batch = ReadAhead.Batch(
            open: open, isStart: false, run: DirectoryReader.Run(range: range))
          slot.weight = range.count
        }
        #expect(slot.reader == number)
        readers[number].task = nil
        order.finish(slot)
        return true
      }
      if let ready = order.takeReady(3, of: number) {
        consume(ready)
      } else if let next = order.take(
        &readers[number].reserved, reader: number, workers: readers.count)
      {
        readers[number].task = next
      } else if let ready = order.takeReady(3, of: nil) {
        consume(ready)
      } else {
        return false
      }
      return true
    }

    private mutating func consume(_ first: ReadAhead.Slot) {
      var next: ReadAhead.Slot? = first
      while let slot = next {
        next = slot.next
        guard let batch = slot.batch else { continue }
        let name = String(decoding: batch.open.directory.path, as: UTF8.self)
        log.append(batch.isStart ? name : "\(name) \(batch.run?.range ?? 0..<0)")
      }
    }

    private func fill(_ slot: ReadAhead.Slot, _ number: Int) {
      let node = nodes[number]
      let names = node.children.map { Array(Bytes.last(nodes[$0].path)) }
      let count = node.files + names.count
      let directory = Directory(
        path: node.path, own: EntryRecord(), recordCount: count,
        nameBytes: names.reduce(0) { $0 + $1.count })
      directory.fileCount = node.files
      directory.directoryCount = names.count
      var end = 0
      for index in 0..<count {
        var record = EntryRecord()
        if index >= node.files {
          let name = names[index - node.files]
          record.nameOffset = UInt32(end)
          record.nameLength = UInt16(name.count)
          (directory.arena + end).initialize(from: name, count: name.count)
          end += name.count
        }
        (directory.records + index).initialize(to: record)
      }
      let open = OpenDirectory(directory, nil, mount, isCovered: false)
      slot.batch = ReadAhead.Batch(open: open, isStart: true, run: nil)
      slot.weight = 100 + node.files
      if node.files > 1000 {
        slot.entries = ReadAhead.Slot(.entries(open, next: 0, end: node.files))
      }
      if !names.isEmpty {
        slot.children = ReadAhead.Slot(.children(open, next: node.files, end: count))
      }
    }
  }
}
