import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import type { FaultPlan } from '../../src/simulator/fault-plan.ts';
import type { Fault } from '../../src/simulator/faults.ts';
import { randomOf } from '../effects/support/model-rows.ts';
import { checkRows, checkScene, checkTerminal, newestOf, type Tally } from '../faults/checks.ts';
import { ended, Scene, until, ZONE } from '../faults/scene.ts';
import { isLive } from '../session/support.ts';
import { leafOf, sessionProcesses } from '../support/processes.ts';

type Sample = { at: number; rssMb: number; handles: number };

export type RealFigures = {
  minutes: number;
  faults: number;
  piped: Tally;
  /** MB an hour, least squares over the second half: the first fills what is kept on purpose. */
  slope: { piped: number; screen: number };
  rss: { piped: string; screen: string };
  handles: { piped: string; screen: string };
  requests: number;
};

const SAMPLE_EVERY = 5_000;
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
  { kind: 'driftedRows', share: 0 },
  { kind: 'emptyWithMore' },
  { kind: 'laggingReplica', ms: 2_000 },
];

/** The built program for real minutes, once on a terminal and once in a pipe, while requests fail now and then. */
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
  const [other] = [await scene.simulate()];
  const terminal = await scene.screen({ simulator: other, args: ['logs', ZONE], shell: true });
  const run = scene.run({ simulator, args: ['logs', ZONE, '-f', '--since', '20s'] });
  await terminal.waitFor(isLive, { timeout: 60_000 });
  await until(() => newestOf(run) > 0, 'the first rows');
  const random = randomOf(scene.seed);
  const samples: Record<'piped' | 'screen', Sample[]> = { piped: [], screen: [] };
  const end = Date.now() + minutes * 60_000;
  let faults = 0;
  while (Date.now() < end) {
    const plan: FaultPlan = [
      {
        match: { host: 'logging', nth: 1 + Math.floor(random() * 4) },
        fault: FAULTS[faults % FAULTS.length] as Fault,
      },
    ];
    faults += 2;
    await Promise.all([simulator.setFaults(plan), other.setFaults(plan)]);
    await terminal.type(['G', 'k', 'G', '?<Esc>', '<PgUp>', 'G'][faults % 6] ?? 'G');
    await sleep(SAMPLE_EVERY);
    samples.piped.push(sampleOf(run.child.pid ?? 0));
    samples.screen.push(sampleOf(programOf(terminal.pid)));
  }
  await Promise.all([simulator.setFaults([]), other.setFaults([])]);
  const calm = Date.now();
  await until(() => newestOf(run) > calm + 2_000, 'rows of the calm end', 120_000);
  const to = newestOf(run) - 3_000;
  run.child.kill('SIGINT');
  assert.equal(await ended(run), 130);
  await terminal.type('G<C-c>');
  assert.equal((await terminal.exit(20_000)).code, 0);
  checkTerminal(terminal);
  const piped = checkRows(run, simulator, { from: run.startedAt - 15_000, to });
  const both = <T>(of: (list: readonly Sample[]) => T) => ({
    piped: of(samples.piped),
    screen: of(samples.screen),
  });
  return {
    minutes,
    faults,
    piped,
    slope: both(slopeOf),
    rss: both((list) => `${list[0]?.rssMb.toFixed(0)} -> ${list.at(-1)?.rssMb.toFixed(0)} MB`),
    handles: both((list) => `${list[0]?.handles} -> ${list.at(-1)?.handles}`),
    requests: simulator.stats().requests + other.stats().requests,
  };
}

/** The program behind the shell that outlives it and the launcher. */
function programOf(session: number): number {
  const first = sessionProcesses(session).find((each) => each.parent === session)?.pid ?? session;
  return leafOf(session, first);
}

function sampleOf(pid: number): Sample {
  const status = readFileSync(`/proc/${pid}/status`, 'utf8');
  const rssMb = Number(/VmRSS:\s+(\d+)/.exec(status)?.[1]) / 1024;
  return { at: Date.now(), rssMb, handles: readdirSync(`/proc/${pid}/fd`).length };
}

function slopeOf(all: readonly Sample[]): number {
  const list = all.slice(all.length >> 1);
  const mean = (of: (s: Sample) => number) => list.reduce((sum, s) => sum + of(s), 0) / list.length;
  const [at, rss] = [mean((s) => s.at), mean((s) => s.rssMb)];
  const spread = list.reduce((sum, s) => sum + (s.at - at) ** 2, 0);
  const together = list.reduce((sum, s) => sum + (s.at - at) * (s.rssMb - rss), 0);
  return Math.round(spread === 0 ? 0 : (together / spread) * 3_600_000);
}
