import { parseArgs } from 'node:util';
import { HOSTILE } from '../session/rewriting.ts';
import { tryFormats } from './hostile-formats.ts';
import { SCENE_NAMES, tryViews } from './hostile-views.ts';

/** One process for each state of the layers (see `layers.mjs`): what it tried, as one line of JSON. */
const { values } = parseArgs({ options: { parts: { type: 'string', default: '0' } } });
const parts = Number(values.parts);
const hasSanitiser = ['both', 'sanitiser'].includes(process.env['EDGESCOPE_LAYERS'] ?? '');
const at = (n: number) => HOSTILE[n % HOSTILE.length]?.input ?? '';
/** Each string alone in every place of a view; or a few mixtures in which each string is somewhere. */
const sources =
  parts === 0
    ? HOSTILE.map(({ input }, n) => ({ name: `string ${n}`, told: () => input }))
    : Array.from({ length: parts }, (_, part) => ({
        name: `mixture ${part}`,
        told: (n: number) => at(n * 7 + Math.floor((part * HOSTILE.length) / parts)),
      }));
const views = await tryViews(sources, { hasSanitiser });
const formats = await tryFormats(sources, { hasSanitiser });
const leaks = [...views.leaks, ...formats.leaks];
console.log(
  JSON.stringify({
    strings: HOSTILE.length,
    views: SCENE_NAMES.length,
    screens: views.screens,
    texts: formats.texts,
    leaks: leaks.length,
    first: leaks.slice(0, 12),
  }),
);
process.exit(0);
