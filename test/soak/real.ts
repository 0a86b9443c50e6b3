import assert from 'node:assert/strict';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { randomOf } from '../effects/support/model-rows.ts';
import { checkRows, checkScene, checkTerminal, newestOf, type Tally } from '../faults/checks.ts';
import { ended, Scene, ZONE } from '../faults/scene.ts';
import { isLive } from '../session/log-screen.ts';
import { leafOf, sessionProcesses } from '../support/processes.ts';
import type { FaultPlan } from '../support/simulator/fault-plan.ts';
import type { Fault } from '../support/simulator/faults.ts';
import { until } from '../support/until.ts';
import {
  cpuOf,
  mostResources,
  type Range,
  rangeOf,
  type Sample,
  type Slope,
  sampleOf,
  slopeOf,
  type Told,
  toldIn,
} from './measure.ts';
import { Person } from './person.ts';

/** What one of the two programs did with the machine after the warm-up. */
export type Use = {
  rss: Range;
  rssSlope: Slope;
  /** The heap as full collections left it; null where there were too few. */
  heapSlope: Slope | null;
  /** Where the memory is that grows: what the heap has taken, what its objects hold elsewhere, and the rest. */
  parts: Record<'heapTaken' | 'external' | 'rest', { range: Range; slope: Slope }>;
  handles: Range;
  threads: Range;
  cpuPercent: number;
  /** The most of each kind at once. */
  resources: Record<string, number>;
};

export type RealFigures = {
  minutes: number;
  warmUp: number;
  faults: number;
  requests: number;
  rows: { piped: Tally; screen: Tally };
  use: { piped: Use; screen: Use };
  keys: { pressed: number; unheard: readonly string[]; median: number; slowest: number };
  wrong: string[];
};

const SAMPLE_EVERY = 5_000;
/** Of the whole time: buffers and the row store fill on purpose, and code is compiled. */
const WARM_UP = 0.4;
/** Rows a second on the terminal, and how much of the past it reads: its row store is full before the warm-up is over. */
const LIVELY = { rate: 1_000, since: '8m' };
/** A growth that the figures leave no doubt of, MB an hour; 20 hours of it are 1 GB. */
const MOST_GROWTH = 50;
/** What the program on a terminal may come to, MB: its row store full, and the most that its questions read at once. */
const MOST_MEMORY = 350;
const MOST_WAIT = 100;
const FAULTS: readonly Fault[] = [
  { kind: 'reset' },
  { kind: 'serverError' },
  { kind: 'html' },
  { kind: 'resetBody' },
  { kind: 'truncatedChunked' },
  { kind: 'gzipGarbage' },
  { kind: 'rateLimited', text: '2' },
  { kind: 'literal', text: '{' },
  { kind: 'hangBody' },
  { kind: 'okError' },
  { kind: 'emptyWithMore' },
  { kind: 'laggingReplica', ms: 2_000 },
];

/** The built program for real minutes, once on a terminal with a person's keys and once in a pipe, while requests fail. */
export async function soakReally(seed: number, minutes: number): Promise<RealFigures> {
  const scene = new Scene(seed);
  try {
    const figures = await soak(scene, minutes);
    checkScene(scene);
    return figures;
  } finally {
    await scene.close();
  }
}

