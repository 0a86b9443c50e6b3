/** What the bundle was built from; the bundler puts it in. */
declare const BUILT_FROM: string;

/** The line of `--version`: the program, the commit it was built from and the Node that runs it. */
export function versionLine(version: string): string {
  const from = typeof BUILT_FROM === 'string' ? BUILT_FROM : 'from the source';
  return `edgescope ${version} (${from}) on Node ${process.versions.node}`;
}
