import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Platform } from '../support/platform.ts';
import type { FaultPlan } from '../support/simulator/fault-plan.ts';
import { ZONE } from './log-screen.ts';
import { openSession, type Session } from './support.ts';

const title = (screen: readonly string[]) => screen[0] ?? '';
const isRead = (screen: readonly string[]) => /(COMPLETE|PARTIAL [\d,]+ of [\d,]+)$/.test(title(screen));
const cursorLine = (screen: readonly string[]) => screen.find((line) => line.startsWith('▌')) ?? '';

const searchesOf = (simulator: Platform) =>
  Object.values(simulator.stats().posts).reduce((sum, n) => sum + n, 0);

test('the way in the title follows the query: what is edited out of a view that was gone into is gone from it', async (t) => {
  const { terminal } = await openSession({
    t,
    columns: 120,
    args: ['shield', ZONE, 'last:15m', 'by:rule,asn'],
  });
  await terminal.waitFor((screen) => isRead(screen) && cursorLine(screen) !== '');
  const [rule = ''] = /\S+/.exec(cursorLine(terminal.screen()).slice(1)) ?? [];
  await terminal.type('<Enter>');
  await terminal.waitFor(
    (screen) => isRead(screen) && title(screen).includes(`${ZONE} shield > rule:${rule} `),
  );
  await terminal.type('i<C-u>action:blocked last:15m by:asn<Enter>');
  await terminal.waitFor((screen) => isRead(screen) && / action:blocked /.test(screen[1] ?? ''));
  assert.match(title(terminal.screen()), new RegExp(`${ZONE} shield > action:blocked `));
  assert.ok(!title(terminal.screen()).includes(rule));
  await terminal.type('i<C-u>last:15m by:asn<Enter>');
  await terminal.waitFor((screen) => isRead(screen) && !/ action:blocked /.test(screen[1] ?? ''));
  assert.match(title(terminal.screen()), new RegExp(`${ZONE} shield > groups `));
});

const COUNTED = /blocked ([\d,]+) +challenged ([\d,]+) +logged ([\d,]+)$/;
const countsIn = (screen: readonly string[]) => COUNTED.exec((screen[2] ?? '').trimEnd())?.slice(1);

test('of an older server the same is counted in twelve parts, which is known from then on', async (t) => {
  const of = (faults: FaultPlan) =>
    openSession({ t, columns: 120, rows: 30, args: ['shield', ZONE], simulator: { faults } });
  const counted = async ({ terminal, simulator }: Session, cost: number) => {
    await terminal.waitFor(isRead);
    const paid = searchesOf(simulator) + cost;
    await terminal.type('<:timeline>');
    await terminal.waitFor((screen) => countsIn(screen) !== undefined && searchesOf(simulator) >= paid);
    await terminal.settled();
    assert.equal(searchesOf(simulator), paid);
    return countsIn(terminal.screen());
  };
  const newer = await of([]);
  const older = await of([{ fault: { kind: 'withoutBuckets' } }]);
  const { terminal } = older;
  await terminal.waitFor(isRead);
  // The one that was refused for its steps is asked without them.
  assert.equal(searchesOf(older.simulator), 2);
  assert.deepEqual(await counted(older, 12), await counted(newer, 1));
  await terminal.type('<Enter>');
  await terminal.waitFor(isRead);
  assert.match(terminal.screen()[2] ?? '', /:timeline counts events over time for 12 searches *$/);
  await counted(older, 12);
});
