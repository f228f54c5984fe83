// swift-format-ignore-file: AllPublicDeclarationsHaveDocumentation
// The few documented declarations of Apple's Foundation that the sources use, as a module of their
// own: the real one of Linux would bring the C library of Linux into the check.
@_exported import Darwin

public struct URL: Sendable {
  public init(fileURLWithPath path: String) { self.path = path }
  public init(fileURLWithPath path: String, isDirectory: Bool) { self.path = path }
  public let path: String
  public func appendingPathComponent(_ component: String) -> URL { self }
}

public final class FileManager: Sendable {
  public static let `default` = FileManager()
  public func containerURL(
    forSecurityApplicationGroupIdentifier groupIdentifier: String
  ) -> URL? { nil }
}

public struct Data: Sendable, RandomAccessCollection {
  public init() {}
  public init(_ bytes: some Sequence<UInt8>) {}
  public var startIndex: Int { 0 }
  public var endIndex: Int { 0 }
  public subscript(index: Int) -> UInt8 { 0 }
  public struct WritingOptions: OptionSet, Sendable {
    public let rawValue: UInt
    public init(rawValue: UInt) { self.rawValue = rawValue }
    public static let atomic = WritingOptions(rawValue: 1)
  }
  public func write(to url: URL, options: WritingOptions = []) throws {}
}

public struct Date: Sendable, Codable {
  public func ISO8601Format() -> String { "" }
}

private struct Unavailable: Error {}

open class JSONDecoder {
  public init() {}
  open var allowsJSON5 = false
  open func decode<T: Decodable>(_ type: T.Type, from data: Data) throws -> T {
    throw Unavailable()
  }
}

open class PropertyListDecoder {
  public init() {}
  open func decode<T: Decodable>(_ type: T.Type, from data: Data) throws -> T {
    throw Unavailable()
  }
}

public struct CocoaError: Error {
  public struct Code: Sendable {
    public static let fileWriteUnknown = Code()
  }
  public init(_ code: Code) {}
}