async function soak(scene: Scene, minutes: number): Promise<RealFigures> {
  const simulator = await scene.simulate();
  const lively = await scene.simulate({ rate: LIVELY.rate });
  const homes = { piped: scene.home(), screen: scene.home() };
  const probes = { piped: join(homes.piped, 'told'), screen: join(homes.screen, 'told') };
  const probed = (file: string) => ({
    NODE_OPTIONS: `--import ${join(import.meta.dirname, 'probe.mjs')}`,
    EDGESCOPE_SOAK_PROBE: file,
  });
  const terminal = await scene.screen({
    simulator: lively,
    args: ['logs', ZONE, '--since', LIVELY.since],
    shell: true,
    home: homes.screen,
    env: probed(probes.screen),
  });
  const run = scene.run({
    simulator,
    args: ['logs', ZONE, '-f', '--since', '20s'],
    home: homes.piped,
    env: probed(probes.piped),
  });
  await terminal.waitFor(isLive, { timeout: 60_000 });
  await until(() => newestOf(run) > 0, 'the first rows');
  const begun = Date.now();
  const end = begun + minutes * 60_000;
  const pids = { piped: run.child.pid ?? 0, screen: programOf(terminal.pid) };
  const samples: Record<'piped' | 'screen', Sample[]> = { piped: [], screen: [] };
  const sampling = setInterval(() => {
    if (Date.now() < begun + (end - begun) * WARM_UP) return;
    samples.piped.push(sampleOf(pids.piped));
    samples.screen.push(sampleOf(pids.screen));
  }, SAMPLE_EVERY);
  const person = new Person(terminal);
  const random = randomOf(scene.seed);
  let faults = 0;
  const spoiling = (async () => {
    while (Date.now() < end) {
      const plan: FaultPlan = (['logging', 'main'] as const).map((host, i) => ({
        match: { host, nth: 1 + Math.floor(random() * 4) },
        fault: FAULTS[(faults + 5 * i) % FAULTS.length] as Fault,
      }));
      faults += 1;
      await Promise.all([simulator.setFaults(plan), lively.setFaults(plan)]);
      await sleep(SAMPLE_EVERY);
    }
  })();
  try {
    while (Date.now() < end) {
      await person.press();
      await sleep(1_000 + random() * 4_000);
    }
    await spoiling;
  } finally {
    clearInterval(sampling);
  }
  await Promise.all([simulator.setFaults([]), lively.setFaults([])]);
  const calm = Date.now();
  await until(() => newestOf(run) > calm + 2_000, 'rows of the calm end');
  const to = newestOf(run) - 3_000;
  run.child.kill('SIGINT');
  assert.equal(await ended(run), 130);
  await person.home();
  const waits = await person.waits();
  const completeTo = person.completeTo();
  const exported = await person.exported('rows.ndjson');
  await terminal.type('<C-c>');
  assert.equal((await terminal.exit(20_000)).code, 0);
  checkTerminal(terminal);
  const told = { piped: toldIn(probes.piped), screen: toldIn(probes.screen) };
  const figuresOf = (way: 'piped' | 'screen'): Use => {
    const list = samples[way];
    const since = list[0]?.at ?? 0;
    const later = told[way].filter(({ at }) => at >= since);
    const collected = later.filter(({ alive }) => alive !== null);
    const part = (of: (memory: Told['memory']) => number) => ({
      range: rangeOf(later.map(({ memory }) => of(memory))),
      slope: slopeOf(later, ({ memory }) => of(memory)),
    });
    const heapSlope = slopeOf(collected, ({ alive }) => alive ?? 0);
    return {
      rss: rangeOf(list.map(({ rssMb }) => rssMb)),
      rssSlope: slopeOf(list, ({ rssMb }) => rssMb),
      heapSlope: Number.isFinite(heapSlope.error) ? heapSlope : null,
      parts: {
        heapTaken: part(({ heapTotal }) => heapTotal),
        external: part(({ external }) => external),
        rest: part(({ rss, heapTotal, external }) => rss - heapTotal - external),
      },
      handles: rangeOf(list.map(({ handles }) => handles)),
      threads: rangeOf(list.map(({ threads }) => threads)),
      cpuPercent: cpuOf(list),
      resources: mostResources(later),
    };
  };
  const figures: RealFigures = {
    minutes,
    warmUp: minutes * WARM_UP,
    faults: faults * 4,
    requests: simulator.stats().requests + lively.stats().requests,
    rows: {
      piped: checkRows(run, simulator, { from: run.startedAt - 15_000, to }),
      screen: checkRows({ lines: () => exported }, lively, heldRange(exported, completeTo)),
    },
    use: { piped: figuresOf('piped'), screen: figuresOf('screen') },
    keys: {
      pressed: person.pressed,
      unheard: person.unheard,
      median: waits[waits.length >> 1] ?? Number.POSITIVE_INFINITY,
      slowest: waits.at(-1) ?? Number.POSITIVE_INFINITY,
    },
    wrong: [],
  };
  figures.wrong.push(...wrongIn(figures));
  return figures;
}

function wrongIn({ use, keys }: RealFigures): string[] {
  const wrong = keys.unheard.map((said) => `a key without an answer: ${said}`);
  for (const [way, { rssSlope, heapSlope, handles, threads }] of Object.entries(use)) {
    for (const [what, slope] of Object.entries({ memory: rssSlope, heap: heapSlope })) {
      if (slope !== null && slope.perHour - slope.error > MOST_GROWTH)
        wrong.push(`${way}: the ${what} grows`);
    }
    // A connection or two may be opening and closing in the moment of a sample.
    if (handles.last > handles.first + 4) wrong.push(`${way}: files or sockets are left open`);
    if (threads.last > threads.first + 2) wrong.push(`${way}: threads are left`);
  }
  if (use.screen.rss.most > MOST_MEMORY)
    wrong.push(`screen: ${Math.round(use.screen.rss.most)} MB of memory`);
  if (keys.median > MOST_WAIT) wrong.push(`a key takes ${Math.round(keys.median)} ms at the end`);
  return wrong;
}

/** What the row store still held of the time that the screen called complete: later rows may still be late. */
function heldRange(exported: readonly Record<string, unknown>[], completeTo: number) {
  assert.ok(completeTo > 0, 'the screen says up to when it is complete');
  const times = exported.map((line) => Date.parse(String(line['timestamp']))).filter((time) => time > 0);
  const oldest = times.reduce((least, time) => Math.min(least, time), Number.POSITIVE_INFINITY);
  return { from: oldest + 2_000, to: completeTo };
}

/** The program behind the shell that outlives it and the launcher. */
function programOf(session: number): number {
  const first = sessionProcesses(session).find((each) => each.parent === session)?.pid ?? session;
  return leafOf(session, first);
}
