import Testing

@testable import AuditReport
