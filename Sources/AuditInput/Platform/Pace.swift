#if canImport(Darwin)
  import Darwin
#else
  import Glibc
#endif

/// How busy the process was, and whether it read from a disk, since the last look.
struct Pace {
  struct Look {
    /// Processor time over elapsed time: 2 means that two processors were busy.
    var busy: Double
    /// Blocks that came from a disk.
    var blocksRead: Int
  }

  /// Looks closer to each other than this are not taken.
  private static let interval = 0.004
  private var last = Pace.now
  private var lastUsage = Pace.usage

  /// Looks, if enough time has gone by.
  mutating func look() -> Look? {
    let now = Self.now
    guard now - last >= Self.interval else { return nil }
    let usage = Self.usage
    let look = Look(
      busy: (usage.seconds - lastUsage.seconds) / (now - last),
      blocksRead: usage.blocksRead - lastUsage.blocksRead)
    last = now
    lastUsage = usage
    return look
  }

  private static var now: Double {
    var time = timespec()
    clock_gettime(CLOCK_MONOTONIC, &time)
    return Double(time.tv_sec) + Double(time.tv_nsec) / 1e9
  }

  /// `getrusage`: processor time and blocks read by the process so far.
  private static var usage: (seconds: Double, blocksRead: Int) {
    var usage = rusage()
    #if canImport(Darwin)
      getrusage(RUSAGE_SELF, &usage)
    #else
      getrusage(__rusage_who_t(RUSAGE_SELF.rawValue), &usage)
    #endif
    let seconds = usage.ru_utime.tv_sec + usage.ru_stime.tv_sec
    let micros = Int(usage.ru_utime.tv_usec) + Int(usage.ru_stime.tv_usec)
    return (Double(seconds) + Double(micros) / 1e6, Int(usage.ru_inblock))
  }
}
