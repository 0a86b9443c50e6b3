import { count, percent } from '../../../text/units.ts';
import { SIDES, type Side } from '../../differing.ts';
import { isCut } from '../../logs/counted/join-counts.ts';
import {
  type CountedParameter,
  type CountedValue,
  type Counts,
  partOfCounts,
  type Wanted,
} from '../../logs/counts.ts';
import { hitRatios, noCacheSums } from '../../logs/sums/traffic.ts';
import type { Query } from '../../query/query.ts';
import { zoneNameOf } from '../../query/zone-terms.ts';
import type { TimeRange } from '../../tail/coverage.ts';
import { MORE } from '../../thresholds.ts';
import type { PullZone } from '../../zone.ts';
import { type Brief, type Made, made, queryOf, unaskable } from '../asked/asked.ts';
import { NO_LENS } from '../comparison/lenses.ts';
import { besideRows, CausesBeside } from '../evidence/causes-beside.ts';
import { type AnswerTable, within } from '../inquiry/answer-table.ts';
import {
  type Inquiry,
  type LogNeed,
  type Met,
  type Need,
  SLICE_ROWS,
  splitOver,
} from '../inquiry/inquiry.ts';
import { type CountedNeed, hedgeOf, LogReading, sidesRead, zoneReads } from '../inquiry/log-reading.ts';
import {
  BUCKETS,
  LENS_FIELDS,
  type LensField,
  lensCounting,
  lensField,
  type MissLens,
  missLensOf,
} from './miss-lens.ts';
import {
  bypassSection,
  explosionSection,
  lossSection,
  originSection,
  ROWS_EACH,
  timeSection,
} from './miss-sections.ts';

/** The fewest requests for each window of all zones. */
const PARTS_LEAST = 3;
const ROWS_FIRST = 10;

/** Values of one field and window that are told apart, of all zones together, and of each no fewer: some megabytes of all. */
const COUNTED_VALUES = 10_000;
const COUNTED_LEAST = 1_000;

/** Against which window misses are told; `against`: what that is, in words. */
type Question = Pick<Brief, 'zones'> & Record<Side, TimeRange> & { query: Query; against: string };

/** What started missing in a window of the CDN logs, against an earlier one. */
export function misses(brief: Brief): Made {
  const { zones, against } = brief;
  const [before, ...others] = against?.ranges ?? [];
  if (against === null || before === undefined) return unaskable(NO_LENS);
  if (others.length > 0)
    return unaskable('misses are compared with those of one window: before this one, or after it');
  const o: Question = { zones, query: queryOf(brief), now: brief.range, before, against: against.title };
  const valuesMost = splitOver(COUNTED_VALUES, zones.length, COUNTED_LEAST);
  const reading = new LogReading({
    zones: zoneReads(zones, o.query, partsFor(brief.rows ?? null)),
    windows: { now: [o.now], before: [o.before] },
    counted: { until: brief.storedUntil, of: (side) => lensCounting(o[side], valuesMost) },
  });
  const causes = brief.withCauses ? new CausesBeside(zones, o.now) : null;
  const more = new LensFollowUp(reading);
  const { follow } = reading;
  const rows: Inquiry = {
    needs: reading.needs,
    follow: follow && { most: follow.most + more.most, ofStore: more.most, next },
    add(need, met) {
      if (need.kind !== 'logs' || !more.add(need, met)) reading.add(need, met);
    },
    table: () => {
      const cut = reading.cutOf(LENS_FIELDS);
      const coverage = sidesRead(reading, { now: 'this window', before: o.against }, [
        cut.length > 0 ? `of ${cut.join(', ')} no more than ${count(valuesMost)} values of each window` : '',
        ...(causes?.coverage() ?? []),
      ]);
      return lensTable(shown(), o, reading, { causes, coverage, isCut: cut.length > 0 });
    },
    rest: () => reading.rest(),
  };
  const failing = () => (reading.compared.length > 0 && failingOf(shown()) > 0 ? zones : []);
  return made(brief, besideRows(rows, causes, failing));

  /** Rows that a store cannot count; then which values one list leaves out, and which parameters differ. */
  function next(): readonly Need[] {
    const uncounted = follow?.next() ?? [];
    return uncounted.length > 0 ? uncounted : more.next(() => shown().explosions);
  }

  function shown(): MissLens {
    const weights = { now: reading.weights('now').of, before: reading.weights('before').of };
    const shareOf = (zone: PullZone, side: Side) => ({
      covered: reading.covered(side, zone),
      weight: weights[side].get(zone.id) ?? 0,
    });
    return missLensOf(
      o,
      reading.zones.map((zone) => ({
        zone: zone.id,
        counts: { now: reading.counts('now', zone), before: reading.counts('before', zone) },
        share: { now: shareOf(zone, 'now'), before: shareOf(zone, 'before') },
        parameters: (page) => more.parameters(zone.id, page),
      })),
    );
  }
}

