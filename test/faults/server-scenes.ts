import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Fault } from '../support/simulator/faults.ts';
import { until } from '../support/until.ts';
import { checkRows, gapsOf, idsOf, newestOf } from './checks.ts';
import { followThrough, inTurn, printed, printedWhole, SURELY_ASKED } from './follow.ts';
import type { NthFigures } from './nth/figures.ts';
import { ended, type Scene, ZONE } from './scene.ts';

/** Rows that came so shortly before a window was asked for may be missing: they are late, and a Date tells whole seconds. */
const UNSEEN = 2_000;
/** Resident memory that no answer may drive the program beyond, MB. */
const MOST_MEMORY = 400;
const TABLE = { exit: { forbidden: 3, redirected: 1, rateLimited: 4 } } as const;

export async function refused(scene: Scene): Promise<void> {
  await followThrough(scene, [{ fault: { kind: 'refuse' } }], 0, { meanwhile: () => sleep(4_000) });
  const run = scene.run({
    args: ['zones'],
    env: { EDGESCOPE_ACCESS_KEY: 'canary-dns-0123456789', EDGESCOPE_BASE_URL: 'https://api.invalid' },
  });
  assert.equal(await ended(run), 1, run.stderr());
  assert.match(run.stderr(), /api\.invalid/);
}

export const hang = (scene: Scene) => followThrough(scene, inTurn({ kind: 'hang' }), 2);
export const headerDrip = (scene: Scene) => followThrough(scene, inTurn({ kind: 'headerDrip', ms: 400 }), 2);
export const bodyDrip = (scene: Scene) =>
  followThrough(scene, inTurn({ kind: 'hangBody' }, { kind: 'bodyDrip', ms: 400 }), 3);
export const resets = (scene: Scene) =>
  followThrough(scene, inTurn({ kind: 'reset' }, { kind: 'resetAfter' }, { kind: 'resetBody' }), 4);
export const truncations = (scene: Scene) =>
  followThrough(
    scene,
    inTurn({ kind: 'truncatedLength' }, { kind: 'truncatedChunked' }, { kind: 'truncatedClose' }),
    4,
  );
export const serverErrors = (scene: Scene) =>
  followThrough(scene, inTurn({ kind: 'serverError' }, { kind: 'html' }, { kind: 'bare', status: 503 }), 4);

/** A day is clamped to two minutes, in which nothing is asked. */
export async function retryAfter(scene: Scene): Promise<void> {
  const limited = (more: Partial<Fault>): Fault => ({ kind: 'rateLimited', ...more }) as Fault;
  await followThrough(
    scene,
    inTurn(
      limited({ text: '3' }),
      limited({ ms: 3_000 }),
      limited({ text: '0' }),
      limited({ text: '-1' }),
      limited({ text: 'soon' }),
      limited({}),
    ),
    7,
  );
  await followThrough(scene, inTurn(limited({ text: '86400' })), 1, {
    meanwhile: async (run, simulator) => {
      const asked = simulator.stats().requests;
      await sleep(8_000);
      assert.equal(simulator.stats().requests, asked, 'a freeze is kept to');
      assert.equal(run.child.exitCode, null);
    },
  });
}

export async function endlessLimit(scene: Scene): Promise<void> {
  const simulator = await scene.simulate();
  const { run, code, range } = await printed(scene, simulator, [
    { match: { host: 'logging' }, fault: { kind: 'rateLimited', text: '1' } },
  ]);
  assert.equal(code, TABLE.exit.rateLimited, run.stderr());
  checkRows(run, simulator, range);
  assert.equal(gapsOf(run).length, 1);
}

/** A refusal that only the user can end ends the printing with its code, whenever it comes. */
export async function refusals(scene: Scene): Promise<void> {
  for (const [kind, code] of [
    ['unauthorized', TABLE.exit.forbidden],
    ['forbidden', TABLE.exit.forbidden],
  ] as const) {
    await endsWith(scene, { kind }, code);
  }
}

