import assert from 'node:assert/strict';
import { test } from 'node:test';
import { StoreFailure } from '../../src/store/engines/store-failure.ts';
import { LEASE_TURN } from '../../src/store/leases.ts';
import { notedGaps } from '../../src/store/noted-coverage.ts';
import { MemoryStore } from './memory-store.ts';
import { bench, MINUTE, type Printed } from './support.ts';

const ZONES = ['shop-frontend', 'api-gateway'];
/** Within this another keeper takes over, ms. */
const TAKEN_OVER = 30_000;
/** Until none of a time's rows can come any more, and that is noted. */
const SETTLED = 24 * MINUTE;

/** Keepers that share zones by one store, of which all but the last minutes are there. */
function scene() {
  const { sim, printed } = bench({ rate: 0.5 });
  const store = new MemoryStore();
  store.now = () => sim.clock.now();
  const start = sim.clock.now();
  const from = Math.floor(start / MINUTE) * MINUTE - 15 * MINUTE;
  const ids = sim.zones.filter(({ name }) => ZONES.includes(String(name))).map(({ id }) => String(id));
  for (const zone of ids)
    store.notes.push({ zone, from: 0, to: from, state: 'read', missing: null, mark: 0 });
  /** One that is killed at a time, ms from the start: from then on nothing comes to the store. `cut`: when it alone cannot reach that. `isStopped`: it is not killed. */
  const keep = (killedAt: number, cut = { from: 0, to: 0 }, isStopped = false): Promise<Printed> => {
    let isDead = false;
    const alive =
      <A extends unknown[], T>(work: (...of: A) => Promise<T>) =>
      (...of: A) =>
        isDead ? Promise.reject(new Error('killed')) : work(...of);
    const open = async () => {
      const at = sim.clock.now() - start;
      if (at >= cut.from && at < cut.to) throw new StoreFailure('away', { store: 'main' });
      const engine = await store.open();
      return { ...engine, ask: alive(engine.ask), put: alive(engine.put), note: alive(engine.note) };
    };
    return printed(['keep', ...ZONES, '--shared'], {
      history: async () => ({ ok: true, value: open }),
      onEnd: (callback) =>
        void sim.clock.at(start + killedAt, () => {
          isDead = !isStopped;
          callback(137);
        }),
    });
  };
  /** Which of some keepers asked for the log of a zone between two times, ms from the start, and when first. */
  const askers = (keepers: readonly Printed[], id: string, begin: number, end: number) =>
    keepers.flatMap(({ requests }, keeper) => {
      const times = requests
        .filter(
          ({ path, at }) => path.includes(`/pullzones/${id}/logs`) && at >= start + begin && at < start + end,
        )
        .map(({ at }) => at - start);
      return times.length === 0 ? [] : [{ keeper, first: Math.min(...times) }];
    });
  /** All rows up to a time are there, and no time of it is a gap. */
  const assertWhole = (to: number) => {
    const there = ids
      .flatMap((id) => sim.truth(id, from, start + to))
      .flatMap(({ entry }) => entry?.requestId ?? []);
    const stored = [...store.rows.values()].filter(
      ({ timestamp }) => timestamp >= from && timestamp < start + to,
    );
    assert.ok(there.length > 500, String(there.length));
    assert.deepEqual(stored.map(({ id }) => id).sort(), there.sort());
    assert.deepEqual(notedGaps(store.notes, ids, { from, to: start + to }), []);
  };
  return { sim, ids, keep, askers, assertWhole };
}

test('of two keepers each zone is read by one, and when that is killed by the other within half a minute', async () => {
  const { ids, keep, askers, assertWhole } = scene();
  const [killed, end] = [10 * MINUTE, 12 * MINUTE + SETTLED];
  const keepers = await Promise.all([keep(killed), keep(end)]);
  for (const id of ids) {
    assert.equal(askers(keepers, id, MINUTE, killed).length, 1, id);
    const [next] = askers(keepers, id, killed, killed + TAKEN_OVER);
    assert.equal(next?.keeper, 1, id);
  }
  assertWhole(11 * MINUTE);
});

test('a keeper that is stopped gives its zones up, so that another need not wait until its leases end', async () => {
  const { sim, ids, keep, askers, assertWhole } = scene();
  const [stopped, end] = [10 * MINUTE, 12 * MINUTE + SETTLED];
  const late = sim.clock.sleep(MINUTE).then(() => keep(end));
  const keepers = await Promise.all([keep(stopped, undefined, true), late]);
  for (const id of ids) {
    assert.equal(askers(keepers, id, 0, stopped).length, 1, id);
    const next = askers(keepers, id, stopped, stopped + TAKEN_OVER).find(({ keeper }) => keeper === 1);
    // A turn to see it, and another to know that nobody else claimed it.
    assert.ok(next !== undefined && next.first < stopped + 2 * LEASE_TURN + 2_000, `${id} ${next?.first}`);
  }
  assertWhole(11 * MINUTE);
});

test('a keeper that lost its zones while it could not reach the store leaves them to whoever has them', async () => {
  const { sim, ids, keep, askers, assertWhole } = scene();
  const end = 10 * MINUTE + SETTLED;
  const cut = { from: 5 * MINUTE, to: 8 * MINUTE };
  const late = sim.clock.sleep(MINUTE).then(() => keep(end));
  const keepers = await Promise.all([keep(end, cut), late]);
  for (const id of ids) {
    const of = (from: number, to: number) => askers(keepers, id, from, to).map(({ keeper }) => keeper);
    assert.deepEqual(of(0, cut.from), [0]);
    assert.ok(of(cut.from, cut.from + TAKEN_OVER).includes(1));
    assert.deepEqual(of(cut.to + MINUTE, end), [1]);
  }
  assertWhole(9 * MINUTE);
});
