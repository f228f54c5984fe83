import CCrypto
import Testing

/// The published vectors of each primitive.
@Suite struct CryptoTests {
  init() throws { try #require(cc_load() == nil) }

  private func bytes(_ hex: String) -> [UInt8] {
    let digits = Array(hex)
    return stride(from: 0, to: digits.count, by: 2).map {
      UInt8(String(digits[$0...($0 + 1)]), radix: 16) ?? 0
    }
  }

  private func pbkdf2(
    _ hash: cc_hash, _ password: String, _ salt: String, _ rounds: UInt32, _ size: Int
  ) -> [UInt8]? {
    let (password, salt) = (Array(password.utf8), Array(salt.utf8))
    var key = [UInt8](repeating: 0, count: size)
    let done = cc_pbkdf2(hash, password, password.count, salt, salt.count, rounds, &key, size)
    return done == 1 ? key : nil
  }

  /// RFC 6070, without the case of 16,777,216 rounds.
  @Test func pbkdf2WithSHA1() {
    let cases: [(String, String, UInt32, String)] = [
      ("password", "salt", 1, "0c60c80f961f0e71f3a9b524af6012062fe037a6"),
      ("password", "salt", 2, "ea6c014dc72d6f8ccd1ed92ace1d41f0d8de8957"),
      ("password", "salt", 4096, "4b007901b765489abead49d926f721d065a429c1"),
      (
        "passwordPASSWORDpassword", "saltSALTsaltSALTsaltSALTsaltSALTsalt", 4096,
        "3d2eec4fe41c849b80c8d83662c0e44a8b291a964cf2f07038"
      ),
      ("pass\0word", "sa\0lt", 4096, "56fa6aa75548099dcc37d7f03425e0c3"),
    ]
    for (password, salt, rounds, key) in cases {
      let expected = bytes(key)
      #expect(pbkdf2(CC_HASH_SHA1, password, salt, rounds, expected.count) == expected)
    }
  }

  /// RFC 7914, section 11.
  @Test func pbkdf2WithSHA256() {
    let first =
      "55ac046e56e3089fec1691c22544b605f94185216dde0465e68b9d57c20dacbc"
      + "49ca9cccf179b645991664b39d77ef317c71b845b1e30bd509112041d3a19783"
    #expect(pbkdf2(CC_HASH_SHA256, "passwd", "salt", 1, 64) == bytes(first))
    let second =
      "4ddcd8f60b98be21830cee5ef22701f9641a4418d04c0414aeff08876b34ab56"
      + "a1d425a1225833549adb841b51c9b3176a272bdebba1d078478f62b397f33c8d"
    #expect(pbkdf2(CC_HASH_SHA256, "Password", "NaCl", 80_000, 64) == bytes(second))
    #expect(pbkdf2(CC_HASH_SHA256, "", "salt", 0, 32) == nil)
  }

  /// RFC 3394, section 4, all six.
  @Test func keyUnwrap() {
    let data = bytes("00112233445566778899aabbccddeeff") + (0..<16)
    let cases: [(key: Int, data: Int, wrapped: String)] = [
      (16, 16, "1fa68b0a8112b447aef34bd8fb5a7b829d3e862371d2cfe5"),
      (24, 16, "96778b25ae6ca435f92b5b97c050aed2468ab8a17ad84e5d"),
      (32, 16, "64e8c3f9ce0f5ba263e9777905818a2a93c8191e7d6e8ae7"),
      (24, 24, "031d33264e15d33268f24ec260743edce1c6c7ddee725a936ba814915c6762d2"),
      (32, 24, "a8f9bc1612c68b3ff6e6f4fbe30e71e4769c8b80a32cb8958cd5d17d6b254da1"),
      (
        32, 32,
        "28c9f404c4b810f4cbccb35cfb87f8263f5786e2d80ed326cbc7f0e71a99f43bfb988b9b7a02dd21"
      ),
    ]
    for (keySize, size, text) in cases {
      let key = [UInt8](0..<UInt8(keySize))
      var wrapped = bytes(text)
      var out = [UInt8](repeating: 0, count: size)
      #expect(cc_unwrap(key, keySize, wrapped, wrapped.count, &out) == 1)
      #expect(out.elementsEqual(data.prefix(size)))
      // Every byte of it is checked.
      for index in wrapped.indices {
        wrapped[index] ^= 1
        #expect(cc_unwrap(key, keySize, wrapped, wrapped.count, &out) == 0)
        wrapped[index] ^= 1
      }
    }
  }

  /// NIST SP 800-38A, F.2.6.
  @Test func cbc() {
    let key = bytes("603deb1015ca71be2b73aef0857d77811f352c073b6108d72d9810a30914dff4")
    var text = bytes(
      "f58c4c04d6e5f1ba779eabfb5f7bfbd69cfc4e967edb808d679f777bc6702c7d"
        + "39f23369a9d9bacfa530e26304231461b2eb05e2c39be9fcda6c19078c6a9d1b")
    let plain = bytes(
      "6bc1bee22e409f96e93d7e117393172aae2d8a571e03ac9c9eb76fac45af8e51"
        + "30c81c46a35ce411e5fbc1191a0a52eff69f2445df4f9b17ad2b417be66c3710")
    #expect(cc_decrypt_cbc(key, [UInt8](0..<16), &text, text.count) == 1)
    #expect(text == plain)
    #expect(cc_decrypt_cbc(key, [UInt8](0..<16), &text, 15) == 0)
  }
}
