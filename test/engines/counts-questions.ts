import assert from 'node:assert/strict';
import { type LogRecord, pageOf } from '../../src/domain/log.ts';
import { ORIGIN_TROUBLE } from '../../src/domain/logs/counted/row-marks.ts';
import { type CountedField, type Counting, type Counts, rowsCounted } from '../../src/domain/logs/counts.ts';
import type { LogGroup } from '../../src/domain/logs/groups/log-group.ts';
import type { RowsAsked } from '../../src/domain/logs/log-history.ts';
import { addRecord, type CacheSums, noCacheSums } from '../../src/domain/logs/sums/traffic.ts';
import { SAMPLED_FIELDS, sampleOf, together } from '../../src/domain/questions/anomalies/samples.ts';
import { stepsOf } from '../../src/domain/timeline/steps.ts';
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
    { of: { kind: 'steps', fields: [], steps: times.filter((each) => each.from < each.to), share: 1 } },
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

/** What samples are made of: the common values of each step, and how many rows have two of them. */
export function samplesQuestion(asked: RowsAsked, wanted: readonly LogRecord[], rng: Rng): Ask {
  const fields = [...SAMPLED_FIELDS, ORIGIN_TROUBLE];
  const length = asked.range.to - asked.range.from;
  const steps = stepsOf(asked.range, rng.pick([4, 12, 30]));
  const share = rng.pick([3, 10, 50]);
  const byStep = Map.groupBy(wanted, ({ timestamp }) => Math.floor((timestamp - steps.from) / steps.step));
  const samples = new Map(
    [...byStep].map(([at, own]) => {
      const from = steps.from + at * steps.step;
      return [at, sampleOf({ from, to: from + steps.step }, from + length, own)] as const;
    }),
  );
  return async (history, about, isHere) => {
    const answer = await history.count(asked, { kind: 'steps', fields, steps, share });
    if (answer === null) return assert.ok(isHere, about());
    assert.ok(answer.counts.kind === 'steps');
    assert.deepEqual(
      answer.counts.steps.map(({ at }) => at).sort(byNumber),
      [...samples.keys()].sort(byNumber),
    );
    const wantedValues = new Map(fields.map((field): [string, string[]] => [field, []]));
    for (const { at, sums, values } of answer.counts.steps) {
      const sample = samples.get(at);
      assert.deepEqual(sums, sample?.sums, about());
      const common = sample?.values.filter(({ count }) => count * share >= sample.rows) ?? [];
      const told = (field: string, value: string, count: number) =>
        `${field} ${field === ORIGIN_TROUBLE ? '' : value} ${count}`;
      assert.deepEqual(
        values.map(({ field, value, count }) => told(field, value, count)).sort(),
        common.map(({ field, value, count }) => told(field, value, count)).sort(),
        about(),
      );
      for (const { field, value } of values) wantedValues.get(field)?.push(value);
    }
    const least = rng.pick([1, 5]);
    const both = await history.count(asked, { kind: 'pairs', wanted: wantedValues, steps, least });
    assert.ok(both?.counts.kind === 'pairs', about());
    const expected = [...samples].flatMap(([at, sample]) => {
      const known = sample.values
        .filter(({ field, value }) => field === ORIGIN_TROUBLE || wantedValues.get(field)?.includes(value))
        .filter(({ field }) => wantedValues.get(field)?.length);
      return known.flatMap((a) =>
        known.flatMap((b) => {
          const count = together(a, b);
          const isPair = fields.indexOf(a.field) < fields.indexOf(b.field);
          return isPair && count >= least ? [`${at} ${a.key} ${b.key} ${count}`] : [];
        }),
      );
    });
    const key = (field: string, value: string) => `${field} ${field === ORIGIN_TROUBLE ? '' : value}`;
    // A sample keeps what one row in fifty has; an engine is asked for values of any step.
    const kept = new Set(
      [...samples].flatMap(([at, { values }]) => values.map((each) => `${at} ${each.key}`)),
    );
    assert.deepEqual(
      both.counts.pairs
        .map(({ at, fields: [f, g], values: [a, b], count }) => [at, key(f, a), key(g, b), count] as const)
        .filter(([at, a, b]) => kept.has(`${at} ${a}`) && kept.has(`${at} ${b}`))
        .map((each) => each.join(' '))
        .sort(),
      expected.sort(),
      about(),
    );
  };
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
