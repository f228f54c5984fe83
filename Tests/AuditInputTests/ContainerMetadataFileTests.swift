import Foundation
import Testing

@testable import AuditCore
@testable import AuditInput

private func encode(
  _ list: [String: Any], _ format: PropertyListSerialization.PropertyListFormat
) throws -> [UInt8] {
  Array(try PropertyListSerialization.data(fromPropertyList: list, format: format, options: 0))
}

@Suite struct ContainerMetadataFileTests {
  @Test(arguments: [PropertyListSerialization.PropertyListFormat.binary, .xml])
  func identifiersAndClasses(format: PropertyListSerialization.PropertyListFormat) throws {
    let rest: [String: Any] = ["MCMMetadataUUID": "8F13", "MCMMetadataInfo": ["a": ["b": 1]]]
    let device = rest.merging(
      ["MCMMetadataIdentifier": "io.example.app", "MCMMetadataContentClass": 2]) { $1 }
    #expect(
      ContainerMetadataFile.decode(try encode(device, format))
        == ContainerMetadata(identifier: "io.example.app", contentClass: 2))
    let text = rest.merging(["MCMMetadataContentClass": "7"]) { $1 }
    #expect(
      ContainerMetadataFile.decode(try encode(text, format))
        == ContainerMetadata(identifier: nil, contentClass: 7))
    let odd = rest.merging(["MCMMetadataIdentifier": 5, "MCMMetadataContentClass": [1]]) { $1 }
    #expect(ContainerMetadataFile.decode(try encode(odd, format)) == nil)
    #expect(
      ContainerMetadataFile.decode(try encode(["CFBundleIdentifier": "io.example.app"], format))
        == ContainerMetadata(identifier: "io.example.app", contentClass: 2))
  }

  @Test func places() {
    func place(_ name: String) -> ContainerMetadataFile.Place? {
      Array(name.utf8).withUnsafeBufferPointer { ContainerMetadataFile.place(of: $0) }
    }
    #expect(place(".com.apple.mobile_container_manager.metadata.plist") == .directory)
    #expect(place(".com.apple.containermanagerd.metadata.plist") == .directory)
    #expect(place("AppDataInfo.plist") == .appDataBeside)
    #expect(place("Info.plist") == nil)
  }

  @Test func nothingInItMakesTheDecoderFail() {
    let open = String(repeating: "<array>", count: 30_000)
    for text in [
      "", "bplist00", "bplist00" + String(repeating: "\u{0}", count: 40), open,
      "<plist><dict><key>MCMMetadataIdentifier</key>" + open,
      String(repeating: "(", count: 100_000),
      String(repeating: "{a=", count: 50_000), "<plist><dict></plist>",
    ] {
      #expect(ContainerMetadataFile.decode(Array(text.utf8)) == nil)
    }
    let big = [UInt8](repeating: 0x20, count: ContainerMetadataFile.sizeLimit + 1)
    #expect(ContainerMetadataFile.decode(big) == nil)
  }

  @Test func anyBytesAreReadWithoutHarm() throws {
    var random = Xorshift(state: 7)
    let list: [String: Any] = [
      "MCMMetadataIdentifier": "io.example.app", "MCMMetadataContentClass": 2,
      "MCMMetadataInfo": ["a": [1, 2, ["b": Data([1])]], "date": Date(timeIntervalSince1970: 0)],
    ]
    var read = 0
    for format in [PropertyListSerialization.PropertyListFormat.binary, .xml] {
      let seed = try encode(list, format)
      for _ in 0..<1500 where ContainerMetadataFile.decode(random.mutate(seed)) != nil {
        read += 1
      }
    }
    #expect(read > 0)
  }
}
