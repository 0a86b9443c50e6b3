import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { LogSlice, LogSliceRequest } from '../../src/api/client.ts';
import { type Failure, failureOf, type Result } from '../../src/domain/failure.ts';
import type { LogRecord } from '../../src/domain/log.ts';
import type { TimeRange } from '../../src/domain/tail/coverage.ts';
import { readWindow, type WindowPart } from '../../src/effects/read-window.ts';
import { fc } from '../support/properties.ts';
import { recordWith } from '../support/rows.ts';

/** A server of rows at these times that gives at most `cap` of them, and answers in any order. */
function server(times: readonly number[], cap: number, delays: readonly number[] = []) {
  const requests: LogSliceRequest[] = [];
  let open = 0;
  const seen = { most: 0 };
  async function fetch(request: LogSliceRequest): Promise<Result<LogSlice>> {
    const number = requests.push(request);
    open += 1;
    seen.most = Math.max(seen.most, open);
    for (let turn = delays[number % Math.max(1, delays.length)] ?? 0; turn > 0; turn--) await null;
    await null;
    open -= 1;
    const found = times.filter((time) => time >= request.from && time < request.to);
    const records = found.slice(0, Math.min(cap, request.limit)).map((time) => record(time));
    return answered(records, found.length > records.length);
  }
  return { fetch, requests, seen };
}

const record = (timestamp: number) => recordWith({ timestamp });

function answered(rows: LogRecord[], hasMore: boolean): Result<LogSlice> {
  const now = { serverNow: null, sentAt: 0, receivedAt: 0 };
  return { ok: true, value: { rows, hasMore, ...now } };
}

type Fetch = (request: LogSliceRequest) => Promise<Result<LogSlice>>;

async function read(range: TimeRange, fetch: Fetch, atOnce = 4): Promise<WindowPart[]> {
  const parts: WindowPart[] = [];
  for await (const part of readWindow({ pullZoneId: '1', range, filter: {}, fetch, atOnce }))
    parts.push(part);
  return parts;
}

const timesOf = (parts: readonly WindowPart[]) =>
  parts.flatMap((part) => part.records.map((row) => row.timestamp));

test('whatever the density, the size of answers and their order: every row once, in order, and every gap named', async () => {
  const clusters = fc.array(fc.tuple(fc.nat(9_999), fc.integer({ min: 1, max: 40 }), fc.nat(30)), {
    maxLength: 12,
  });
  await fc.assert(
    fc.asyncProperty(
      clusters,
      fc.integer({ min: 1, max: 60 }),
      fc.integer({ min: 1, max: 6 }),
      fc.array(fc.nat(9), { minLength: 1, maxLength: 7 }),
      async (groups, cap, atOnce, delays) => {
        const times = groups
          .flatMap(([at, rows, spread]) =>
            Array.from({ length: rows }, (_, n) => Math.min(9_999, at + ((n * 7) % (spread + 1)))),
          )
          .sort((a, b) => a - b);
        const { fetch, requests, seen } = server(times, cap, delays);
        const parts = await read({ from: 0, to: 10_000 }, fetch, atOnce);
        const gaps = parts.flatMap((part) => part.gap ?? []);
        const inGap = (time: number) => gaps.some((gap) => time >= gap.from && time < gap.to);
        const shown = timesOf(parts);
        assert.deepEqual(
          shown,
          shown.toSorted((a, b) => a - b),
        );
        assert.deepEqual(
          shown.filter((time) => !inGap(time)),
          times.filter((time) => !inGap(time)),
        );
        // A gap is a millisecond with more rows than the server gives, and nothing else.
        for (const gap of gaps) {
          assert.equal(gap.to - gap.from, 1);
          assert.ok(times.filter((time) => time === gap.from).length > cap);
        }
        assert.ok(requests.every((request) => request.offset === undefined && request.order === 'asc'));
        assert.ok(seen.most <= atOnce);
        const ends = parts.map((part) => part.range.to);
        assert.deepEqual(
          parts.map((part) => part.range.from),
          [0, ...ends.slice(0, -1)],
        );
        assert.equal(ends.at(-1), 10_000);
      },
    ),
    { numRuns: 60 },
  );
});

test('a server that sorts nothing, and puts the end of a slice into it, is printed in order and once', async () => {
  const times = Array.from({ length: 900 }, (_, n) => n * 10);
  const jumbled = async (request: LogSliceRequest) => {
    const found = times.filter((time) => time >= request.from && time <= request.to);
    const page = found.toSorted((a, b) => ((a * 7919) % 9_001) - ((b * 7919) % 9_001)).slice(0, 100);
    return answered(page.map(record), found.length > page.length);
  };
  const parts = await read({ from: 0, to: 8_000 }, jumbled);
  assert.ok(parts.length > 5);
  assert.deepEqual(
    timesOf(parts),
    times.filter((time) => time < 8_000),
  );
  assert.ok(parts.every(({ gap }) => gap === null));
});

test('a row without a time of its own stays where the server put it', async () => {
  const broken = { ...record(40), raw: '{}' };
  const parts = await read({ from: 0, to: 40 }, async () => answered([record(10), broken], false));
  assert.deepEqual(timesOf(parts), [10, 40]);
});

test('slices are fitted to the density: few requests are spent on what the answers hold', async () => {
  const times = Array.from({ length: 200_000 }, (_, n) => Math.floor(n * 18));
  const { fetch, requests } = server(times, 10_000);
  const parts = await read({ from: 0, to: 3_600_000 }, fetch);
  assert.equal(timesOf(parts).length, 200_000);
  assert.ok(requests.length <= 200_000 / 10_000 / 0.7 + 6, `${requests.length} requests`);
});

