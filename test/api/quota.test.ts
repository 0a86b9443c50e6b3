import assert from 'node:assert/strict';
import { test } from 'node:test';
import { MemorySlots } from '../../src/api/quota/memory-slots.ts';
import { createQuota, hostLane, logLane, type Permit, type Quota } from '../../src/api/quota/quota.ts';
import type { Priority } from '../../src/api/quota/quota-rule.ts';
import { fc, runs } from '../support/properties.ts';
import { VirtualClock } from '../support/virtual-clock.ts';

const RUNS = runs(30);
const LANE = logLane('https://logs.example', '77');
const WINDOW = 10_000;

/** Asks, and notes when each request was let through; each is answered after `latency` ms. */
function ask(
  quota: Quota,
  clock: VirtualClock,
  priority: Priority,
  latency: number,
  starts: number[],
): Promise<void> {
  return quota.acquire(LANE, priority).then(async (permit) => {
    starts.push(clock.monotonic());
    await clock.sleep(latency);
    permit.release('answered');
  });
}

test('users leave two slots for the background, so that a tail never stands still', async () => {
  const clock = new VirtualClock();
  const quota = createQuota({ clock });
  const [users, background]: [number[], number[]] = [[], []];
  for (let each = 0; each < 60; each += 1) void ask(quota, clock, 'user', 0, users);
  await clock.advance(100);
  assert.equal(users.length, 24);
  for (let each = 0; each < 3; each += 1) void ask(quota, clock, 'background', 0, background);
  await clock.advance(2_000);
  assert.equal(background.length, 2);
  assert.equal(quota.snapshot(LANE).used, 26);
});

/** Takes every slot of a lane. */
async function fill(quota: Quota, clock: VirtualClock): Promise<Permit[]> {
  const background = [quota.acquire(LANE, 'background'), quota.acquire(LANE, 'background')];
  await clock.advance(400);
  const users = Array.from({ length: 24 }, () => quota.acquire(LANE, 'user'));
  return Promise.all([...users, ...background]);
}

test('a slot comes back one window after the answer, not after the start', async () => {
  const clock = new VirtualClock();
  const quota = createQuota({ clock });
  const starts: number[] = [];
  for (let each = 0; each < 25; each += 1) void ask(quota, clock, 'user', 3_000, starts);
  await clock.advance(12_990);
  assert.equal(starts.length, 24);
  assert.equal(quota.snapshot(LANE).used, 24);
  await clock.advance(20);
  assert.equal(starts.length, 25);
  assert.ok((starts[24] ?? 0) >= 3_000 + WINDOW);
});

test('background requests take at most 14 of the slots, never in one burst', async () => {
  const clock = new VirtualClock();
  const quota = createQuota({ clock });
  const starts: number[] = [];
  for (let each = 0; each < 40; each += 1) void ask(quota, clock, 'background', 0, starts);
  await clock.advance(1_000);
  assert.ok(starts.length >= 2 && starts.length <= 4, `${starts.length} in the first second`);
  await clock.advance(8_900);
  assert.equal(starts.length, 14);
});

test('a user goes before background requests that wait longer', async () => {
  const clock = new VirtualClock();
  const quota = createQuota({ clock });
  const order: string[] = [];
  const held = await fill(quota, clock);
  void quota.acquire(LANE, 'background').then(() => order.push('background'));
  await clock.advance(100);
  void quota.acquire(LANE, 'user').then(() => order.push('user'));
  for (const permit of held) permit.release('answered');
  await clock.advance(WINDOW + 5_000);
  assert.deepEqual(order, ['user', 'background']);
});

test('a user waiting in another process holds background requests back', async () => {
  const clock = new VirtualClock();
  const store = new MemorySlots();
  const [mine, other] = [createQuota({ clock, store }), createQuota({ clock, store })];
  const held = await fill(mine, clock);
  const order: string[] = [];
  void other.acquire(LANE, 'background').then(() => order.push('background'));
  void mine.acquire(LANE, 'user').then(() => order.push('user'));
  held[0]?.release('answered');
  await clock.advance(WINDOW + 10);
  assert.deepEqual(order, ['user']);
});

test('guests leave ten places to people, whatever they ask for', async () => {
  const clock = new VirtualClock();
  const store = new MemorySlots();
  const [theirs, people] = [createQuota({ clock, store }), createQuota({ clock, store })];
  const [guests, users, background]: number[][] = [[], [], []];
  for (let each = 0; each < 40; each += 1) void ask(theirs, clock, 'guest', 0, guests ?? []);
  await clock.advance(100);
  assert.equal(guests?.length, 16);
  for (let each = 0; each < 8; each += 1) void ask(people, clock, 'user', 0, users ?? []);
  for (let each = 0; each < 2; each += 1) void ask(people, clock, 'background', 0, background ?? []);
  await clock.advance(1_000);
  assert.deepEqual([users?.length, background?.length, guests?.length], [8, 2, 16]);
});

test('a guest stands back while a user waits, here or in another process', async () => {
  const clock = new VirtualClock();
  const store = new MemorySlots();
  const [people, other] = [createQuota({ clock, store }), createQuota({ clock, store })];
  const held = await fill(people, clock);
  const order: string[] = [];
  for (const quota of [people, other]) void quota.acquire(LANE, 'guest').then(() => order.push('guest'));
  for (let each = 0; each < 20; each += 1) void people.acquire(LANE, 'user').then(() => order.push('user'));
  for (const permit of held.slice(0, 18)) permit.release('answered');
  await clock.advance(WINDOW + 4_000);
  assert.deepEqual(order, Array(18).fill('user'));
});

