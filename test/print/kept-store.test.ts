import assert from 'node:assert/strict';
import { PassThrough } from 'node:stream';
import { test } from 'node:test';
import { unlistedZone } from '../../src/domain/zone.ts';
import { createKeptStore, type WaitingTail } from '../../src/print/keep/kept-store.ts';
import { KeptZone } from '../../src/print/keep/kept-zone.ts';
import type { Engine } from '../../src/store/engines/engine.ts';
import { StoreFailure } from '../../src/store/engines/store-failure.ts';
import { notedGaps } from '../../src/store/noted-coverage.ts';
import { recordOf } from '../support/state.ts';
import { arriving } from '../support/stored.ts';
import { VirtualClock } from '../support/virtual-clock.ts';
import { MemoryStore } from './memory-store.ts';
import { bench, MINUTE } from './support.ts';

const equal = (count: number) => arriving(Array(count).fill(recordOf(1)));

/** Opens a store that takes rows once it is let. */
function slowly(memory: MemoryStore, isLet: () => Promise<void>): () => Promise<Engine> {
  return async () => {
    const engine = await memory.open();
    return { ...engine, put: async (rows) => isLet().then(() => engine.put(rows)) };
  };
}

/** What many zones write to at once. `most`: rows that may wait. */
function scene(most?: number) {
  const memory = new MemoryStore();
  const clock = new VirtualClock();
  const stderr = new PassThrough();
  const stopper = new AbortController();
  const held: { until: Promise<void> } = { until: Promise.resolve() };
  const opened: { times: number; fails?: StoreFailure } = { times: 0 };
  const open = () => {
    opened.times += 1;
    if (opened.fails) throw opened.fails;
    return slowly(memory, () => held.until)();
  };
  const store = createKeptStore({ stderr, clock }, open, stopper.signal, most);
  return { memory, clock, store, opened, held, said: () => String(stderr.read() ?? '') };
}

test('what five hundred zones hand over is one write of rows a second, and one of their notes', async () => {
  const { memory, clock, store } = scene();
  const seconds = 10;
  const written: Promise<void>[] = [];
  const sizes: number[] = [];
  memory.onWrite = (what, rows) => {
    if (what === 'rows') sizes.push(rows.length);
  };
  for (let at = 0; at < 500; at++) {
    const note = { zone: String(at), from: 0, to: MINUTE, state: 'read', missing: null } as const;
    written.push(store.put(equal(20), [note], 1));
    await clock.advance((seconds * 1_000) / 500);
  }
  await clock.advance(2_000);
  await Promise.all(written);
  const [rows, notes] = ['rows', 'notes'].map((what) => memory.writes.filter((each) => each === what).length);
  assert.ok(rows && rows >= seconds && rows <= seconds + 2, `${rows} writes in ${seconds} s`);
  assert.equal(notes, rows);
  assert.equal(
    sizes.reduce((sum, size) => sum + size),
    10_000,
  );
  assert.equal(memory.notes.length, 500);
});

test('what the store knows of the time of five hundred zones is one question, and a store that ends it ends all', async () => {
  const { memory, store, opened } = scene();
  const told = (zone: string, state: 'read' | 'retention') =>
    ({ zone, from: 0, to: MINUTE, state, missing: null, mark: 3 }) as const;
  memory.notes.push(told('7', 'read'), told('8', 'read'), told('', 'retention'));
  const ids = Array.from({ length: 500 }, (_, at) => String(at));
  const known = await Promise.all(ids.map((zone) => store.known(zone, { from: 0, to: MINUTE })));
  // The first asks, and the others while it does.
  assert.ok(opened.times <= 3, `${opened.times} times opened`);
  assert.deepEqual(known.map(({ notes, mark }) => [mark, ...notes.map(({ zone }) => zone)]).slice(6, 10), [
    [4, ''],
    [4, '7', ''],
    [4, '8', ''],
    [4, ''],
  ]);
  opened.fails = new StoreFailure('refused', { store: 'main' });
  const refused = await Promise.allSettled(ids.map((zone) => store.known(zone, { from: 0, to: MINUTE })));
  assert.ok(refused.every(({ status }) => status === 'rejected'));
});

/** A tail of which so many rows wait. */
function waitingTail(rows: number) {
  const tail = {
    waiting: rows,
    rows: () => tail.waiting,
    giveUp() {
      tail.waiting = 0;
    },
  };
  return tail satisfies WaitingTail & { waiting: number };
}

test('where more rows of all zones wait than can be held, the tails with most of them give up, and it is said once', async () => {
  const { clock, store, held, said } = scene(1_000);
  await store.check();
  const gate = Promise.withResolvers<void>();
  held.until = gate.promise;
  const written = store.put(equal(500), [], 1);
  const tails = [waitingTail(100), waitingTail(300), waitingTail(200)];
  const [leave] = tails.map((tail) => store.join(tail));
  store.makeRoom();
  assert.deepEqual(
    tails.map(({ waiting }) => waiting),
    [100, 0, 200],
  );
  Object.assign(tails[0] ?? {}, { waiting: 450 });
  store.makeRoom();
  assert.deepEqual(
    tails.map(({ waiting }) => waiting),
    [0, 0, 200],
  );
  const told = said();
  assert.match(
    told,
    /^edgescope: the store main takes rows more slowly than they come: 1,100 wait\n.*read again/,
  );
  assert.equal(told.match(/more slowly/g)?.length, 1, told);
  // Of one that has left nothing waits, and what is written waits no more.
  Object.assign(tails[0] ?? {}, { waiting: 5_000 });
  leave?.();
  gate.resolve();
  await clock.advance(2_000);
  await written;
  Object.assign(tails[2] ?? {}, { waiting: 1_000 });
  store.makeRoom();
  assert.equal(tails[2]?.waiting, 1_000);
});

test('the time of a tail that gave up is read again, and nothing of it is lost', async () => {
  const { sim, zone, printing } = bench({ rate: 0.5 });
  const memory = new MemoryStore();
  const { printer, client, texts } = printing();
  const id = String(zone.id);
  const from = Math.floor(sim.clock.now() / MINUTE) * MINUTE - 15 * MINUTE;
  memory.notes.push({ zone: id, from: 0, to: from, state: 'read', missing: null, mark: 0 });
  const stopper = new AbortController();
  let until = Promise.resolve();
  const store = createKeptStore(
    printer,
    slowly(memory, () => until),
    stopper.signal,
    300,
  );
  const kept = new KeptZone(printer, {
    zone: unlistedZone({ id, name: 'shop' }),
    store,
    tellPast: () => {},
  });
  const gate = Promise.withResolvers<void>();
  sim.clock.after(3 * MINUTE, () => {
    until = gate.promise;
  });
  sim.clock.after(16 * MINUTE, gate.resolve);
  sim.clock.after(45 * MINUTE, () => stopper.abort());
  await sim.ended(kept.run(stopper.signal).catch(() => {})).finally(() => client.close());
  assert.match(texts.err, /takes rows more slowly than they come/);
  const [gap] = notedGaps(memory.notes, [id], { from, to: from + 100 * MINUTE });
  const to = gap?.from ?? 0;
  assert.ok(to > from + 40 * MINUTE, String((to - from) / MINUTE));
  const there = new Set(
    sim.truth(zone.id, from, to).flatMap(({ entry }) => (entry ? [entry.requestId] : [])),
  );
  const stored = [...memory.rows.values()].filter(({ timestamp }) => timestamp >= from && timestamp < to);
  assert.deepEqual(new Set(stored.map(({ id }) => id)), there);
  assert.equal(stored.length, there.size);
});
