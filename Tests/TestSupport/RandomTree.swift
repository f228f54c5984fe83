extension TreeSpec {
  /// A tree of about `size` names that holds everything a walk can stumble over.
  ///
  /// `closedDoors` adds directories that a stranger cannot read. Verdicts are left out: they
  /// are the oracle's to say.
  package static func random(seed: UInt64, size: Int, closedDoors: Bool = false) -> TreeSpec {
    var builder = RandomTree(seed: seed, closedDoors: closedDoors)
    return builder.tree(size)
  }
}

private struct RandomTree {
  var random: SeededGenerator
  let closedDoors: Bool
  var spec = TreeSpec()
  var used: Set<[UInt8]> = []
  var directories: [[UInt8]] = [[]]

  init(seed: UInt64, closedDoors: Bool) {
    random = SeededGenerator(seed: seed)
    self.closedDoors = closedDoors
  }

  mutating func below(_ count: Int) -> Int { Int(random.next() % UInt64(count)) }
  mutating func chance(_ percent: Int) -> Bool { below(100) < percent }
  mutating func pick<T>(_ values: [T]) -> T { values[below(values.count)] }

  mutating func tree(_ size: Int) -> TreeSpec {
    var root = TreeSpec.Entry(.directory, [])
    // Proof that attributes got here: an unmarked file is then known to be unmarked.
    root.attributes = [attribute("com.apple.quarantine", Array("0081;".utf8))]
    if chance(10) { root.attributes.append(TreeSpec.Attribute(TreeSpec.markName, value())) }
    spec.entries.append(root)
    while spec.entries.count < size { addEntry() }
    if closedDoors { closeSome() }
    // An archive may hold its members in any order.
    spec.entries.shuffle(using: &random)
    return spec
  }

  mutating func addEntry() {
    let parent =
      chance(70)
      ? directories[directories.count - 1 - below(min(8, directories.count))]
      : pick(directories)
    let path = join(parent, name())
    guard used.insert(path).inserted else { return }
    let files = spec.entries.filter { $0.kind == .file }
    switch below(100) {
    case 0..<25:
      var entry = TreeSpec.Entry(.directory, path)
      entry.attributes = attributes(marked: 12)
      spec.entries.append(entry)
      directories.append(path)
      if chance(12) { addMetadata(path) }
    case 25..<32:
      var entry = TreeSpec.Entry(.symlink, path)
      entry.target = pick([Array("..".utf8), path, Array("/".utf8), Array("gone\n".utf8), [0xFF]])
      spec.entries.append(entry)
    case 32..<35: spec.entries.append(TreeSpec.Entry(.fifo, path))
    case 35..<41 where !files.isEmpty:
      var entry = TreeSpec.Entry(.hardLink, path)
      entry.target = pick(files).path
      spec.entries.append(entry)
    default:
      var entry = TreeSpec.Entry(.file, path)
      entry.attributes = attributes(marked: 15)
      entry.size = pick([0, 1, 6, 511, 512, 513, 4096])
      spec.entries.append(entry)
    }
  }

  mutating func addMetadata(_ path: [UInt8]) {
    let name = join(path, Array(".com.apple.mobile_container_manager.metadata.plist".utf8))
    guard used.insert(name).inserted else { return }
    var entry = TreeSpec.Entry(.file, name)
    entry.content = TreeSpec.metadata(
      contentClass: pick(["2", "\"2\"", "4", "7"]), identifier: "io.example.n\(below(100))")
    entry.size = entry.content.count
    spec.entries.append(entry)
    for name in ["tmp", "Library", "Library/Caches"] where chance(70) {
      let folder = join(path, Array(name.utf8))
      guard used.insert(folder).inserted else { continue }
      if name == "Library/Caches" { used.insert(join(path, Array("Library".utf8))) }
      spec.entries.append(TreeSpec.Entry(.directory, folder))
      directories.append(folder)
    }
  }

  mutating func attributes(marked percent: Int) -> [TreeSpec.Attribute] {
    var out: [TreeSpec.Attribute] = []
    if chance(percent) { out.append(TreeSpec.Attribute(TreeSpec.markName, value())) }
    if chance(5) { out.append(attribute("com.apple.TextEncoding", Array("utf-8".utf8))) }
    if chance(8) {
      let near = pick([
        "com.apple.metadata:com_apple_backup_excludeItem#S",
        "com.apple.metadata:com_apple_backup_excludeitem",
        "com.apple.metadata:com_apple_cloudBackup_excludeItem",
        "com.apple.metadata:com_apple_unencryptedBackup_excludeItem",
        "com.apple.MobileBackup", "xcom.apple.metadata:com_apple_backup_excludeItem",
      ])
      out.append(attribute(near, Array("com.apple.MobileBackup".utf8)))
    }
    return out
  }

  mutating func value() -> [UInt8] {
    switch below(7) {
    case 0, 1: TreeSpec.backupdPlist
    case 2, 3: Array("com.apple.MobileBackup".utf8)
    case 4: Array("com.apple.backupd".utf8)
    case 5: []
    default: [1]
    }
  }

  mutating func name() -> [UInt8] {
    let number = below(1000)
    switch below(24) {
    case 0: return [0xFF, 0xFE] + Array("\(number)".utf8)
    case 1: return Array("line\nbreak\(number)".utf8)
    case 2: return Array("cafe\u{301}\(number % 3)".utf8)
    case 3: return Array("caf\u{E9}\(number % 3)".utf8)
    case 4: return Array("\u{1B}[31m\u{202E}\(number)".utf8)
    case 5: return [UInt8](repeating: UInt8(ascii: "n"), count: 240) + Array("\(number)".utf8)
    case 6: return Array(" -rf \(number)\"\\".utf8)
    case 7: return Array("tmp".utf8)
    case 8: return Array("prefix".utf8.prefix(1 + number % 6))
    case 9: return Array("x.sqlite".utf8)
    case 10: return Array("x.sqlite-wal".utf8)
    case 11: return [0xC3]
    case 12: return [0xED, 0xA0, 0x80] + Array("\(number % 4)".utf8)
    default: return Array("item\(number)".utf8)
    }
  }

  /// Takes the rights of some directories away, in paths that no other door bars already.
  mutating func closeSome() {
    for index in spec.entries.indices
    where spec.entries[index].kind == .directory && !spec.entries[index].path.isEmpty {
      let inside = spec.entries[index].path + [UInt8(ascii: "/")]
      let holdsTarget = spec.entries.contains {
        $0.kind == .hardLink && $0.target.starts(with: inside)
      }
      if chance(6), !holdsTarget {
        spec.entries[index].mode = pick([0o000, 0o311])
        spec.entries[index].attributes.removeAll { $0.name == TreeSpec.markName }
      }
    }
    // One at least, whatever the dice say.
    var closed = TreeSpec.Entry(.directory, Array("always closed".utf8))
    closed.mode = 0
    spec.entries.append(closed)
  }

  func attribute(_ name: String, _ value: [UInt8]) -> TreeSpec.Attribute {
    TreeSpec.Attribute(Array(name.utf8), value)
  }

  func join(_ parent: [UInt8], _ name: [UInt8]) -> [UInt8] {
    parent.isEmpty ? name : parent + [UInt8(ascii: "/")] + name
  }
}
