import Foundation
import Testing

@testable import BackupExclusion

@Suite(.enabled(if: Marks.canBeTested, Marks.skipReason))
struct MarkTests {
  let scratch: Scratch

  init() throws { scratch = try Scratch() }

  @Test func aNewFileIsUnmarked() throws {
    let path = try scratch.file("file")
    #expect(try ExclusionMark.state(ofItemAt: path) == .absent)
    #expect(!ExclusionMark.isExcludedOnDisk(path))
  }

  @Test func settingWritesTheSystemsOwnValue() throws {
    let path = try scratch.file("file")
    try ExclusionMark.set(onItemAt: path)
    let form = ExclusionMark.form(of: Platform.setterValue)
    #expect(
      try ExclusionMark.state(ofItemAt: path)
        == .marked(form, bytes: Platform.setterValue.count))
    #expect(try rawValue(path) == Platform.setterValue)
    #expect(ExclusionMark.isExcludedOnDisk(path))
  }

  @Test(arguments: [
    (ExclusionMark.backupdPlist, ExclusionMark.Form.backupdPlist),
    (ExclusionMark.mobileBackup, .mobileBackup), (Array("com.apple.backupd".utf8), .backupdText),
    ([1], .other), (Array("true".utf8), .other), ([UInt8](repeating: 7, count: 129), .other),
    ([UInt8](repeating: 7, count: 2000), .other), ([UInt8](repeating: 7, count: 128), .other),
  ])
  func everyValueWithAByteIsAMark(_ value: [UInt8], _ form: ExclusionMark.Form) throws {
    let path = try scratch.file("file")
    try write(value, path)
    #expect(try ExclusionMark.state(ofItemAt: path) == .marked(form, bytes: value.count))
  }

  @Test func anEmptyValueIsNoMark() throws {
    let path = try scratch.file("file")
    try write([], path)
    #expect(try ExclusionMark.state(ofItemAt: path) == .empty)
    #expect(!ExclusionMark.isExcludedOnDisk(path))
    try ExclusionMark.set(onItemAt: path)
    #expect(ExclusionMark.isExcludedOnDisk(path))
  }

  @Test func removingTwiceIsFine() throws {
    let path = try scratch.directory("directory")
    try ExclusionMark.set(onItemAt: path)
    try ExclusionMark.remove(fromItemAt: path)
    #expect(try ExclusionMark.state(ofItemAt: path) == .absent)
    try ExclusionMark.remove(fromItemAt: path)
  }

  @Test func aFinalLinkIsNotFollowed() throws {
    let path = try scratch.file("file")
    let link = scratch("link")
    try ExclusionMark.set(onItemAt: path)
    try FileManager.default.createSymbolicLink(atPath: link, withDestinationPath: path)
    #expect(try ExclusionMark.state(ofItemAt: link) == .absent)
    try? ExclusionMark.remove(fromItemAt: link)
    #expect(ExclusionMark.isExcludedOnDisk(path))
    try ExclusionMark.remove(fromItemAt: path)
    try? ExclusionMark.set(onItemAt: link)
    #expect(!ExclusionMark.isExcludedOnDisk(path))
  }

  @Test func aMissingItemIsAnErrorThatNamesCallPathAndReason() throws {
    let path = scratch("missing")
    let error = #expect(throws: MarkError.self) { try ExclusionMark.state(ofItemAt: path) }
    #expect(error?.operation == "getxattr")
    #expect(error?.path == Array(path.utf8))
    #expect(error?.name == "ENOENT")
    #expect(error?.isMissingItem == true)
    #expect(error?.description == "getxattr \(path): No such file or directory (ENOENT)")
    #expect(!ExclusionMark.isExcludedOnDisk(path))
  }

  @Test func aZeroByteDoesNotCutThePathShort() throws {
    let path = try scratch.file("file")
    try ExclusionMark.set(onItemAt: path)
    #expect(throws: MarkError.self) { try ExclusionMark.state(ofItemAt: path + "\0else") }
    #expect(!ExclusionMark.isExcludedOnDisk(path + "\0"))
  }

  @Test func namesAreBytes() throws {
    let name = Array(scratch.path.utf8) + Array("/na".utf8) + [0xFF, 0x0A]
    let file = name.map(CChar.init(bitPattern:)) + [0]
    let descriptor = open(file, O_CREAT | O_WRONLY, 0o600)
    guard descriptor >= 0 else { return }  // A file system that insists on UTF-8.
    close(descriptor)
    try ExclusionMark.set(onItemAt: name)
    #expect(ExclusionMark.isExcludedOnDisk(name))
    try ExclusionMark.remove(fromItemAt: name)
    #expect(try ExclusionMark.state(ofItemAt: name) == .absent)
  }

  @Test func anErrorsTextIsHarmlessOnATerminal() {
    let path = Array("a\u{1B}[31m\u{202E}\n".utf8) + [0xFF]
    let text = MarkError(operation: "getxattr", path: path, code: Platform.noSuchItem).description
    #expect(!text.unicodeScalars.contains { $0.value < 0x20 || $0.value == 0x202E })
  }

  private func write(_ value: [UInt8], _ path: String) throws {
    _ = try SystemCalls.perform("setxattr", Array(path.utf8)) { path in
      value.withUnsafeBytes { Platform.setMark(path, $0) }
    }
  }

  private func rawValue(_ path: String) throws -> [UInt8] {
    var buffer = [UInt8](repeating: 0, count: 256)
    let size = try SystemCalls.perform("getxattr", Array(path.utf8)) { path in
      buffer.withUnsafeMutableBytes { Platform.getMark(path, $0) }
    }
    return Array(buffer.prefix(size))
  }
}
