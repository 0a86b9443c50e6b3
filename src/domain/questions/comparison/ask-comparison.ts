import { count } from '../../../text/units.ts';
import { fieldNamed, LOG_FIELDS, type LogField } from '../../query/fields.ts';
import type { Query } from '../../query/query.ts';
import { zoneNameOf } from '../../query/zone-terms.ts';
import { LARGEST_SHIELD_PAGE, SHIELD_DIMENSIONS, type ShieldAnswer } from '../../shield/shield.ts';
import { tableOf } from '../../shield/shield-groups.ts';
import { planGroups } from '../../shield/shield-question.ts';
import type { TimeRange } from '../../tail/coverage.ts';
import type { Zones } from '../../zone.ts';
import { within } from '../inquiry/answer-section.ts';
import { splitOver } from '../inquiry/asking-order.ts';
import { type Besides, type Inquiry, type ShieldNeed, type Side, shieldNeed } from '../inquiry/inquiry.ts';
import { LogReading, zoneReads } from '../inquiry/log-reading.ts';
import { hedgeOf, readWords, zonesRead } from '../inquiry/reading-words.ts';
import { type Comparison, compare, type ValueCounts } from './comparison.ts';
import { comparisonTable } from './comparison-table.ts';
import { createValueTally, weighed } from './value-tally.ts';

type Question = {
  query: Query;
  now: TimeRange;
  /** What it is compared with, in words. */
  against: string;
};

/** Requests for each window, of all zones together. */
const PARTS = 6;

/** Values kept of one field and window, of all zones together; an address flood must not fill the memory. */
const MOST_VALUES = 50_000;

/** Of each zone no fewer. */
const LEAST_VALUES = 5_000;

/** Values of one field, window and zone that a store tells, where it counts them: some megabytes of all. */
const COUNTED_VALUES = 20_000;

const SIDES = ['now', 'before'] as const;

/** What is in the rows: of origin errors an answer of its own is made. */
const LOG_GROUPS = Object.entries<LogField>(LOG_FIELDS).filter(
  ([, field]) => field.groups && field.column !== null,
);

const SHIELD_IDS = SHIELD_DIMENSIONS.map((dimension) => fieldNamed('shield', dimension) ?? dimension);

/**
 * Every field that CDN rows can be grouped by, in two windows read by a few requests each. Of several zones read unevenly
 * the rows are weighed, so that no zone rises for being read further. `before`: disjoint, the oldest first.
 */
export function logComparison(
  o: Question & Pick<Besides, 'storedUntil'> & { before: readonly TimeRange[]; zones: Zones },
): Inquiry {
  const ids = LOG_GROUPS.map(([id]) => id);
  const counting = { kind: 'values', fields: ids, most: COUNTED_VALUES, sums: false, mayLack: true } as const;
  const reading = new LogReading({
    zones: zoneReads(o.zones, o.query, PARTS),
    windows: { now: [o.now], before: o.before },
    counted: { until: o.storedUntil, of: () => counting },
  });
  const room = splitOver(MOST_VALUES, o.zones.length, LEAST_VALUES);
  const tallies = new Map(
    SIDES.flatMap((side) =>
      o.zones.map(({ id }) => [`${side} ${id}`, createValueTally(LOG_GROUPS, room)] as const),
    ),
  );

  function countsOf(id: string, side: Side): ValueCounts | null {
    const { share, of } = reading.weights(side);
    if (reading.compared.length === 0) return null;
    const parts = [...of].flatMap(([zone, weight]) => {
      const tally = tallies.get(`${side} ${zone}`);
      return tally ? [{ ...tally.of(id), total: tally.rows, weight }] : [];
    });
    // As long as what was read of it: a part of a window is compared as a shorter one.
    return { length: share * reading.length(side), ...weighed(parts) };
  }

  /** Whether a store counted rows, but not by the field. */
  function isLacking(id: string): boolean {
    return [...tallies.values()].some((tally) => tally.isLacking(id));
  }

  /** Whether there are zones to tell apart; saved logs may hold several without a list of them. */
  function isOfSeveral(): boolean {
    const seen = new Set([...tallies.values()].flatMap((tally) => [...tally.of('zone').counts.keys()]));
    return o.zones.length > 1 || seen.size > 1;
  }

  /** The fields of which a store told no more than its largest values, or nothing. */
  function cutWords(): string[] {
    const cut = ids.filter((id) => !isLacking(id) && [...tallies.values()].some((tally) => tally.isCut(id)));
    const lacking = ids.filter(isLacking);
    return [
      ...(cut.length > 0 ? [`of ${cut.join(', ')} the ${count(COUNTED_VALUES)} largest values`] : []),
      ...(lacking.length > 0
        ? [`not compared by ${lacking.join(', ')}, which the store has no column for`]
        : []),
    ];
  }

  const { follow } = reading;
  return {
    needs: reading.needs,
    ...(follow ? { follow } : {}),
    add(need, met) {
      const records = reading.add(need, met);
      const tally = need.kind === 'logs' ? tallies.get(`${need.side} ${need.zoneId}`) : undefined;
      if (met.kind === 'counts' && met.counts.kind === 'values') tally?.addCounts(met.counts);
      for (const record of records) tally?.add(record);
    },
    table() {
      const others = ids.filter((id) => id !== 'zone' && !isLacking(id));
      const dimensions = isOfSeveral() ? ['zone', ...others] : others;
      const rows = count(reading.rows('now') + reading.rows('before'));
      return comparisonTable({
        subject: 'logs',
        query: within(o.query, o.now),
        dimensions,
        comparisons: comparisonsOf(dimensions, countsOf),
        nameOf: (id, value) => (id === 'zone' ? zoneNameOf(o.zones, value) : value),
        against: o.against,
        hedge: hedgeOf(reading),
        coverage: [
          [`${rows} rows`, ...reading.countedWords, ...cutWords()].join(', '),
          `${readWords(reading, 'now', 'this window')}, ${readWords(reading, 'before', o.against)}`,
          ...zonesRead(reading),
        ].join('; '),
      });
    },
    rest: () => reading.rest(),
  };
}

