/** What the bundle was built as; the bundler puts it in. `day`: that of its sources. */
declare const BUILD: { version: string; day: string };

/** The version and the day of this build; from the source, the version of the manifest and no day. */
export function buildOf(version: string): { version: string; day: string } {
  return typeof BUILD === 'object' ? BUILD : { version: `${version} (from the source)`, day: '' };
}

/** The line of `--version`: the program, with the commit in its version, and the Node that runs it. */
export function versionLine(version: string): string {
  return `edgescope ${buildOf(version).version} on Node ${process.versions.node}`;
}
