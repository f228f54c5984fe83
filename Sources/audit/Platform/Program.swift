#if canImport(Darwin)
  import Darwin
#endif

/// The running program itself.
enum Program {
  /// Where it can be started again, also after its file was moved or replaced where the system can
  /// tell: `/proc/self/exe` on Linux, `_NSGetExecutablePath` on Apple systems.
  static var path: [UInt8] {
    #if canImport(Darwin)
      var size: UInt32 = 4096
      var buffer = [CChar](repeating: 0, count: Int(size))
      guard _NSGetExecutablePath(&buffer, &size) == 0 else { return [] }
      return buffer.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }
    #else
      return Array("/proc/self/exe".utf8)
    #endif
  }
}
