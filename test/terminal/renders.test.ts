import assert from 'node:assert/strict';
import { test } from 'node:test';
import { LIST_SCENE_NAMES } from '../support/account-lists.ts';
import { SCENES, type SceneName } from '../support/scenes.ts';

// The profiler counts in React's development build alone; a test file is a process of its own.
process.env['NODE_ENV'] = 'development';
const { Stage } = await import('../support/stage.tsx');

const SIZE = { columns: 80, rows: 24 };
const told = (n: number) => `value-${n}`;

/** What one press costs: commits of React, whole layouts of Ink, bodies made, frames written. */
const PAST_REACT = { commits: 0, layouts: 0, bodies: 1, frames: 1 };
const ONE_COMMIT = { commits: 1, layouts: 1, bodies: 1, frames: 1 };

/** Views whose rows the cell writer paints: nothing of React's changes when the cursor moves. */
const PAINTED: readonly SceneName[] = [
  'zones',
  'log paused',
  'log filtered',
  'groups',
  'group choice',
  'columns',
  'saved logs',
  'copy menu',
  'export menu',
  'saved views',
  'shield groups',
  'shield events',
  'shield form',
  'comparison',
  'bypassCheck',
  'suspect rules',
  'incidents',
  ...LIST_SCENE_NAMES,
  'storage edit',
  'request log',
];

/** Small tables that Ink draws. */
const DRAWN: readonly SceneName[] = ['record', 'shield event', 'storage zone'];

/** A line of text that is edited, over each kind of body. */
const TYPED: readonly SceneName[] = [
  'zones narrowed',
  'log searched',
  'log query',
  'help',
  'help narrowed',
  'palette',
  'export name',
  'finding',
];

test('a key that moves the cursor is one frame, and past React wherever the cell writer paints', async () => {
  for (const [scenes, cost] of [
    [PAINTED, PAST_REACT],
    [DRAWN, ONE_COMMIT],
  ] as const) {
    for (const scene of scenes) {
      // Wherever the cursor was, it can move up after the first press, and down again.
      const [, up, down] = await costsOf(scene, ['j', 'k', 'j']);
      assert.deepEqual([up, down], [cost, cost], scene);
    }
  }
});

test('a letter in a line of text is one commit and one frame, its cursor included', async () => {
  for (const scene of TYPED) {
    const costs = await costsOf(scene, ['a', 'b', 'c', '<BS>', '<Left>']);
    for (const cost of costs) assert.deepEqual({ ...cost, bodies: 1 }, ONE_COMMIT, scene);
  }
});

test('a key that opens or closes something is one frame and at most one commit', async () => {
  for (const [scene, keys] of [
    ['log', ['k', 'G', '?', '<Esc>', ':', '<Esc>', 'b', 'q', '<Tab>', 'q', 'y', 'q']],
    ['log paused', ['<Enter>', 'q', '/', '<Esc>', 'i', '<Esc>']],
    ['groups', ['?', '<Esc>', 'b', 'q']],
    ['shield groups', ['?', '<Esc>', 'b', 'q', 'y', 'q']],
    ['shield events', ['<Enter>', 'q', '?', '<Esc>']],
    ['storage list', ['?', '<Esc>', 'y', 'q']],
  ] as const) {
    const costs = await costsOf(scene, keys);
    for (const [n, cost] of costs.entries()) {
      // A key that changes nothing on the screen writes nothing either.
      const { commits, layouts, bodies, frames } = cost;
      if (frames > 0) assert.deepEqual([bodies, frames], [1, 1], `${scene}: ${keys[n]}`);
      assert.ok(commits <= 1 && layouts <= commits, `${scene}: ${keys[n]}`);
    }
    assert.ok(costs.filter(({ frames }) => frames > 0).length > keys.length / 2, scene);
  }
});

test('a batch of rows that arrives under an open log is one frame, and past React', async () => {
  const { rowsTold } = await import('../support/scenes.ts');
  const { reportOf } = await import('../support/state.ts');
  const stage = new Stage(SCENES.log(told, SIZE));
  await stage.show(stage.state);
  for (let n = 1; n < 4; n += 1) {
    const rows = rowsTold(told).map((record) => ({
      record: { ...record, timestamp: record.timestamp + n * 60_000, requestId: `${n} ${record.requestId}` },
      late: false,
    }));
    const generation = stage.state.session?.generation ?? 0;
    const cost = await stage.costOf(() =>
      stage.dispatch({
        type: 'tailRead',
        zone: '1',
        generation,
        event: { rows, report: reportOf({ seen: n }) },
      }),
    );
    assert.deepEqual(cost, PAST_REACT);
  }
  await stage.close();
});

async function costsOf(scene: SceneName, keys: readonly string[]) {
  const stage = new Stage(SCENES[scene](told, SIZE));
  try {
    await stage.show(stage.state);
    const costs = [];
    for (const key of keys) costs.push(await stage.press(key));
    return costs;
  } finally {
    await stage.close();
  }
}
