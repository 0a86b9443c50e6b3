import { count, counted, isoOf, percent, timeOfDay } from '../../../text/units.ts';
import type { Side } from '../../differing.ts';
import {
  type AnswerSection,
  type AnswerTable,
  type ColumnOf,
  figures,
  ledBy,
  onScreen,
  rest,
  sectionOf,
  shares,
  times,
  within,
  words,
} from '../../inquiry/answer-table.ts';
import { type Inquiry, type Need, SLICE_ROWS, splitOver } from '../../inquiry/inquiry.ts';
import { hedgeOf, LogReading, sidesRead, zoneReads } from '../../inquiry/log-reading.ts';
import { hitRatios } from '../../logs/sums/traffic.ts';
import { type Query, termOfAny, withTerms } from '../../query/query.ts';
import { termForValue } from '../../query/terms.ts';
import { zoneNameOf } from '../../query/zone-terms.ts';
import type { TimeRange } from '../../tail/coverage.ts';
import { MORE } from '../../thresholds.ts';
import type { PullZone, Zones } from '../../zone.ts';
import { type Brief, type Made, made, queryOf, unaskable } from '../asked/asked.ts';
import { NO_LENS } from '../comparison/lenses.ts';
import { besideRows, CausesBeside } from '../evidence/causes-beside.ts';
import { LensFollowUp } from './lens-follow-up.ts';
import {
  BUCKETS,
  LENS_FIELDS,
  type LensField,
  type LensRow,
  lensCounting,
  type MissLens,
  missLensOf,
  type WorseRow,
} from './miss-lens.ts';

/** The fewest requests for each window of all zones. */
const PARTS_LEAST = 3;

/** Rows of a section that a screen lists; of the first one some more. */
const ROWS_FIRST = 10;
const ROWS_EACH = 6;

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
  const most = splitOver(COUNTED_VALUES, zones.length, COUNTED_LEAST);
  const reading = new LogReading({
    zones: zoneReads(zones, o.query, partsFor(brief.rows ?? null)),
    windows: { now: [o.now], before: [o.before] },
    counted: { until: brief.storedUntil, of: (side) => lensCounting(o[side], most) },
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
    table: () => tableOf(lens(), o, reading, { causes, most }),
    rest: () => reading.rest(),
  };
  const failing = () => (reading.compared.length > 0 && failingOf(lens()) > 0 ? zones : []);
  return made(brief, besideRows(rows, causes, failing));

  function lens(): MissLens {
    const weights = { now: reading.weights('now').of, before: reading.weights('before').of };
    const shareOf = (zone: PullZone, side: Side) => ({
      covered: reading.covered(side, zone),
      weight: weights[side].get(zone.id) ?? 0,
    });
    return missLensOf(
      o,
      zones.map((zone) => ({
        zone: zone.id,
        counts: { now: reading.counts('now', zone), before: reading.counts('before', zone) },
        share: { now: shareOf(zone, 'now'), before: shareOf(zone, 'before') },
        parameters: (page) => more.parameters(zone.id, page),
      })),
    );
  }

  /** Rows that a store cannot count; then which values one list leaves out, and which parameters differ. */
  function next(): readonly Need[] {
    const uncounted = follow?.next() ?? [];
    return uncounted.length > 0 ? uncounted : more.next(() => lens().explosions);
  }
}

/** A window that a few answers hold is read whole; of one that is larger, or not known, a piece of each slice is. */
function partsFor(rows: number | null): number {
  return rows === null ? BUCKETS : Math.max(PARTS_LEAST, Math.min(BUCKETS, Math.ceil(rows / SLICE_ROWS)));
}

