#if canImport(Darwin)
  import Darwin
#else
  import Glibc
#endif

extension Platform {
  /// The symbolic name of an error number that the library's calls can give.
  static func errorName(_ code: Int32) -> String {
    switch code {
    case EPERM: "EPERM"
    case ENOENT: "ENOENT"
    case EIO: "EIO"
    case E2BIG: "E2BIG"
    case ENOMEM: "ENOMEM"
    case EACCES: "EACCES"
    case EEXIST: "EEXIST"
    case ENOTDIR: "ENOTDIR"
    case EISDIR: "EISDIR"
    case EINVAL: "EINVAL"
    case EMFILE: "EMFILE"
    case ENFILE: "ENFILE"
    case ENOSPC: "ENOSPC"
    case EROFS: "EROFS"
    case ERANGE: "ERANGE"
    case ELOOP: "ELOOP"
    case ENAMETOOLONG: "ENAMETOOLONG"
    case EDQUOT: "EDQUOT"
    case ESTALE: "ESTALE"
    case ENOTSUP: "ENOTSUP"
    case noAttribute: noAttributeName
    default: "errno \(code)"
    }
  }
}
