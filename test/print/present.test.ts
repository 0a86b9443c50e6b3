import assert from 'node:assert/strict';
import { test } from 'node:test';
import { bench, idsOf, MINUTE, objectsOf, ZONE } from './support.ts';

/** Rows come at once, so that what a window holds is known. */
const PROMPT = [{ share: 1, least: 0, most: 0 }];
/** What the starting and the end of a window may be off by, ms. */
const EDGE = 5_000;

const printedIds = (out: string) => objectsOf(out).map((row) => String(row['requestId']));

for (const [off, said] of [
  [-10 * MINUTE, /this machine's clock is (?:9m5\ds|10m\d*s?) ahead of the server's/],
  [10 * MINUTE, /this machine's clock is (?:9m5\ds|10m\d*s?) behind the server's/],
] as const) {
  test(`with a server whose clock is ${off / MINUTE} min ahead a window is of its time, and the difference is said`, async () => {
    const fault = { kind: 'clockShift', ms: off } as const;
    const { sim, zone, printed } = bench({ faults: [{ fault }], lateness: PROMPT });
    const now = sim.clock.now() + off;
    const { code, err, out } = await printed(['logs', ZONE, 'last:5m']);
    assert.equal(code, 0, err);
    assert.match(err, said);
    const shown = new Set(printedIds(out));
    const due = idsOf(sim, zone.id, now - 5 * MINUTE + EDGE, now);
    assert.ok(due.length > 1_000);
    assert.equal(due.filter((id) => !shown.has(id)).length, 0, `of ${due.length}`);
    assert.match(err, /may still come/);
  });

  test(`with a server whose clock is ${off / MINUTE} min ahead a moment of its present is no future`, async () => {
    const fault = { kind: 'clockShift', ms: off } as const;
    const { sim, printed } = bench({ faults: [{ fault }], lateness: PROMPT });
    const from = new Date(sim.clock.now() + off - MINUTE).toISOString();
    const { code, err, out } = await printed(['logs', ZONE, '--from', from, '--limit', '5']);
    assert.equal(code, 0, err);
    assert.equal(objectsOf(out).length, 5);
    const later = new Date(sim.clock.now() + off + MINUTE).toISOString();
    assert.equal((await printed(['logs', ZONE, '--from', later])).code, 2);
  });

  test(`with a server whose clock is ${off / MINUTE} min ahead a window of three days begins where its log is kept`, async () => {
    const { sim, printed } = bench({ faults: [{ fault: { kind: 'clockShift', ms: off } as const }] });
    const kept = sim.clock.now() + off - 72 * 60 * MINUTE;
    const { code, err, out } = await printed(['logs', ZONE, 'last:3d', '--limit', '5']);
    assert.equal(code, 0, err);
    const begun = Date.parse(/read from (\S+) on/.exec(err)?.[1] ?? '');
    assert.ok(Math.abs(begun - kept - MINUTE) < EDGE, `${begun - kept}`);
    const first = objectsOf(out).find((row) => 'requestId' in row);
    assert.ok(Math.abs(Date.parse(String(first?.['timestamp'])) - begun) < MINUTE, out);
    assert.equal(err.match(/kept since/g)?.length, 1);
  });

  test(`with a server whose clock is ${off / MINUTE} min ahead a window of Shield holds its present`, async () => {
    const faults = [{ fault: { kind: 'clockShift', ms: off } as const }];
    const { sim, zone, printed } = bench({ faults, lateness: PROMPT });
    const now = sim.clock.now() + off;
    const { code, err, out } = await printed(['shield', ZONE, 'last:5m']);
    assert.equal(code, 0, err);
    const shown = new Set(objectsOf(out).map((row) => Number(row['timestamp'])));
    const due = sim.truth(zone.id, now - 5 * MINUTE + EDGE, now).filter(({ shield }) => shield !== null);
    assert.ok(due.length > 50, `${due.length}`);
    assert.equal(due.filter(({ at }) => !shown.has(at)).length, 0, `of ${due.length}`);
    assert.match(err, /clock/);
  });
}

test('a Date ten minutes ahead of the rows takes no row of the window away, and is said', async () => {
  const fault = { kind: 'dateShift', ms: 10 * MINUTE } as const;
  const { sim, zone, printed } = bench({ faults: [{ fault }], lateness: PROMPT });
  const now = sim.clock.now();
  const { code, err, out } = await printed(['logs', ZONE, 'last:5m']);
  assert.equal(code, 0, err);
  assert.match(err, /the server says that it is (?:9m5\ds|10m\d*s?) later than by this machine's clock/);
  const shown = new Set(printedIds(out));
  const due = idsOf(sim, zone.id, now - 5 * MINUTE + EDGE, now);
  assert.equal(due.filter((id) => !shown.has(id)).length, 0, `of ${due.length}`);
});

test('where the clocks agree nothing more is asked and nothing is said of them', async () => {
  const { printed } = bench({ lateness: PROMPT });
  const { err, requests } = await printed(['logs', ZONE, 'last:1m']);
  assert.doesNotMatch(err, /clock/);
  assert.deepEqual(
    requests.map(({ host }) => host).filter((host, i, all) => all.indexOf(host) === i).length,
    2,
  );
  assert.ok(requests.filter(({ path }) => path.includes('/logs')).length === 1);
});
