/**
 * `npm run pictures`: draws the pictures of the documents from recorded sessions, or in simulated time, as the program shows them on a
 * terminal; with `-- --record` the sessions are recorded anew, on a simulator.
 */
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gunzipSync, gzipSync } from 'node:zlib';
import { createRecorder } from '../../src/api/recording/record.ts';
import { readRecording } from '../../src/api/recording/recording.ts';
import { replayed } from '../../src/api/recording/replay.ts';
import { GROUP_FIELDS } from '../../src/state/list/pickers.ts';
import type { Cell } from './emulator.ts';
import { KEPT_CODE } from './environment.ts';
import { type Frame, movingPictureOf, pictureOf } from './picture.ts';
import { OPENED, openPlatform, type Platform, type PlatformOptions } from './platform.ts';
import { startSimulator } from './simulator/server.ts';
import { openTerminal, type Terminal } from './terminal.ts';
import { openVirtualSession, type VirtualSession } from './virtual-session.ts';

/** A screen: how it is reached, and what is on it when it is there. */
type Scene = {
  args: readonly string[];
  title: string;
  /** The scene with the same arguments whose recording serves this one, too. */
  recording?: string;
} & (
  | { reach: (terminal: Terminal) => Promise<void> }
  /** What no recording holds is drawn from a simulator in time of its own. */
  | { simulated: (terminal: VirtualSession) => Promise<void> }
  /** A moving picture is recorded so, and drawn from the recording: `show` makes a frame of the screen, `press` tells its key to the next ones. */
  | { way: (film: Film) => Promise<void>; platform: PlatformOptions }
);
type Film = {
  terminal: VirtualSession;
  press: (key: string) => Promise<void>;
  show: (ms: number, caption: string) => void;
};

const COLUMNS = 96;
const ROWS = 24;
const SEED = 3;
/** Rows a second of the busiest zone: enough for a lively log, little enough for small recordings. */
const RATE = 6;
const ZONE = 'shop-frontend';
/** Long enough for the rates of the last minutes to be drawn. */
const WINDOW = 'last:5m';

/** Incidents go by the start of the simulator: ten minutes before it the origin of the busiest zone begins to fail. */
export const FAILING: PlatformOptions = { seed: SEED, rate: RATE, epoch: OPENED + 8 * 60_000 };

export const PICTURES = join(import.meta.dirname, '..', '..', 'docs', 'pictures');
export const RECORDINGS = join(import.meta.dirname, '..', 'recordings');

