import assert from 'node:assert/strict';
import { test } from 'node:test';
import { gapsOf, type Note } from '../../src/store/coverage.ts';
import type { Engine } from '../../src/store/engines/engine.ts';
import { StoreFailure } from '../../src/store/engines/store-failure.ts';
import { KEY } from '../../src/store/sql/columns.ts';
import { DIALECTS } from '../../src/store/sql/dialect.ts';
import { ABOUT } from '../../src/store/sql/schema.ts';
import { statementOf } from '../../src/store/sql/sql.ts';
import type { StoredRow } from '../../src/store/sql/stored-row.ts';
import { bench, MINUTE, ZONE } from './support.ts';

/** A store that remembers rows by their key, and what was noted of time. `isAway`: it refuses. */
class MemoryStore {
  readonly rows = new Map<string, StoredRow>();
  readonly notes: Note[] = [];
  isAway = false;
  puts = 0;

  readonly open = async (): Promise<Engine> => {
    if (this.isAway) throw new StoreFailure('away', { store: 'main' });
    return {
      place: { dialect: 'duckdb', database: '', cluster: null, days: null },
      store: 'main',
      ask: async (of) => {
        const { text } = statementOf(of, DIALECTS.duckdb.placeholder);
        if (text.includes('FROM about')) return { rows: Object.entries(ABOUT), read: null };
        return {
          rows: this.notes.map(({ zone, from, to, state, missing, noted }) => [
            zone,
            from,
            to,
            state,
            missing ?? -1,
            noted,
          ]),
          read: null,
        };
      },
      run: async (of) => {
        const values = statementOf(of, DIALECTS.duckdb.placeholder).params.map(({ value }) => value);
        for (let at = 0; at < values.length; at += 6) {
          const [zone, from, to, state, missing, noted] = values.slice(at, at + 6);
          this.notes.push({
            zone: String(zone),
            from: Number(from),
            to: Number(to),
            state: String(state) as Note['state'],
            missing: Number(missing),
            noted: Number(noted),
          });
        }
      },
      put: async (rows) => {
        this.puts++;
        for (const row of rows) this.rows.set(JSON.stringify(KEY.map((name) => row[name])), row);
      },
      close: async () => {},
    };
  };
}

type Scene = ReturnType<typeof scene>;

/** A zone of which all but the last quarter of an hour is in the store. */
function scene() {
  const { sim, zone, printed } = bench({ rate: 0.5 });
  const store = new MemoryStore();
  const from = Math.floor(sim.clock.now() / MINUTE) * MINUTE - 15 * MINUTE;
  const id = String(zone.id);
  store.notes.push({ zone: id, from: 0, to: from, state: 'read', missing: null, noted: 0 });
  /** `keep` for a time, ms; it is ended as by Ctrl-C. `during`: what happens meanwhile, and when. */
  const keep = (length: number, during: readonly (readonly [at: number, what: () => void])[] = []) => {
    for (const [at, what] of during) sim.clock.after(at, what);
    return printed(['keep', ZONE], {
      history: async () => ({ ok: true, value: store.open }),
      onEnd: (callback) => void sim.clock.after(length, () => callback(130)),
    });
  };
  return { sim, id, store, from, keep };
}

/** All rows of a time are stored, none that never was, and no time of it is without a note. */
function assertWhole({ sim, id, store, from }: Scene, to: number): void {
  const there = new Set(
    sim
      .truth(id, from, to)
      .filter((row) => row.entry)
      .map((row) => row.entry.requestId),
  );
  assert.ok(there.size > 100, String(there.size));
  const stored = [...store.rows.values()].filter(({ timestamp }) => timestamp >= from && timestamp < to);
  const ids = new Set(stored.map(({ requestId }) => requestId));
  assert.deepEqual(
    [...there].filter((each) => !ids.has(each)),
    [],
  );
  assert.equal(stored.length, there.size);
  assert.deepEqual(gapsOf(store.notes, id, { from, to }), []);
}

/** Up to where time was noted, without a hole. */
function notedTo({ store, id, from }: Scene): number {
  return gapsOf(store.notes, id, { from, to: from + 100 * MINUTE })[0]?.from ?? from;
}

test('keep reads what the store lacks, then what comes, and notes time once its late rows are there', async () => {
  const of = scene();
  const { code, err } = await of.keep(13 * MINUTE);
  assert.equal(code, 130);
  assert.match(err, /reading 9m\S* that the store lacks/);
  assert.match(err, /rows stored; complete to \S+Z, \d+m\S* ago/);
  const to = notedTo(of);
  assert.ok(of.sim.clock.now() - to < 12 * MINUTE, String(of.sim.clock.now() - to));
  assertWhole(of, to);
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
  const { err } = await of.keep(13 * MINUTE, [
    [3 * MINUTE, away(true)],
    [6 * MINUTE, away(false)],
  ]);
  assert.match(err, /The store main does not answer[\s\S]*the store main takes rows again/);
  const to = notedTo(of);
  assert.ok(to > first + 5 * MINUTE);
  assertWhole(of, to);
});
