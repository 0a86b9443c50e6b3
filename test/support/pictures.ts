/** `npm run pictures`: draws the README's pictures from the demo, as it is on a terminal just now. */
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { GROUP_FIELDS } from '../../src/state/overlays.ts';
import { pictureOf } from './picture.ts';
import { openTerminal, type Terminal } from './terminal.ts';

/** A screen of the demo: how it is reached, and what is on it when it is there. */
type Scene = { args: readonly string[]; title: string; reach: (terminal: Terminal) => Promise<void> };

const COLUMNS = 96;
const ROWS = 24;
const SEED = 3;
const ZONE = 'shop-frontend';
/** Long enough for the rates of the last minutes to be drawn. */
const WINDOW = 'last:5m';

export const PICTURES = join(import.meta.dirname, '..', 'pictures');

export const SCENES: Readonly<Record<string, Scene>> = {
  zones: {
    args: ['--demo'],
    title: 'edgescope: the zone picker',
    reach: (terminal) => terminal.waitFor(/with Shield/),
  },
  log: {
    args: ['logs', ZONE, '--demo', WINDOW],
    title: 'edgescope: the log of a zone, live',
    async reach(terminal) {
      await terminal.waitFor(isRated);
    },
  },
  groups: {
    args: ['logs', ZONE, '--demo', 'status:5xx', WINDOW],
    title: 'edgescope: the failing requests of a log, by page',
    async reach(terminal) {
      await terminal.waitFor(isRated);
      await terminal.type(`b${'j'.repeat(GROUP_FIELDS.indexOf('page'))}<Space><Enter>`);
      await terminal.waitFor(/by page/);
    },
  },
  shield: {
    args: ['shield', ZONE, '--demo', 'by:rule,ip', 'last:1h'],
    title: 'edgescope: Shield events by rule',
    reach: (terminal) => terminal.waitFor(/COMPLETE/),
  },
  help: {
    args: ['logs', ZONE, '--demo', WINDOW],
    title: 'edgescope: the keys of the log pane',
    async reach(terminal) {
      await terminal.waitFor(/LIVE$/m);
      await terminal.type('?');
      await terminal.waitFor(/keys of the log/);
    },
  },
};

/** The tail has read long enough for its rates. */
function isRated(screen: readonly string[]): boolean {
  return (
    /LIVE$/.test(screen[0] ?? '') && /\d req\/s/.test(screen[1] ?? '') && /complete to/.test(screen.join())
  );
}

/** The picture of one scene as it is now. */
export async function drawn(name: string): Promise<string> {
  const scene = SCENES[name];
  if (scene === undefined) throw new Error(`there is no scene ${name}`);
  const args = [...scene.args, '--seed', String(SEED)];
  await using terminal = await openTerminal({ args, columns: COLUMNS, rows: ROWS });
  await scene.reach(terminal);
  await terminal.settled();
  const cells = Array.from({ length: ROWS }, (_, y) =>
    Array.from({ length: COLUMNS }, (_, x) => terminal.cell(x, y)),
  );
  return pictureOf(cells, scene.title);
}

if (import.meta.main) {
  mkdirSync(PICTURES, { recursive: true });
  for (const name of Object.keys(SCENES)) writeFileSync(join(PICTURES, `${name}.svg`), await drawn(name));
}
