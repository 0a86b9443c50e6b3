import { count } from '../../../text/units.ts';
import { LOG_FIELDS } from '../../query/fields.ts';
import { matcher } from '../../query/match.ts';
import { splitForServer } from '../../query/push-down.ts';
import type { Query } from '../../query/query.ts';
import {
  LARGEST_SHIELD_PAGE,
  SHIELD_DIMENSIONS,
  type ShieldAnswer,
  type ShieldDimension,
} from '../../shield/shield.ts';
import { tableOf } from '../../shield/shield-groups.ts';
import { fieldOfDimension, planGroups } from '../../shield/shield-question.ts';
import type { TimeRange } from '../../tail/coverage.ts';
import type { PullZone } from '../../zone.ts';
import type { Inquiry, Need, ShieldNeed, Side } from '../inquiry/inquiry.ts';
import { LogReading } from '../inquiry/log-reading.ts';
import { type Comparison, compare, type ValueCounts } from './comparison.ts';
import { comparisonTable } from './comparison-table.ts';

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

type List = { answer: ShieldAnswer; range: TimeRange };

/**
 * Every dimension of Shield in two windows: one search for each dimension and window, its 500 largest groups. Terms that
 * Shield cannot decide act here as they do in the list of groups.
 */
export function shieldComparison(o: {
  shieldZoneId: string;
  query: Query;
  now: TimeRange;
  before: TimeRange;
  /** What it is compared with, in words. */
  against: string;
}): Inquiry {
  const needs = SHIELD_DIMENSIONS.flatMap((dimension) =>
    SIDES.map((side): ShieldNeed => needOf(o, dimension, side)),
  );
  const lists = new Map<string, List>();

  function tally(dimension: ShieldDimension, side: Side): ValueCounts | null {
    const list = lists.get(`${dimension} ${side}`);
    const actions = lists.get(`action ${side}`);
    if (!list) return null;
    const plan = planGroups(o.query, [fieldOfDimension(dimension) ?? dimension]);
    const table = tableOf(list.answer.groups, {
      dims: [dimension],
      local: plan.local,
      sort: 'count',
      reversed: false,
    });
    const listed = table.groups.reduce((sum, group) => sum + group.count, 0);
    const isWhole = list.answer.groups.length >= list.answer.total;
    const ofActions = actions?.answer.groups.reduce((sum, group) => sum + group.count, 0) ?? 0;
    return {
      window: list.range,
      values: table.groups.map((group) => ({ value: group.key[dimension] ?? null, count: group.count })),
      // The actions are few, so their list is whole: with exclusions it is not comparable, and the list counts itself.
      total: isWhole || plan.local.length > 0 ? listed : Math.max(listed, ofActions),
      distinct: list.answer.total,
      isByCount: isByCount(list.answer),
    };
  }

  function comparisons(): Map<string, Comparison> {
    const found = new Map<string, Comparison>();
    for (const dimension of SHIELD_DIMENSIONS) {
      const now = tally(dimension, 'now');
      const before = tally(dimension, 'before');
      if (now && before) found.set(fieldOfDimension(dimension) ?? dimension, compare(now, before));
    }
    return found;
  }

  return {
    needs,
    add(need, met) {
      if (need.kind !== 'shield' || met.kind !== 'shield') return;
      lists.set(`${dimensionOfNeed(need)} ${need.side}`, {
        answer: met.answer,
        range: { from: met.answer.gone?.to ?? need.ask.from, to: need.ask.to },
      });
    },
    table() {
      const cut = [...lists.values()].filter(({ answer }) => answer.groups.length < answer.total).length;
      const isLate = [...lists.values()].some(({ answer }) => answer.gone);
      const late = isLate ? '; the beginning of some is no longer kept' : '';
      const part = cut === 0 ? '' : `; ${count(cut)} lists are their ${LARGEST_SHIELD_PAGE} largest groups`;
      return comparisonTable({
        subject: 'shield',
        query: { ...o.query, window: { kind: 'absolute', ...o.now } },
        dimensions: SHIELD_DIMENSIONS.map((dimension) => fieldOfDimension(dimension) ?? dimension),
        comparisons: comparisons(),
        against: o.against,
        hedge: lists.size < needs.length ? `of the ${lists.size} of ${needs.length} lists read: ` : '',
        coverage: `${lists.size} of ${needs.length} lists read${part}${late}`,
      });
    },
    rest: (): readonly Need[] => needs.filter((need) => !lists.has(`${dimensionOfNeed(need)} ${need.side}`)),
  };
}

function needOf(
  o: { shieldZoneId: string; query: Query; now: TimeRange; before: TimeRange },
  dimension: ShieldDimension,
  side: Side,
): ShieldNeed {
  const plan = planGroups(o.query, [fieldOfDimension(dimension) ?? dimension]);
  const { query, filters, groupBy } = plan;
  return {
    kind: 'shield',
    side,
    shieldZoneId: o.shieldZoneId,
    ask: { ...o[side], query, filters, groupBy, page: 0, pageSize: LARGEST_SHIELD_PAGE },
  };
}

/** The first dimension of the grouping is the one compared; what follows serves the exclusions. */
function dimensionOfNeed(need: ShieldNeed): ShieldDimension {
  const [dimension] = need.ask.groupBy;
  if (!dimension) throw new Error('a comparison asks for groups');
  return dimension;
}

/** The order of groups is not documented: whether the largest came first is seen from the answer. */
function isByCount({ groups }: ShieldAnswer): boolean {
  return groups.every((group, index) => group.count <= (groups[index - 1]?.count ?? group.count));
}