export async function redirects(scene: Scene): Promise<void> {
  for (const status of [301, 302, 307, 308]) {
    await endsWith(scene, { kind: 'redirect', status }, TABLE.exit.redirected);
  }
}

async function endsWith(scene: Scene, fault: Fault, code: number): Promise<void> {
  const simulator = await scene.simulate();
  const run = scene.run({ simulator, args: ['logs', ZONE, '-f', '--since', '10s'] });
  await until(() => idsOf(run).length > 20, 'the first rows');
  await simulator.setFaults([{ match: { host: 'logging' }, fault }]);
  assert.equal(await ended(run), code, run.stderr());
  assert.ok(run.stderr().trim().split('\n').length >= 3, 'what, what it means, what to do');
}

export const nothing = (scene: Scene) =>
  followThrough(
    scene,
    inTurn(
      { kind: 'noContent' },
      ...['', 'null', '[]', '{}', '{"data":null}'].map((text): Fault => ({ kind: 'literal', text })),
    ),
    7,
  );
export const falseSuccess = (scene: Scene) =>
  followThrough(scene, inTurn({ kind: 'okError' }, { kind: 'wrongType' }), 3);

export async function compressed(scene: Scene): Promise<void> {
  const run = await followThrough(
    scene,
    inTurn(
      { kind: 'gzip' },
      { kind: 'gzipBomb' },
      { kind: 'gzipTwice' },
      { kind: 'gzipGarbage' },
      { kind: 'gzipTruncated' },
    ),
    6,
    { meanwhile: (r) => assertMemory(scene, r.child.pid) },
  );
  assert.ok(run.lines().length > 0);
}

export const huge = (scene: Scene) =>
  followThrough(scene, inTurn({ kind: 'huge' }, { kind: 'huge', bytes: 64 * 2 ** 20 }), 3, {
    meanwhile: (run) => assertMemory(scene, run.child.pid),
  });

function assertMemory(scene: Scene, pid: number | undefined): void {
  const most = Number(/VmHWM:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1]) / 1024;
  scene.note(`${Math.round(most)} MB at most`);
  assert.ok(most < MOST_MEMORY, `${most} MB`);
}

export const oddBytes = (scene: Scene) =>
  followThrough(
    scene,
    inTurn(
      { kind: 'bom' },
      { kind: 'badUtf8' },
      { kind: 'nan' },
      { kind: 'duplicateKeys' },
      { kind: 'deep' },
      { kind: 'proto' },
    ),
    7,
  );

/** No row is left out for its shape: each is printed, those not understood as they came. */
export async function driftedRows(scene: Scene): Promise<void> {
  const simulator = await scene.simulate();
  for (const fault of [
    { kind: 'driftedRows', share: 0.3 },
    { kind: 'missingField', text: 'requestId' },
    { kind: 'missingField', text: 'timestamp' },
    { kind: 'missingField', text: 'url' },
  ] as const) {
    const { run, code, range } = await printed(scene, simulator, [{ match: { host: 'logging' }, fault }]);
    assert.equal(code, 0, run.stderr());
    const zone = simulator.zones.find(({ name }) => name === ZONE);
    const truth = simulator.truth(String(zone?.id), range.from, range.to);
    assert.equal(run.lines().length, truth.length, fault.kind);
  }
}

export async function wideNumbers(scene: Scene): Promise<void> {
  const simulator = await scene.simulate();
  // In the list of zones, too: rows of an id that was not asked about are of another zone, and left out.
  const wide = await printed(scene, simulator, [{ fault: { kind: 'int64' } }]);
  assert.equal(wide.code, 0, wide.run.stderr());
  const zone = simulator.zones.find(({ name }) => name === ZONE);
  assert.match(wide.run.stdout(), new RegExp(`"pullZoneId":90071992547${zone?.id}\\b`));
  const infinite = await printed(scene, simulator, [
    { match: { host: 'logging' }, fault: { kind: 'hugeNumber' } },
  ]);
  assert.equal(infinite.code, 0, infinite.run.stderr());
  const rows = simulator.truth(String(zone?.id), infinite.range.from, infinite.range.to);
  assert.equal(infinite.run.lines().length, rows.length);
}

