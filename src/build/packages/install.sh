#!/bin/sh
# Installs edgescope with its own Node below ~/.local, for you alone: curl -fsSL @URL@/install.sh | sh
# PREFIX=/usr/local installs it for all. Nothing runs before the last line has arrived.
set -eu

url=${EDGESCOPE_URL:-@URL@}
version=@VERSION@
prefix=${PREFIX:-$HOME/.local}

fail() {
  echo "edgescope: $1" >&2
  exit 1
}

fetch() {
  if command -v curl >/dev/null; then curl -fsSL --retry 2 -o "$2" "$1"; else wget -qO "$2" "$1"; fi ||
    fail "$1 cannot be fetched; nothing was installed"
}

sum() {
  if command -v sha256sum >/dev/null; then sha256sum "$1"; else shasum -a 256 "$1"; fi | cut -d ' ' -f 1
}

main() {
  case "$(uname -s)-$(uname -m)" in
    Linux-x86_64) platform=linux-x64 ;;
    Linux-aarch64 | Linux-arm64) platform=linux-arm64 ;;
    Darwin-x86_64) platform=darwin-x64 ;;
    Darwin-arm64) platform=darwin-arm64 ;;
    MINGW* | MSYS* | CYGWIN*) fail 'runs on Linux and macOS; on Windows: wsl --install, then the same command in WSL' ;;
    *) fail "there is no package for $(uname -s) on $(uname -m)" ;;
  esac
  name=edgescope-$version-$platform
  mkdir -p "$prefix/lib" "$prefix/bin"
  prefix=$(cd "$prefix" && pwd)
  # Beside its place, so that a rename puts it there.
  folder=$(mktemp -d "$prefix/lib/.edgescope-XXXXXX")
  trap 'rm -rf "$folder"' EXIT
  trap 'exit 1' HUP INT TERM
  fetch "$url/SHA256SUMS" "$folder/SHA256SUMS"
  # Some servers read a plus as a blank.
  fetch "$url/$(echo "$name" | sed 's/+/%2B/').tar.gz" "$folder/archive"
  wanted=$(sed -n "s/^\([0-9a-f]\{64\}\)  $name\.tar\.gz\$/\1/p" "$folder/SHA256SUMS")
  [ -n "$wanted" ] || fail "SHA256SUMS does not name $name.tar.gz; nothing was installed"
  [ "$(sum "$folder/archive")" = "$wanted" ] ||
    fail "$name.tar.gz is not what SHA256SUMS names; nothing was installed"
  tar -xzf "$folder/archive" -C "$folder"
  "$folder/$name/bin/edgescope" --version >/dev/null ||
    fail "its Node does not run here (Linux needs glibc 2.28 or newer); nothing was installed"
  if [ -e "$prefix/lib/edgescope" ]; then mv "$prefix/lib/edgescope" "$folder/before"; fi
  mv "$folder/$name" "$prefix/lib/edgescope"
  ln -sf ../lib/edgescope/bin/edgescope "$prefix/bin/edgescope"
  for file in man/man1/edgescope.1 bash-completion/completions/edgescope \
    zsh/site-functions/_edgescope fish/vendor_completions.d/edgescope.fish; do
    mkdir -p "$prefix/share/${file%/*}"
    ln -sf "$prefix/lib/edgescope/share/$file" "$prefix/share/$file"
  done
  echo "$("$prefix/bin/edgescope" --version): $prefix/bin/edgescope"
  case ":$PATH:" in
    *":$prefix/bin:"*) ;;
    *) echo "$prefix/bin is not in PATH: add it, or start $prefix/bin/edgescope" ;;
  esac
  echo "to remove it: rm -r $prefix/lib/edgescope $prefix/bin/edgescope"
}

main