/** A window that a few answers hold is read whole; of one that is larger, or not known, a piece of each slice is. */
function partsFor(rows: number | null): number {
  return rows === null ? BUCKETS : Math.max(PARTS_LEAST, Math.min(BUCKETS, Math.ceil(rows / SLICE_ROWS)));
}

function lensTable(
  lens: MissLens,
  o: Question,
  reading: LogReading,
  { causes, coverage, isCut }: { causes: CausesBeside | null; coverage: string; isCut: boolean },
): AnswerTable {
  const trouble = troubleOf(lens, o, causes);
  const isWhole = reading.isWhole;
  // With one of the windows unread nothing is worse or new.
  if (unreadOf(o, reading) !== null) {
    return {
      headline: headlineOf(lens, o, reading, undefined),
      verdict: 'unknown',
      sections: [timeSection(lens, reading)],
      coverage,
      isWhole: false,
    };
  }
  const asked = { query: within(o.query, o.now), zones: o.zones };
  return {
    headline: headlineOf(lens, o, reading, trouble),
    verdict: trouble ? 'wrong' : isWhole && lens.areQueriesKnown ? 'calm' : 'unknown',
    // What has something to tell comes first.
    sections: [
      explosionSection(lens, asked),
      lossSection(
        'pages',
        'pages or shapes that miss more than before',
        lens.worse,
        'page',
        asked,
        ROWS_FIRST,
      ),
      ...(causes?.sections(o.query) ?? []),
      originSection(lens, asked),
      timeSection(lens, reading),
      bypassSection(lens, asked),
      ...(['zone', 'host', 'edge', 'status'] as const)
        .filter((field) => field !== 'zone' || o.zones.length > 1 || lens.by.zone.length > 1)
        .map((field) => lossSection('values', `by ${field}`, lens.by[field], field, asked, ROWS_EACH)),
    ].toSorted((a, b) => Number(a.rows.length === 0) - Number(b.rows.length === 0)),
    coverage,
    isWhole: isWhole && lens.areQueriesKnown && !isCut && (causes?.isWhole ?? true),
  };
}

/** Requests that a failing origin spoils. */
function failingOf({ stale, errors }: MissLens): number {
  return Math.max(stale.failing, errors.failing);
}

/**
 * What makes most extra misses leads. Of a failing origin pages miss more, too: it leads where as many requests as half of those misses
 * are answered with errors or old copies.
 */
function troubleOf(lens: MissLens, o: Question, causes: CausesBeside | null): string | undefined {
  const ofZone = (id: string | null) =>
    id === null || o.zones.length < 2 ? '' : ` of ${zoneNameOf(o.zones, id)}`;
  const [explosion, worst] = [
    lens.explosions.find(({ extraMisses }) => extraMisses >= MORE.excess),
    lens.worse[0],
  ];
  const extra = Math.max(explosion?.extraMisses ?? 0, worst?.extraMisses ?? 0);
  const failing = failingOf(lens);
  if (failing > 0 && failing >= extra / 2) {
    const { errors, stale } = lens;
    const words =
      errors.hasRisen || stale.hasRisen
        ? 'the origin is in trouble: stale answers or errors rise'
        : `5xx are ${percent(errors.now)} of the requests, as before`;
    return causes?.words() ?? words;
  }
  // The page that explodes is one that misses more: its query strings are why.
  if (explosion && explosion.extraMisses >= ALIKE * extra) {
    return `query strings explode at ${explosion.page}${ofZone(explosion.zone)}`;
  }
  return worst && `most misses above usual: ${worst.value ?? 'other paths'}${ofZone(worst.zone)}`;
}

/** The misses of a page and those of its shape are the same from this share on. */
const ALIKE = 0.9;

/** A "nothing" is said of what was read alone; a trouble is said when the rule under its section decides it. */
function headlineOf(lens: MissLens, o: Question, reading: LogReading, trouble: string | undefined): string {
  const title = o.against;
  const unread = unreadOf(o, reading);
  const [now, before] = [hitRatios(lens.now).requests, hitRatios(lens.before).requests];
  if (unread !== null) {
    const part = reading.share('now');
    const of = part < 1 ? ` in the ${percent(Math.min(part, 0.999))} read` : '';
    const known = part > 0 ? `hit ratio ${percent(now)} now${of}; ` : '';
    return `${known}what misses more than before? ${unread} is not read yet`;
  }
  const nothing = lens.areQueriesKnown ? 'nothing' : 'no page';
  const verdict = trouble ?? `${nothing} misses more than before`;
  return `${hedgeOf(reading)}hit ratio ${percent(now)} now, ${percent(before)} ${title}; ${verdict}`;
}

/** The window of which nothing was read that could be compared; null = there is none. */
function unreadOf(o: Question, reading: LogReading): string | null {
  if (reading.compared.length > 0) return null;
  return reading.share('now') === 0 ? 'this window' : o.against;
}

/** Values that travel with a question, and their characters in all. */
const NAMED_MOST = 400;
const NAMED_CHARACTERS = 50_000;

/**
 * What whoever counted the rows is asked for once more: values that one window has among its largest and the other has not, and which
 * parameters make query strings differ, of the pages that are told.
 */
