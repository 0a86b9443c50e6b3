import { readFileSync } from 'node:fs';
import { dirname } from 'node:path';
import type { Plugin } from 'esbuild';

/** Stands for a left-out part: can be taken apart and constructed while modules load, and refuses to be called. */
const NOTHING = `const nothing = new Proxy(function () {}, {
  get: () => nothing,
  construct: () => ({}),
  apply: () => { throw new Error('this part of a package was left out of the bundle'); },
});
module.exports = nothing;`;

/** As its index, its client and its requests ask for them. */
const UNUSED_OF_UNDICI =
  /^\.\.?\/(?:lib\/(?:web|mock|interceptor|cache)\/|lib\/dispatcher\/(?:balanced-pool|dispatcher1-wrapper|round-robin-pool|retry-agent|h2c-client)$|lib\/handler\/re(?:try|direct)-handler$|api-(?:stream|pipeline|upgrade)$|client-h2\.js$|web\/)/;

/** meow finds and completes a package.json, with all licences of the world; this program hands over a complete one. */
const MEOW = {
  file: /[\\/]meow[\\/]build[\\/]dependencies\.js$/,
  changes: [
    ['var normalizeExports = requireNormalize();', 'var normalizeExports = () => {};'],
    ['var libExports = requireLib$1();', 'var libExports = {};'],
    ['function readPackageUpSync(options) {', 'function readPackageUpSync() {}\nfunction unused(options) {'],
  ],
} as const;

/** By what a module is asked for and by whom: what it gets. One of Node's takes 3 ms, and is not needed while packages load. */
const STAND_INS = [
  { module: /^react-devtools-core$/, importer: /./, contents: NOTHING },
  {
    module: UNUSED_OF_UNDICI,
    importer:
      /[\\/]undici[\\/](?:index|lib[\\/](?:api[\\/]index|dispatcher[\\/]client(?:-h1)?|core[\\/]request))\.js$/,
    contents: NOTHING,
  },
  // Its parser for processors without vector instructions: those of before 2008.
  {
    module: /^\.\.\/llhttp\/llhttp-wasm\.js$/,
    importer: /[\\/]undici[\\/]/,
    contents:
      "throw new Error('this processor lacks the vector instructions (SSE4.1, NEON) that are needed here');",
  },
  // Its reader of the names of types; the rows are read as lines of JSON.
  {
    module: /^\.\/column_types$/,
    importer: /[\\/]@clickhouse[\\/]client[\\/]/,
    contents: NOTHING,
  },
  // The size of its longest header, and a class of Node's own answers, of which none gets there.
  {
    module: /^node:http$/,
    importer: /[\\/]undici[\\/]/,
    contents: 'module.exports = { maxHeaderSize: 16_384 };',
  },
  // For the tables of ink-table, and a start draws none.
  {
    module: /^crypto$/,
    importer: /[\\/]object-hash[\\/]/,
    contents:
      "module.exports = { createHash: (name) => process.getBuiltinModule('node:crypto').createHash(name) };",
  },
];

/** The protocol's server validates what users answer to its questions by a schema, and this program asks them none. */
const PROTOCOL_PARTS = {
  file: /[\\/]@modelcontextprotocol[\\/]server[\\/]dist[\\/]shimsNode\.mjs$/,
  validator: 'AjvJsonSchemaValidator as DefaultJsonSchemaValidator',
  contents: `export { default as process } from 'node:process';
    export class DefaultJsonSchemaValidator {
      getValidator() { throw new Error('this part of a package was left out of the bundle'); }
    }`,
};

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

/**
 * Makes a start lighter and leaves what packages do as it is. Parts that this program never reaches, and that a bundler
 * cannot know to be unreachable, stay out: React's devtools, zod's other languages, meow's licences, the validator of the
 * protocol's server, and all of undici but its requests and agents over HTTP/1.1, with bodies of text. Fails where a new version no longer has the place.
 */
export const lighterPackages: Plugin = {
  name: 'lighter-packages',
  setup(bundle) {
    for (const { module, importer: wanted, contents } of STAND_INS) {
      bundle.onResolve({ filter: module }, ({ path, importer }) =>
        wanted.test(importer)
          ? { path: contents === NOTHING ? 'nothing' : path, namespace: 'stand-in', pluginData: contents }
          : null,
      );
    }
    bundle.onLoad({ filter: /./, namespace: 'stand-in' }, ({ pluginData }) => ({ contents: pluginData }));
    bundle.onLoad({ filter: /[\\/]zod[\\/]v4[\\/]locales[\\/]index\.js$/ }, () => ({
      contents: 'export { default as en } from "./en.js";',
    }));
    bundle.onLoad({ filter: MEOW.file }, ({ path }) => {
      const contents = MEOW.changes.reduce(
        (source, [from, to]) => {
          if (!source.includes(from)) throw new Error(`${path} has changed: ${from}`);
          return source.replace(from, to);
        },
        readFileSync(path, 'utf8'),
      );
      return { contents };
    });
    bundle.onLoad({ filter: PROTOCOL_PARTS.file }, ({ path }) => {
      const { validator, contents } = PROTOCOL_PARTS;
      if (!readFileSync(path, 'utf8').includes(validator))
        throw new Error(`${path} has changed: ${validator}`);
      return { contents, resolveDir: dirname(path) };
    });
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
