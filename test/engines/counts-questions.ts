import assert from 'node:assert/strict';
import { type LogRecord, pageOf } from '../../src/domain/log.ts';
import { type CountedField, type Counting, type Counts, rowsCounted } from '../../src/domain/logs/counts.ts';
import type { LogGroup } from '../../src/domain/logs/groups/log-group.ts';
import type { RowsAsked } from '../../src/domain/logs/log-history.ts';
import { addRecord, type CacheSums, noCacheSums } from '../../src/domain/logs/sums/traffic.ts';
import type { Rng } from '../../src/simulator/random.ts';
import type { History } from '../../src/store/history.ts';
import { countsOf, ownValue } from '../support/counts.ts';
import { randomFields, randomGaps } from './random-questions.ts';

/** Asks an engine the same as memory. `isHere`: the engine cannot decide a term of it. */
export type Ask = (history: History, about: () => string, isHere: boolean) => Promise<void>;

const MANY = 100_000;

/** What comparisons and misses add up: every value of several fields, then the largest alone with what they leave. */
export function talliesQuestion(asked: RowsAsked, wanted: readonly LogRecord[], rng: Rng): Ask {
  const marks = rng.pick([[], ['loginPath'], ['botNamed', 'loginPath']]);
  const fields = [...new Set([...randomFields(rng), ...randomFields(rng), ...marks])];
  const some = { ...asked, but: randomGaps(rng, asked.range) };
  const kept = wanted.filter(
    ({ timestamp }) => !some.but.some(({ from, to }) => timestamp >= from && timestamp < to),
  );
  const expected = new Map(fields.map((id) => [id, valueSums(kept, id)]));
  const most = rng.pick([1, 3, 20]);
  return async (history, about, isHere) => {
    const answer = await history.count(some, { kind: 'values', fields, most: MANY, sums: true });
    if (answer === null) {
      assert.notEqual(history.refusal(some, { kind: 'values', fields, most, sums: true }), null);
      return assert.ok(isHere, about());
    }
    assert.ok(answer.counts.kind === 'values');
    assert.equal(answer.counts.rows, kept.length, about());
    for (const [id, sums] of expected) {
      const field: CountedField | undefined = answer.counts.fields.get(id);
      assert.equal(field?.distinct, sums.size, about());
      assert.equal(field?.blank, sums.get(null)?.requests ?? 0, about());
      const found = field?.values.map(({ value, sums: own }) => JSON.stringify([value, own])).sort();
      assert.deepEqual(found, [...sums].map((each) => JSON.stringify(each)).sort(), `${about()} ${id}`);
    }
    const first = await history.count(some, { kind: 'values', fields, most, sums: false });
    assert.ok(first?.counts.kind === 'values' && first.counts.rows === kept.length, about());
    for (const [id, sums] of expected) {
      const largest = [...sums.values()].map(({ requests }) => requests).sort((a, b) => b - a);
      const field: CountedField | undefined = first.counts.fields.get(id);
      // Which of equal values are listed is the engine's own.
      assert.deepEqual(
        field?.values.map(({ count }) => count),
        largest.slice(0, most),
        `${about()} ${id}`,
      );
      assert.equal(field?.distinct, sums.size, about());
    }
    const only = new Map(
      [...expected].map(([id, sums]) => [id, [...sums.keys()].flatMap((each) => each ?? []).slice(1, 4)]),
    );
    const named = await history.count(some, { kind: 'values', fields, most: MANY, sums: true, only });
    for (const [id, sums] of expected) {
      const values = named?.counts.kind === 'values' ? named.counts.fields.get(id)?.values : [];
      assert.deepEqual(
        values
          ?.flatMap((each) => (each.value === null ? [] : JSON.stringify([each.value, each.sums])))
          .sort(),
        only
          .get(id)
          ?.map((value) => JSON.stringify([value, sums.get(value)]))
          .sort(),
        `${about()} ${id} by name`,
      );
    }
  };
}

/** Groups, pages by their query strings, the parameters of these, and the traffic of times that are not all alike. */
export function stringsQuestion(asked: RowsAsked, wanted: readonly LogRecord[], rng: Rng): Ask {
  const { from, to } = asked.range;
  const edges = [from, ...[rng.below(to - from), rng.below(to - from)].map((at) => from + at), to].sort(
    byNumber,
  );
  const times = edges.slice(1).map((end, at) => ({ from: edges[at] ?? from, to: end }));
  const parts: Extract<Counting, { kind: 'several' }>['parts'] = [
    { of: { kind: 'groups', by: rng.pick([[], ['status', 'cache'], ['page']]), most: MANY } },
    { of: { kind: 'times', times: times.filter((each) => each.from < each.to) } },
    { of: { kind: 'queryStrings', most: MANY } },
    { of: { kind: 'parameters', pages: [...new Set(wanted.slice(0, 5).map(({ path }) => pageOf(path)))] } },
    { of: { kind: 'groups', by: ['ip'], most: MANY }, terms: [] },
  ];
  const of = { kind: 'several', parts } as const;
  return async (history, about, isHere) => {
    const answer = await history.count(asked, of);
    if (answer === null) return assert.ok(isHere, about());
    assert.ok(answer.counts.kind === 'several');
    // By the terms that the engine was asked with the rows are those that are wanted.
    const expected = countsOf(wanted, [asked.range], { terms: [], anonymisation: 'none', of });
    assert.ok(expected.kind === 'several');
    answer.counts.parts.slice(0, -1).forEach((part, at) => {
      assert.deepEqual(unordered(part), unordered(expected.parts[at]), `${about()} ${part.kind}`);
    });
    const all = await history.groups({ ...asked, terms: [] }, ['ip'], MANY);
    assert.equal(rowsCounted(answer.counts.parts.at(-1) as Counts), all?.rows, about());
  };
}

/** Which of equal lines comes first is the engine's own. */
function unordered(part: unknown): unknown {
  if (Array.isArray(part)) return part.map((each) => JSON.stringify(each)).sort();
  const { groups = [], ...rest } = part as { groups?: LogGroup[] };
  const lines = groups.map((each) => JSON.stringify(each, sortedKeys));
  const others = Object.entries(rest).map(([name, value]) => [
    name,
    Array.isArray(value) ? unordered(value) : value,
  ]);
  return [lines.sort(), others];
}

/** A text that is none is written in two ways. */
function sortedKeys(_: string, value: unknown): unknown {
  if (value === null || typeof value !== 'object' || Array.isArray(value)) return value === '' ? null : value;
  return Object.fromEntries(Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1)));
}

function byNumber(a: number, b: number): number {
  return a - b;
}

function valueSums(of: readonly LogRecord[], id: string): Map<string | null, CacheSums> {
  const sums = new Map<string | null, CacheSums>();
  for (const record of of) {
    const value = ownValue(record, id);
    const key = value === '' ? null : String(value);
    const own = sums.get(key) ?? noCacheSums();
    sums.set(key, own);
    addRecord(own, record);
  }
  return sums;
}
