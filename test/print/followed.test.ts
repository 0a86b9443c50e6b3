import assert from 'node:assert/strict';
import { PassThrough } from 'node:stream';
import { test } from 'node:test';
import type { Client, LogSlice, LogSliceRequest } from '../../src/api/client.ts';
import type { CommandLine } from '../../src/config/command-line.ts';
import type { Result } from '../../src/domain/failure.ts';
import { parseQuery } from '../../src/domain/query/query-text.ts';
import { printLogs } from '../../src/print/logs.ts';
import type { Printer } from '../../src/print/printer.ts';
import { rowsEvery, START } from '../effects/support/harness.ts';
import { ZONE } from '../effects/support/model.ts';
import { randomOf } from '../effects/support/model-rows.ts';
import { type ModelFault, ModelServer } from '../effects/support/model-server.ts';
import { VirtualClock } from '../support/virtual-clock.ts';

type ToldGap = { from: number; to: number; reason: string };

const MINUTE = 60_000;

/** `logs <zone> -f` in virtual time. */
function follow(o: { rowEvery: number; minutes: number; limit?: number; faults?: readonly ModelFault[] }) {
  const clock = new VirtualClock({ real: START });
  const server = new ModelServer({
    rows: rowsEvery(o.rowEvery, -MINUTE, o.minutes * MINUTE),
    limit: o.limit ?? 10_000,
    hasDate: true,
    latency: 40,
    faults: o.faults ?? [],
    clock,
    random: randomOf(3),
  });
  const lines: Record<string, unknown>[] = [];
  let said = '';
  let end: (code: number) => void = () => {};
  const stderr = new PassThrough();
  stderr.on('data', (data) => {
    said += data;
  });
  const client = {
    pullZones: async () => ({ ok: true, value: { items: [ZONE], page: 1, total: 1, hasMore: false } }),
    serverTime: () => ({ dates: [], rows: null, wall: 0 }),
    logQuota: () => ({ used: 0, cap: 30, isSpent: false, frozenUntil: null, degraded: false }),
    logs: (r: LogSliceRequest, c: object): Promise<Result<LogSlice>> => server.fetch(r, c),
  } as unknown as Client;
  const printer: Printer = {
    stderr,
    format: 'ndjson',
    client,
    clock,
    write: (text) => {
      lines.push(
        ...text
          .split('\n')
          .filter(Boolean)
          .map((line) => JSON.parse(line)),
      );
      return Promise.resolve();
    },
    isWatched: false,
    isStderrTerminal: false,
    descriptor: null,
    onEnd: (callback) => {
      end = callback;
    },
  };
  const query = parseQuery('last:10s', 'logs', START);
  assert.ok(query.ok);
  const line = { zone: ZONE.name, follow: true, limit: null } as CommandLine;
  let code: number | null = null;
  void printLogs(printer, line, query.query, null).then((value) => {
    code = value;
  });
  return {
    clock,
    server,
    code: () => code,
    said: () => said,
    rows: () =>
      lines.filter((each) => !('_gap' in each)).map((each) => Date.parse(String(each['timestamp']))),
    currentGaps: () =>
      lines.flatMap((each): ToldGap[] => {
        const gap = each['_gap'] as { from: string; to: string; reason: string } | undefined;
        return gap ? [{ from: Date.parse(gap.from), to: Date.parse(gap.to), reason: gap.reason }] : [];
      }),
    pass: (ms: number) => clock.run(clock.real + ms),
    async interrupt() {
      end(130);
      await clock.run(clock.real + 1);
    },
  };
}

/** Times of rows up to `to` that were neither printed nor lie in a gap, and gaps that were told twice. */
function unsaid(all: readonly number[], rows: readonly number[], gaps: readonly ToldGap[]): number[] {
  const printed = new Set(rows);
  for (const [i, gap] of gaps.entries()) {
    for (const other of gaps.slice(i + 1)) assert.ok(other.to <= gap.from || other.from >= gap.to);
  }
  return all.filter((time) => !printed.has(time) && !gaps.some(({ from, to }) => time >= from && time < to));
}

test('each row is printed or lies in a gap that was told once, however a gap grew and whenever the end comes', async () => {
  for (const seconds of [20, 65, 180]) {
    const log = follow({ rowEvery: 20, minutes: 4, limit: 10 });
    await log.pass(seconds * 1_000);
    await log.interrupt();
    assert.equal(log.code(), 130);
    const newest = Math.max(...log.rows());
    const all = Array.from({ length: 4 * 3_000 }, (_, i) => START - 9_000 + i * 20).filter(
      (t) => t < newest - 500,
    );
    assert.deepEqual(unsaid(all, log.rows(), log.currentGaps()).slice(0, 3), [], `after ${seconds} s`);
    assert.ok(log.currentGaps().length > 0);
    assert.equal(new Set(log.rows()).size, log.rows().length);
  }
});

test('a machine that sleeps or whose clock is set under a followed log leaves nothing unsaid and says nothing twice', async () => {
  const log = follow({ rowEvery: 200, minutes: 180 });
  await log.pass(MINUTE);
  log.clock.step(10 * MINUTE);
  await log.pass(MINUTE);
  log.clock.suspend(40 * MINUTE, false);
  await log.pass(2 * MINUTE);
  log.clock.step(-3 * 60 * MINUTE);
  await log.pass(MINUTE);
  log.clock.suspend(30 * MINUTE, true);
  await log.pass(30 * MINUTE);
  await log.interrupt();
  assert.equal(log.code(), 130);
  const newest = Math.max(...log.rows());
  assert.ok(log.clock.real - newest < 3_000, `${log.clock.real - newest} ms behind`);
  const all = Array.from({ length: 180 * 300 }, (_, i) => START - 9_000 + i * 200).filter((t) => t < newest);
  assert.deepEqual(unsaid(all, log.rows(), log.currentGaps()).slice(0, 3), []);
  assert.deepEqual([...new Set(log.currentGaps().map(({ reason }) => reason))], ['slept']);
  assert.ok(log.currentGaps().every(({ to }) => to <= log.clock.real));
  assert.equal(new Set(log.rows()).size, log.rows().length);
});
