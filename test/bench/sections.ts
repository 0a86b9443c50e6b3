import { execFile } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { promisify } from 'node:util';
import { appKeys, appPicker, appTail, appWindow, isBuilt, measured } from './app.ts';
import { type Figures, median } from './figures.ts';
import { measureFollow } from './follow.ts';
import { measureFresh } from './fresh.ts';
import { measureLink } from './link.ts';
import { flowCost, heldKey, keyCost, type Size, started, startedOnce, startTime } from './measures.ts';
import { measureOpen } from './open.ts';
import { type Baselines, type Feed, installed, type Program, startFeed } from './programs.ts';
import { type Entry, rowText } from './row-text.ts';
import { measureZones } from './zones.ts';

export type Setting = {
  /** For files of this run. */
  folder: string;
  figures: Figures;
  baselines: Baselines;
  quick: boolean;
  /** What the reader of the figures must know. */
  notes: Set<string>;
};
type Section = (setting: Setting, round: number) => Promise<void>;

const SIZE: Size = { columns: 120, rows: 40 };
const LARGE: Size = { columns: 200, rows: 60 };
const OURS = 'edgescope';
type Step = {
  work: string;
  keys: readonly string[];
  times: number;
  /** From the last row on show, where a list must scroll. */
  isBelow?: true;
};
const STEPS: readonly Step[] = [
  { work: 'one row down, up', keys: ['j', 'k', 'j', 'j'], times: 15 },
  { work: 'a page down, up', keys: ['<PgDn>', '<PgDn>', '<PgUp>'], times: 6 },
  { work: 'to the end, the start', keys: ['g', 'G'], times: 8 },
  { work: 'one row scrolled', isBelow: true, keys: ['j'], times: 15 },
];
const VERSUS_INK = [
  [OURS, 'plain Ink'],
  [OURS, 'incremental Ink'],
] as const;
const TAIL_RATES = [10, 100, 1000, 5000];
// After the start a tail reads history and warms up, which is not what tailing costs.
const TAIL_WARM_MS = 4000;

export const SECTIONS: Readonly<Record<string, Section>> = {
  start: measureStart,
  keys: measureKeys,
  tail: measureTail,
  zones: measureZones,
  idle: measureIdle,
  ingest: measureIngest,
  open: measureOpen,
  follow: measureFollow,
  link: measureLink,
  fresh: measureFresh,
};

async function measureStart({ figures, baselines, folder }: Setting): Promise<void> {
  await withFeed(40, async (feed) => {
    // The program keeps compiled code in its home; so may the hello that it is held against.
    const home = join(folder, 'home');
    mkdirSync(home, { recursive: true });
    const compiled = { ...baselines.inkHello, home, env: { NODE_COMPILE_CACHE: join(home, 'compiled') } };
    const values: Record<string, number> = measured.isAlone
      ? {}
      : {
          'bare Node': await startTime(baselines.nodeHello, SIZE),
          'Ink hello': await startTime(baselines.inkHello, SIZE),
          'Ink hello, compiled': await warmStart(compiled),
          'plain Ink': await startTime(inkTails(baselines, feed)[0], SIZE),
        };
    if (isBuilt()) {
      values['first start ever'] = await startTime(appPicker(feed), SIZE);
      values['zone list'] = await warmStart({ ...appPicker(feed), home });
      values['log rows'] = await warmStart({ ...appTail(feed), home });
    }
    figures.add('start → first screen', 'ms', values, [
      ['zone list', 'Ink hello'],
      ['log rows', 'Ink hello'],
      ['zone list', 'Ink hello, compiled'],
      ['log rows', 'plain Ink'],
      ['zone list', 'bare Node'],
    ]);
    if (!isBuilt()) return;
    const keys = appKeys(feed);
    const piped = { ...keys, env: { ...keys.env, HOME: home } };
    await pipedTime(piped);
    figures.add(
      'start → end of `keys` in a pipe',
      'ms',
      {
        edgescope: await pipedTime(piped),
        'bare Node': await pipedTime({ command: process.execPath, args: ['-e', '0'], env: { HOME: home } }),
      },
      [[OURS, 'bare Node']],
    );
  });
}

