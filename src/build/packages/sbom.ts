import { hash } from 'node:crypto';
import type { Library, LockedPackage, PackagePlatform } from './pinned.ts';

type Component = { type: string; 'bom-ref': string; name: string; version: string; purl: string };

/** A Node that comes with a package: its program as it is shipped, which has no symbols and so another hash than Node's own. */
type ShippedNode = {
  platform: PackagePlatform;
  version: string;
  license: string | null;
  program: Buffer;
  library: Library | null;
};

/**
 * The bill of materials as CycloneDX 1.6: the packages in the bundle, with versions, licences and hashes as the lock file has
 * them, and the Node programs that come with it and what these need, under the names by which scanners know them. `time`: Unix seconds.
 */
export function sbomOf(o: {
  version: string;
  license: string;
  bundled: readonly LockedPackage[];
  nodes: readonly ShippedNode[];
  time: number;
}): string {
  const own = named('application', 'edgescope', o.version);
  const libraries = o.nodes.flatMap(({ library }) => library ?? []);
  const components = [...o.bundled.map(packageOf), ...o.nodes.map(nodeOf), ...libraries.map(libatomicOf)];
  const bom = {
    bomFormat: 'CycloneDX',
    specVersion: '1.6',
    version: 1,
    metadata: {
      timestamp: new Date(o.time * 1000).toISOString(),
      component: { ...own, licenses: [{ license: { id: o.license } }] },
    },
    components,
    dependencies: [{ ref: own['bom-ref'], dependsOn: components.map((each) => each['bom-ref']) }],
  };
  return `${JSON.stringify(bom, null, 2)}\n`;
}

function packageOf({ name, version, integrity, license }: LockedPackage) {
  const content = Buffer.from(integrity.replace(/^sha512-/, ''), 'base64').toString('hex');
  return {
    ...named('library', name, version),
    ...(license === null ? {} : { licenses: [{ license: { id: license } }] }),
    hashes: [{ alg: 'SHA-512', content }],
  };
}

/** Databases of vulnerabilities know Node by its CPE, and no package of npm that it comes in. */
function nodeOf({ platform, version, license, program }: ShippedNode) {
  const [os, architecture] = platform.split('-');
  const purl = `pkg:generic/node@${version}?arch=${architecture}&os=${os}`;
  return {
    type: 'platform',
    'bom-ref': purl,
    name: 'node',
    version,
    purl,
    cpe: `cpe:2.3:a:nodejs:node.js:${version}:*:*:*:*:*:*:*`,
    ...(license === null ? {} : { licenses: [{ license: { id: license } }] }),
    hashes: [{ alg: 'SHA-512', content: hash('sha512', program) }],
  };
}

function libatomicOf({ name, version, content }: Library) {
  const purl = `pkg:deb/debian/${name}@${version}?arch=all&distro=debian-12`;
  return {
    type: 'library',
    'bom-ref': purl,
    name,
    version,
    purl,
    licenses: [{ expression: 'GPL-3.0-or-later WITH GCC-exception-3.1' }],
    hashes: [{ alg: 'SHA-512', content: hash('sha512', content) }],
  };
}

function named(type: string, name: string, version: string): Component {
  const purl = `pkg:npm/${name.replace('@', '%40')}@${version}`;
  return { type, 'bom-ref': purl, name, version, purl };
}
