import Testing

@testable import BackupExclusion