/**
 * Every dimension of Shield in two windows: one search for each dimension and window, its 500 largest groups. Terms that
 * Shield cannot decide act here as they do in the list of groups.
 */
export function shieldComparison(o: Question & { before: TimeRange; shieldZoneId: string }): Inquiry {
  const { shieldZoneId } = o;
  const needs = SHIELD_IDS.flatMap((id) => {
    const plan = planGroups(o.query, [id]);
    return SIDES.map((side) => shieldNeed({ shieldZoneId, side, range: o[side], plan }));
  });
  const answers = new Map<string, ShieldAnswer>();

  function countsOf(id: string, side: Side): ValueCounts | null {
    const { dims, local, groupBy } = planGroups(o.query, [id]);
    const answer = answers.get(`${groupBy[0]} ${side}`);
    if (!answer) return null;
    const { groups } = tableOf(answer.groups, { dims, local, sort: 'count', reversed: false });
    const listed = groups.reduce((sum, group) => sum + group.count, 0);
    const isWhole = answer.groups.length >= answer.total;
    const actions = answers.get(`action ${side}`)?.groups ?? [];
    const ofActions = actions.reduce((sum, group) => sum + group.count, 0);
    return {
      length: o[side].to - (answer.gone?.to ?? o[side].from),
      values: groups.map(({ key, count: events }) => ({ value: key[dims[0] ?? ''] ?? null, count: events })),
      // The actions are few, so their list is whole: with exclusions it is not comparable, and the list counts itself.
      total: isWhole || local.length > 0 ? listed : Math.max(listed, ofActions),
      distinct: answer.total,
      isByCount: isByCount(answer),
    };
  }

  return {
    needs,
    add(need, met) {
      if (need.kind === 'shield' && met.kind === 'shield') answers.set(keyOf(need), met.answer);
    },
    table() {
      const read = [...answers.values()];
      const cut = read.filter(({ groups, total }) => groups.length < total).length;
      const late = read.some(({ gone }) => gone) ? '; the beginning of some is no longer kept' : '';
      const part = cut === 0 ? '' : `; ${count(cut)} lists are their ${LARGEST_SHIELD_PAGE} largest groups`;
      return comparisonTable({
        subject: 'shield',
        query: within(o.query, o.now),
        dimensions: SHIELD_IDS,
        comparisons: comparisonsOf(SHIELD_IDS, countsOf),
        nameOf: (_, value) => value,
        against: o.against,
        hedge: read.length < needs.length ? `of the ${read.length} of ${needs.length} lists read: ` : '',
        coverage: `${read.length} of ${needs.length} lists read${part}${late}`,
      });
    },
    rest: () => needs.filter((need) => !answers.has(keyOf(need))),
  };
}

/** Of the fields whose both windows were read. */
function comparisonsOf(
  ids: readonly string[],
  countsOf: (id: string, side: Side) => ValueCounts | null,
): Map<string, Comparison> {
  const found = new Map<string, Comparison>();
  for (const id of ids) {
    const [now, before] = [countsOf(id, 'now'), countsOf(id, 'before')];
    if (now && before) found.set(id, compare(now, before));
  }
  return found;
}

/** The first dimension of the grouping is the one compared; what follows serves the exclusions. */
function keyOf({ ask, side }: ShieldNeed): string {
  return `${ask.groupBy[0]} ${side}`;
}

/** The order of groups is not documented: whether the largest came first is seen from the answer. */
function isByCount({ groups }: ShieldAnswer): boolean {
  return groups.every((group, index) => group.count <= (groups[index - 1]?.count ?? group.count));
}
