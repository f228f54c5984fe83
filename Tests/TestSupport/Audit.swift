import Foundation

/// The built command, run as its users run it.
package enum Audit {
  /// The binary under test: `AUDIT_BINARY`, or the product beside the test bundle.
  package static let binary: String =
    getenv("AUDIT_BINARY").map { String(cString: $0) } ?? "\(builtProducts())/audit"

  /// A user without any rights, for runs that must meet closed doors; `nil` if we are one.
  package static let plainUser: UInt32? = geteuid() == 0 ? 65534 : nil

  /// A command line with the built binary.
  package static func command(_ arguments: [String]) -> Command { Command(binary, arguments) }

  /// Runs the binary; as another user through a copy that this user can reach.
  package static func run(_ arguments: [String], as user: UInt32? = nil) throws -> Command.Result {
    guard let user else { return try command(arguments).run() }
    let place = try TemporaryDirectory()
    let copy = place.at("audit")
    _ = try Command("/bin/cp", [binary, copy]).run()
    var command = Command(copy, arguments)
    command.user = user
    command.directory = "/"
    return try command.run()
  }
}

/// The members of the JSON report that tests look at.
package struct Report: Decodable, Sendable {
  package struct Mark: Decodable, Sendable, Equatable {
    package var form: String
    package var bytes: Int
  }
  package struct File: Decodable, Sendable {
    package var path: String
    package var pathBytes: Data?
    package var type: String
    package var size: Int?
    package var verdict: String
    package var ancestor: String?
    package var reason: String?
    package var mark: Mark?
    /// The exact name.
    package var bytes: [UInt8] { pathBytes.map(Array.init) ?? Array(path.utf8) }
  }
  package struct Container: Decodable, Sendable {
    package var path: String
    package var kind: String
    package var identifier: String?
    package var counts: [String: Int]?
  }
  package struct Finding: Decodable, Sendable {
    package var rule: String
    package var severity: String
    package var path: String
    package var pathBytes: Data?
    package var bytes: [UInt8] { pathBytes.map(Array.init) ?? Array(path.utf8) }
  }
  package struct Problem: Decodable, Sendable {
    package var path: String
    package var operation: String?
    package var error: String?
  }
  package struct Input: Decodable, Sendable {
    package var path: String
    package var kind: String
    package var format: String?
    package var evidence: String
    package var files: [File]
    package var containers: [Container]
    package var findings: [Finding]
    package var errors: [Problem]
  }
  package struct Summary: Decodable, Sendable {
    package var counts: [String: Int]
  }
  package var schemaVersion: Int
  package var inputs: [Input]
  package var summary: Summary
  package var complete: Bool
  package var exitStatus: Int32

  /// Reads a report.
  package init(_ json: [UInt8]) throws {
    self = try JSONDecoder().decode(Report.self, from: Data(json))
  }
}
