// swift-format-ignore-file: AllPublicDeclarationsHaveDocumentation
// The documented declarations of the standard library's Synchronization that the sources use: the
// module of Linux would bring the C library of Linux into the check.

public struct AtomicLoadOrdering: Sendable {
  public static let relaxed = AtomicLoadOrdering()
  public static let acquiring = AtomicLoadOrdering()
  public static let sequentiallyConsistent = AtomicLoadOrdering()
}

public struct AtomicStoreOrdering: Sendable {
  public static let relaxed = AtomicStoreOrdering()
  public static let releasing = AtomicStoreOrdering()
  public static let sequentiallyConsistent = AtomicStoreOrdering()
}

public struct AtomicUpdateOrdering: Sendable {
  public static let relaxed = AtomicUpdateOrdering()
  public static let acquiring = AtomicUpdateOrdering()
  public static let releasing = AtomicUpdateOrdering()
  public static let acquiringAndReleasing = AtomicUpdateOrdering()
  public static let sequentiallyConsistent = AtomicUpdateOrdering()
}

public struct Atomic<Value: Sendable>: ~Copyable, @unchecked Sendable {
  private let value: Value
  public init(_ initialValue: Value) { value = initialValue }
  public borrowing func load(ordering: AtomicLoadOrdering) -> Value { value }
  public borrowing func store(_ desired: Value, ordering: AtomicStoreOrdering) {}
  public borrowing func exchange(_ desired: Value, ordering: AtomicUpdateOrdering) -> Value {
    value
  }
  public borrowing func compareExchange(
    expected: Value, desired: Value, ordering: AtomicUpdateOrdering
  ) -> (exchanged: Bool, original: Value) { (false, value) }
}

extension Atomic where Value: FixedWidthInteger {
  @discardableResult
  public borrowing func wrappingAdd(
    _ operand: Value, ordering: AtomicUpdateOrdering
  ) -> (oldValue: Value, newValue: Value) { (value, value) }
  @discardableResult
  public borrowing func wrappingSubtract(
    _ operand: Value, ordering: AtomicUpdateOrdering
  ) -> (oldValue: Value, newValue: Value) { (value, value) }
}

public struct Mutex<Value: ~Copyable>: ~Copyable, @unchecked Sendable {
  public init(_ initialValue: consuming sending Value) {}
  public borrowing func withLock<Result: ~Copyable, E: Error>(
    _ body: (inout sending Value) throws(E) -> sending Result
  ) throws(E) -> sending Result { fatalError() }
}
