# NOT TRIED: written without a Mac. `brew install --build-from-source ./audit.rb` and
# `brew audit --strict audit` are what it has to pass before it goes into a tap. Put the release's
# archive and its SHA-256 in place of OWNER and the zeros.
class Audit < Formula
  desc "Tell what an iOS or macOS app leaves exposed to backup"
  homepage "https://github.com/OWNER/audit"
  url "https://github.com/OWNER/audit/archive/refs/tags/v0.1.0.tar.gz"
  sha256 "0000000000000000000000000000000000000000000000000000000000000000"
  license "Apache-2.0" => { with: "Swift-exception" }
  head "https://github.com/OWNER/audit.git", branch: "main"

  depends_on "pkgconf" => :build
  depends_on xcode: ["26.0", :build] # Swift 6.2
  depends_on "libarchive"
  depends_on macos: :sequoia

  uses_from_macos "sqlite"

  def install
    system "swift", "build", "--disable-sandbox", "-c", "release", "--product", "audit"
    bin.install ".build/release/audit"
    man1.install "docs/audit.1"
    generate_completions_from_executable(bin/"audit", "--generate-completion-script")
  end

  test do
    assert_match version.to_s, shell_output("#{bin}/audit --version")
    (testpath/"tree/Documents/file").write "x"
    assert_match "exposed", shell_output("#{bin}/audit -f csv #{testpath}/tree", 1)
  end
end