function tableOf(
  lens: MissLens,
  o: Question,
  reading: LogReading,
  { causes, most }: { causes: CausesBeside | null; most: number },
): AnswerTable {
  const cut = reading.cutOf(LENS_FIELDS);
  const coverage = sidesRead(reading, { now: 'this window', before: o.against }, [
    cut.length > 0 ? `of ${cut.join(', ')} no more than ${count(most)} values of each window` : '',
    ...(causes?.coverage() ?? []),
  ]);
  const trouble = troubleOf(lens, o, causes);
  const headline = headlineOf(lens, o, reading, trouble);
  const series = timeSection(lens, reading);
  // With one of the windows unread nothing is worse or new.
  if (reading.compared.length === 0)
    return { headline, verdict: 'unknown', sections: [series], coverage, isWhole: false };
  const isWhole = reading.isWhole && lens.areQueriesKnown;
  const asked = { query: within(o.query, o.now), zones: o.zones };
  const fields = (['zone', 'host', 'edge'] as const).filter(
    (field) => field !== 'zone' || o.zones.length > 1 || lens.by.zone.length > 1,
  );
  return {
    headline,
    verdict: trouble ? 'wrong' : isWhole ? 'calm' : 'unknown',
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
      series,
      ...fields.map((field) => lossSection('values', `by ${field}`, lens.by[field], field, asked, ROWS_EACH)),
    ].toSorted((a, b) => Number(a.rows.length === 0) - Number(b.rows.length === 0)),
    coverage,
    isWhole: isWhole && cut.length === 0 && (causes?.isWhole ?? true),
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
  const [now, before] = [hitRatios(lens.now).requests, hitRatios(lens.before).requests];
  if (reading.compared.length === 0) {
    const part = reading.share('now');
    const of = part < 1 ? ` in the ${percent(Math.min(part, 0.999))} read` : '';
    const known = part > 0 ? `hit ratio ${percent(now)} now${of}; ` : '';
    return `${known}what misses more than before? ${part === 0 ? 'this window' : o.against} is not read yet`;
  }
  const nothing = lens.areQueriesKnown ? 'nothing' : 'no page';
  const verdict = trouble ?? `${nothing} misses more than before`;
  return `${hedgeOf(reading)}hit ratio ${percent(now)} now, ${percent(before)} ${o.against}; ${verdict}`;
}

/** A time of which nothing was read, and its figures: hatched, so that they are no nought. */
const NOT_READ = 'not read';
const HATCH = '////';

/** What the rows of a section lead into: a query, asked of these zones. */
type MissScope = { query: Query; zones: Zones };

/** Of several zones each row says which one it is of. */
function zoneColumn<T extends { zone: string | null }>({ zones }: MissScope): ColumnOf<T> {
  return words('zone', 'ZONE', 14, ({ zone }) => (zone === null ? null : zoneNameOf(zones, zone)));
}

/** ` of shop`, where several zones are asked about; empty where there is one. */
function zoneWords({ zone }: { zone: string | null }, { zones }: MissScope): string {
  return zone === null || zones.length === 1 ? '' : ` of ${zoneNameOf(zones, zone)}`;
}

type Loss = LensRow | WorseRow;

/** What each value misses, now and before. `name`: what a row of it is called by scripts. */
function lossSection(
  name: string,
  title: string,
  rows: readonly Loss[],
  field: LensField,
  asked: MissScope,
  most: number,
): AnswerSection {
  const fieldOf = (row: Loss) => ('field' in row ? row.field : field);
  const shown = (value: string) => (field === 'zone' ? zoneNameOf(asked.zones, value) : value);
  return sectionOf(name, title, rows, {
    sentence: (row) => {
      const what = row.value === null ? 'other values' : `${fieldOf(row)}:${shown(row.value)}`;
      const was = row.ratioBefore === null ? 'it is new' : `${percent(row.ratioBefore)} before`;
      return `${what}${zoneWords(row, asked)} hits ${percent(row.ratioNow)}, ${was}: ${count(row.now.originRequests)} of ${counted(row.now.requests, 'request')} missed`;
    },
    most,
    first: (row) => ({ field: fieldOf(row) }),
    also: (row) => ({
      requests: row.now.requests,
      requestsBefore: row.before.requests,
      missesBefore: row.before.originRequests,
      isWorse: row.isWorse,
      isFlipped: row.isFlipped,
    }),
    columns: [
      ...(rows.some(({ zone }) => zone !== null) ? [zoneColumn<Loss>(asked)] : []),
      rest('value', field.toUpperCase(), ({ value }) => (value === null ? null : shown(value)), {
        shown: ({ value }) => (value === null ? '(others)' : shown(value)),
      }),
      shares('hitRatio', 'HIT', 6, ({ ratioNow }) => ratioNow),
      shares('hitRatioBefore', 'WAS', 6, ({ ratioBefore }) => ratioBefore),
      figures('misses', 'MISSES', 8, ({ now }) => now.originRequests),
      figures('extraMisses', 'ABOVE USUAL', 11, ({ extraMisses }) => extraMisses, {
        shown: ({ extraMisses }) => (extraMisses === null ? 'new' : count(extraMisses)),
      }),
      onScreen('', 11, ({ isFlipped, isWorse }) => (isFlipped ? 'most missed' : isWorse ? 'worse' : '')),
    ],
    row: (row) => ({
      ...(row.value === null ? {} : ledInto(asked, row.zone, fieldOf(row), row.value)),
      tone: row.isFlipped ? 'bad' : row.isWorse ? 'notable' : 'plain',
    }),
    note: rows.length === 0 ? 'none' : '',
  });
}

