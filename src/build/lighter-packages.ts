import { readFileSync } from 'node:fs';
import { dirname } from 'node:path';
import type { Plugin } from 'esbuild';

/** A change to one file of a package that makes a start lighter and leaves what the package does as it is. */
type Change = {
  /** Ends the path of the file. */
  file: RegExp;
  from: string;
  to: string;
};

const CHANGES: readonly Change[] = [
  // The module asks `fetch` for its own data URL before it decodes that itself, and Node then loads all of its HTTP
  // client: 17 ms.
  {
    file: /[\\/]yoga-layout[\\/]dist[\\/]binaries[\\/]yoga-wasm-base64-esm\.js$/,
    from: 'var loadYoga =',
    to: 'const fetch = undefined;\nvar loadYoga =',
  },
  // The same module takes its code from base64 letter by letter: 4 ms, and V8 optimises the loop while it runs.
  {
    file: /[\\/]yoga-layout[\\/]dist[\\/]binaries[\\/]yoga-wasm-base64-esm\.js$/,
    from: 'var b=xa(a.slice(37)),c=new Uint8Array(b.length);for(a=0;a<b.length;++a)c[a]=b.charCodeAt(a);var d=c}',
    to: "var d=Buffer.from(a.slice(37),'base64')}",
  },
  // meow prepares to complete a package.json, with all licences of the world; this program hands over a complete one.
  {
    file: /[\\/]meow[\\/]build[\\/]dependencies\.js$/,
    from: 'var normalizeExports = requireNormalize();',
    to: 'var normalizeExports = () => {};',
  },
  // V8 takes 2 ms to compile the classes of all letters; the options of this program are written in ASCII.
  {
    file: /[\\/]meow[\\/]build[\\/]dependencies\.js$/,
    from: '/([\\p{Lowercase_Letter}\\d])(\\p{Uppercase_Letter})/gu',
    to: '/([a-z\\d])([A-Z])/g',
  },
  {
    file: /[\\/]meow[\\/]build[\\/]dependencies\.js$/,
    from: '/(\\p{Uppercase_Letter})(\\p{Uppercase_Letter}\\p{Lowercase_Letter}+)/gu',
    to: '/([A-Z])([A-Z][a-z]+)/g',
  },
  // Node's assertions take 1 ms to load, and what holds needs none of them.
  {
    file: /[\\/]signal-exit[\\/]index\.js$/,
    from: "var assert = require('assert')",
    to: "var assert = { equal: (...o) => o[0] === o[1] || require('assert').equal(...o) }",
  },
  // For the size of its longest header, and to know Node's own answers, of which none gets there, undici would load
  // Node's HTTP client and server: 3 ms.
  {
    file: /[\\/]undici[\\/]lib[\\/]dispatcher[\\/]client\.js$/,
    from: "const http = require('node:http')",
    to: 'const http = { maxHeaderSize: 16_384 }',
  },
  {
    file: /[\\/]undici[\\/]lib[\\/]core[\\/]util\.js$/,
    from: "const { IncomingMessage } = require('node:http')",
    to: 'const IncomingMessage = undefined',
  },
  // For the tables of ink-table, and a start draws none: Node's cryptography takes 3 ms to load.
  {
    file: /[\\/]object-hash[\\/]index\.js$/,
    from: "var crypto = require('crypto');",
    to: "var crypto = { createHash: (name) => require('crypto').createHash(name) };",
  },
];

/** The finder fills its tables of letters while it loads: 2 ms, now spent when something is sought. */
const FZF = /[\\/]fzf[\\/]dist[\\/]fzf\.es\.js$/;

const STRING_WIDTH = /[\\/]string-width[\\/]index\.js$/;

/**
 * string-width behind a shorter way for ASCII and for the signs that this program draws itself, one cell each, colours
 * or not. The package builds the table of all emoji while it loads: 10 ms, now spent at the first text that needs it.
 */
function measuringFirst(path: string): string {
  return [
    'const ONE_CELL_EACH = /^[ -~\\u00b7\\u2026\\u2500-\\u259f\\u25cb\\u25cf]*$/;',
    'export default function stringWidth(input, options) {',
    "  if (typeof input === 'string' && options?.ambiguousIsNarrow !== false) {",
    '    if (ONE_CELL_EACH.test(input)) return input.length;',
    "    if (options === undefined && input.includes('\\x1b')) {",
    "      const plain = input.replace(/\\x1b\\[[0-9;]*m/g, '');",
    '      if (ONE_CELL_EACH.test(plain)) return plain.length;',
    '    }',
    '  }',
    `  return ${whole(path)}.default(input, options);`,
    '}',
  ].join('\n');
}

/** Text that stands for the package's file as it is, which is evaluated when this is reached. */
function whole(path: string): string {
  return `require(${JSON.stringify(`whole:${path}`)})`;
}

/** Changes the packages above; fails the build when a new version of one no longer has the place. */
export const lighterPackages: Plugin = {
  name: 'lighter-packages',
  setup(bundle) {
    for (const { file: filter } of CHANGES) {
      // The bundler asks the first of all whose filter fits, so each makes every change to its file.
      bundle.onLoad({ filter }, ({ path }) => ({
        contents: CHANGES.filter(({ file }) => file.test(path)).reduce(
          (source, { from, to }) => {
            if (!source.includes(from)) throw new Error(`${path} has changed: ${from}`);
            return source.replace(from, () => to);
          },
          readFileSync(path, 'utf8'),
        ),
      }));
    }
    bundle.onLoad({ filter: FZF, namespace: 'file' }, ({ path }) => ({
      contents: `export function Fzf(...o) { return new (${whole(path)}.Fzf)(...o); }`,
      resolveDir: dirname(path),
    }));
    bundle.onLoad({ filter: STRING_WIDTH, namespace: 'file' }, ({ path }) => ({
      contents: measuringFirst(path),
      resolveDir: dirname(path),
    }));
    bundle.onResolve({ filter: /^whole:/ }, ({ path }) => ({
      path: path.slice('whole:'.length),
      namespace: 'whole',
    }));
    bundle.onLoad({ filter: /./, namespace: 'whole' }, ({ path }) => ({
      contents: readFileSync(path, 'utf8'),
      resolveDir: dirname(path),
    }));
  },
};
