import AuditCore

/// The order of a walk while it is being read by several threads.
///
/// A doubly linked list of slots stands in the report's order. A slot is a run of things still to
/// be read (subdirectories of one directory, or slices of a large one), one thing being read, or
/// one that is ready. Reading takes the first thing of the first run; what it finds is inserted
/// right behind it. The consumer takes ready slots from the front. So memory is bounded by the
/// budget for ready slots and by the directories on the way down, not by the tree.
///
/// All of it is used with the walk's lock held, but for a slot that is being read: its reader fills
/// it in without the lock.
struct ReadAhead {
  final class Slot {
    enum Work {
      /// Subdirectories `next..<end` (record indices) of a directory.
      case children(OpenDirectory, next: Int, end: Int)
      /// Entries `next..<end` of a large directory, handed out in slices.
      case entries(OpenDirectory, next: Int, end: Int)
      /// Subdirectories that one reader has set aside.
      case reserved(OpenDirectory, next: Int, end: Int)
      /// Taken by a reader.
      case reading
      /// To be consumed.
      case ready
    }

    var work: Work
    /// What is to be consumed once the slot is ready; nil if there is nothing to tell.
    var batch: Batch?
    /// What the batch weighs in memory, in bytes.
    var weight = 0
    /// What was found and is still to be read: the entries of a large directory.
    var entries: Slot?
    /// What was found and is still to be read: subdirectories.
    var children: Slot?
    /// Who read it.
    var reader = 0
    var next: Slot?
    unowned(unsafe) var previous: Slot?
    var nextRun: Slot?
    unowned(unsafe) var previousRun: Slot?

    init(_ work: Work) { self.work = work }

    var isReady: Bool {
      if case .ready = work { true } else { false }
    }

    var isRun: Bool {
      switch work {
      case .children, .entries: true
      case .reserved, .reading, .ready: false
      }
    }
  }

  /// What is handed to the consumer in one piece.
  struct Batch {
    var open: OpenDirectory
    /// Whether the directory starts here.
    var isStart: Bool
    /// Entries whose attributes have been read.
    var run: DirectoryReader.Run?
  }

  /// One thing to read.
  enum Task {
    case child(OpenDirectory, Int)
    case entries(OpenDirectory, Range<Int>)
  }

  private(set) var head: Slot?
  private var tail: Slot?
  private var firstRun: Slot?
  private var lastRun: Slot?
  /// The weight of ready slots that were not consumed yet, in bytes.
  private(set) var backlog = 0
  let budget: Int

  /// How many entries of a large directory are read at a time.
  static let slice = 512
  /// How many subdirectories a reader sets aside at most.
  static let neighbours = 8

  init(budget: Int) { self.budget = budget }

  var isEmpty: Bool { head == nil }

  /// Puts the first slot in, filled.
  mutating func start(_ slot: Slot) {
    head = slot
    tail = slot
    finish(slot)
  }

  /// Takes the next thing to read, with its slot; nil if there is none, or the budget is spent.
  ///
  /// - Parameters:
  ///   - reserved: what this reader has set aside and reads first.
  ///   - workers: the number of readers.
  mutating func take(_ reserved: inout Slot?, reader: Int, workers: Int) -> (Task, Slot)? {
    let run: Slot
    if backlog > budget {
      guard let head, head === reserved || head === firstRun else { return nil }
      run = head
    } else {
      if reserved == nil { reserved = reserve(workers) }
      guard let first = reserved ?? firstRun else { return nil }
      run = first
    }
    let task: Task
    let isLast: Bool
    switch run.work {
    case .children(let open, let next, let end):
      task = .child(open, next)
      isLast = next + 1 == end
      run.work = .children(open, next: next + 1, end: end)
    case .reserved(let open, let next, let end):
      task = .child(open, next)
      isLast = next + 1 == end
      run.work = .reserved(open, next: next + 1, end: end)
    case .entries(let open, let next, let end):
      let stop = min(next + Self.slice, end)
      task = .entries(open, next..<stop)
      isLast = stop == end
      run.work = .entries(open, next: stop, end: end)
    case .reading, .ready: return nil
    }
    if isLast {
      if run === reserved { reserved = nil } else { unlinkRun(run) }
      run.work = .reading
      run.reader = reader
      return (task, run)
    }
    let slot = Slot(.reading)
    slot.reader = reader
    insert(slot, before: run)
    return (task, slot)
  }

  /// Sets neighbours aside for one reader.
  ///
  /// Who reads a directory should hand it to the consumer, too: its names are in that processor's
  /// cache, and its memory goes back to where it came from. With neighbours that is so for many
  /// directories in a row, and the consumer's own state changes processors less often.
  private mutating func reserve(_ workers: Int) -> Slot? {
    guard let run = firstRun, case .children(let open, let next, let end) = run.work else {
      return nil
    }
    let share = min((end - next) / workers, Self.neighbours)
    // The last part stays in the run, so that it need not be unlinked.
    guard workers > 1, share > 1 else { return nil }
    run.work = .children(open, next: next + share, end: end)
    let reserved = Slot(.reserved(open, next: next, end: next + share))
    insert(reserved, before: run)
    return reserved
  }

  /// A reader is done: what it read becomes ready, and what it found is to be read next.
  mutating func finish(_ slot: Slot) {
    slot.work = .ready
    backlog += slot.weight
    guard slot.entries != nil || slot.children != nil else { return }
    var follower = slot.next
    while let other = follower, !other.isRun { follower = other.next }
    // The later one first: each goes right behind the slot.
    if let run = slot.children {
      insert(run, after: slot)
      linkRun(run, before: follower)
      follower = run
      slot.children = nil
    }
    if let run = slot.entries {
      insert(run, after: slot)
      linkRun(run, before: follower)
      slot.entries = nil
    }
  }

  /// Takes ready slots from the front, at most `count`: a chain from the first to the last.
  ///
  /// - Parameter reader: only what it has read is taken, unless much has piled up.
  mutating func takeReady(_ count: Int, of reader: Int?) -> Slot? {
    let reader = backlog > budget / 2 ? nil : reader
    guard let first = head, first.isReady, reader == nil || first.reader == reader else {
      return nil
    }
    var last = first
    var taken = 1
    backlog -= first.weight
    while taken < count, let next = last.next, next.isReady,
      reader == nil || next.reader == reader
    {
      last = next
      taken += 1
      backlog -= next.weight
    }
    head = last.next
    last.next?.previous = nil
    if head == nil { tail = nil }
    last.next = nil
    return first
  }

  private mutating func insert(_ slot: Slot, before other: Slot) {
    slot.previous = other.previous
    slot.next = other
    if let previous = other.previous { previous.next = slot } else { head = slot }
    other.previous = slot
  }

  private mutating func insert(_ slot: Slot, after other: Slot) {
    slot.previous = other
    slot.next = other.next
    if let next = other.next { next.previous = slot } else { tail = slot }
    other.next = slot
  }

  private mutating func linkRun(_ run: Slot, before other: Slot?) {
    run.nextRun = other
    run.previousRun = other?.previousRun ?? (other == nil ? lastRun : nil)
    if let previous = run.previousRun { previous.nextRun = run } else { firstRun = run }
    if let other { other.previousRun = run } else { lastRun = run }
  }

  private mutating func unlinkRun(_ run: Slot) {
    if let previous = run.previousRun {
      previous.nextRun = run.nextRun
    } else {
      firstRun = run.nextRun
    }
    if let next = run.nextRun {
      next.previousRun = run.previousRun
    } else {
      lastRun = run.previousRun
    }
    run.nextRun = nil
    run.previousRun = nil
  }
}