test('a failure ends the reading: what came before it is whole, the rest is one gap with its reason', async () => {
  const times = Array.from({ length: 5_000 }, (_, n) => n * 2);
  const failure: Failure = failureOf('serverError');
  const { fetch } = server(times, 500);
  const parts = await read({ from: 0, to: 10_000 }, (request) =>
    request.from <= 6_000 && request.to > 6_000 && request.from > 0
      ? Promise.resolve({ ok: false, failure })
      : fetch(request),
  );
  const last = parts.at(-1);
  assert.equal(last?.failure, failure);
  assert.equal(last?.gap?.reason, 'failed');
  assert.equal(last?.range.to, 10_000);
  const from = last?.range.from ?? 0;
  assert.ok(from > 0 && from <= 6_000);
  assert.deepEqual(
    timesOf(parts),
    times.filter((time) => time < from),
  );
});

test('a slice that is too wide for the server is asked for in parts', async () => {
  const times = Array.from({ length: 300 }, (_, n) => n * 12_000);
  const { fetch } = server(times, 10_000);
  const parts = await read({ from: 0, to: 3_600_000 }, (request) =>
    request.to - request.from > 300_000
      ? Promise.resolve({ ok: false, failure: failureOf('timeout') })
      : fetch(request),
  );
  assert.deepEqual(timesOf(parts), times);
  assert.ok(parts.every((part) => part.failure === null));
});

test('a server that promises rows and never gives any is not asked for ever', async () => {
  let requests = 0;
  const parts = await read({ from: 0, to: 86_400_000 }, () => {
    requests += 1;
    return Promise.resolve(answered([], true));
  });
  assert.equal(parts.at(-1)?.failure?.kind, 'noData');
  assert.ok(requests < 40);
});

test('leaving the reading gives up what is under way', async () => {
  const times = Array.from({ length: 40_000 }, (_, n) => n);
  const { fetch } = server(times, 1_000);
  const signals: AbortSignal[] = [];
  const parts = readWindow({
    pullZoneId: '1',
    range: { from: 0, to: 40_000 },
    filter: {},
    atOnce: 4,
    fetch: (request, { signal }) => {
      signals.push(signal);
      return request.from < 5_000 ? fetch(request) : new Promise(() => {});
    },
  });
  for await (const part of parts) if (part.range.to > 1_000) break;
  assert.ok(signals.length > 1);
  assert.ok(signals.slice(-2).every((signal) => signal.aborted));
});

test('what became too old while it waited for its turn is a gap, and the reading goes on behind it', async () => {
  const kept = 3 * 86_400_000;
  const times = Array.from({ length: 600 }, (_, n) => n * 60_000);
  const { fetch, requests } = server(times, 100);
  let now = kept - 60_000;
  const slow: Fetch = (request) => {
    // Each answer takes long enough that more than a slice falls out of what is kept.
    now += 130 * 60_000;
    return fetch(request);
  };
  const parts: WindowPart[] = [];
  const range = { from: 0, to: 600 * 60_000 };
  const reading = readWindow({ pullZoneId: '1', range, filter: {}, fetch: slow, now: () => now });
  for await (const part of reading) parts.push(part);
  assert.equal(parts.at(-1)?.failure, null);
  const gaps = parts.flatMap(({ gap }) => gap ?? []);
  assert.ok(gaps.length > 0 && requests.length > 2);
  assert.deepEqual([...new Set(gaps.map(({ reason }) => reason))], ['retention']);
  for (const [at, part] of parts.entries()) assert.equal(part.range.from, parts[at - 1]?.range.to ?? 0);
  assert.equal(parts.at(-1)?.range.to, range.to);
  const lost = times.filter((time) => gaps.some((gap) => time >= gap.from && time < gap.to));
  assert.deepEqual(
    [...timesOf(parts), ...lost].toSorted((a, b) => a - b),
    times,
  );
});

test('an answer about less than was asked leaves a gap before its rows', async () => {
  const gone = { from: 0, to: 400 };
  const parts = await read({ from: 0, to: 1000 }, async ({ from, to }) => {
    const times = [100, 500, 900].filter((time) => time >= Math.max(from, gone.to) && time < to);
    const answer = answered(times.map(record), false);
    return answer.ok ? { ok: true, value: { ...answer.value, gone } } : answer;
  });
  assert.deepEqual(
    parts.map(({ range, gap, records }) => [range, gap?.reason ?? null, records.length]),
    [
      [gone, 'retention', 0],
      [{ from: 400, to: 1000 }, null, 2],
    ],
  );
});

test('a slice that was refused for its age is a gap, and not the end of the reading', async () => {
  const kept = 3 * 86_400_000;
  let now = kept - 60_000;
  const asked: number[] = [];
  const parts: WindowPart[] = [];
  const reading = readWindow({
    pullZoneId: '1',
    range: { from: 0, to: 7_200_000 },
    filter: {},
    now: () => now,
    async fetch({ from }) {
      asked.push(from);
      if (asked.length > 1) return answered([], false);
      now += 5_400_000;
      return { ok: false, failure: failureOf('invalidRequest') };
    },
  });
  for await (const part of reading) parts.push(part);
  assert.deepEqual(
    parts.map(({ gap, failure }) => [gap?.reason ?? null, failure]),
    [
      ['retention', null],
      ['retention', null],
      [null, null],
    ],
  );
  assert.deepEqual(asked, [0, 5_400_000]);
});
