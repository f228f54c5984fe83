import AuditCore
import Synchronization

/// Walks a directory tree with several threads and hands it to one consumer in a fixed order.
///
/// Every thread reads directories ahead and, where it can, hands on what it read itself. The consumer
/// is never called by two threads at once, and what it gets does not depend on how many there are.
public final class TreeWalk: @unchecked Sendable {
  /// Gets the tree in the report's order.
  public protocol Consumer: AnyObject {
    /// A directory starts. Its entries follow, then its subdirectories.
    func enter(_ directory: Directory) throws
    /// A run of entries that are not directories.
    func classify(_ directory: Directory, _ range: Range<Int>) throws
  }

  /// How a tree is walked.
  public struct Options: Sendable {
    /// The number of threads that read, at least one.
    public var jobs = 1
    /// Up to how many threads read once the walk is seen to wait for a disk; not more than `jobs`
    /// means that it never adapts.
    public var jobsWhileWaiting = 1
    /// Once so many entries have been found, sizes are asked only of marked and covered files.
    public var sizesOfAllUpTo = Int.max
    /// The defaults.
    public init() {}
  }

  private let options: Options
  private let root: Handle
  private let rootPath: [UInt8]
  private let monitor = Monitor()
  private var order = ReadAhead(budget: 256 << 10)
  private var mounts: [Mount]
  private var isConsuming = false
  private var failure: (any Error)?
  private var waiting = 0
  private let found = Atomic(0)
  private var workers: [Worker] = []
  private var pace = Pace()
  private unowned let consumer: any Consumer
  /// Called now and then with the number of entries found, by the consuming thread.
  private let progress: ((Int) -> Void)?

  /// Prepares a walk of an open directory.
  ///
  /// - Parameters:
  ///   - directory: an open descriptor, closed when the walk is gone.
  public init(
    directory: Int32, options: Options, consumer: any Consumer,
    progress: ((Int) -> Void)? = nil
  ) {
    self.options = options
    self.consumer = consumer
    self.progress = progress
    root = Handle(directory)
    rootPath = System.path(of: directory)
    // The caller asked the same of it a moment ago, and said so if there was no answer.
    var status = OpenStatus()
    _ = System.status(directory, &status)
    mounts = [Mount(open: root, device: status.device)]
  }

  /// Whether the tree was so large that sizes were asked of some files only.
  public var askedFewerSizes: Bool {
    found.load(ordering: .relaxed) > options.sizesOfAllUpTo
  }

  /// The mounted file system of the root.
  public var rootLayer: Layer { mounts[0].layer }

  /// Walks it. Throws what the consumer throws; what cannot be read becomes a problem in the
  /// directory it belongs to.
  public func run() throws {
    let reader = DirectoryReader()
    readRoot(reader)
    monitor.lock()
    for _ in 1..<max(options.jobs, 1) { startWorker() }
    monitor.unlock()
    work(reader, 0)
    // Nobody starts a worker any more: there is nothing left to consume.
    for worker in workers { worker.join() }
    if let failure { throw failure }
  }

  /// Starts one more thread; where the system refuses it, the others do the work.
  private func startWorker() {
    let number = workers.count + 1
    if let worker = Worker({ self.work(DirectoryReader(), number) }) { workers.append(worker) }
  }

  /// Adds threads while the walk waits for a disk; called with the lock held.
  ///
  /// More threads than processors hide the disk's latency when nothing is cached, and cost a
  /// seventh of the time when everything is. So the walk starts with as many as there are
  /// processors and looks, every few milliseconds, whether blocks came from a disk and the
  /// processors were idle meanwhile.
  private func adapt() {
    guard workers.count + 1 < options.jobsWhileWaiting, !order.isEmpty, failure == nil,
      let look = pace.look()
    else { return }
    let running = workers.count + 1
    // A directory or inode that is not cached costs eight blocks; a stray one means nothing.
    if look.blocksRead >= 64 && look.busy < 0.5 * Double(min(running, options.jobs)) {
      for _ in 0..<min(running, options.jobsWhileWaiting - running) { startWorker() }
    }
  }

  private func readRoot(_ reader: DirectoryReader) {
    var record = EntryRecord()
    record.kind = .directory
    var detail: EntryDetail?
    reader.ownAttributes(root, path: [], record: &record, detail: &detail, mount: mounts[0])
    let open = reader.readNames(
      root, path: [], own: record, ownDetail: detail, mount: mounts[0], isCovered: false,
      parent: nil, rootPath: rootPath)
    open.directory.device = mounts[0].device
    open.directory.mountedLayer = mounts[0].layer
    let slot = ReadAhead.Slot(.reading)
    readEntries(open, root, reader, slot)
    order.start(slot)
  }

  // MARK: - The loop of every thread

  private func work(_ reader: DirectoryReader, _ number: Int) {
    var reserved: ReadAhead.Slot?
    monitor.lock()
    while failure == nil && !order.isEmpty {
      if let ready = takeReady(of: number) {
        consume(ready)
      } else if let (task, slot) = order.take(
        &reserved, reader: number, workers: workers.count + 1)
      {
        monitor.unlock()
        perform(task, reader, slot)
        monitor.lock()
        order.finish(slot)
      } else if let ready = takeReady(of: nil) {
        consume(ready)
      } else {
        waiting += 1
        monitor.wait()
        waiting -= 1
        continue
      }
      if waiting > 0 { monitor.wakeAll() }
    }
    monitor.wakeAll()
    monitor.unlock()
  }

