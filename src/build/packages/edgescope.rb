class Edgescope < Formula
  desc "Terminal explorer of an edge platform's logs"
  homepage "@URL@"
  version "@VERSION@"
  license "MIT"

  on_macos do
    on_arm do
      url "@URL@/edgescope-@VERSION_IN_URL@-darwin-arm64.tar.gz"
      sha256 "@SHA256 edgescope-@VERSION@-darwin-arm64.tar.gz@"
    end
    on_intel do
      url "@URL@/edgescope-@VERSION_IN_URL@-darwin-x64.tar.gz"
      sha256 "@SHA256 edgescope-@VERSION@-darwin-x64.tar.gz@"
    end
  end

  on_linux do
    on_arm do
      url "@URL@/edgescope-@VERSION_IN_URL@-linux-arm64.tar.gz"
      sha256 "@SHA256 edgescope-@VERSION@-linux-arm64.tar.gz@"
    end
    on_intel do
      url "@URL@/edgescope-@VERSION_IN_URL@-linux-x64.tar.gz"
      sha256 "@SHA256 edgescope-@VERSION@-linux-x64.tar.gz@"
    end
  end

  def install
    libexec.install Dir["*"]
    share = libexec/"share"
    bin.install_symlink libexec/"bin/edgescope"
    man1.install_symlink share/"man/man1/edgescope.1"
    bash_completion.install_symlink share/"bash-completion/completions/edgescope"
    zsh_completion.install_symlink share/"zsh/site-functions/_edgescope"
    fish_completion.install_symlink share/"fish/vendor_completions.d/edgescope.fish"
  end

  test do
    assert_match version.to_s, shell_output("#{bin}/edgescope --version")
    assert_match '"logging":true', shell_output("#{bin}/edgescope zones --demo --format ndjson")
  end
end
