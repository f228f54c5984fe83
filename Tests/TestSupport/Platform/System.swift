// What tests need of the system and spell differently on each one.

#if os(Linux)
  import CAttr
  @_exported import Glibc

  /// The namespace that attributes of unprivileged programs need here.
  private let namespace = Array("user.".utf8)

  /// Whether the command loads libarchive itself, when it needs it.
  package let loadsLibarchive = true

  /// Writes an attribute of an open file or directory; the name is the one a Mac uses.
  package func setAttribute(_ descriptor: Int32, _ name: [UInt8], _ value: [UInt8]) throws {
    let result = (namespace + name).withCString { name in
      value.withUnsafeBytes { fsetxattr(descriptor, name, $0.baseAddress, $0.count, 0) }
    }
    if result != 0 { throw SystemError("fsetxattr", name) }
  }

  /// Reads an attribute of the entry `name` of an open directory, without following a link.
  ///
  /// Returns `nil` where there is no such attribute. Goes through `/proc`, so that the depth of
  /// the directory does not matter.
  package func attribute(
    _ attribute: [UInt8], of name: [UInt8], in directory: Int32
  ) throws -> [UInt8]? {
    let path = Array("/proc/self/fd/\(directory)/".utf8) + name
    return try path.withCString { path in
      try (namespace + attribute).withCString { attribute in
        var value = [UInt8](repeating: 0, count: 65536)
        let size = lgetxattr(path, attribute, &value, value.count)
        if size >= 0 { return Array(value[..<size]) }
        if errno == ENODATA || errno == EOPNOTSUPP || errno == EPERM { return nil }
        throw SystemError("lgetxattr", name)
      }
    }
  }
#else
  @_exported import Darwin

  /// Whether the command loads libarchive itself, when it needs it.
  package let loadsLibarchive = false

  /// Writes an attribute of an open file or directory; the name is the one a Mac uses.
  package func setAttribute(_ descriptor: Int32, _ name: [UInt8], _ value: [UInt8]) throws {
    let result = name.withCString { name in
      value.withUnsafeBytes { fsetxattr(descriptor, name, $0.baseAddress, $0.count, 0, 0) }
    }
    if result != 0 { throw SystemError("fsetxattr", name) }
  }

  /// Reads an attribute of the entry `name` of an open directory, without following a link.
  ///
  /// Returns `nil` where there is no such attribute.
  package func attribute(
    _ attribute: [UInt8], of name: [UInt8], in directory: Int32
  ) throws -> [UInt8]? {
    let entry = name.withCString { openat(directory, $0, O_RDONLY | O_SYMLINK | O_NONBLOCK) }
    if entry < 0 { throw SystemError("openat", name) }
    defer { close(entry) }
    return try attribute.withCString { attribute in
      var value = [UInt8](repeating: 0, count: 65536)
      let size = fgetxattr(entry, attribute, &value, value.count, 0, 0)
      if size >= 0 { return Array(value[..<size]) }
      if errno == ENOATTR || errno == ENOTSUP || errno == EPERM { return nil }
      throw SystemError("fgetxattr", name)
    }
  }
#endif

extension Command {
  /// An initialised list of file actions.
  static func emptyActions() -> posix_spawn_file_actions_t {
    #if os(Linux)
      var actions = posix_spawn_file_actions_t()
    #else
      var actions: posix_spawn_file_actions_t?
    #endif
    posix_spawn_file_actions_init(&actions)
    return actions
  }
}

/// The folder of built products that the running test bundle lies in.
package func builtProducts() -> String {
  #if os(Linux)
    var buffer = [CChar](repeating: 0, count: 4096)
    let count = readlink("/proc/self/exe", &buffer, buffer.count)
    let bytes = buffer[..<max(count, 0)].map { UInt8(bitPattern: $0) }
    let bundle = String(decoding: bytes, as: UTF8.self)
  #else
    let bundle = CommandLine.arguments.first { $0.contains(".xctest") } ?? ""
  #endif
  let parts = bundle.split(separator: "/", omittingEmptySubsequences: false)
  let end = parts.firstIndex { $0.hasSuffix(".xctest") } ?? 0
  return parts[..<end].joined(separator: "/")
}
