import Testing

@testable import AuditCore
