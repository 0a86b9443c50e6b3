/** Ends the path of the file of ink-table that has to be rewritten. */
export const INK_TABLE_FILE = /[\\/]ink-table[\\/]dist[\\/]index\.js$/;

/**
 * The source of ink-table as an ES module. It comes as CommonJS and asks for Ink with `require`, which cannot load
 * Ink 8: a module that awaits at its top level. Its three requires become imports; what it exports stays one object,
 * under `default`, as Node itself shows a CommonJS module to an import.
 */
export function inkTableAsModule(source: string): string {
  return [
    "import * as react from 'react';",
    "import * as ink from 'ink';",
    "import hash from 'object-hash';",
    "const modules = { react: { __esModule: true, default: react.default ?? react }, ink, 'object-hash': hash };",
    'const module = { exports: {} };',
    '(function (require, exports) {',
    source,
    '}).call(undefined, (name) => modules[name], module.exports);',
    'export default module.exports;',
  ].join('\n');
}
