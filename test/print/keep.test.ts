import assert from 'node:assert/strict';
import { PassThrough } from 'node:stream';
import { test } from 'node:test';
import { createPastTelling } from '../../src/print/keep/told-past.ts';
import { notedGaps } from '../../src/store/noted-coverage.ts';
import type { FaultPlan } from '../support/simulator/fault-plan.ts';
import { VirtualClock } from '../support/virtual-clock.ts';
import { MemoryStore } from './memory-store.ts';
import { bench, MINUTE, ZONE } from './support.ts';

/** From the first reading of the last quarter of an hour until no row of it can come any more. */
const SETTLED = 24 * MINUTE;

type Scene = ReturnType<typeof scene>;

/** A zone, or several, of which all but the last quarter of an hour is in the store. */
function scene(o: { faults?: FaultPlan; zones?: readonly string[] } = {}) {
  const { zones = [ZONE], ...platform } = o;
  const { sim, zone, printed } = bench({ rate: 0.5, ...platform });
  const store = new MemoryStore();
  const from = Math.floor(sim.clock.now() / MINUTE) * MINUTE - 15 * MINUTE;
  const id = String(zone.id);
  const ids = sim.zones.filter(({ name }) => zones.includes(String(name))).map((each) => String(each.id));
  for (const each of ids)
    store.notes.push({ zone: each, from: 0, to: from, state: 'read', missing: null, mark: 0 });
  /** `keep` for a time, ms; it is ended as by Ctrl-C. `during`: what happens meanwhile, and when. */
  const zonePath = `/pullzones/${zone.id}/`;
  const keep = (length: number, during: readonly (readonly [at: number, what: () => void])[] = []) => {
    for (const [at, what] of during) sim.clock.after(at, what);
    return printed(['keep', ...zones], {
      history: async () => ({ ok: true, value: store.open }),
      onEnd: (callback) => void sim.clock.after(length, () => callback(130)),
    });
  };
  return { sim, id, ids, store, from, keep, zonePath };
}

/** All rows of a time are stored, none that never was, and no time of it is without a note. */
function assertWhole({ sim, ids: zones, store, from }: Scene, to: number): void {
  const there = new Set(
    zones
      .flatMap((id) => sim.truth(id, from, to))
      .filter((row) => row.entry)
      .map((row) => row.entry.requestId),
  );
  assert.ok(there.size > 100, String(there.size));
  const stored = [...store.rows.values()].filter(({ timestamp }) => timestamp >= from && timestamp < to);
  const ids = new Set(stored.map(({ id }) => id));
  assert.deepEqual(
    [...there].filter((each) => !ids.has(each)),
    [],
  );
  assert.equal(stored.length, there.size);
  assert.deepEqual(notedGaps(store.notes, zones, { from, to }), []);
}

/** Up to where time was noted of all zones, without a gap. */
function notedTo({ store, ids, from }: Scene): number {
  const gaps = notedGaps(store.notes, ids, { from, to: from + 100 * MINUTE });
  return Math.min(...gaps.map((gap) => gap.from));
}

test('keep reads what the store lacks, then what comes, and notes time once its late rows are there', async () => {
  const of = scene();
  const { code, err } = await of.keep(SETTLED + 2 * MINUTE);
  assert.equal(code, 130);
  assert.match(err, /reading 9m\S* that the store lacks/);
  assert.match(err, /reading 9m\S* again, since rows of it could still come/);
  assert.match(err, /rows stored; complete to \S+Z, \d+m\S* ago/);
  const to = notedTo(of);
  assert.ok(of.sim.clock.now() - to < 12 * MINUTE, String(of.sim.clock.now() - to));
  assertWhole(of, to);
  // A note for each stretch of time, and none for each minute: what was there, old time read once and again, and the tail.
  assert.deepEqual(
    of.store.notes.map(({ state }) => state),
    ['read', 'read', 'read', 'read'],
  );
});

test('what a store keeps no longer is not read again', async () => {
  const of = scene();
  const gone = { from: of.from - 30 * MINUTE, to: of.from - 20 * MINUTE };
  of.store.notes.push({ zone: '', ...gone, state: 'expired', missing: null, mark: 1 });
  const { err } = await of.keep(5 * MINUTE);
  assert.match(err, /reading 9m\S* that the store lacks/);
  assert.deepEqual(
    [...of.store.rows.values()].filter(({ timestamp }) => timestamp < gone.to),
    [],
  );
});

test('a keep that is cut off and begun again, and a store that is away, lose nothing and double nothing', async () => {
  const of = scene();
  const away = (isAway: boolean) => () => {
    of.store.isAway = isAway;
  };
  // What it had not stored when it ended is gone with it.
  await of.keep(4 * MINUTE, [[3 * MINUTE, away(true)]]);
  of.store.isAway = false;
  const first = notedTo(of);
  const { err } = await of.keep(SETTLED + 2 * MINUTE, [
    [3 * MINUTE, away(true)],
    [6 * MINUTE, away(false)],
  ]);
  assert.match(err, /The store main does not answer[\s\S]*the store main takes rows again/);
  const to = notedTo(of);
  assert.ok(to > first + 5 * MINUTE);
  assertWhole(of, to);
});

