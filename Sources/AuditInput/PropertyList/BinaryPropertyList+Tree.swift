extension BinaryPropertyList {
  /// Reads a whole binary list.
  static func tree(_ bytes: [UInt8]) throws(PropertyList.Malformed) -> PropertyList {
    guard let list = BinaryPropertyList(bytes) else {
      throw PropertyList.Malformed("its end is missing or does not fit its beginning")
    }
    // Objects may be referred to many times: what is made of them is counted, not what there is.
    var allowance = 1 << 16 + 8 * bytes.count
    return try list.value(list.top, 0, &allowance)
  }

  private func value(
    _ reference: Int, _ depth: Int, _ allowance: inout Int
  ) throws(PropertyList.Malformed) -> PropertyList {
    guard depth < PropertyList.depthLimit else {
      throw PropertyList.Malformed("its values lie too deep in each other")
    }
    guard let object = self[reference] else {
      throw PropertyList.Malformed("a value lies outside of it")
    }
    let cost: Int
    switch object {
    case .data(let bytes), .string(let bytes): cost = 1 + bytes.count
    case .array(let elements): cost = 1 + elements.count
    case .dictionary(let keys, _): cost = 1 + keys.count
    default: cost = 1
    }
    // No cost is larger than the list.
    allowance -= cost
    guard allowance >= 0 else {
      throw PropertyList.Malformed("it would grow too large when it is read")
    }
    switch object {
    case .integer(let number): return .integer(number)
    case .boolean(let flag): return .boolean(flag)
    case .data(let bytes): return .data(bytes)
    case .string(let bytes): return .string(String(decoding: bytes, as: UTF8.self))
    case .date(let seconds):
      return PropertyListDate.text(secondsSince2001: seconds).map { .date($0) } ?? .other
    case .uid, .other: return .other
    case .array(let references):
      var elements: [PropertyList] = []
      for reference in references {
        elements.append(try value(reference, depth + 1, &allowance))
      }
      return .array(elements)
    case .dictionary(let keys, let values):
      var members: [String: PropertyList] = [:]
      for (key, member) in zip(keys, values) {
        guard case .string(let name) = try value(key, depth + 1, &allowance) else {
          throw PropertyList.Malformed("a name in it is no text")
        }
        let value = try value(member, depth + 1, &allowance)
        guard members.updateValue(value, forKey: name) == nil else {
          throw PropertyList.Malformed("a name is in it twice")
        }
      }
      return .dictionary(members)
    }
  }
}
