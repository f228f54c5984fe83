// What the SDK's Swift overlay of Darwin adds: variadic calls, and errno, which is a macro in C.
// Compiled into each checked module; never run.
import Darwin

var errno: Int32 {
  get { 0 }
  set {}
}

func open(_ path: UnsafePointer<CChar>, _ flags: Int32) -> Int32 { -1 }
func open(_ path: UnsafePointer<CChar>, _ flags: Int32, _ mode: mode_t) -> Int32 { -1 }
func openat(_ fd: Int32, _ path: UnsafePointer<CChar>, _ flags: Int32) -> Int32 { -1 }
func openat(
  _ fd: Int32, _ path: UnsafePointer<CChar>, _ flags: Int32, _ mode: mode_t
) -> Int32 { -1 }
func fcntl(_ fd: Int32, _ command: Int32) -> Int32 { -1 }
func fcntl(_ fd: Int32, _ command: Int32, _ value: Int32) -> Int32 { -1 }
func fcntl(_ fd: Int32, _ command: Int32, _ pointer: UnsafeMutableRawPointer) -> Int32 { -1 }
func ioctl(_ fd: Int32, _ request: UInt, _ pointer: UnsafeMutableRawPointer) -> Int32 { -1 }
var TIOCGWINSZ: UInt { 0x4008_7468 }

var CLOCK_REALTIME: clockid_t { _CLOCK_REALTIME }
var CLOCK_MONOTONIC: clockid_t { _CLOCK_MONOTONIC }

var CLOCK_PROCESS_CPUTIME_ID: clockid_t { _CLOCK_PROCESS_CPUTIME_ID }
var environ: UnsafeMutablePointer<UnsafeMutablePointer<CChar>?> { fatalError() }

var SIG_DFL: sig_t? { nil }
var SIG_IGN: sig_t { { _ in } }