function explosionSection(lens: MissLens, asked: MissScope): AnswerSection {
  const isOfZone = asked.zones.length > 1;
  return sectionOf('explosions', 'query strings that explode', lens.explosions, {
    sentence: (row) =>
      `${row.page}${zoneWords(row, asked)} was asked for with ${row.mostDistinct === undefined ? '' : 'at least '}${counted(row.distinct, 'different query string')} in ${counted(row.requests, 'request')}, ${count(row.distinctBefore)} before`,
    most: ROWS_EACH,
    also: ({ mostDistinct, extraMisses, parameters }) => ({
      isAtLeast: mostDistinct !== undefined,
      extraMisses: Math.round(extraMisses),
      parameters: parameters.map(({ name, distinct }) => ({ name, distinct })),
    }),
    columns: [
      ...(isOfZone ? [zoneColumn<MissLens['explosions'][number]>(asked)] : []),
      rest('page', 'PAGE', ({ page }) => page),
      figures('distinct', 'DIFFERENT', 10, ({ distinct }) => distinct, {
        shown: ({ mostDistinct, distinct }) => `${mostDistinct ? '>=' : ''}${count(distinct)}`,
      }),
      figures('requests', 'REQUESTS', 9, ({ requests }) => requests),
      figures('distinctBefore', 'WERE', 8, ({ distinctBefore }) => distinctBefore),
      onScreen('PARAMETER', 14, ({ parameters }) => parameters[0]?.name ?? '', { from: 70 }),
    ],
    row: ({ zone, page }) => ({ ...ledInto(asked, isOfZone ? zone : null, 'page', page), tone: 'bad' }),
    note: !lens.areQueriesKnown
      ? 'query strings were not all counted'
      : lens.explosions.length === 0
        ? 'none'
        : '',
  });
}

function originSection(lens: MissLens, { query }: MissScope): AnswerSection {
  const parts = [
    {
      of: 'stale',
      name: 'STALE and UPDATING',
      share: lens.stale,
      term: termOfAny('cache', ['STALE', 'UPDATING']),
    },
    { of: 'serverErrors', name: 'answered 5xx', share: lens.errors, term: termOfAny('status', ['5xx']) },
  ];
  return sectionOf('origin', 'the origin', parts, {
    sentence: ({ name, share }) =>
      `${percent(share.now)} of requests are ${name}, ${percent(share.before)} before${share.hasRisen ? ': risen' : ''}`,
    also: ({ share }) => ({ hasRisen: share.hasRisen }),
    columns: [
      words('of', 'SHARE', 26, ({ of }) => of, { shown: ({ name }) => name }),
      shares('share', 'NOW', 6, ({ share }) => share.now),
      shares('shareBefore', 'WAS', 6, ({ share }) => share.before),
      onScreen('', 7, ({ share }) => (share.hasRisen ? 'risen' : '')),
    ],
    row: ({ share, term }) => ({
      leads: { subject: 'logs', query: withTerms(query, term) },
      tone: share.hasRisen ? 'bad' : 'plain',
    }),
  });
}

