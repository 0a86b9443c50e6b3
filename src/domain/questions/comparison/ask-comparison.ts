import { count } from '../../../text/units.ts';
import { type Differing, differing, type Tallied } from '../../differing.ts';
import { isCut } from '../../logs/counted/join-counts.ts';
import type { CountedField, Counts } from '../../logs/counts.ts';
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
import { CountedReading } from '../inquiry/counted-reading.ts';
import { type Besides, type Inquiry, type ShieldNeed, type Side, shieldNeed } from '../inquiry/inquiry.ts';
import { zoneReads } from '../inquiry/log-reading.ts';
import { hedgeOf, readWords, zonesRead } from '../inquiry/reading-words.ts';
import { comparisonTable } from './comparison-table.ts';

type Question = {
  query: Query;
  now: TimeRange;
  /** What it is compared with, in words. */
  against: string;
};

/** Requests for each window, of all zones together. */
const PARTS = 6;

/**
 * Values told apart of one field and window, of all zones together: some megabytes of all, and an address flood must not fill the
 * memory.
 */
const MOST_VALUES = 20_000;

/** Of each zone no fewer. */
const LEAST_VALUES = 5_000;

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
  const most = splitOver(MOST_VALUES, o.zones.length, LEAST_VALUES);
  const counted = new CountedReading({
    zones: zoneReads(o.zones, o.query, PARTS),
    windows: { now: [o.now], before: o.before },
    until: o.storedUntil,
    of: () => ({ kind: 'values', fields: ids, most, sums: false, mayLack: true }),
  });
  const { reading } = counted;

  function countsOf(id: string, side: Side): Tallied | null {
    const { share, of } = reading.weights(side);
    if (reading.compared.length === 0) return null;
    const lists = [...of].flatMap(([zone, weight]) => {
      const list = valuesOf(side, zone);
      const field = list?.fields.get(id);
      return field === undefined ? [] : [{ field, total: list?.rows ?? 0, weight }];
    });
    // As long as what was read of it: a part of a window is compared as a shorter one.
    return { length: share * reading.length(side), ...weighed(lists) };
  }

  function valuesOf(side: Side, zone: string): Extract<Counts, { kind: 'values' }> | null {
    const counts = counted.counts(side, { id: zone });
    return counts?.kind === 'values' ? counts : null;
  }

  const { follow } = reading;
  return {
    needs: reading.needs,
    ...(follow ? { follow } : {}),
    add: (need, met) => counted.add(need, met),
    table() {
      const lists = SIDES.flatMap((side) => o.zones.flatMap(({ id }) => valuesOf(side, id) ?? []));
      const lacking = ids.filter((id) => lists.some(({ fields }) => !fields.has(id)));
      const cut = ids.filter((id) => lists.some(({ fields }) => isCut(fields.get(id) ?? NO_FIELD)));
      // Whether there are zones to tell apart; saved logs may hold several without a list of them.
      const zones = new Set(
        lists.flatMap(({ fields }) => fields.get('zone')?.values.map(({ value }) => value) ?? []),
      );
      const others = ids.filter((id) => id !== 'zone' && !lacking.includes(id));
      const dimensions = o.zones.length > 1 || zones.size > 1 ? ['zone', ...others] : others;
      const rows = count(reading.rows('now') + reading.rows('before'));
      return comparisonTable({
        subject: 'logs',
        query: within(o.query, o.now),
        dimensions,
        comparisons: comparisonsOf(dimensions, countsOf),
        nameOf: (id, value) => (id === 'zone' ? zoneNameOf(o.zones, value) : value),
        against: o.against,
        hedge: hedgeOf(reading),
        isWhole: reading.shareOfAll >= 1 && cut.length + lacking.length === 0,
        coverage: [
          [
            `${rows} rows`,
            ...reading.countedWords,
            ...(cut.length > 0 ? [`of ${cut.join(', ')} no more than ${count(most)} values`] : []),
            ...(lacking.length > 0
              ? [`not compared by ${lacking.join(', ')}, which the store has no column for`]
              : []),
          ].join(', '),
          `${readWords(reading, 'now', 'this window')}, ${readWords(reading, 'before', o.against)}`,
          ...zonesRead(reading),
        ].join('; '),
      });
    },
    rest: () => reading.rest(),
  };
}

const NO_FIELD: CountedField = { values: [], distinct: 0, blank: 0 };

/** The lists of several zones as one; a row of each counts `weight`, and `total` is of all its rows, listed or not. */
export function weighed(
  lists: readonly { field: CountedField; total: number; weight: number }[],
): Omit<Tallied, 'length'> {
  const all = new Map<string | null, number>();
  let unlisted = 0;
  for (const { field, total, weight } of lists) {
    let listed = 0;
    for (const { value, count: rows } of field.values) {
      all.set(value, (all.get(value) ?? 0) + rows * weight);
      listed += rows;
    }
    // Whole numbers are taken from each other: what is listed whole leaves nothing, not the error of a fraction.
    unlisted += (total - listed) * weight;
  }
  const values = [...all].map(([value, rows]) => ({ value, count: rows }));
  const [only] = lists.length === 1 ? lists : [];
  const isWhole = lists.every(({ field }) => !isCut(field));
  return {
    values,
    total: values.reduce((sum, each) => sum + each.count, 0) + unlisted,
    distinct: only ? only.field.distinct : isWhole ? values.length : null,
    isByCount: (only?.field.distinct ?? null) !== null,
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

  function countsOf(id: string, side: Side): Tallied | null {
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
      const isLate = read.some(({ gone }) => gone);
      const late = isLate ? '; the beginning of some is no longer kept' : '';
      const part = cut === 0 ? '' : `; ${count(cut)} lists are their ${LARGEST_SHIELD_PAGE} largest groups`;
      return comparisonTable({
        subject: 'shield',
        query: within(o.query, o.now),
        dimensions: SHIELD_IDS,
        comparisons: comparisonsOf(SHIELD_IDS, countsOf),
        nameOf: (_, value) => value,
        against: o.against,
        hedge: read.length < needs.length ? `of the ${read.length} of ${needs.length} lists read: ` : '',
        isWhole: read.length === needs.length && cut === 0 && !isLate,
        coverage: `${read.length} of ${needs.length} lists read${part}${late}`,
      });
    },
    rest: () => needs.filter((need) => !answers.has(keyOf(need))),
  };
}

/** Of the fields whose both windows were read. */
function comparisonsOf(
  ids: readonly string[],
  countsOf: (id: string, side: Side) => Tallied | null,
): Map<string, Differing> {
  const found = new Map<string, Differing>();
  for (const id of ids) {
    const [now, before] = [countsOf(id, 'now'), countsOf(id, 'before')];
    if (now && before) found.set(id, differing(now, before));
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