export const SCENES: Readonly<Record<string, Scene>> = {
  cause: {
    args: ['zones'],
    title: 'edgescope: from the alert to the cause in two keys',
    platform: FAILING,
    async way({ terminal, press, show }) {
      await terminal.waitFor(/with Shield/);
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
    async simulated(terminal) {
      await terminal.waitFor(/with Shield/);
      // The past of all zones is read by then.
      await terminal.pass(40_000);
      await terminal.type('f');
      await terminal.waitFor(/f reads them/);
    },
  },
  log: {
    args: ['logs', ZONE, WINDOW],
    title: 'edgescope: the log of a zone, live',
    async reach(terminal) {
      await terminal.waitFor(isRated);
    },
  },
  groups: {
    args: ['logs', ZONE, 'status:5xx', 'last:1h'],
    title: 'edgescope: the failing requests of a log, by page',
    async reach(terminal) {
      await terminal.waitFor(isRated);
      await terminal.type(`b${'j'.repeat(GROUP_FIELDS.indexOf('page'))}<Space><Enter>`);
      await terminal.waitFor(/by page/);
    },
  },
  shield: {
    args: ['shield', ZONE, 'by:rule,ip', 'last:1h'],
    title: 'edgescope: Shield events by rule',
    reach: (terminal) =>
      terminal.waitFor((screen) => /COMPLETE/.test(screen[0] ?? '') && /Request flood/.test(screen.join())),
  },
  help: {
    args: ['logs', ZONE, WINDOW],
    title: 'edgescope: the keys of the log pane',
    recording: 'log',
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
    /LIVE$/.test(screen[0] ?? '') &&
    /\d req\/s/.test(screen[1] ?? '') &&
    /(?:read|complete) to/.test(screen.join())
  );
}

/** The picture of one scene, as the program draws it now from what was recorded or is simulated. */
export async function drawn(name: string): Promise<string> {
  const scene = sceneNamed(name);
  if ('simulated' in scene) return drawnSimulated(scene);
  if ('way' in scene) return drawnWay(scene);
  const home = mkdtempSync(join(tmpdir(), 'edgescope-picture-'));
  try {
    const file = join(home, 'session');
    writeFileSync(file, gunzipSync(readFileSync(recordingOf(scene.recording ?? name))));
    await using terminal = await openTerminal({
      args: [...scene.args, '--replay', file],
      columns: COLUMNS,
      rows: ROWS,
      env: KEPT_CODE,
    });
    await scene.reach(terminal);
    await terminal.settled();
    return pictureOf(cellsOf(terminal), scene.title);
  } finally {
    rmSync(home, { recursive: true });
  }
}

async function drawnSimulated({
  args,
  title,
  simulated,
}: Extract<Scene, { simulated: unknown }>): Promise<string> {
  return inSimulation(args, { seed: SEED, rate: RATE }, async (terminal) => {
    await simulated(terminal);
    return pictureOf(cellsOf(terminal), title);
  });
}

/** Goes its way once, which is recorded, and films the recording as it is replayed. */
async function drawnWay({ args, title, platform, way }: Extract<Scene, { way: unknown }>): Promise<string> {
  const goes = async (terminal: VirtualSession) => {
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
    return movingPictureOf(frames, title);
  };
  const home = mkdtempSync(join(tmpdir(), 'edgescope-picture-'));
  try {
    const file = join(home, 'session');
    await inSimulation(args, platform, goes, ({ over, clock }) => {
      const recorder = createRecorder(file, clock);
      return (own) => recorder?.over(over(own)) ?? over(own);
    });
    const read = readRecording(readFileSync(file, 'utf8'));
    if (!read.ok) throw new Error(`the recording of ${title} cannot be read: ${read.reason}`);
    const { recording } = read;
    return await inSimulation(
      args,
      platform,
      goes,
      ({ clock }) =>
        () =>
          replayed(recording, clock),
    );
  } finally {
    rmSync(home, { recursive: true });
  }
}

/** What is drawn of a session over a simulator, in time that passes while it waits. `between`: another transport to it. */
async function inSimulation(
  args: readonly string[],
  options: PlatformOptions,
  draw: (terminal: VirtualSession) => Promise<string>,
  between: (platform: Platform) => Platform['over'] = ({ over }) => over,
): Promise<string> {
  let close = async () => {};
  const t = {
    after(closing: typeof close) {
      close = closing;
    },
  };
  const opened = openPlatform(options);
  const platform = { ...opened, over: between(opened) };
  const terminal = await openVirtualSession({ t, args, columns: COLUMNS, rows: ROWS, platform });
  try {
    return await draw(terminal);
  } finally {
    await close();
  }
}

function cellsOf(terminal: Pick<Terminal, 'cell'>): Cell[][] {
  return Array.from({ length: ROWS }, (_, y) =>
    Array.from({ length: COLUMNS }, (_, x) => terminal.cell(x, y)),
  );
}

/** Goes to each scene on a simulator and keeps the answers of the way there. */
async function recordAll(): Promise<void> {
  const simulator = await startSimulator({ seed: SEED, rate: RATE });
  const home = mkdtempSync(join(tmpdir(), 'edgescope-recording-'));
  for (const [name, scene] of Object.entries(SCENES)) {
    if (scene.recording !== undefined || !('reach' in scene)) continue;
    const file = join(home, name);
    const env = {
      EDGESCOPE_ACCESS_KEY: simulator.accessKey,
      EDGESCOPE_BASE_URL: simulator.baseUrl,
      EDGESCOPE_LOGGING_URL: simulator.loggingUrl,
      EDGESCOPE_ORIGIN_ERRORS_URL: simulator.originErrorsUrl,
    };
    const terminal = await openTerminal({
      args: [...scene.args, '--record', file],
      columns: COLUMNS,
      rows: ROWS,
      env,
    });
    await scene.reach(terminal);
    await terminal.settled();
    await terminal.type('<C-c>');
    await terminal.exit();
    writeFileSync(recordingOf(name), gzipSync(readFileSync(file), { level: 9 }));
  }
  rmSync(home, { recursive: true });
  await simulator.close();
}

function sceneNamed(name: string): Scene {
  const scene = SCENES[name];
  if (scene === undefined) throw new Error(`there is no scene ${name}`);
  return scene;
}

function recordingOf(name: string): string {
  return join(RECORDINGS, `${name}.ndjson.gz`);
}

if (import.meta.main) {
  if (process.argv.includes('--record')) await recordAll();
  for (const name of Object.keys(SCENES)) writeFileSync(join(PICTURES, `${name}.svg`), await drawn(name));
}
