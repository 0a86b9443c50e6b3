# nix-build edgescope.nix, or callPackage: the npm package, run by the Node of nixpkgs.
{
  pkgs ? import <nixpkgs> { },
}:
pkgs.stdenvNoCC.mkDerivation {
  pname = "edgescope";
  version = "@VERSION@";
  src = pkgs.fetchurl {
    url = "@URL@/edgescope-@VERSION_IN_URL@.tgz";
    sha256 = "@SHA256 edgescope-@VERSION@.tgz@";
  };
  nativeBuildInputs = [
    pkgs.installShellFiles
    pkgs.makeWrapper
  ];
  dontBuild = true;
  installPhase = ''
    runHook preInstall
    install -Dm755 dist/edgescope $out/libexec/edgescope
    install -Dm644 dist/edgescope.js $out/libexec/edgescope.js
    makeWrapper $out/libexec/edgescope $out/bin/edgescope --prefix PATH : ${pkgs.nodejs_26}/bin
    installManPage dist/edgescope.1
    installShellCompletion --cmd edgescope --bash dist/completions/edgescope.bash \
      --zsh dist/completions/_edgescope --fish dist/completions/edgescope.fish
    runHook postInstall
  '';
  meta = {
    description = "Terminal explorer of an edge platform's logs";
    homepage = "@URL@";
    license = pkgs.lib.licenses.mit;
    mainProgram = "edgescope";
    platforms = pkgs.lib.platforms.linux ++ pkgs.lib.platforms.darwin;
  };
}