/** From the start of a program in a pipe to its end, ms: the median of some. */
async function pipedTime({ command, args, env }: Pick<Program, 'command' | 'args' | 'env'>): Promise<number> {
  const times: number[] = [];
  for (let i = 0; i < 7; i++) {
    const from = performance.now();
    await promisify(execFile)(command, [...args], { env: { PATH: process.env['PATH'], ...env } });
    times.push(performance.now() - from);
  }
  return median(times);
}

async function warmStart(program: Program): Promise<number> {
  await startedOnce(program, SIZE);
  return startTime(program, SIZE);
}

async function measureKeys(setting: Setting, round: number): Promise<void> {
  const { baselines, quick, notes } = setting;
  await withFeed(40, async (feed) => {
    // Far enough back that every row is there and late ones have come.
    const to = Date.now() - 10 * 60_000;
    const from = to - 60_000;
    const file = join(setting.folder, 'rows.log');
    const rows = (await entries(feed, from, to)).map(rowText);
    writeFileSync(file, `${rows.join('\n')}\n`);
    const viewers: Program[] = measured.isAlone ? [] : baselines.inkLists(['file', file]);
    if (isBuilt()) viewers.unshift(appWindow(feed, from, to));
    for (const [name, args] of [
      ['less', ['-S', file]],
      ['lnav', [file]],
    ] as const) {
      const viewer = installed(name, [...args], /\b200\b/);
      if (viewer !== null) viewers.push(viewer);
      else notes.add(`${name} is not installed here and was not measured.`);
    }
    for (const size of quick || round % 2 === 0 ? [SIZE] : [SIZE, LARGE]) {
      for (const viewer of viewers) await measureViewer(setting, viewer, size);
      if (size === SIZE && !measured.isAlone) await measureEcho(setting);
    }
  });
}

async function measureViewer({ figures, quick }: Setting, viewer: Program, size: Size): Promise<void> {
  const at = size === SIZE ? '' : ` at ${size.columns}×${size.rows}`;
  const { terminal } = await started(viewer, size);
  try {
    await terminal.quiet(500);
    await terminal.type('g');
    await terminal.quiet(300);
    for (const { work, keys, times, isBelow } of STEPS) {
      if (isBelow) {
        await terminal.type('g');
        await heldKey(terminal, 'j', size.rows / 30);
      }
      const cost = await keyCost(terminal, keys, quick ? Math.ceil(times / 4) : times);
      const versus = [...VERSUS_INK, [OURS, 'less'], [OURS, 'lnav']] as const;
      const ideal: Record<string, number> = viewer.name === OURS ? { 'its ideal': cost.ideal } : {};
      figures.add(`bytes: ${work}${at}`, 'B', { [viewer.name]: cost.bytes, ...ideal }, [
        [OURS, 'its ideal'],
        ...versus,
      ]);
      if (work !== STEPS[0]?.work || size !== SIZE) continue;
      figures.add('key → last byte, p50', 'ms', { [viewer.name]: cost.settledP50 }, [
        ...versus,
        [OURS, 'bare Node'],
      ]);
      figures.add('key → last byte, p99', 'ms', { [viewer.name]: cost.settledP99 }, VERSUS_INK);
    }
    if (size !== SIZE) return;
    await terminal.type('g');
    const held = await heldKey(terminal, 'j', quick ? 2 : 3);
    figures.add('key held at 30/s: CPU', '%', { [viewer.name]: held.cpuPercent }, [
      ...VERSUS_INK,
      [OURS, 'lnav'],
    ]);
  } finally {
    await terminal.close();
  }
}

async function measureEcho({ figures, baselines, quick }: Setting): Promise<void> {
  const { terminal } = await started(baselines.nodeEcho, SIZE);
  try {
    const cost = await keyCost(terminal, ['j'], quick ? 15 : 60);
    figures.add('key → last byte, p50', 'ms', { 'bare Node': cost.settledP50 });
    figures.add('key → last byte, p99', 'ms', { 'bare Node': cost.settledP99 });
  } finally {
    await terminal.close();
  }
}