/** A slice of which nothing was read has no figures, and one that was read in part says how much. */
function timeSection(lens: MissLens, reading: LogReading): AnswerSection {
  const slices = lens.series.map(({ from, to, sums }, index) => {
    const then = lens.seriesBefore[index] ?? null;
    const [share, shareThen] = [reading.share('now', { from, to }), reading.share('before', then)];
    const [read, readThen] = [share === 0 ? null : sums, shareThen === 0 ? null : (then?.sums ?? null)];
    const [hit, hitThen] = [read && hitRatios(read), readThen && hitRatios(readThen)];
    return { from, to, share, shareThen, sums: read, hit, hitThen };
  });
  type Slice = (typeof slices)[number];
  const parts = slices.flatMap(({ from, shareThen }) =>
    shareThen > 0 && shareThen < 1
      ? [`${percent(shareThen)} of its time at ${timeOfDay(from, { zone: 'utc' })}`]
      : [],
  );
  /** What nothing was read of is hatched, and what was is shown as it is. */
  const read = (figure: (sums: NonNullable<Slice['sums']>) => number) => ({
    value: ({ sums }: Slice) => (sums === null ? null : figure(sums)),
    look: { shown: ({ sums }: Slice) => (sums === null ? HATCH : count(figure(sums))) },
  });
  const [requests, stale, errors] = [
    read((sums) => sums.requests),
    read((sums) => sums.stale),
    read((sums) => sums.errors),
  ];
  return sectionOf('series', 'over time', slices, {
    sentence: ({ from, to, share, sums, hit, hitThen }) => {
      const when = `from ${timeOfDay(from, { zone: 'utc' })} to ${timeOfDay(to, { zone: 'utc' })} UTC`;
      if (share === 0 || sums === null) return `${when} nothing was read`;
      const was = hitThen ? `${percent(hitThen.requests)} before` : 'the time before is not read';
      return `${when} ${counted(sums.requests, 'request')}, hit ratio ${percent(hit?.requests ?? null)}, ${was}${share < 1 ? `; ${percent(share)} of it read` : ''}`;
    },
    also: ({ to, shareThen }) => ({ to: isoOf(to), readBefore: shareThen }),
    columns: [
      times('from', 'FROM', 14, ({ from }) => from),
      shares('read', 'READ', 8, ({ share }) => share, {
        shown: ({ share }) => (share === 0 ? NOT_READ : percent(share)),
      }),
      figures('requests', 'REQUESTS', 8, requests.value, requests.look),
      shares('hitRatio', 'HIT', 6, ({ hit }) => hit?.requests ?? null, {
        shown: ({ hit }) => (hit ? percent(hit.requests) : HATCH),
      }),
      shares('hitRatioBefore', 'WAS', 8, ({ hitThen }) => hitThen?.requests ?? null, {
        shown: ({ hitThen }) => (hitThen ? percent(hitThen.requests) : NOT_READ),
      }),
      shares('hitRatioByBytes', 'BY BYTES', 8, ({ hit }) => hit?.bytes ?? null, {
        shown: ({ hit }) => (hit ? percent(hit.bytes) : HATCH),
      }),
      figures('stale', 'STALE', 7, stale.value, stale.look),
      figures('serverErrors', '5XX', 7, errors.value, { ...errors.look, from: 70 }),
    ],
    row: ({ share }) => (share === 0 ? { tone: 'faint' } : {}),
    note: parts.length > 0 ? `WAS is of ${parts.join(', ')}` : '',
  });
}

/** Where a value leads, of one zone where one is named. */
function ledInto({ query }: MissScope, zone: string | null, field: string, value: string) {
  const term = zone === null ? null : termForValue('logs', 'zone', zone, false);
  return ledBy('logs', withTerms(query, term), field, value);
}
