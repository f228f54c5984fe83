/// The script of the page (`page.js`): filter, sort and map, all read from the table.
///
/// It makes elements and text nodes only, never markup from strings: a name stays text.
enum HTMLScript {
  /// What the page's Content-Security-Policy allows to run; a test computes it anew.
  static let hash = "sha256-Q0g2P0GZfrIMC9SPqIsCzIHSMdqatul114xOGGI72Rk="
  static var text: [UInt8] { PackageResources.page_js }
}
