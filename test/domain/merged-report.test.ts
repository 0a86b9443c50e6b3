import assert from 'node:assert/strict';
import { test } from 'node:test';
import { failureOf } from '../../src/domain/failure.ts';
import { sharedRanges } from '../../src/domain/tail/coverage.ts';
import {
  mergedReport,
  overtakenTimes,
  type ZoneReport,
  zonesInTrouble,
} from '../../src/domain/tail/merged-report.ts';
import type { TailReport } from '../../src/domain/tail/tail-report.ts';
import { gapOf, NOON, reportOf } from '../support/state.ts';

const SECOND = 1000;

function part(zone: string, more: Partial<TailReport> | null, overtaken = 0): ZoneReport {
  return { zone, report: more && reportOf(more), overtaken };
}

function readTo(seconds: number): Partial<TailReport> {
  const to = NOON + seconds * SECOND;
  return { completeTo: to, read: [{ from: NOON - 60 * SECOND, to }] };
}

test('the report of one zone is its own, and without an answer there is none', () => {
  const own = reportOf({ seen: 3, gaps: [gapOf(0, 1)] });
  assert.equal(mergedReport([{ zone: '1', report: own, overtaken: 0 }]), own);
  assert.equal(mergedReport([part('1', null), part('2', null)]), null);
});

test('several zones are complete as far as the one that is behind, and rows are sums', () => {
  const merged = mergedReport([
    part('1', { ...readTo(10), watermark: NOON, seen: 10, unique: 9, late: 1, duplicates: 1, bad: 2 }),
    part('2', { ...readTo(4), watermark: NOON - 5, seen: 5, unique: 5, late: 2 }, 3),
  ]);
  assert.equal(merged?.completeTo, NOON + 4 * SECOND);
  assert.equal(merged?.watermark, NOON - 5);
  assert.deepEqual(merged?.read, [{ from: NOON - 60 * SECOND, to: NOON + 4 * SECOND }]);
  const { seen, unique, late, duplicates, bad } = merged;
  assert.deepEqual([seen, unique, late, duplicates, bad], [15, 14, 6, 1, 2]);
});

test('nothing is complete before every zone has answered, though its rows count', () => {
  const merged = mergedReport([part('1', { ...readTo(10), watermark: NOON, seen: 4 }), part('2', null)]);
  assert.deepEqual([merged?.completeTo, merged?.watermark, merged?.read], [null, null, []]);
  assert.deepEqual([merged?.seen, merged?.status], [4, 'live']);
  const window = mergedReport([part('1', { readShare: 0.5 }), part('2', null)]);
  assert.equal(window?.readShare, 0);
  const never = mergedReport([part('1', { watermark: null }), part('2', { watermark: NOON })]);
  assert.equal(never?.watermark, null);
});

test('of a window is read what all have read, not the least share', () => {
  const first = { readShare: 0.5, read: [{ from: 0, to: 50 }] };
  const second = { readShare: 0.5, read: [{ from: 40, to: 90 }] };
  const merged = mergedReport([part('1', first), part('2', second)]);
  assert.deepEqual(merged?.read, [{ from: 40, to: 50 }]);
  assert.ok(Math.abs((merged?.readShare ?? 0) - 0.1) < 1e-9);
});

test('a zone that reads speaks for all, and only what fails everywhere is the failure of the log', () => {
  const refused = { status: 'failed', failure: failureOf('loggingDisabled'), since: NOON - 9 } as const;
  const limited = { status: 'rateLimited', failure: failureOf('rateLimited'), retryAt: NOON + 5 } as const;
  const mixed = mergedReport([part('1', refused), part('2', {}), part('3', limited)]);
  assert.deepEqual([mixed?.status, mixed?.failure, mixed?.retryAt], ['live', null, null]);
  const none = mergedReport([part('1', refused), part('3', limited)]);
  assert.deepEqual(
    [none?.status, none?.failure?.kind, none?.retryAt],
    ['rateLimited', 'rateLimited', NOON + 5],
  );
  assert.equal(mergedReport([part('1', refused), part('2', null)])?.status, 'connecting');
  // A window is not over while a zone of it was refused.
  assert.equal(mergedReport([part('1', refused), part('2', { status: 'stopped' })])?.status, 'failed');
});

test('gaps keep their zone, in the order of time, and none has the id of another', () => {
  const gaps = [{ ...gapOf(20, 30), id: 'g1' }];
  const merged = mergedReport([part('7', { gaps }), part('8', { gaps: [{ ...gapOf(0, 5), id: 'g1' }] })]);
  assert.deepEqual(
    merged?.gaps.map(({ zone, from }) => [zone, from]),
    [
      ['8', NOON],
      ['7', NOON + 20 * SECOND],
    ],
  );
  assert.equal(new Set(merged?.gaps.map(({ id }) => id)).size, 2);
});

test('failing zones are named before those behind, and these from ten seconds on, the furthest first', () => {
  const parts = [
    part('ahead', readTo(60)),
    part('pause', readTo(51)),
    part('behind', readTo(40)),
    part('far', readTo(19)),
    part('refused', { ...readTo(0), status: 'failed', failure: failureOf('refusedKey') }),
    part('new', null),
  ];
  assert.deepEqual(
    zonesInTrouble(parts).map(({ of, behind }) => [of.zone, behind]),
    [
      ['refused', null],
      ['far', 41 * SECOND],
      ['behind', 20 * SECOND],
    ],
  );
  const window = parts.map(({ zone, report }) => part(zone, report && { ...report, readShare: 0.5 }));
  assert.deepEqual(
    zonesInTrouble(window).map(({ of }) => of.zone),
    ['refused'],
  );
});

test('late are rows of the time that another zone had passed while theirs was not read so far', () => {
  const before = reportOf(readTo(0));
  const others = [reportOf(readTo(5)), reportOf(readTo(40)), null];
  assert.deepEqual(overtakenTimes(before, others, NOON - 9), { from: NOON, to: NOON + 30 * SECOND });
  // An ordinary pause between two requests overtakes nobody.
  assert.equal(overtakenTimes(before, [reportOf(readTo(9))], NOON), null);
  // The history before the log was opened is not late, what came since is.
  const opened = NOON + 2 * SECOND;
  assert.deepEqual(overtakenTimes(null, others, opened), { from: opened, to: NOON + 30 * SECOND });
  assert.equal(overtakenTimes(null, [null], null), null);
  assert.equal(overtakenTimes(reportOf({ ...readTo(0), readShare: 0.1 }), others, NOON), null);
});

test('the time of two lists of ranges is what lies in both', () => {
  const ranges = (...pairs: [number, number][]) => pairs.map(([from, to]) => ({ from, to }));
  const [a, b] = [ranges([0, 10], [20, 30], [40, 50]), ranges([5, 25], [30, 42], [45, 60])];
  assert.deepEqual(sharedRanges(a, b), ranges([5, 10], [20, 25], [40, 42], [45, 50]));
  assert.deepEqual(sharedRanges(b, a), sharedRanges(a, b));
  assert.deepEqual(sharedRanges(a, []), []);
});
