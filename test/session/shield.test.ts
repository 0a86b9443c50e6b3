import assert from 'node:assert/strict';
import { test } from 'node:test';
import { headsOf } from '../support/heads.ts';
import type { Platform } from '../support/platform.ts';
import type { FaultPlan } from '../support/simulator/fault-plan.ts';
import { ZONE } from './log-screen.ts';
import { isPicker, leftStill } from './shield-support.ts';
import { openSession, type Session, wholeDay } from './support.ts';

const title = (screen: readonly string[]) => screen[0] ?? '';
const isRead = (screen: readonly string[]) => /(COMPLETE|PARTIAL [\d,]+ of [\d,]+)$/.test(title(screen));
const cursorLine = (screen: readonly string[]) => screen.find((line) => line.startsWith('▌')) ?? '';

const searchesOf = (simulator: Platform) =>
  Object.values(simulator.stats().posts).reduce((sum, n) => sum + n, 0);

test('three keys lead from the picker to the attacking network, five to one of its events', async (t) => {
  const { terminal, simulator } = await openSession({ t, simulator: { incidents: true } });
  await leftStill(terminal);
  await terminal.waitFor(isPicker);
  const attack = simulator
    .incidents()
    .findLast((each) => each.kind === 'layer7Attack' && each.pullZoneId === String(simulator.zones[0]?.id));
  assert.ok(attack);
  await terminal.type('3');
  await terminal.waitFor((screen) => isRead(screen) && cursorLine(screen).startsWith('▌DD-7'));
  await terminal.type('<Enter>');
  await terminal.waitFor(
    (screen) => isRead(screen) && cursorLine(screen).includes(attack.cause['asn']?.[0] ?? '-'),
  );
  await terminal.type('<Enter>');
  await terminal.waitFor((screen) => isRead(screen) && /^▌198\.1[89]\./.test(cursorLine(screen)));
  await terminal.type('<Enter>');
  await terminal.waitFor((screen) => isRead(screen) && / DD-7 /.test(cursorLine(screen)));
  await terminal.type('<Enter>');
  await terminal.waitFor(/rule text +Request flood from one network/);
  assert.match(terminal.text(), /matched by +@gt 400/);
});

test('Esc climbs one step to the same line at the same place, without a request, and [ goes back down', async (t) => {
  const { terminal, simulator } = await openSession({ t, simulator: { incidents: true } });
  await leftStill(terminal);
  await terminal.waitFor(isPicker);
  await terminal.type('3');
  await terminal.waitFor(isRead);
  await terminal.type('jj');
  // The texts of the rules come by a request of their own.
  await terminal.waitFor((screen) => / 3\/\d/.test(headsOf(screen)) && /942100 SQL/.test(screen.join('\n')));
  const before = terminal.screen().slice(2, -2);
  await terminal.type('<Enter>');
  await terminal.waitFor((screen) => isRead(screen) && /by:asn,ip/.test(screen[1] ?? ''));
  const searches = searchesOf(simulator);
  await terminal.type('<Esc>');
  await terminal.waitFor((screen) => /by:rule,asn,ip/.test(screen[1] ?? ''));
  assert.deepEqual(terminal.screen().slice(2, -2), before);
  await terminal.type('<:view-before>');
  await terminal.waitFor((screen) => /by:asn,ip/.test(screen[1] ?? ''));
  await terminal.type('<:view-after>');
  await terminal.waitFor((screen) => /by:rule,asn,ip/.test(screen[1] ?? ''));
  assert.equal(searchesOf(simulator), searches);
});

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

test('a whole day is read page after page; a day that is gone is told from a bad key', async (t) => {
  const { terminal, simulator } = await openSession({
    t,
    columns: 120,
    args: ['shield', `shield:${90417}`],
    // So many events that the quota paces the pages.
    simulator: { surges: [{ from: 0, to: Number.POSITIVE_INFINITY, factor: 60 }] },
  });
  await terminal.waitFor(isRead);
  await terminal.type('<:day><C-u>2020-01-01<Enter>');
  await terminal.waitFor(/the key is fine/);
  await terminal.waitFor(/says nothing about the key/);
  await terminal.type(`<Esc><:day><C-u>${wholeDay(simulator)}<Enter>`);
  await terminal.waitFor((screen) => /[2-9] pages/.test(screen.at(-2) ?? ''), { what: 'pages' });
  await terminal.waitFor(/Esc cancels$/m);
  await terminal.type('<Esc>');
  await terminal.waitFor(/then cancelled/);
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
