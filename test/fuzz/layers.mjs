/**
 * Takes one of the two layers against untrusted text out of the program while it is loaded: `EDGESCOPE_LAYERS` is `both`,
 * `filter` (the sanitiser is off), `sanitiser` (the filter of the terminal is off) or `neither`.
 */
import { registerHooks } from 'node:module';

const layers = process.env['EDGESCOPE_LAYERS'] ?? 'both';

/** Text as it stands in a file, once, and what takes its place. */
const SANITISER_OFF = {
  'src/text/sanitise.ts': [
    [
      'export function sanitise(s: string, mode: SanitiseMode, maxLength?: number): string {',
      'export function sanitise(s: string, mode: SanitiseMode, maxLength?: number): string {\n  if (mode) return maxLength === undefined ? s : s.slice(0, maxLength);',
    ],
  ],
};
const FILTER_OFF = {
  'src/terminal/styled-text.ts': [
    [
      'if (sgr === null) return parseRefusedLine(line, columns);\n      applySgr',
      'if (sgr === null) {\n        cells.push(packCell(code, style));\n        at += 1;\n        continue;\n      }\n      applySgr',
    ],
    [
      'export function glyphCells(codePoint: number): GlyphCells {',
      'export function glyphCells(codePoint: number): GlyphCells {\n  return (allowedCells(codePoint) || 1) as GlyphCells;\n}\n\nfunction allowedCells(codePoint: number): GlyphCells {',
    ],
  ],
};

const changes = {
  ...(layers === 'filter' || layers === 'neither' ? SANITISER_OFF : {}),
  ...(layers === 'sanitiser' || layers === 'neither' ? FILTER_OFF : {}),
};

registerHooks({
  load(url, context, nextLoad) {
    const loaded = nextLoad(url, context);
    const file = Object.keys(changes).find((name) => url.endsWith(`/${name}`));
    if (file === undefined) return loaded;
    let source = String(loaded.source);
    for (const [find, put] of changes[file]) {
      if (source.split(find).length !== 2) throw new Error(`${file} has no such place any more: ${find}`);
      source = source.replace(find, () => put);
    }
    return { ...loaded, source };
  },
});
