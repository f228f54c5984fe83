import Foundation

/// Holds a JSON document against one of the schemas in `docs`, with the words they use.
///
/// No stand-in for a real validator, which `.ci/check-reports` runs: it keeps documents and schemas
/// together in every run of the tests.
struct SchemaCheck {
  private let root: [String: Any]
  private(set) var complaints: [String] = []

  init(_ name: String) throws {
    let folder = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
      .deletingLastPathComponent().appending(path: "docs")
    let data = try Data(contentsOf: folder.appending(path: name))
    root = try JSONSerialization.jsonObject(with: data) as? [String: Any] ?? [:]
  }

  /// What is wrong with a document; nothing if it is valid.
  static func complaints(_ document: [UInt8], _ name: String) throws -> [String] {
    var check = try SchemaCheck(name)
    check.visit(try JSONSerialization.jsonObject(with: Data(document)), check.root, at: "")
    return check.complaints
  }

  private mutating func visit(_ value: Any, _ schema: [String: Any], at path: String) {
    if let reference = schema["$ref"] as? String {
      let name = reference.split(separator: "/").last.map(String.init) ?? ""
      guard let target = (root["$defs"] as? [String: Any])?[name] as? [String: Any] else {
        return complaints.append("\(path): no \(reference)")
      }
      return visit(value, target, at: path)
    }
    if let words = schema["enum"] as? [AnyHashable], let word = value as? AnyHashable,
      !words.contains(word)
    {
      complaints.append("\(path): \(value) is not one of \(words)")
    }
    if let constant = schema["const"] as? AnyHashable, value as? AnyHashable != constant {
      complaints.append("\(path): \(value) is not \(constant)")
    }
    switch schema["type"] as? String {
    case "object": visit(object: value, schema, at: path)
    case "array":
      guard let elements = value as? [Any] else {
        return complaints.append("\(path): no array")
      }
      if let most = schema["maxItems"] as? Int, elements.count > most {
        complaints.append("\(path): \(elements.count) elements")
      }
      guard let items = schema["items"] as? [String: Any] else { return }
      for (index, element) in elements.enumerated() {
        visit(element, items, at: "\(path)/\(index)")
      }
    case "string":
      guard let text = value as? String else { return complaints.append("\(path): no string") }
      if text.count < schema["minLength"] as? Int ?? 0 { complaints.append("\(path): empty") }
    case "integer":
      guard let number = value as? Int else { return complaints.append("\(path): no integer") }
      if let least = schema["minimum"] as? Int, number < least {
        complaints.append("\(path): \(number)")
      }
    case "boolean":
      if !(value is Bool) { complaints.append("\(path): no boolean") }
    default: break
    }
  }

  private mutating func visit(object value: Any, _ schema: [String: Any], at path: String) {
    guard let members = value as? [String: Any] else {
      return complaints.append("\(path): no object")
    }
    let properties = schema["properties"] as? [String: Any] ?? [:]
    for name in schema["required"] as? [String] ?? [] where members[name] == nil {
      complaints.append("\(path): no \(name)")
    }
    for (name, member) in members {
      if let inner = properties[name] as? [String: Any] {
        visit(member, inner, at: "\(path)/\(name)")
      } else if schema["additionalProperties"] as? Bool == false {
        complaints.append("\(path): \(name) is not in the schema")
      }
    }
  }
}