export class LensFollowUp {
  readonly #of: LogReading;
  readonly #parameters = new Set<Need>();
  readonly #told: (CountedParameter & { zoneId: string })[] = [];
  readonly #named = new Map<Need, { of: CountedNeed; wanted: Wanted }>();
  #isAsked = false;

  constructor(of: LogReading) {
    this.#of = of;
  }

  /** Requests that it costs at most. */
  get most(): number {
    const { needs } = this.#of;
    return needs.reduce((sum, { counts, side }) => sum + (counts ? (side === 'now' ? 2 : 1) : 0), 0);
  }

  /** `explosions`: of the answer so far. */
  next(explosions: () => MissLens['explosions']): readonly Need[] {
    if (this.#isAsked) return [];
    this.#isAsked = true;
    const exploded = Map.groupBy(explosions().slice(0, ROWS_EACH), ({ zone }) => zone);
    for (const { id } of this.#of.zones) {
      const [now, before] = [this.#of.counted(id, 'now'), this.#of.counted(id, 'before')];
      for (const counted of [...now, ...before]) {
        const { need } = counted;
        if (need.counts === undefined) continue;
        const wanted = this.#unnamed(counted, [...now, ...before]);
        if (wanted.size > 0) {
          const most = Math.max(...[...wanted.values()].map(({ length }) => length)) + 1;
          const of = { kind: 'values', fields: [...wanted.keys()], most, sums: true, only: wanted } as const;
          this.#named.set({ ...need, counts: { ...need.counts, of } }, { of: counted, wanted });
        }
        const pages = need.side === 'now' ? exploded.get(id) : undefined;
        if (pages !== undefined) {
          const of = { kind: 'parameters', pages: pages.map(({ page }) => page) } as const;
          this.#parameters.add({ ...need, counts: { ...need.counts, of } });
        }
      }
    }
    return [...this.#named.keys(), ...this.#parameters];
  }

  /** True where the need was one of its own. */
  add(need: LogNeed, met: Met): boolean {
    const named = this.#named.get(need);
    if (named === undefined && !this.#parameters.has(need)) return false;
    if (met.kind !== 'counts') return true;
    if (met.counts.kind === 'parameters')
      for (const each of met.counts.parameters) this.#told.push({ ...each, zoneId: need.zoneId });
    if (named && met.counts.kind === 'values') {
      const { of, wanted } = named;
      of.counts = withNamed(of.counts, wanted, met.counts);
    }
    return true;
  }

  /** The parameters of a page, the one with the most values first. */
  parameters(zoneId: string, page: string): readonly CountedParameter[] {
    const told = this.#told.filter((each) => each.zoneId === zoneId && each.page === page);
    return told.length > 0 ? told : (this.#of.here('now', zoneId)?.queries?.parameters(page) ?? []);
  }

  /** The values that a cut list leaves out and another one of the zone has, those with most misses first. */
  #unnamed({ need, counts }: CountedNeed, lists: readonly CountedNeed[]): Wanted {
    const here = SIDES.map((side) => this.#of.here(side, need.zoneId)?.counts() ?? null);
    const all = [...lists.map((each) => each.counts), ...here];
    return new Map(
      LENS_FIELDS.flatMap((field) => {
        const values = unnamedOf(field, counts, all);
        return values.length > 0 ? [[field, values] as const] : [];
      }),
    );
  }
}

function unnamedOf(field: LensField, counts: Counts, all: readonly (Counts | null)[]): string[] {
  const list = lensField(counts, field);
  if (list === null || !isCut(list)) return [];
  const listed = new Set(list.values.map(({ value }) => value));
  const misses = new Map<string, number>();
  for (const { value, sums } of all.flatMap((each) => lensField(each, field)?.values ?? [])) {
    if (value === null || listed.has(value)) continue;
    misses.set(value, (misses.get(value) ?? 0) + (sums?.originRequests ?? 0));
  }
  let left = NAMED_CHARACTERS;
  return [...misses]
    .sort(([, a], [, b]) => b - a)
    .slice(0, NAMED_MOST)
    .flatMap(([value]) => {
      left -= value.length;
      return left < 0 ? [] : value;
    });
}

/** The counts with values that were asked for by name, none of some of them. */
function withNamed(counts: Counts, wanted: Wanted, named: Extract<Counts, { kind: 'values' }>): Counts {
  const values = partOfCounts(counts, 'values');
  if (values === null) return counts;
  const fields = new Map(
    [...values.fields].map(([id, field]) => {
      const known = new Map(named.fields.get(id)?.values.map((each) => [each.value, each]));
      const more = (wanted.get(id) ?? []).map(
        (value): CountedValue => known.get(value) ?? { value, count: 0, sums: noCacheSums() },
      );
      return [id, { ...field, values: [...field.values, ...more] }] as const;
    }),
  );
  const whole = { ...values, fields };
  if (counts.kind !== 'several') return whole;
  return { kind: 'several', parts: counts.parts.map((part) => (part === values ? whole : part)) };
}
