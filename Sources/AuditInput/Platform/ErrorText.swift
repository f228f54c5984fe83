import AuditCore

#if canImport(Darwin)
  import Darwin
#else
  import Glibc
#endif

/// Error numbers in words: the one place that knows them.
enum ErrorText {
  /// "Not there" as systems say it for an attribute: an answer, not an error.
  static func isAbsent(_ code: Int) -> Bool {
    #if canImport(Darwin)
      code == Int(ENOATTR) || code == Int(ENODATA)
    #else
      code == Int(ENODATA)
    #endif
  }

  /// "No attributes here" as systems say it.
  static func isUnsupported(_ code: Int) -> Bool {
    code == Int(ENOTSUP) || code == Int(EOPNOTSUPP)
  }

  /// The name was there a moment ago.
  static func isGone(_ code: Int) -> Bool { code == Int(ENOENT) }

  /// Nothing can be there, for there is no directory that could hold it.
  static func isNowhere(_ code: Int) -> Bool { code == Int(ENOENT) || code == Int(ENOTDIR) }

  /// A link stands where links are not followed.
  static func isLink(_ code: Int) -> Bool { code == Int(ELOOP) }

  /// What is opened is a socket, or a device that is not there.
  static func isNoSuchDevice(_ code: Int) -> Bool { code == Int(ENXIO) }

  /// The buffer was too small.
  static func isTooSmall(_ code: Int) -> Bool { code == Int(ERANGE) }

  /// The path would leave the device.
  static func isOtherDevice(_ code: Int) -> Bool { code == Int(EXDEV) }

  /// The kernel, or the sandbox around it, does not know the call.
  static func isNoSuchCall(_ code: Int) -> Bool { code == Int(ENOSYS) || code == Int(EPERM) }

  /// Something else stands where a directory was listed.
  static func isNoDirectory(_ code: Int) -> Bool { code == Int(ENOTDIR) || code == Int(ELOOP) }

  /// The symbolic name.
  static func symbol(_ code: Int) -> String {
    switch Int32(code) {
    case EACCES: "EACCES"
    case EPERM: "EPERM"
    case ENOENT: "ENOENT"
    case ENOTDIR: "ENOTDIR"
    case ELOOP: "ELOOP"
    case EIO: "EIO"
    case EMFILE: "EMFILE"
    case ENFILE: "ENFILE"
    case ENOMEM: "ENOMEM"
    case ENAMETOOLONG: "ENAMETOOLONG"
    case ENOTSUP: "ENOTSUP"
    case ERANGE: "ERANGE"
    case E2BIG: "E2BIG"
    case ESTALE: "ESTALE"
    case EBUSY: "EBUSY"
    case EISDIR: "EISDIR"
    case EINVAL: "EINVAL"
    case ENOSPC: "ENOSPC"
    case ETIMEDOUT: "ETIMEDOUT"
    case ENOTCONN: "ENOTCONN"
    case ENODEV: "ENODEV"
    case ENXIO: "ENXIO"
    case ENODATA: "ENODATA"
    case EOVERFLOW: "EOVERFLOW"
    case EBADF: "EBADF"
    default: "errno \(code)"
    }
  }

  /// What happened and what to do about it.
  static func advice(_ code: Int) -> String {
    switch Int32(code) {
    case EACCES, EPERM:
      "permission denied; run as the owner or with sudo, or fix the permissions of the dump"
    case ENOENT: "there is nothing at this path; check how it is spelled"
    case ENOTDIR: "a part of the path is not a directory"
    case ELOOP: "a symbolic link stands where a directory was listed; links are never followed"
    case EIO: "the disk or its driver reported an error; copy the dump to a sound disk"
    case EMFILE, ENFILE: "too many open files; raise the limit with ulimit -n"
    case ENOMEM: "out of memory"
    case ENAMETOOLONG: "the name is too long for this system"
    case ENOTSUP: "this file system does not support extended attributes"
    case ERANGE, E2BIG: "there are more extended attributes than this system can list"
    case ESTALE, ETIMEDOUT, ENOTCONN: "the network file system went away; copy the dump locally"
    case ENXIO, ENODEV: "this is a special file that cannot be read"
    default: "the system refused"
    }
  }

  /// A file that decides something and is not what it should be.
  static func malformed(_ path: [UInt8], _ why: PropertyList.Malformed) -> InputProblem {
    InputProblem(
      path: path, operation: "read", error: "not-a-property-list",
      message: "\(Shown.text(path)) is no whole property list: \(why.reason); what it would "
        + "decide is unknown, so copy it again")
  }

  /// The absolute path of an input is unknown.
  static func noPath(_ path: [UInt8]) -> InputProblem {
    InputProblem(
      path: path, operation: "open", error: "no-path",
      message: "cannot tell the absolute path of \(path.isEmpty ? "the input" : Shown.text(path)), "
        + "so that what lies above it is unknown; is /proc mounted, and the path not too long?")
  }

  /// A problem with an operation on a path.
  static func problem(_ path: [UInt8], _ operation: String, _ code: Int) -> InputProblem {
    InputProblem(
      path: path, operation: operation, error: symbol(code),
      message: "cannot \(operation) \(path.isEmpty ? "the input" : Shown.text(path)): "
        + "\(advice(code))")
  }
}