async function measureTail({ figures, baselines, quick }: Setting): Promise<void> {
  for (const rate of quick ? [10, 5000] : TAIL_RATES) {
    const peers = measured.isAlone ? [] : [0, 1];
    const programs = peers.map((n) => (feed: Feed) => inkTails(baselines, feed)[n] as Program);
    if (isBuilt()) programs.unshift(appTail);
    for (const program of programs) {
      // A feed each: the limit of requests belongs to the account, not to the program.
      await withFeed(rate, async (feed) => {
        const { terminal } = await started(program(feed), SIZE);
        try {
          await sleep(quick ? TAIL_WARM_MS / 2 : TAIL_WARM_MS);
          const cost = await flowCost(terminal, quick ? 3 : 8);
          const name = program(feed).name;
          figures.add(
            `tail ${rate} rows/s: bytes a second`,
            'B/s',
            { [name]: cost.bytesPerSecond },
            VERSUS_INK,
          );
          figures.add(`tail ${rate} rows/s: CPU`, '%', { [name]: cost.cpuPercent }, VERSUS_INK);
          figures.add(`tail ${rate} rows/s: resident memory`, 'MB', { [name]: cost.rssMb }, VERSUS_INK);
        } finally {
          await terminal.close();
        }
      });
    }
  }
}

async function measureIdle({ figures, baselines, quick }: Setting): Promise<void> {
  await withFeed(1, async (feed) => {
    const peers = measured.isAlone ? [] : [baselines.inkHello];
    for (const program of [...(isBuilt() ? [appPicker(feed)] : []), ...peers]) {
      const { terminal } = await started(program, SIZE);
      try {
        // The picker reads on; what it costs when nothing happens is asked with its figures standing still.
        if (program.name === OURS) await terminal.type('<:follow>');
        await terminal.quiet(1000);
        const cost = await flowCost(terminal, quick ? 3 : 8);
        figures.add('idle: bytes', 'B/s', { [program.name]: cost.bytesPerSecond });
        figures.add('idle: CPU', '%', { [program.name]: cost.cpuPercent });
        figures.add('idle: resident memory', 'MB', { [program.name]: cost.rssMb }, [[OURS, 'Ink hello']]);
      } finally {
        await terminal.close();
      }
    }
  });
}

async function measureIngest({ figures, quick }: Setting): Promise<void> {
  const pages = await withFeed(1000, async (feed) => {
    const to = Date.now() - 10 * 60_000;
    const length = 9_000;
    const texts = await Promise.all(
      Array.from({ length: 5 }, (_, n) => page(feed, to - (n + 1) * length, to - n * length)),
    );
    // Bytes, so that the server's own work is not waited for.
    return texts.map((text) => Buffer.from(text));
  });
  const server = createServer((request, response) => {
    const n = Number(new URL(request.url ?? '/', 'http://localhost').searchParams.get('offset') ?? 0);
    response.setHeader('content-type', 'application/json');
    response.end(pages[n]);
  });
  await once(server.listen(0, '127.0.0.1'), 'listening');
  try {
    const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
    const args = [
      join(measured.tree, 'test', 'bench', 'ingest.ts'),
      url,
      String(pages.length),
      quick ? '3' : '6',
    ];
    const { stdout } = await promisify(execFile)(process.execPath, args);
    const { wholeWay, parseAlone } = JSON.parse(stdout) as { wholeWay: number; parseAlone: number };
    const values = { 'socket → book': wholeWay / 1000, 'JSON.parse alone': parseAlone / 1000 };
    figures.add('records in', 'thousand/s', values, [['socket → book', 'JSON.parse alone']]);
  } finally {
    server.close();
    server.closeAllConnections();
  }
}

function inkTails(baselines: Baselines, feed: Feed): [Program, Program] {
  return baselines.inkLists(['tail', feed.loggingUrl, feed.zoneId, feed.accessKey]);
}

async function withFeed<T>(rate: number, use: (feed: Feed) => Promise<T>): Promise<T> {
  const feed = await startFeed(rate);
  try {
    return await use(feed);
  } finally {
    await feed.stop();
  }
}

async function entries(feed: Feed, from: number, to: number): Promise<Entry[]> {
  return (JSON.parse(await page(feed, from, to)) as { data: Entry[] }).data;
}

async function page(feed: Feed, from: number, to: number): Promise<string> {
  const window = `from=${new Date(from).toISOString()}&to=${new Date(to).toISOString()}`;
  const url = `${feed.loggingUrl}/v2/pullzones/${feed.zoneId}/logs?${window}&order=asc&limit=10000`;
  const answer = await fetch(url, { headers: { AccessKey: feed.accessKey } });
  if (!answer.ok) throw new Error(`the simulator answered ${answer.status}`);
  return answer.text();
}
