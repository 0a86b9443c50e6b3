import { count, percent } from '../../../text/units.ts';
import {
  type Differing,
  type DifferingValue,
  differing,
  SIDES,
  type Side,
  type Tallied,
} from '../../differing.ts';
import {
  type AnswerTable,
  figures,
  ledBy,
  rest,
  sectionOf,
  shares,
  within,
  words,
} from '../../inquiry/answer-table.ts';
import { type Inquiry, type ShieldNeed, shieldNeed, splitOver } from '../../inquiry/inquiry.ts';
import { hedgeOf, LogReading, sidesRead, zoneReads } from '../../inquiry/log-reading.ts';
import { isCut } from '../../logs/counted/join-counts.ts';
import { type CountedField, partOfCounts } from '../../logs/counts.ts';
import { fieldNamed, LOG_FIELDS, type LogField } from '../../query/fields.ts';
import { EMPTY_QUERY, type Query, type QuerySubject, termOfAny } from '../../query/query.ts';
import { printQuery } from '../../query/query-text.ts';
import { zoneNameOf } from '../../query/zone-terms.ts';
import { LARGEST_SHIELD_PAGE, SHIELD_DIMENSIONS, type ShieldAnswer } from '../../shield/shield.ts';
import { tableOf } from '../../shield/shield-groups.ts';
import { planGroups } from '../../shield/shield-question.ts';
import type { TimeRange } from '../../tail/coverage.ts';
import { type Brief, type Made, made, noShield, queryOf, unaskable } from '../asked/asked.ts';
import { NO_LENS } from './lenses.ts';

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

/** What is in the rows: of origin errors an answer of its own is made. */
const LOG_GROUPS = Object.entries<LogField>(LOG_FIELDS).filter(
  ([, field]) => field.groups && field.column !== null,
);

const SHIELD_IDS = SHIELD_DIMENSIONS.map((dimension) => fieldNamed('shield', dimension) ?? dimension);

export function compare(brief: Brief): Made {
  const { zones, against, subject, shieldZoneId } = brief;
  if (against === null) return unaskable(NO_LENS);
  const o = { query: queryOf(brief), now: brief.range, against: against.title };
  if (subject === 'logs') return made(brief, logComparison({ ...brief, ...o, before: against.ranges }));
  if (!shieldZoneId) return unaskable(noShield(zones[0]));
  const [before, ...more] = against.ranges;
  if (!before || more.length > 0)
    return unaskable('events are compared with one window: before this one, or after it');
  return made(brief, shieldComparison({ ...o, shieldZoneId, before }));
}

/**
 * Every field that CDN rows can be grouped by, in two windows read by a few requests each. Of several zones read unevenly
 * the rows are weighed, so that no zone rises for being read further. `before`: disjoint, the oldest first.
 */