/** The same instants, however they are written; one that cannot be read is kept as it came. */
export async function timestamps(scene: Scene): Promise<void> {
  const plan = (text: string) => [
    { match: { host: 'logging' as const }, fault: { kind: 'timestamps' as const, text } },
  ];
  await printedWhole(scene, { seconds: [], offset: plan('offset'), ms: plan('ms'), micros: plan('micros') });
  const simulator = await scene.simulate();
  for (const text of ['seconds', 'garbage']) {
    const { run, code, range } = await printed(scene, simulator, plan(text));
    const zone = simulator.zones.find(({ name }) => name === ZONE);
    assert.equal(code, 0, run.stderr());
    assert.equal(run.lines().length, simulator.truth(String(zone?.id), range.from, range.to).length, text);
  }
}

/** A page smaller than an instant: what does not fit is a gap, and the rest is there once. */
export async function crowdedInstants(scene: Scene): Promise<void> {
  const simulator = await scene.simulate({ rate: 60 });
  const crowd: Fault[] = [
    { kind: 'coarse', ms: 1_000 },
    { kind: 'limitCap', count: 10 },
    { kind: 'shuffledTies' },
  ];
  const { run, code, range } = await printed(
    scene,
    simulator,
    [{ match: { host: 'logging' }, fault: crowd }],
    {
      length: 4_000,
    },
  );
  assert.equal(code, 0, run.stderr());
  assert.ok(gapsOf(run).every(({ reason }) => reason === 'overflow'));
  assert.ok(gapsOf(run).length > 0);
  const { printed: rows, inGaps } = checkRows(run, simulator, range, (at) => Math.floor(at / 1000) * 1000);
  scene.note(`${rows} rows, ${inGaps} in gaps`);
}

export const emptyWithMore = (scene: Scene) =>
  followThrough(scene, inTurn({ kind: 'emptyWithMore' }, { kind: 'emptyWithMore' }), 3);

export const laggingReplica = (scene: Scene) =>
  followThrough(scene, [{ fault: { kind: 'laggingReplica', ms: 3_000, share: 0.1 } }], 8);

export async function flood(scene: Scene): Promise<void> {
  let lag = Number.POSITIVE_INFINITY;
  await followThrough(scene, [{ fault: { kind: 'limitCap', count: 100 } }], 30, {
    // A head that is overrun has no time to look back, and late rows would waits for their final read.
    simulator: { rate: 400, lateness: [{ share: 1, least: 0, most: 0 }] },
    meanwhile: (run) => {
      lag = Date.now() - newestOf(run);
    },
  });
  scene.note(`${Math.round(lag / 1000)} s behind at most`);
  assert.ok(lag < 30_000, `${lag} ms behind`);
}

/** The server's clock is the one that counts, and without one ours, with care. */
export async function serverClock(scene: Scene): Promise<void> {
  for (const [name, fault, ahead] of [
    ['10 min ahead', { kind: 'clockShift', ms: 600_000 }, 600_000],
    ['10 min behind', { kind: 'clockShift', ms: -600_000 }, -600_000],
    ['without a Date header', { kind: 'noDate' }, 0],
  ] as const) {
    const simulator = await scene.simulate({ faults: [{ fault }] });
    const run = scene.run({ simulator, args: ['logs', ZONE, '-f', '--since', '15m'] });
    await until(() => newestOf(run) > Date.now() + ahead - 15_000, `${name}: rows of the server's present`);
    run.child.kill('SIGINT');
    assert.equal(await ended(run), 130, run.stderr());
    assert.equal(idsOf(run).length, new Set(idsOf(run)).size, name);
  }
}

