import Testing

@testable import AuditInput