test('an unsent request costs nothing, an abandoned one a little more than an answered one', async () => {
  const clock = new VirtualClock();
  const quota = createQuota({ clock });
  (await quota.acquire(LANE, 'user')).release('unsent');
  assert.equal(quota.snapshot(LANE).used, 0);
  (await quota.acquire(LANE, 'user')).release('abandoned');
  await clock.advance(WINDOW + 500);
  assert.equal(quota.snapshot(LANE).used, 1);
  await clock.advance(600);
  assert.equal(quota.snapshot(LANE).used, 0);
});

test('a permit is released once, whatever is said later', async () => {
  const clock = new VirtualClock();
  const quota = createQuota({ clock });
  const permit = await quota.acquire(LANE, 'user');
  permit.release('answered');
  permit.release('unsent');
  assert.equal(quota.snapshot(LANE).used, 1);
});

test('a freeze stops everybody until it ends, and is shown', async () => {
  const clock = new VirtualClock();
  const store = new MemorySlots();
  const [mine, other] = [createQuota({ clock, store }), createQuota({ clock, store })];
  mine.freeze(LANE, clock.now() + 8_000);
  assert.equal(other.snapshot(LANE).frozenUntil, clock.now() + 8_000);
  const starts: number[] = [];
  void ask(other, clock, 'user', 0, starts);
  await clock.advance(7_990);
  assert.deepEqual(starts, []);
  await clock.advance(20);
  assert.equal(starts.length, 1);
  assert.equal(other.snapshot(LANE).frozenUntil, null);
});

test('leaving the queue is prompt, and does not hold up those behind', async () => {
  const clock = new VirtualClock();
  const quota = createQuota({ clock });
  for (let each = 0; each < 24; each += 1) void ask(quota, clock, 'user', 0, []);
  await clock.advance(1);
  const leaving = new AbortController();
  const left = quota.acquire(LANE, 'user', leaving.signal).then(
    () => 'granted',
    () => 'left',
  );
  const starts: number[] = [];
  void ask(quota, clock, 'user', 0, starts);
  leaving.abort();
  assert.equal(await left, 'left');
  await clock.advance(WINDOW + 10);
  assert.equal(starts.length, 1);
});

test('who has left the queue takes no slot when his turn would have come', async () => {
  const clock = new VirtualClock();
  const quota = createQuota({ clock });
  for (let each = 0; each < 24; each += 1) void ask(quota, clock, 'user', 0, []);
  await clock.advance(1);
  const leaving = new AbortController();
  const left = Array.from({ length: 5 }, () =>
    quota.acquire(LANE, 'user', leaving.signal).catch(() => 'left'),
  );
  leaving.abort();
  assert.deepEqual(new Set(await Promise.all(left)), new Set(['left']));
  await clock.advance(WINDOW + 100);
  assert.equal(quota.snapshot(LANE).used, 0);
});

test('zones, and the rest of a host, have budgets of their own', async () => {
  const clock = new VirtualClock();
  const quota = createQuota({ clock });
  for (let each = 0; each < 24; each += 1) await quota.acquire(LANE, 'user');
  await quota.acquire(logLane('https://logs.example', '78'), 'user');
  const host = hostLane('https://logs.example');
  await quota.acquire(host, 'user');
  assert.equal(quota.snapshot(host).used, 1);
  assert.deepEqual([quota.snapshot(LANE).cap, quota.snapshot(host).cap], [30, 20]);
  assert.deepEqual([quota.snapshot(LANE).isSpent, quota.snapshot(host).isSpent], [true, false]);
  for (let each = 0; each < 17; each += 1) await quota.acquire(host, 'user');
  assert.equal(quota.snapshot(host).isSpent, false, 'a place is left for a user');
  await quota.acquire(host, 'user');
  assert.equal(quota.snapshot(host).isSpent, true);
});

test('whatever the latencies and the number of processes, the server never counts more than 26 in a window', async () => {
  const request = fc.record({
    at: fc.integer({ min: 0, max: 30_000 }),
    latency: fc.oneof(fc.integer({ min: 0, max: 50 }), fc.integer({ min: 0, max: 19_000 })),
    /** Where between start and answer the server counts it. */
    arrival: fc.double({ min: 0, max: 1, noNaN: true }),
    process: fc.integer({ min: 0, max: 2 }),
    priority: fc.constantFrom<Priority>('user', 'background', 'guest'),
  });
  await fc.assert(
    fc.asyncProperty(fc.array(request, { minLength: 30, maxLength: 120 }), async (requests) => {
      const clock = new VirtualClock();
      const store = new MemorySlots();
      const quotas = [0, 1, 2].map(() => createQuota({ clock, store }));
      const arrivals: number[] = [];
      let background = 0;
      for (const { at, latency, arrival, process, priority } of requests) {
        void clock.sleep(at).then(async () => {
          const permit = await (quotas[process] as Quota).acquire(LANE, priority);
          const start = clock.monotonic();
          arrivals.push(start + latency * arrival);
          if (priority === 'background') background += 1;
          await clock.sleep(latency);
          permit.release('answered');
        });
      }
      await clock.advance(400_000);
      assert.equal(arrivals.length, requests.length, 'everybody has their turn');
      assert.equal(background, requests.filter((each) => each.priority === 'background').length);
      assert.ok(mostPerWindow(arrivals) <= 26);
    }),
    { numRuns: RUNS },
  );
});

function mostPerWindow(arrivals: number[]): number {
  const sorted = arrivals.toSorted((a, b) => a - b);
  let most = 0;
  let first = 0;
  for (const [at, time] of sorted.entries()) {
    while ((sorted[first] ?? 0) <= time - WINDOW) first += 1;
    most = Math.max(most, at - first + 1);
  }
  return most;
}
