import { count } from '../../text/units.ts';
import { LOG_FIELDS } from '../query/fields.ts';
import { matcher } from '../query/match.ts';
import { splitForServer } from '../query/push-down.ts';
import type { Query } from '../query/query.ts';
import type { TimeRange } from '../tail/coverage.ts';
import type { PullZone } from '../zone.ts';
import { type Comparison, compare, type ValueCounts } from './comparison.ts';
import { comparisonTable } from './comparison-table.ts';
import type { Inquiry, Side } from './inquiry.ts';
import { LogReading } from './log-reading.ts';

/** Requests for each window. */
const PARTS = 6;

/** Values kept of one field and window; an address flood must not fill the memory. */
const MOST_VALUES = 50_000;

const SIDES = ['now', 'before'] as const;

const FIELDS = Object.entries(LOG_FIELDS).filter(([id, field]) => field.groups && id !== 'zone');

type Counter = { values: Map<string | null, number>; total: number; isCut: boolean };

/** Every field that CDN rows can be grouped by, in two windows read by a few requests each. */
export function logComparison(o: {
  zone: PullZone;
  query: Query;
  now: TimeRange;
  before: TimeRange;
  /** What it is compared with, in words. */
  against: string;
}): Inquiry {
  const reading = new LogReading({
    zoneId: o.zone.id,
    filter: splitForServer(o.query, o.zone).server,
    windows: { now: o.now, before: o.before },
    parts: PARTS,
  });
  const matches = matcher(o.query, o.zone.anonymisation);
  const counters = new Map(
    SIDES.flatMap((side) =>
      FIELDS.map(([id]): [string, Counter] => [
        `${side} ${id}`,
        { values: new Map(), total: 0, isCut: false },
      ]),
    ),
  );

  function tally(id: string, side: Side): ValueCounts | null {
    const counter = counters.get(`${side} ${id}`);
    const range = reading.range(side);
    const covered = reading.covered(side);
    if (!counter || !range || covered === 0) return null;
    return {
      // As long as what was read of it: a part of a window is compared as a shorter one.
      window: { from: range.from, to: range.from + covered },
      values: [...counter.values].map(([value, n]) => ({ value, count: n })),
      total: counter.total,
      distinct: counter.isCut ? null : counter.values.size,
      isByCount: false,
    };
  }

  return {
    needs: reading.needs,
    add(need, met) {
      for (const record of reading.add(need, met)) {
        if (!matches(record)) continue;
        for (const [id, field] of FIELDS) {
          const counter = counters.get(`${need.side} ${id}`);
          if (counter) counted(counter, field.get(record));
        }
      }
    },
    table() {
      const comparisons = new Map<string, Comparison>();
      for (const [id] of FIELDS) {
        const now = tally(id, 'now');
        const before = tally(id, 'before');
        if (now && before) comparisons.set(id, compare(now, before));
      }
      const rows = count(reading.rows('now') + reading.rows('before'));
      return comparisonTable({
        subject: 'logs',
        query: { ...o.query, groupBy: [], window: { kind: 'absolute', ...o.now } },
        dimensions: FIELDS.map(([id]) => id),
        comparisons,
        against: o.against,
        hedge: reading.hedge,
        coverage: `${rows} rows; ${reading.words('now', 'this window')}, ${reading.words('before', o.against)}`,
      });
    },
    rest: () => reading.rest(),
  };
}

function counted(counter: Counter, raw: string | number | null): void {
  counter.total++;
  const value = raw === null ? null : String(raw);
  const known = counter.values.get(value);
  if (known === undefined && counter.values.size >= MOST_VALUES) {
    counter.isCut = true;
    return;
  }
  counter.values.set(value, (known ?? 0) + 1);
}
