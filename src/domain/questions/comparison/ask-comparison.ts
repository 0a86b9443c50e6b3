import { count } from '../../../text/units.ts';
import { fieldNamed, LOG_FIELDS } from '../../query/fields.ts';
import { matcher } from '../../query/match.ts';
import { splitForServer } from '../../query/push-down.ts';
import type { Query } from '../../query/query.ts';
import { LARGEST_SHIELD_PAGE, SHIELD_DIMENSIONS, type ShieldAnswer } from '../../shield/shield.ts';
import { tableOf } from '../../shield/shield-groups.ts';
import { planGroups } from '../../shield/shield-question.ts';
import type { TimeRange } from '../../tail/coverage.ts';
import type { PullZone } from '../../zone.ts';
import { within } from '../inquiry/answer-table.ts';
import { type Inquiry, type ShieldNeed, type Side, shieldNeed } from '../inquiry/inquiry.ts';
import { LogReading } from '../inquiry/log-reading.ts';
import { type Comparison, compare, type ValueCounts } from './comparison.ts';
import { comparisonTable } from './comparison-table.ts';

type Question = {
  query: Query;
  now: TimeRange;
  before: TimeRange;
  /** What it is compared with, in words. */
  against: string;
};

/** Requests for each window of a CDN log. */
const PARTS = 6;

/** Values kept of one field and window; an address flood must not fill the memory. */
const MOST_VALUES = 50_000;

const SIDES = ['now', 'before'] as const;

const LOG_GROUPS = Object.entries(LOG_FIELDS).filter(([id, field]) => field.groups && id !== 'zone');

const SHIELD_IDS = SHIELD_DIMENSIONS.map((dimension) => fieldNamed('shield', dimension) ?? dimension);

/** Every field that CDN rows can be grouped by, in two windows read by a few requests each. */
export function logComparison(o: Question & { zone: PullZone }): Inquiry {
  const reading = new LogReading({
    zoneId: o.zone.id,
    filter: splitForServer(o.query, o.zone).server,
    windows: { now: o.now, before: o.before },
    parts: PARTS,
  });
  const matches = matcher(o.query, o.zone.anonymisation);
  const ids = LOG_GROUPS.map(([id]) => id);
  const values = new Map(
    SIDES.flatMap((side) => ids.map((id) => [`${side} ${id}`, new Map<string | null, number>()] as const)),
  );
  const totals = { now: 0, before: 0 };
  const cut = new Set<Map<string | null, number>>();

  function countsOf(id: string, side: Side): ValueCounts | null {
    const counts = values.get(`${side} ${id}`);
    const covered = reading.covered(side);
    if (!counts || covered === 0) return null;
    return {
      // As long as what was read of it: a part of a window is compared as a shorter one.
      window: { from: o[side].from, to: o[side].from + covered },
      values: [...counts].map(([value, n]) => ({ value, count: n })),
      total: totals[side],
      distinct: cut.has(counts) ? null : counts.size,
      isByCount: false,
    };
  }

  return {
    needs: reading.needs,
    add(need, met) {
      for (const record of reading.add(need, met)) {
        if (!matches(record)) continue;
        totals[need.side]++;
        for (const [id, field] of LOG_GROUPS) {
          const counts = values.get(`${need.side} ${id}`);
          if (counts && !counted(counts, field.get(record))) cut.add(counts);
        }
      }
    },
    table() {
      const rows = count(reading.rows('now') + reading.rows('before'));
      return comparisonTable({
        subject: 'logs',
        query: within(o.query, o.now),
        dimensions: ids,
        comparisons: comparisonsOf(ids, countsOf),
        against: o.against,
        hedge: reading.hedge,
        coverage: `${rows} rows; ${reading.words('now', 'this window')}, ${reading.words('before', o.against)}`,
      });
    },
    rest: () => reading.rest(),
  };
}

/**
 * Every dimension of Shield in two windows: one search for each dimension and window, its 500 largest groups. Terms that
 * Shield cannot decide act here as they do in the list of groups.
 */
export function shieldComparison(o: Question & { shieldZoneId: string }): Inquiry {
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
      window: { from: answer.gone?.to ?? o[side].from, to: o[side].to },
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

/** Whether there was room for the value. */
function counted(counts: Map<string | null, number>, raw: string | number | null): boolean {
  const value = raw === null ? null : String(raw);
  const known = counts.get(value);
  if (known === undefined && counts.size >= MOST_VALUES) return false;
  counts.set(value, (known ?? 0) + 1);
  return true;
}

/** The first dimension of the grouping is the one compared; what follows serves the exclusions. */
function keyOf({ ask, side }: ShieldNeed): string {
  return `${ask.groupBy[0]} ${side}`;
}

/** The order of groups is not documented: whether the largest came first is seen from the answer. */
function isByCount({ groups }: ShieldAnswer): boolean {
  return groups.every((group, index) => group.count <= (groups[index - 1]?.count ?? group.count));
}
