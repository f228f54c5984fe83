#if os(Linux)
  import CKernel
#endif

/// How memory is managed, set once at the start.
enum Memory {
  /// Keeps the process small and its threads out of each other's way.
  ///
  /// A directory is allocated by the thread that reads it and freed by the one that consumes it.
  /// With an arena for each thread, glibc locks a foreign one for that, and frees into memory that
  /// the other thread does not use again: an eighth of the time and half a megabyte. Large blocks
  /// go back to the system at once. Numbers: `mallopt(3)`.
  static func tune() {
    #if os(Linux)
      mallopt(M_ARENA_MAX, 1)
      mallopt(M_MMAP_THRESHOLD, 64 * 1024)
      mallopt(M_TRIM_THRESHOLD, 1024 * 1024)
      mallopt(M_TOP_PAD, 64 * 1024)
    #endif
  }
}
