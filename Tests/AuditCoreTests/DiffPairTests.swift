import Testing

@testable import AuditCore

@Suite struct DiffPairTests {
  private func container(_ path: String, _ kind: ContainerKind, _ identifier: String? = nil)
    -> ContainerReport
  {
    ContainerReport(path: Array(path.utf8), kind: kind, identifier: identifier)
  }

  private let uuids = [
    "Containers/Data/Application/11111111-2222-3333-4444-555555555555",
    "Containers/Data/Application/AAAAAAAA-2222-3333-4444-555555555555",
  ]

  @Test func identifiersComeFirst() {
    let pairs = DiffPair.pairs(
      [container("a", .app, "one"), container("b", .group, "two")],
      [container("b", .group, "two"), container("q", .app, "one")])
    #expect(pairs.map(\.old) == [1, 0])
    #expect(pairs.map(\.match) == [.identifier, .identifier])
  }

  @Test func anUnknownKindDoesNotPartWhatTheIdentifierJoins() {
    let pairs = DiffPair.pairs(
      [container("a", .unknown, "one"), container("b", .app, "two")],
      [container("c", .app, "one"), container("d", .app, "two")])
    #expect(pairs.map(\.old) == [0, 1])
  }

  @Test func randomDirectoryNamesAreNoDifference() {
    let pairs = DiffPair.pairs(
      [container(uuids[0], .app), container("x", .unknown)],
      [container(uuids[1], .app), container("x", .unknown)])
    #expect(pairs.map(\.old) == [0, 1])
    #expect(pairs.map(\.match) == [.place, .place])
  }

  @Test func differentAppsAreNotCompared() {
    let pairs = DiffPair.pairs(
      [container(uuids[0], .app, "one"), container("x", .group, "g")],
      [container(uuids[1], .app, "two"), container("x", .group, "g")])
    #expect(pairs.map(\.old) == [nil, 1, 0])
    #expect(pairs.map(\.new) == [0, 1, nil])
  }

  @Test func ambiguousPlacesAreNotGuessed() {
    let others = uuids.map { $0.replacing("2222", with: "9999") }
    let pairs = DiffPair.pairs(
      uuids.map { container($0, .app) }, others.map { container($0, .app) })
    #expect(pairs.allSatisfy { $0.match == nil })
    let twice = DiffPair.pairs(
      [container("a", .app, "one"), container("b", .app, "one")],
      [container("c", .app, "one"), container("d", .app, "one")])
    #expect(twice.allSatisfy { $0.match == nil })
  }

  @Test func thePathItselfDecidesWhereNamesDoNot() {
    let pairs = DiffPair.pairs(
      uuids.map { container($0, .app) }, uuids.reversed().map { container($0, .app) })
    #expect(pairs.map(\.old) == [1, 0])
    #expect(pairs.map(\.match) == [.place, .place])
    let named = DiffPair.pairs(
      [container("a", .app, "one"), container("b", .app, "one")],
      [container("a", .app, "one"), container("b", .app, "two")])
    #expect(named.map(\.old) == [0, nil, 1])
  }

  @Test func theOnlyTwoAreCompared() {
    let pairs = DiffPair.pairs([container("a", .app, "one")], [container("", .unknown, "two")])
    #expect(pairs.map(\.match) == [.only])
  }
}