  private func takeReady(of number: Int?) -> ReadAhead.Slot? {
    isConsuming ? nil : order.takeReady(64, of: number)
  }

  /// Consumes a chain of slots; called with the lock held, and gives it up meanwhile.
  private func consume(_ first: ReadAhead.Slot) {
    isConsuming = true
    monitor.unlock()
    let error = handOn(first)
    monitor.lock()
    isConsuming = false
    failure = failure ?? error
    adapt()
  }

  /// Hands a chain of slots to the consumer, and takes it apart, so that no chain is too long for
  /// the stack when it is released.
  private func handOn(_ first: ReadAhead.Slot) -> (any Error)? {
    var next: ReadAhead.Slot? = first
    var failure: (any Error)?
    while let slot = next {
      next = slot.next
      slot.next = nil
      guard failure == nil, let batch = slot.batch else { continue }
      do { try handOn(batch) } catch { failure = error }
    }
    progress?(found.load(ordering: .relaxed))
    return failure
  }

  private func handOn(_ batch: ReadAhead.Batch) throws {
    let directory = batch.open.directory
    if batch.isStart { try consumer.enter(directory) }
    guard let run = batch.run else { return }
    directory.vanished += run.gone.count
    directory.adopt(run.details, in: run.range, numberedFrom: DirectoryReader.newDetails)
    try run.forEachPresent { try consumer.classify(directory, $0) }
  }

  private func perform(
    _ task: ReadAhead.Task, _ reader: DirectoryReader, _ slot: ReadAhead.Slot
  ) {
    switch task {
    case .entries(let open, let range):
      guard let handle = open.handle else { return }
      let run = reader.readEntries(open, range, handle, questions)
      slot.batch = ReadAhead.Batch(open: open, isStart: false, run: run)
      slot.weight = range.count * 64
    case .child(let parent, let index): readChild(parent, index, reader, slot)
    }
  }

  private var questions: TreeQuestions {
    TreeQuestions(sizesOfAll: found.load(ordering: .relaxed) <= options.sizesOfAllUpTo)
  }

  // MARK: - Reading a subdirectory

  private func readChild(
    _ parent: OpenDirectory, _ index: Int, _ reader: DirectoryReader, _ slot: ReadAhead.Slot
  ) {
    let directory = parent.directory
    var record = directory.records[index]
    let path = Bytes.join(directory.path, directory.name(record))
    var detail = record.detail >= 0 ? parent.sidecarDetails[Int(record.detail)] : nil
    record.detail = -1
    switch DirectoryOpener(root: root).open(parent, record, path) {
    case .gone:
      vanished.wrappingAdd(1, ordering: .relaxed)
    case .failed(let code):
      let closed = Directory(path: path, own: record)
      if let handle = parent.handle {
        let name = UnsafeRawPointer(directory.arena + Int(record.nameOffset))
          .assumingMemoryBound(to: CChar.self)
        reader.ownAttributes(
          handle, name, path: path, record: &record, detail: &detail, mount: parent.mount)
      }
      closed.own = record
      closed.ownDetail = detail
      closed.problems.append(ErrorText.problem(path, "open", code))
      let open = OpenDirectory(closed, nil, parent.mount, isCovered: false)
      slot.batch = ReadAhead.Batch(open: open, isStart: true, run: nil)
      slot.weight = 256
    case .opened(let handle, let device):
      let mount = device.map { self.mount($0, handle) } ?? parent.mount
      reader.ownAttributes(
        handle, path: path, record: &record, detail: &detail, mount: mount)
      let open = reader.readNames(
        handle, path: path, own: record, ownDetail: detail, mount: mount,
        isCovered: parent.isCovered, parent: parent)
      if device != nil {
        open.directory.device = mount.device
        open.directory.mountedLayer = mount.layer
      }
      readEntries(open, handle, reader, slot)
    }
  }

  /// Reads the entries of a small directory at once and plans slices of a large one.
  private func readEntries(
    _ open: OpenDirectory, _ handle: Handle, _ reader: DirectoryReader, _ slot: ReadAhead.Slot
  ) {
    let directory = open.directory
    found.wrappingAdd(directory.count, ordering: .relaxed)
    var run: DirectoryReader.Run?
    if directory.fileCount > DirectoryReader.sliceThreshold {
      slot.entries = ReadAhead.Slot(.entries(open, next: 0, end: directory.fileCount))
    } else if directory.fileCount > 0 {
      run = reader.readEntries(open, 0..<directory.fileCount, handle, questions)
    }
    if directory.directoryCount > 0 {
      slot.children = ReadAhead.Slot(
        .children(open, next: directory.fileCount, end: directory.count))
    }
    if slot.entries == nil { open.release(isNeeded: slot.children != nil) }
    slot.batch = ReadAhead.Batch(open: open, isStart: true, run: run)
    slot.weight = 256 + directory.path.count + directory.fileCount * 80
  }

  /// Directories that were gone when their turn came.
  public var vanishedDirectories: Int { vanished.load(ordering: .relaxed) }
  private let vanished = Atomic(0)

  /// The mount of a device, probed once.
  private func mount(_ device: UInt64, _ handle: Handle) -> Mount {
    monitor.lock()
    defer { monitor.unlock() }
    if let known = mounts.first(where: { $0.device == device }) { return known }
    let new = Mount(open: handle, device: device)
    mounts.append(new)
    return new
  }
}
