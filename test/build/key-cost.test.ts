// What a key and a row cost, in calls of functions and in files that they pass, on any machine. Alone: to count, V8 drops all compiled code.

import assert from 'node:assert/strict';
import { Session } from 'node:inspector/promises';
import { test } from 'node:test';
import { createClient } from '../../src/api/client.ts';
import { createQuota } from '../../src/api/quota/quota.ts';
import { arrivalsOf, countOf } from '../../src/domain/logs/log-rows.ts';
import { resolve } from '../../src/keymap/resolve.ts';
import { subscriptions } from '../../src/loop/subscriptions.ts';
import { createLook } from '../../src/paint/theme.ts';
import type { State } from '../../src/state/model.ts';
import { Secret } from '../../src/text/secret.ts';
import { bodyLines } from '../../src/ui/body.ts';
import { chromeLines } from '../../src/ui/chrome.ts';
import { OPENED, openPlatform } from '../support/platform.ts';
import { followedState, played, reportOf, rowsOf } from '../support/state.ts';

const LOOK = createLook('default', false, true);

/** More is a price of its own: it is named in CHANGELOG, and what leaves for it. */
const MOST = {
  key: { calls: 1_320, files: 82 },
  row: { calls: 210, files: 130 },
};

test('a step of the cursor in a log passes no more functions and files than it did', async () => {
  let state = sized(played(followedState(rowsOf(0, 500)), 'up').state);
  const step = () => {
    state = painted(played(state, resolve(state, 'k')).state);
  };
  step();
  step();
  const cost = await counted(async () => step());
  within(cost, MOST.key, 'a step of the cursor');
});

test('a row passes no more functions and files from the answer to the screen than it did', async () => {
  const sim = openPlatform({ seed: 7, rate: 20 });
  const client = createClient({
    baseUrl: sim.baseUrl,
    loggingUrl: sim.loggingUrl,
    credentials: { accessKey: new Secret(sim.accessKey), token: null },
    allowWrites: false,
    quota: createQuota({ clock: sim.clock }),
    clock: sim.clock,
    over: sim.over,
    onRequest() {},
  });
  const pullZoneId = String(sim.zones[0]?.id);
  const read = async (limit: number) => {
    const [from, to] = [OPENED - 600_000, OPENED - 300_000];
    const answer = await sim.ended(client.logs({ pullZoneId, from, to, limit, order: 'asc', filter: {} }));
    assert.ok(answer.ok && countOf(answer.value.rows) === limit);
    const rows = arrivalsOf(answer.value.rows);
    const opened = sized(followedState([]));
    const { generation = 0 } = opened.session ?? {};
    painted(
      played(opened, { type: 'tailRead', zone: '1', generation, event: { rows, report: reportOf() } }).state,
    );
  };
  await read(100);
  const [few, many] = [await counted(() => read(100)), await counted(() => read(300))];
  within({ files: many.files, calls: (many.calls - few.calls) / 200 }, MOST.row, 'a row');
});

function within(cost: Cost, most: Cost, what: string): void {
  assert.ok(cost.calls > 10 && cost.files > 10, `${what}: calls are counted`);
  assert.ok(cost.calls <= most.calls, `${what}: ${cost.calls} calls, at most ${most.calls}`);
  assert.ok(cost.files <= most.files, `${what}: ${cost.files} files, at most ${most.files}`);
}

type Cost = { calls: number; files: number };

function sized(state: State): State {
  return { ...state, size: { columns: 120, rows: 40 } };
}

function painted(state: State): State {
  subscriptions(state);
  bodyLines(state, LOOK);
  chromeLines(state, LOOK);
  return state;
}

/** The functions with a name that ran, of all files of src but the simulator. */
async function counted(run: () => Promise<void>): Promise<Cost> {
  const session = new Session();
  session.connect();
  await session.post('Profiler.enable');
  await session.post('Profiler.startPreciseCoverage', { callCount: true, detailed: false });
  await run();
  const { result } = await session.post('Profiler.takePreciseCoverage');
  session.disconnect();
  const calls = result
    .filter(({ url }) => /\/src\/(?!simulator\/)[^?]*\.tsx?$/.test(url))
    .map(({ functions }) =>
      functions.reduce(
        (sum, { functionName, ranges: [range] }) => sum + (functionName === '' ? 0 : (range?.count ?? 0)),
        0,
      ),
    )
    .filter((count) => count > 0);
  return { files: calls.length, calls: calls.reduce((sum, count) => sum + count, 0) };
}