/** Whatever a Date says, the rows of the present are printed, each once, and no gap is of a time to come. */
export async function lyingDates(scene: Scene): Promise<void> {
  const ahead = { kind: 'dateShift', ms: 600_000 } as const;
  const behind = { kind: 'dateShift', ms: -600_000 } as const;
  const absurd = { kind: 'dateShift', ms: Date.UTC(9999, 0) - Date.now() } as const;
  for (const [plan, hits] of [
    [[{ match: { nth: 1 }, fault: ahead }], 8],
    [[{ match: { nth: 1 }, fault: absurd }], 8],
    [[{ fault: ahead }], 8],
    [[{ fault: behind }], 8],
    [[{ match: { every: 2 }, fault: absurd }], 8],
  ] as const) {
    const run = await followThrough(scene, plan, hits);
    assert.ok(
      gapsOf(run).every(({ to }) => to <= Date.now()),
      JSON.stringify(gapsOf(run)),
    );
  }
}

/** A machine whose clock is off by ten minutes prints the last minute of the server, and says by how much it is off. */
export async function ourClockWrong(scene: Scene): Promise<void> {
  for (const [ahead, word] of [
    [600_000, 'behind'],
    [-600_000, 'ahead'],
  ] as const) {
    const simulator = await scene.simulate({ faults: [{ fault: { kind: 'clockShift', ms: ahead } }] });
    const now = Date.now() + ahead;
    const run = scene.run({ simulator, args: ['logs', ZONE, 'last:1m'] });
    assert.equal(await ended(run), 0, run.stderr());
    assert.match(run.stderr(), new RegExp(`this machine's clock is \\S+ ${word}`));
    // The window begins a minute before the program does, which a loaded machine starts late.
    checkRows(run, simulator, { from: now - 30_000, to: now - UNSEEN });
  }
}

/** Three processes share the budget, and one of them dies without giving anything back. */
export async function manyProcesses(scene: Scene): Promise<void> {
  const simulator = await scene.simulate();
  const home = scene.home();
  const runs = [1, 2, 3].map(() =>
    scene.run({ simulator, home, args: ['logs', ZONE, '-f', '--since', '20s'] }),
  );
  await until(() => runs.every((run) => idsOf(run).length > 50), 'rows from each');
  runs[0]?.child.kill('SIGKILL');
  const killed = Date.now();
  const [, ...others] = runs;
  await until(() => others.every((run) => newestOf(run) > killed + 8_000), 'rows from those that are left');
  for (const run of others) {
    const end = newestOf(run) - 5_000;
    run.child.kill('SIGINT');
    assert.equal(await ended(run), 130);
    checkRows(run, simulator, { from: run.startedAt - SURELY_ASKED, to: end });
  }
  scene.note(`${Math.max(...Object.values(simulator.stats().maxInWindow))} of 30 requests in 10 s`);
}

/** A link that is gone for a while, mid-answer too: what was missed is read when it is back. */
export const linkDrop = (scene: Scene) =>
  followThrough(scene, inTurn({ kind: 'resetBody' }), 1, {
    meanwhile: async (_run, simulator) => {
      await simulator.setListening('logging', false);
      await sleep(8_000);
      await simulator.setListening('logging', true);
    },
  });

/** Fails the n-th request for each n: either all is printed, or it is said what is not. */
export async function nthRequest(scene: Scene): Promise<NthFigures> {
  const faults: readonly Fault[] = [
    { kind: 'reset' },
    { kind: 'html' },
    { kind: 'literal', text: '{"data":[' },
    { kind: 'rateLimited', text: '1' },
  ];
  let tried = 0;
  for (const fault of faults) {
    for (let n = 1; n <= 7; n += 1) {
      // A server of its own: the programs of one user share the quota of one server.
      const simulator = await scene.simulate();
      const plan = [
        { match: { host: 'logging' as const }, fault: { kind: 'limitCap' as const, count: 300 } },
        { match: { nth: n }, fault },
      ];
      const { run, code, range } = await printed(scene, simulator, plan);
      tried += 1;
      if (idsOf(run).length === 0 && gapsOf(run).length === 0) {
        assert.notEqual(code, 0, `${fault.kind} ${n}: nothing was printed, as if there were nothing`);
        continue;
      }
      const { inGaps } = checkRows(run, simulator, range);
      assert.equal(code === 0, inGaps === 0, `${fault.kind} ${n}: ${run.stderr()}`);
    }
  }
  return { places: tried, failures: [] };
}
