/// The style of the page (`page.css`): light and dark, screen and paper, wide and narrow.
enum HTMLStyle {
  /// What the page's Content-Security-Policy allows; a test computes it anew.
  static let hash = "sha256-g3/4XbDfqILdmMW04EWipMd+rVtZJ8YCzSEEyyxcsYk="
  static var text: [UInt8] { PackageResources.page_css }
}
