import assert from 'node:assert/strict';
import type { FaultPlan } from '../support/simulator/fault-plan.ts';
import type { Fault } from '../support/simulator/faults.ts';
import type { Simulator, SimulatorOptions } from '../support/simulator/server.ts';
import { until } from '../support/until.ts';
import { checkRows, idsOf, newestOf } from './checks.ts';
import { ended, type Run, type Scene, ZONE } from './scene.ts';

export type FollowOptions = {
  simulator?: SimulatorOptions;
  env?: Readonly<Record<string, string | undefined>>;
  /** Looked at while the fault is on. */
  meanwhile?: (run: Run, simulator: Simulator) => Promise<void> | void;
  since?: string;
  /** Rows whose ids or times the fault has changed cannot be held against the truth. */
  areRowsOdd?: boolean;
};

/** What is asked of rows of the last moment may still be on its way, ms. */
const UNDERWAY = 3_000;
/** How far before its process a window of 20 s reaches for sure, though a loaded machine takes long to start a program, ms. */
export const SURELY_ASKED = 5_000;

/**
 * Follows a log, lets `plan` meet the requests for logs, and when they have met it all takes it away and waits until
 * the present is printed again. `hits`: how many requests the plan must have met.
 */
export async function followThrough(
  scene: Scene,
  plan: FaultPlan,
  hits: number,
  o: FollowOptions = {},
): Promise<Run> {
  let asked = 0;
  const simulator = await scene.simulate({
    ...o.simulator,
    onRequest: ({ host }) => {
      if (host === 'logging') asked += 1;
    },
  });
  const since = o.since ?? '20s';
  const run = scene.run({
    simulator,
    args: ['logs', ZONE, '-f', '--since', since],
    ...(o.env ? { env: o.env } : {}),
  });
  await until(() => idsOf(run).length > 50, `the first rows; it said ${JSON.stringify(run.stderr())}`);
  const before = asked;
  await simulator.setFaults(plan.map((rule) => ({ ...rule, match: { host: 'logging', ...rule.match } })));
  const hasEnded = () => run.child.exitCode !== null;
  await until(() => hasEnded() || asked >= before + hits, `${hits} requests that meet the fault`);
  assert.equal(run.child.exitCode, null, `it ended: ${run.stderr()}`);
  await o.meanwhile?.(run, simulator);
  await simulator.setFaults([]);
  const healed = Date.now();
  await until(() => newestOf(run) > healed + 1_000, 'rows of the time after the fault');
  const end = newestOf(run) - UNDERWAY;
  run.child.kill('SIGINT');
  assert.equal(await ended(run), 130, run.stderr());
  if (o.areRowsOdd !== true) {
    const { printed, inGaps } = checkRows(run, simulator, { from: run.startedAt - SURELY_ASKED, to: end });
    scene.note(`${printed} rows, ${inGaps} in gaps`);
  }
  return run;
}

/** Each of the faults meets one request, one after another. */
export function inTurn(...faults: readonly Fault[]): FaultPlan {
  return faults.map((fault, i) => ({ match: { nth: i + 1 }, fault }));
}

/** Prints a closed window of which every row shows by now. */
export async function printed(
  scene: Scene,
  simulator: Simulator,
  plan: FaultPlan,
  o: { length?: number; ago?: number } = {},
): Promise<{ run: Run; code: number | null; range: { from: number; to: number } }> {
  await simulator.setFaults(plan);
  const to = Math.floor(Date.now() / 1000) * 1000 - (o.ago ?? 600_000);
  const range = { from: to - (o.length ?? 20_000), to };
  const [from, until] = [range.from, range.to].map((t) => new Date(t).toISOString());
  const run = scene.run({ simulator, args: ['logs', ZONE, '--from', String(from), '--to', String(until)] });
  return { run, code: await ended(run), range };
}

/** Prints the window under each plan: the rows of the truth in every case. */
export async function printedWhole(scene: Scene, plans: Readonly<Record<string, FaultPlan>>): Promise<void> {
  const simulator = await scene.simulate();
  for (const [name, plan] of Object.entries(plans)) {
    const { run, code, range } = await printed(scene, simulator, plan);
    assert.equal(code, 0, `${name}: ${run.stderr()}`);
    const { inGaps } = checkRows(run, simulator, range);
    assert.equal(inGaps, 0, name);
  }
}