function logComparison(
  o: Question & Pick<Brief, 'zones' | 'storedUntil'> & { before: readonly TimeRange[] },
): Inquiry {
  const ids = LOG_GROUPS.map(([id]) => id);
  const most = splitOver(MOST_VALUES, o.zones.length, LEAST_VALUES);
  const reading = new LogReading({
    zones: zoneReads(o.zones, o.query, PARTS),
    windows: { now: [o.now], before: o.before },
    counted: {
      until: o.storedUntil,
      of: () => ({ kind: 'values', fields: ids, most, sums: false, mayLack: true }),
    },
  });

  function countsOf(id: string, side: Side): Tallied | null {
    const { share, of } = reading.weights(side);
    if (reading.compared.length === 0) return null;
    const lists = [...of].flatMap(([zone, weight]) => {
      const list = partOfCounts(reading.counts(side, { id: zone }), 'values');
      const field = list?.fields.get(id);
      return field === undefined ? [] : [{ field, total: list?.rows ?? 0, weight }];
    });
    // As long as what was read of it: a part of a window is compared as a shorter one.
    return { length: share * reading.length(side), ...weighed(lists) };
  }

  return {
    needs: reading.needs,
    follow: reading.follow,
    add: (need, met) => reading.add(need, met),
    table() {
      const [lists, cut] = [reading.valueLists, reading.cutOf(ids)];
      const lacking = ids.filter((id) => lists.some(({ fields }) => !fields.has(id)));
      // Whether there are zones to tell apart; saved logs may hold several without a list of them.
      const zones = new Set(
        lists.flatMap(({ fields }) => fields.get('zone')?.values.map(({ value }) => value) ?? []),
      );
      const others = ids.filter((id) => id !== 'zone' && !lacking.includes(id));
      const dimensions = o.zones.length > 1 || zones.size > 1 ? ['zone', ...others] : others;
      return comparisonTable({
        subject: 'logs',
        query: within(o.query, o.now),
        dimensions,
        comparisons: comparisonsOf(dimensions, countsOf),
        nameOf: (id, value) => (id === 'zone' ? zoneNameOf(o.zones, value) : value),
        against: o.against,
        hedge: hedgeOf(reading),
        isWhole: reading.isWhole && cut.length + lacking.length === 0,
        coverage: sidesRead(reading, { now: 'this window', before: o.against }, [
          cut.length > 0 ? `of ${cut.join(', ')} no more than ${count(most)} values` : '',
          lacking.length > 0
            ? `not compared by ${lacking.join(', ')}, which the store has no column for`
            : '',
        ]),
      });
    },
    rest: () => reading.rest(),
  };
}

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
function shieldComparison(o: Question & { before: TimeRange; shieldZoneId: string }): Inquiry {
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

/** Rows of one dimension: what comes after differs by next to nothing, and the whole list is one key away. */
const ROWS_EACH = 8;
const ROWS_FIRST = 12;

type Shown = {
  subject: QuerySubject;
  /** Over the times that are compared. */
  query: Query;
  /** Field ids of the dimensions, in the order of their sections. */
  dimensions: readonly string[];
  /** Those whose both windows were read. */
  comparisons: ReadonlyMap<string, Differing>;
  /** How a value of a dimension is shown. */
  nameOf: (dimension: string, value: string) => string;
  against: string;
  /** `of the 22.7% read: `; empty where all was. */
  hedge: string;
  /** Every value of both windows was counted: that nothing stands out is sure. */
  isWhole: boolean;
  coverage: string;
};

type Found = { dimension: string; row: DifferingValue };

/** What is more frequent over all dimensions, then what is less, and then dimension by dimension. */
function comparisonTable(o: Shown): AnswerTable {
  const { comparisons } = o;
  const [more, less] = [leading(foundOf(comparisons, 'more')), foundOf(comparisons, 'less')];
  const named = ({ dimension, row: { value } }: Found) =>
    value === null ? null : o.nameOf(dimension, value);
  const columns = [
    rest('value', 'VALUE', named, { shown: (found) => named(found) ?? '(none)' }),
    figures('excess', 'ABOVE USUAL', 11, ({ row }: Found) => Math.round(row.excess)),
    figures('count', 'NOW', 9, ({ row }: Found) => row.countNow, {
      shown: ({ row }) => `${row.isAtMostNow ? '<=' : ''}${count(row.countNow)}`,
    }),
    figures('countBefore', 'BEFORE', 9, ({ row }: Found) => row.countUsual, {
      shown: ({ row }) => (row.isNew ? 'new' : `${row.isAtMostUsual ? '<=' : ''}${count(row.countUsual)}`),
    }),
    shares('share', 'SHARE', 6, ({ row }: Found) => row.shareNow),
    shares('shareBefore', 'WAS', 6, ({ row }: Found) => row.shareUsual),
  ];
  const told = {
    sentence: (found: Found) => foundWords(o, found),
    first: ({ dimension }: Found) => ({ field: dimension }),
    also: ({ row }: Found) => ({
      countIsAtMost: row.isAtMostNow,
      countBeforeIsAtMost: row.isAtMostUsual,
      isNew: row.isNew,
      frequent: row.way,
    }),
    row: ({ dimension, row: { way, value } }: Found) => ({
      tone: way === 'more' ? ('notable' as const) : ('plain' as const),
      ...ledBy(o.subject, o.query, dimension, value),
    }),
  };
  const byField = {
    ...told,
    most: ROWS_FIRST,
    columns: [words('field', 'FIELD', 8, ({ dimension }: Found) => dimension), ...columns],
  };
  const sections = [
    sectionOf('moreFrequent', `more frequent against ${o.against}`, more, {
      ...byField,
      note: more.length === 0 ? 'nothing so far' : '',
    }),
    ...(less.length === 0 ? [] : [sectionOf('lessFrequent', 'less frequent', less, byField)]),
    ...o.dimensions.map((dimension) => {
      const comparison = comparisons.get(dimension);
      if (!comparison)
        return sectionOf('values', dimension, [], {
          ...told,
          columns: columns.slice(0, 1),
          note: 'not read yet',
        });
      const found = comparison.values.map((row) => ({ dimension, row }));
      const aside = othersOf(comparison);
      const title = `${dimension}: ${totalsOf(comparison)}`;
      return sectionOf('values', title, found, { ...told, most: ROWS_EACH, columns, aside });
    }),
  ];
  return {
    headline:
      comparisons.size === 0 ? 'what is more frequent now than before?' : headlineOf(o, more[0], less[0]),
    ...(more.length + less.length > 0
      ? { verdict: 'wrong', tone: 'notable' }
      : { verdict: o.isWhole ? 'calm' : 'unknown' }),
    sections,
    coverage: o.coverage,
    isWhole: o.isWhole,
  };
}

/** The values of all dimensions that are more frequent, or less; those first that differ by most events. */
function foundOf(comparisons: Shown['comparisons'], way: 'more' | 'less'): Found[] {
  return [...comparisons]
    .flatMap(([dimension, { values }]) =>
      values.filter((row) => row.way === way).map((row) => ({ dimension, row })),
    )
    .sort((a, b) => Math.abs(b.row.excess) - Math.abs(a.row.excess));
}

/** A value with at least this share of the largest excess may be told before it. */
const ALIKE = 0.5;

/** The same events are told by many fields. Of those that are about as many the trouble comes first, then what was never there. */
function leading(found: readonly Found[]): Found[] {
  const least = ALIKE * (found[0]?.row.excess ?? 0);
  const rankOf = ({ dimension, row }: Found) =>
    row.excess < least ? 3 : isTrouble(dimension, row.value ?? '') ? 0 : row.isNew ? 1 : 2;
  return found.toSorted((a, b) => rankOf(a) - rankOf(b));
}

function isTrouble(dimension: string, value: string): boolean {
  return dimension === 'status'
    ? value.startsWith('5')
    : dimension === 'cache' && /^(?:STALE|UPDATING)$/.test(value);
}

/** The total before is told as of as long a time where the two were not read alike. */
function totalsOf({ totalNow, totalUsual, totalExpected }: Differing): string {
  const scaled =
    Math.abs(totalExpected - totalUsual) >= 0.01 * totalUsual && totalUsual > 0
      ? `, ${count(Math.round(totalExpected))} in as much time`
      : '';
  return `${count(totalNow)} now, ${count(totalUsual)} before${scaled}`;
}

function othersOf({ values }: Differing): string {
  const more = values.length - ROWS_EACH;
  return values.length === 0 ? 'no value differs' : more > 0 ? `and ${count(more)} more that differ` : '';
}

/** What is more frequent, and how all of it together changed; a "nothing" is said of what was read alone. */
function headlineOf(o: Shown, more: Found | undefined, less: Found | undefined): string {
  const soFar = o.hedge === '' ? '' : ' so far';
  const nothing = less
    ? `nothing is more frequent against ${o.against}${soFar}; ${foundWords(o, less)}`
    : `nothing stands out against ${o.against}${soFar}`;
  const found = more ?? less;
  const [any] = o.comparisons.values();
  const total = totalWords((found && o.comparisons.get(found.dimension)) ?? any);
  return `${o.hedge}${more ? foundWords(o, more) : nothing}${total}`;
}

function foundWords(o: Shown, { dimension, row }: Found): string {
  const { value, countNow, countUsual, shareNow, shareUsual, isNew, isAtMostNow, isAtMostUsual, way } = row;
  const term = termOfAny(dimension, [value === null ? '' : o.nameOf(dimension, value)]);
  const name = printQuery({ ...EMPTY_QUERY, terms: [term] });
  const now = `${isAtMostNow ? 'at most ' : ''}${count(countNow)}`;
  if (isNew) return `${name} is new: ${percent(shareNow)} (${now})`;
  const before = `${isAtMostUsual ? 'at most ' : ''}${count(countUsual)}`;
  return `${name} is ${way} frequent: ${percent(shareNow)} now, ${percent(shareUsual)} before (${now} and ${before})`;
}

function totalWords(of: Differing | undefined): string {
  if (of === undefined || of.totalExpected <= 0) return '';
  const change = of.totalNow / of.totalExpected - 1;
  if (Math.abs(change) < LEAST_TOLD) return '; the total is as before';
  return `; the total ${change > 0 ? 'rose' : 'fell'} ${percent(Math.abs(change))}`;
}

/** A smaller change of the total is none: it would be told as 0.0%. */
const LEAST_TOLD = 0.0005;
