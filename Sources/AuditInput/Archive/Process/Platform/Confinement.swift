#if canImport(Darwin)
  import Darwin
#else
  import CKernel
  import Glibc
#endif

/// What a process gives up before it reads a stranger's archive.
///
/// No new descriptor can be made any more, so no file is opened and no network reached; on Linux
/// Landlock refuses the file system besides, where the kernel has it. Memory has an end. The kernel
/// ends the process after 4 s of its own processor time without progress.
enum Confinement {
  /// Seconds of processor time within which something has to come of it.
  static let patience = 4
  /// Bytes of address space: some 250 MB are needed for a million members.
  static let memory = 4 << 30

  // The reader's process has one thread.
  nonisolated(unsafe) private static var isEntered = false
  nonisolated(unsafe) private static var furthest = FurthestRead()
  nonisolated(unsafe) private static var lastSecond = -1

  /// Enters for good. Libraries must be loaded by now; what they load late is loaded here.
  static func enter() {
    #if !canImport(Darwin)
      // Nobody is left to read the result once the other side is gone.
      _ = ck_die_with_parent()
      // Character sets are files; asking for them once keeps them.
      _ = newlocale(CInt(LC_CTYPE_MASK), "C.UTF-8", nil)
      _ = ck_refuse_privileges()
      _ = ck_refuse_files()
    #endif
    signal(SIGPIPE, SIG_DFL)
    // Whoever started the program from a thread that blocks signals hands that on.
    var none = sigset_t()
    sigemptyset(&none)
    sigprocmask(SIG_SETMASK, &none, nil)
    signal(SIGXCPU, SIG_DFL)
    limit(core: 0)
    isEntered = true
    madeProgress()
  }

  private static func limit(core: rlim_t) {
    #if canImport(Darwin)
      let (noCore, noFiles, space) = (RLIMIT_CORE, RLIMIT_NOFILE, RLIMIT_AS)
    #else
      let (noCore, noFiles, space) = (
        __rlimit_resource_t(4), __rlimit_resource_t(7), __rlimit_resource_t(9)
      )
    #endif
    var none = rlimit(rlim_cur: core, rlim_max: core)
    setrlimit(noCore, &none)
    // Descriptors that are open stay so. Without this limit nothing is read: the other side sees an
    // answer without an end.
    if setrlimit(noFiles, &none) != 0 { _exit(70) }
    // A checking build of the program maps terabytes; the limit would end it at once.
    var bounded = rlimit(rlim_cur: rlim_t(memory), rlim_max: rlim_t(memory))
    #if canImport(Darwin)
      setrlimit(space, &bounded)
    #else
      if ck_address_space() < UInt64(memory) / 2 { setrlimit(space, &bounded) }
    #endif
  }

  /// Takes note that bytes were read, at a place of a file or from a pipe.
  static func hasRead(at place: Int64?) {
    if isEntered, furthest.isPassed(by: place) { madeProgress() }
  }

  /// Takes note that something came of the processor time so far: the clock starts anew.
  static func madeProgress() {
    guard isEntered else { return }
    var used = timespec()
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &used)
    let second = Int(used.tv_sec)
    guard second != lastSecond else { return }
    lastSecond = second
    #if canImport(Darwin)
      let processor = RLIMIT_CPU
    #else
      let processor = __rlimit_resource_t(0)
    #endif
    var bounded = rlimit()
    getrlimit(processor, &bounded)
    bounded.rlim_cur = min(rlim_t(second + patience), bounded.rlim_max)
    if setrlimit(processor, &bounded) != 0 { _exit(70) }
  }
}
