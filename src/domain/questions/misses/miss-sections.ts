import { count, counted, isoOf, percent, timeOfDay } from '../../../text/units.ts';
import { hitRatios } from '../../logs/sums/traffic.ts';
import { type Query, termOfAny, withTerms } from '../../query/query.ts';
import { termForValue } from '../../query/terms.ts';
import { zoneNameOf } from '../../query/zone-terms.ts';
import type { Zones } from '../../zone.ts';
import {
  type AnswerSection,
  type ColumnOf,
  figures,
  ledBy,
  onScreen,
  rest,
  sectionOf,
  shares,
  times,
  words,
} from '../inquiry/answer-table.ts';
import type { LogReading } from '../inquiry/log-reading.ts';
import type { LensField, LensRow, MissLens, WorseRow } from './miss-lens.ts';

export const ROWS_EACH = 6;

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
export function lossSection(
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

export function explosionSection(lens: MissLens, asked: MissScope): AnswerSection {
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

export function originSection(lens: MissLens, { query }: MissScope): AnswerSection {
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
export function timeSection(lens: MissLens, reading: LogReading): AnswerSection {
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

export function bypassSection({ bypassed }: MissLens, asked: MissScope): AnswerSection {
  return sectionOf('bypassed', 'pages that go past the cache', bypassed, {
    sentence: (row) =>
      `${count(row.now.bypassed)} of ${counted(row.now.requests, 'request')} for ${row.value ?? 'other pages'}${zoneWords(row, asked)} bypassed the cache, ${count(row.before.bypassed)} before`,
    most: ROWS_EACH,
    columns: [
      ...(asked.zones.length > 1 ? [zoneColumn<LensRow>(asked)] : []),
      rest('page', 'PAGE', ({ value }) => value, { shown: ({ value }) => value ?? '(others)' }),
      figures('bypassed', 'BYPASS', 8, ({ now }) => now.bypassed),
      figures('bypassedBefore', 'WERE', 8, ({ before }) => before.bypassed),
      figures('requests', 'REQUESTS', 9, ({ now }) => now.requests),
    ],
    row: ({ zone, value }) => (value === null ? {} : ledInto(asked, zone, 'page', value)),
    note: bypassed.length === 0 ? 'none' : '',
  });
}

/** Where a value leads, of one zone where one is named. */
function ledInto({ query }: MissScope, zone: string | null, field: string, value: string) {
  const term = zone === null ? null : termForValue('logs', 'zone', zone, false);
  return ledBy('logs', withTerms(query, term), field, value);
}
