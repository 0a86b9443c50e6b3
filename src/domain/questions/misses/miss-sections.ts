import { joined } from '../../../text/joined.ts';
import { count, dayClock, percent, timeOfDay } from '../../../text/units.ts';
import { hitRatios } from '../../logs/sums/traffic.ts';
import { type Query, termOfAny, withTerms } from '../../query/query.ts';
import { termForValue } from '../../query/terms.ts';
import { zoneNameOf } from '../../query/zone-terms.ts';
import type { Zones } from '../../zone.ts';
import { type ColumnOf, figures, ledBy, rest, sectionOf, shares, words } from '../inquiry/answer-section.ts';
import type { AnswerSection } from '../inquiry/answer-table.ts';
import type { LogReading } from '../inquiry/log-reading.ts';
import type { LensRow, WorseRow } from './lens-row.ts';
import type { LensField } from './lens-tally.ts';
import { LENS_IN_WORDS, type MissLens } from './miss-lens.ts';

export const ROWS_EACH = 6;

/** A time of which nothing was read, and its figures: hatched, so that they are no nought. */
const NOT_READ = 'not read';
const HATCH = '////';

/** What the rows of a section lead into: a query, asked of these zones. */
type MissScope = { query: Query; zones: Zones };

/** Of several zones each row says which one it is of. */
function zoneColumn<T extends { zone: string | null }>({ zones }: MissScope): ColumnOf<T> {
  return words('ZONE', 14, ({ zone }) => (zone === null ? '' : zoneNameOf(zones, zone)));
}

export function lossSection(
  title: string,
  rows: readonly (LensRow | WorseRow)[],
  field: LensField,
  asked: MissScope,
  most: number,
): AnswerSection {
  const shown = (value: string) => (field === 'zone' ? zoneNameOf(asked.zones, value) : value);
  return sectionOf(title, rows.slice(0, most), {
    columns: [
      ...(rows.some(({ zone }) => zone !== null) ? [zoneColumn(asked)] : []),
      rest(field.toUpperCase(), ({ value }) => (value === null ? '(others)' : shown(value))),
      shares('HIT', 6, ({ ratioNow }) => ratioNow),
      shares('WAS', 6, ({ ratioBefore }) => ratioBefore),
      figures('MISSES', 8, ({ now }) => now.originRequests),
      figures('EXTRA', 8, ({ extraMisses }) => extraMisses ?? 'new'),
      words('', 7, ({ isFlipped, isWorse }) => (isFlipped ? 'flipped' : isWorse ? 'worse' : '')),
    ],
    row: (row) => ({
      ...(row.value === null ? {} : ledInto(asked, row.zone, 'field' in row ? row.field : field, row.value)),
      tone: row.isFlipped ? 'bad' : row.isWorse ? 'notable' : 'plain',
    }),
    note:
      field === 'page'
        ? `${rows.length === 0 ? 'none; ' : ''}${LENS_IN_WORDS.worse}`
        : rows.length === 0
          ? 'none'
          : 'extra = misses now less those that the ratio before would give',
  });
}

export function explosionSection(lens: MissLens, asked: MissScope): AnswerSection {
  const isOfZone = asked.zones.length > 1;
  return sectionOf('query strings that explode', lens.explosions.slice(0, ROWS_EACH), {
    columns: [
      ...(isOfZone ? [zoneColumn(asked)] : []),
      rest('PAGE', ({ path }) => path),
      figures('DIFFERENT', 10, ({ isAtLeast, distinct }) => `${isAtLeast ? '>=' : ''}${count(distinct)}`),
      figures('REQUESTS', 9, ({ requests }) => requests),
      figures('WERE', 8, ({ distinctBefore }) => distinctBefore),
      words('PARAMETER', 14, ({ parameters }) => parameters[0]?.name ?? '', 70),
    ],
    row: ({ zone, path }) => ({ ...ledInto(asked, isOfZone ? zone : null, 'page', path), tone: 'bad' }),
    note: joined([
      lens.explosionsOf === 'none'
        ? 'query strings were not all counted'
        : lens.explosions.length === 0
          ? 'none'
          : '',
      lens.explosionsOf === 'each source' ? 'those of the store and of the rows read are counted apart' : '',
      LENS_IN_WORDS.explosion,
    ]),
  });
}

export function originSection(lens: MissLens, { query }: MissScope): AnswerSection {
  const parts = [
    { name: 'STALE and UPDATING', share: lens.stale, term: termOfAny('cache', ['STALE', 'UPDATING']) },
    { name: 'answered 5xx', share: lens.errors, term: termOfAny('status', ['5xx']) },
  ];
  return sectionOf('the origin', parts, {
    columns: [
      words('SHARE', 26, ({ name }) => name),
      shares('NOW', 6, ({ share }) => share.now),
      shares('WAS', 6, ({ share }) => share.before),
      words('', 7, ({ share }) => (share.hasRisen ? 'risen' : '')),
    ],
    row: ({ share, term }) => ({
      leads: { subject: 'logs', query: withTerms(query, term) },
      tone: share.hasRisen ? 'bad' : 'plain',
    }),
    note: LENS_IN_WORDS.risen,
  });
}

/** A slice of which nothing was read has no figures, and one that was read in part says how much. */
export function timeSection(lens: MissLens, reading: LogReading): AnswerSection {
  const slices = lens.series.map(({ from, to, sums }, index) => {
    const then = lens.seriesBefore[index] ?? null;
    const [share, shareThen] = [reading.share('now', { from, to }), reading.share('before', then)];
    const [read, readThen] = [share === 0 ? null : sums, shareThen === 0 ? null : then?.sums];
    return { from, share, shareThen, sums: read, sumsThen: readThen };
  });
  const parts = slices.flatMap(({ from, shareThen }) =>
    shareThen > 0 && shareThen < 1
      ? [`${percent(shareThen)} of its time at ${timeOfDay(from, { zone: 'utc' })}`]
      : [],
  );
  return sectionOf('over time', slices, {
    columns: [
      words('FROM', 14, ({ from }) => dayClock(from, 'utc')),
      figures('READ', 8, ({ share }) => (share === 0 ? NOT_READ : percent(share))),
      figures('REQUESTS', 8, ({ sums }) => sums?.requests ?? HATCH),
      figures('HIT', 6, ({ sums }) => (sums ? percent(hitRatios(sums).requests) : HATCH)),
      figures('WAS', 8, ({ sumsThen: then }) => (then ? percent(hitRatios(then).requests) : NOT_READ)),
      figures('BY BYTES', 8, ({ sums }) => (sums ? percent(hitRatios(sums).bytes) : HATCH)),
      figures('STALE', 7, ({ sums }) => sums?.stale ?? HATCH),
      figures('5XX', 7, ({ sums }) => sums?.errors ?? HATCH, 70),
    ],
    row: ({ share }) => (share === 0 ? { tone: 'faint' } : {}),
    note: `${parts.length > 0 ? `WAS is of ${parts.join(', ')}; ` : ''}${LENS_IN_WORDS.hit}`,
  });
}

export function bypassSection({ bypassed }: MissLens, asked: MissScope): AnswerSection {
  return sectionOf('pages that go past the cache', bypassed.slice(0, ROWS_EACH), {
    columns: [
      ...(asked.zones.length > 1 ? [zoneColumn(asked)] : []),
      rest('PAGE', ({ value }) => value ?? '(others)'),
      figures('BYPASS', 8, ({ now }) => now.bypassed),
      figures('WERE', 8, ({ before }) => before.bypassed),
      figures('REQUESTS', 9, ({ now }) => now.requests),
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