test('rows that come late while old time is read are stored before it counts as read', async () => {
  const of = scene({ faults: [{ fault: { kind: 'lateRows', share: 0.2, ms: 15 * MINUTE } }] });
  const old = of.sim.clock.now() - 6 * MINUTE;
  await of.keep(3 * MINUTE);
  // So long nobody says that it is all.
  assert.equal(notedTo(of), of.from);
  await of.keep(SETTLED + 2 * MINUTE);
  assert.ok(notedTo(of) > old);
  assertWhole(of, old);
});

test('a zone that is suspended is asked less and less often, and it is said once, and once when it is back', async () => {
  const of = scene();
  const fault = { kind: 'forbidden', text: 'Pull zone is suspended.' } as const;
  const start = of.sim.clock.now();
  const { err, requests } = await of.keep(70 * MINUTE, [
    [2 * MINUTE, () => void of.sim.setFaults([{ match: { path: of.zonePath }, fault }])],
    [60 * MINUTE, () => void of.sim.setFaults([])],
  ]);
  const asked = requests.filter(({ at }) => at > start + 20 * MINUTE && at < start + 60 * MINUTE);
  assert.ok(asked.length <= 10, String(asked.length));
  assert.equal(err.match(/suspended or disabled/g)?.length, 1, err);
  assert.equal(err.match(/the API answers again/g)?.length, 1, err);
  assert.doesNotMatch(err, /reading 1\dm/);
  assertWhole(of, start + 30 * MINUTE);
});

const SEVERAL = [ZONE, 'api-gateway', 'checkout', 'images-eu', 'images-us', 'mobile-api'];

test('a keep follows more zones than can be read as one log', async () => {
  const { sim, printed } = bench({ rate: 0.5, zones: 130 });
  const store = new MemoryStore();
  const read = { from: 0, to: sim.clock.now() - 8 * MINUTE, state: 'read', missing: null, mark: 0 } as const;
  for (const { id } of sim.zones) store.notes.push({ zone: String(id), ...read });
  const { code, requests } = await printed(['keep', '*'], {
    history: async () => ({ ok: true, value: store.open }),
    onEnd: (callback) => void sim.clock.after(MINUTE, () => callback(130)),
  });
  assert.equal(code, 130);
  const asked = new Set(requests.flatMap(({ path }) => /pullzones\/(\d+)\/logs/.exec(path)?.[1] ?? []));
  assert.equal(asked.size, sim.zones.length);
});

test('rows of all zones are one write a second, and their notes another', async () => {
  const of = scene({ zones: SEVERAL });
  const length = 4 * MINUTE;
  let most = 0;
  of.store.onWrite = (_, rows) => {
    most = Math.max(most, new Set(rows.map(({ pullZoneId }) => pullZoneId)).size);
  };
  await of.keep(length);
  const [rows, notes] = ['rows', 'notes'].map(
    (what) => of.store.writes.filter((each) => each === what).length,
  );
  const seconds = length / 1_000;
  assert.equal(new Set([...of.store.rows.values()].map(({ pullZoneId }) => pullZoneId)).size, SEVERAL.length);
  assert.ok(rows && rows > seconds / 8 && rows <= seconds + 1, `${rows} writes of rows in ${seconds} s`);
  assert.ok(most > 1, `rows of ${most} zones in one write`);
  assert.ok(notes && notes <= rows, `${notes} writes of notes`);
});

test('a keep of several zones that is killed before, between and after the writes of a batch loses and doubles nothing', async () => {
  const of = scene({ zones: SEVERAL.slice(0, 2) });
  /** From this write on nothing comes to the store, as of a program that is gone. */
  const killedAt = async (what: 'rows' | 'notes', write: number) => {
    let writes = 0;
    of.store.onWrite = (each) => {
      if (each === what && ++writes === write) of.store.isAway = true;
    };
    await of.keep(4 * MINUTE);
    assert.ok(of.store.isAway);
    of.store.isAway = false;
    of.store.onWrite = () => {};
  };
  await killedAt('notes', 1);
  await killedAt('rows', 8);
  await killedAt('notes', 2);
  const before = notedTo(of);
  await of.keep(SETTLED + 2 * MINUTE);
  const to = notedTo(of);
  assert.ok(to > before + 5 * MINUTE);
  assertWhole(of, to);
});

test('of many zones that begin at once it is said once what they read, of few each for itself', async () => {
  const clock = new VirtualClock();
  const stderr = new PassThrough();
  const lines = () => String(stderr.read() ?? '').trimEnd();
  const many = createPastTelling({ stderr, clock }, 500);
  for (let zone = 0; zone < 500; zone++)
    many(`zone-${zone}`, zone === 7 ? 120_000 : 61_000, 'that the store lacks');
  await clock.advance(1_000);
  assert.equal(lines(), 'edgescope: 500 zones: reading up to 2m that the store lacks');
  many('zone-7', 61_000, 'that the store lacks');
  await clock.advance(1_000);
  assert.match(lines(), /^edgescope: 1 zone: reading up to 1m1s that/);
  createPastTelling({ stderr, clock }, 2)('shop', 120_000, 'again');
  assert.equal(lines(), 'edgescope: shop: reading 2m again');
});
