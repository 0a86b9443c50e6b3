/** `npm run pictures`: draws the pictures of the documents, as the program shows them over a simulator in virtual time. */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Cell } from './emulator.ts';
import { type Frame, movingPictureOf, pictureOf } from './picture.ts';
import { OPENED, openPlatform, type PlatformOptions } from './platform.ts';
import { openVirtualSession, type VirtualSession } from './virtual-session.ts';

/** A screen: how it is reached. */
type Scene = { args: readonly string[]; title: string; platform?: PlatformOptions } & (
  | { reach: (terminal: VirtualSession) => Promise<void> }
  /** A moving picture: `show` makes a frame of the screen, `press` tells its key to the next ones. */
  | { way: (film: Film) => Promise<void> }
);
type Film = {
  terminal: VirtualSession;
  press: (key: string) => Promise<void>;
  show: (ms: number, caption: string) => void;
};

const COLUMNS = 96;
const ROWS = 24;
const ZONE = 'shop-frontend';
/** Long enough for the rates of the last minutes to be drawn. */
const WINDOW = 'last:5m';

/** `rate`, the rows a second of the busiest zone, is enough for a lively log. */
const USUAL: PlatformOptions = { seed: 3, rate: 6 };

/** Incidents go by the start of the simulator: ten minutes before it the origin of the busiest zone begins to fail. */
export const FAILING: PlatformOptions = { ...USUAL, epoch: OPENED + 8 * 60_000 };

export const PICTURES = join(import.meta.dirname, '..', '..', 'docs', 'pictures');

export const SCENES: Readonly<Record<string, Scene>> = {
  cause: {
    args: ['zones'],
    title: 'edgescope: from the alert to the cause in two keys',
    platform: FAILING,
    async way({ terminal, press, show }) {
      await terminal.waitFor(/ Shield$/m);
      // The past of all zones is read by then.
      await terminal.pass(40_000);
      show(4_000, 'an alert: 5xx is up. The worst zone stands first, with what it stands out by');
      await press('<Enter>');
      await terminal.waitFor(isRated);
      for (const seconds of [0, 6]) {
        await terminal.pass(seconds * 1000);
        show(2_000, 'its requests, live, below the traffic of the last minutes');
      }
      await press('!');
      await terminal.waitFor(/READ/);
      show(9_000, 'what is wrong: how many requests, since when, and why');
    },
  },
  zones: {
    args: ['zones'],
    title: 'edgescope: the zone picker',
    async reach(terminal) {
      await terminal.waitFor(/ Shield$/m);
      // The past of all zones is read by then.
      await terminal.pass(40_000);
      await terminal.type('<:follow>');
      await terminal.waitFor(/:follow reads them/);
    },
  },
  log: {
    args: ['logs', ZONE, WINDOW],
    title: 'edgescope: the log of a zone, live',
    reach: (terminal) => terminal.waitFor(isRated),
  },
  shield: {
    args: ['shield', ZONE, 'by:rule,ip', 'last:1h'],
    title: 'edgescope: the addresses that one rule stopped',
    async reach(terminal) {
      await terminal.waitFor(
        (screen) => /COMPLETE/.test(screen[0] ?? '') && /Request flood/.test(screen.join()),
      );
      await terminal.type('<Enter>');
      await terminal.waitFor(/CLIENT ADDRESS 1/);
    },
  },
  incidents: {
    args: ['zones'],
    title: 'edgescope: what stood out in three hours, over the account',
    platform: FAILING,
    async reach(terminal) {
      await terminal.waitFor(/ Shield$/m);
      await terminal.type('<:incidents>');
      await terminal.waitFor(/WAY TO ASK/);
      await terminal.type('<Enter>');
      await terminal.waitFor(/ READ *$/m, { timeout: 7_200_000 });
    },
  },
  help: {
    args: ['logs', ZONE, WINDOW],
    title: 'edgescope: the WHAT CAN BE DONE in the log pane',
    async reach(terminal) {
      await terminal.waitFor(/LIVE$/m);
      await terminal.type('?');
      await terminal.waitFor(/WHAT CAN BE DONE in the log/);
    },
  },
};

/** The tail has read long enough for its rates. */
function isRated(screen: readonly string[]): boolean {
  return (
    /LIVE$/.test(screen[0] ?? '') &&
    /\d req\/s/.test(screen[2] ?? '') &&
    /(?:read|complete) until/.test(screen.join())
  );
}

/** The picture of one scene, as the program draws it now. */
export async function drawn(name: string): Promise<string> {
  const scene = SCENES[name];
  if (scene === undefined) throw new Error(`there is no scene ${name}`);
  const { args, title } = scene;
  const terminal = await openVirtualSession({
    t: { after() {} },
    args,
    columns: COLUMNS,
    rows: ROWS,
    platform: openPlatform(scene.platform ?? USUAL),
  });
  try {
    if ('way' in scene) return movingPictureOf(await framesOf(scene.way, terminal), title);
    await scene.reach(terminal);
    await terminal.settled();
    return pictureOf(cellsOf(terminal), title);
  } finally {
    await terminal.close();
  }
}

async function framesOf(way: (film: Film) => Promise<void>, terminal: VirtualSession): Promise<Frame[]> {
  const frames: Frame[] = [];
  let key: string | undefined;
  await way({
    terminal,
    async press(pressed) {
      key = pressed.replace(/[<>]/g, '');
      await terminal.type(pressed);
    },
    show: (ms, caption) => frames.push({ cells: cellsOf(terminal), ms, caption, ...(key && { key }) }),
  });
  return frames;
}

function cellsOf(terminal: VirtualSession): Cell[][] {
  return Array.from({ length: ROWS }, (_, y) =>
    Array.from({ length: COLUMNS }, (_, x) => terminal.cell(x, y)),
  );
}

if (import.meta.main) {
  for (const name of Object.keys(SCENES)) writeFileSync(join(PICTURES, `${name}.svg`), await drawn(name));
}
