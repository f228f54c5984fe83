@_spi(_Unicode) import Swift

/// The byte strings that one typed password may stand for.
///
/// A keyboard, a file and Finder may write é as one character or as two. So the bytes are tried as
/// they are, then composed (NFC), then decomposed (NFD); each form costs all rounds, and equal ones
/// are left out. What is no UTF-8 is only tried as it is.
enum PasswordForms {
  static func all(_ password: Secret) -> [Secret] {
    let bytes = UnsafeRawBufferPointer(password.bytes)
    guard bytes.contains(where: { $0 >= 0x80 }), let text = String(validating: bytes, as: UTF8.self)
    else { return [password] }
    var forms = [password]
    for scalars in [Array(text._nfc), Array(text._nfd)] {
      let form = Secret(Array(String(String.UnicodeScalarView(scalars)).utf8))
      if !forms.contains(where: { $0.bytes.elementsEqual(form.bytes) }) { forms.append(form) }
    }
    return forms
  }
}
