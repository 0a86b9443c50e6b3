import { count, dayClock, percent, timeOfDay } from '../../../text/units.ts';
import { hitRatios } from '../../logs/sums/traffic.ts';
import type { Query, Term } from '../../query/query.ts';
import { termForValue } from '../../query/terms.ts';
import { zoneNameOf } from '../../query/zone-terms.ts';
import type { Zones } from '../../zone.ts';
import { type AnswerColumn, type AnswerRow, type AnswerSection, ledBy } from '../inquiry/answer-table.ts';
import type { LogReading } from '../inquiry/log-reading.ts';
import type { LensRow, WorseRow } from './lens-row.ts';
import type { LensField } from './lens-tally.ts';
import { LENS_IN_WORDS, type LensShare, type MissLens } from './miss-lens.ts';

export const ROWS_EACH = 6;

/** A time of which nothing was read, and its figures: hatched, so that they are no nought. */
const NOT_READ = 'not read';
const HATCH = '////';

const RATIOS: readonly AnswerColumn[] = [
  { title: 'HIT', cells: 6, align: 'right' },
  { title: 'WAS', cells: 6, align: 'right' },
  { title: 'MISSES', cells: 8, align: 'right' },
  { title: 'EXTRA', cells: 8, align: 'right' },
];

/** What the rows of a section lead into: a query, asked of these zones. */
export type Asked = { query: Query; zones: Zones };

/** Of several zones each row says which one it is of. */
const ZONE: AnswerColumn = { title: 'ZONE', cells: 14 };

export function lossSection(
  title: string,
  rows: readonly (LensRow | WorseRow)[],
  field: LensField,
  asked: Asked,
  most: number,
): AnswerSection {
  const isOfZone = rows.some(({ zone }) => zone !== null);
  const shown = (value: string) => (field === 'zone' ? zoneNameOf(asked.zones, value) : value);
  return {
    title,
    columns: [
      ...(isOfZone ? [ZONE] : []),
      { title: field.toUpperCase(), cells: 'rest' },
      ...RATIOS,
      { title: '', cells: 7 },
    ],
    rows: rows.slice(0, most).map((row) => ({
      ...(row.value === null
        ? {}
        : ledBy('logs', ofZone(asked, row.zone), 'field' in row ? row.field : field, row.value)),
      cells: [
        ...(isOfZone ? [zoneCell(asked, row.zone)] : []),
        row.value === null ? '(others)' : shown(row.value),
        percent(row.ratioNow),
        percent(row.ratioBefore),
        count(row.now.originRequests),
        row.extraMisses === null ? 'new' : count(row.extraMisses),
        row.isFlipped ? 'flipped' : row.isWorse ? 'worse' : '',
      ],
      tone: row.isFlipped ? 'bad' : row.isWorse ? 'notable' : 'plain',
    })),
    note:
      field === 'page'
        ? `${rows.length === 0 ? 'none; ' : ''}${LENS_IN_WORDS.worse}`
        : rows.length === 0
          ? 'none'
          : 'extra = misses now less those that the ratio before would give',
  };
}

export function explosionSection(lens: MissLens, asked: Asked): AnswerSection {
  const isOfZone = asked.zones.length > 1;
  return {
    title: 'query strings that explode',
    columns: [
      ...(isOfZone ? [ZONE] : []),
      { title: 'PAGE', cells: 'rest' },
      { title: 'DIFFERENT', cells: 10, align: 'right' },
      { title: 'REQUESTS', cells: 9, align: 'right' },
      { title: 'WERE', cells: 8, align: 'right' },
      { title: 'PARAMETER', cells: 14, from: 70 },
    ],
    rows: lens.explosions.slice(0, ROWS_EACH).map((found) => ({
      ...ledBy('logs', ofZone(asked, isOfZone ? found.zone : null), 'page', found.path),
      cells: [
        ...(isOfZone ? [zoneCell(asked, found.zone)] : []),
        found.path,
        `${found.isAtLeast ? '>=' : ''}${count(found.distinct)}`,
        count(found.requests),
        count(found.distinctBefore),
        found.parameters[0]?.name ?? '',
      ],
      tone: 'bad',
    })),
    note: [
      lens.explosionsOf === 'none'
        ? 'query strings were not all counted'
        : lens.explosions.length === 0
          ? 'none'
          : '',
      lens.explosionsOf === 'each source' ? 'those of the store and of the rows read are counted apart' : '',
      LENS_IN_WORDS.explosion,
    ]
      .filter((words) => words !== '')
      .join('; '),
  };
}

export function originSection(lens: MissLens, { query: asked }: Asked): AnswerSection {
  const row = (name: string, share: LensShare, term: Term): AnswerRow => ({
    leads: { subject: 'logs', query: { ...asked, terms: [...asked.terms, term] } },
    cells: [name, percent(share.now), percent(share.before), share.hasRisen ? 'risen' : ''],
    tone: share.hasRisen ? 'bad' : 'plain',
  });
  return {
    title: 'the origin',
    columns: [
      { title: 'SHARE', cells: 26 },
      { title: 'NOW', cells: 6, align: 'right' },
      { title: 'WAS', cells: 6, align: 'right' },
      { title: '', cells: 7 },
    ],
    rows: [
      row('STALE and UPDATING', lens.stale, eitherOf('cache', ['STALE', 'UPDATING'])),
      row('answered 5xx', lens.errors, eitherOf('status', ['5xx'])),
    ],
    note: LENS_IN_WORDS.risen,
  };
}

/** A slice of which nothing was read has no figures, and one that was read in part says how much. */
export function timeSection(lens: MissLens, reading: LogReading): AnswerSection {
  const parts = lens.series.flatMap(({ from }, index) => {
    const share = reading.share('before', lens.seriesBefore[index] ?? null);
    return share > 0 && share < 1
      ? [`${percent(share)} of its time at ${timeOfDay(from, { zone: 'utc' })}`]
      : [];
  });
  return {
    title: 'over time',
    columns: [
      { title: 'FROM', cells: 14 },
      { title: 'READ', cells: 8, align: 'right' },
      { title: 'REQUESTS', cells: 8, align: 'right' },
      { title: 'HIT', cells: 6, align: 'right' },
      { title: 'WAS', cells: 8, align: 'right' },
      { title: 'BY BYTES', cells: 8, align: 'right' },
      { title: 'STALE', cells: 7, align: 'right' },
      { title: '5XX', cells: 7, align: 'right', from: 70 },
    ],
    rows: lens.series.map(({ from, to, sums }, index): AnswerRow => {
      const then = lens.seriesBefore[index];
      const isThenRead = then && reading.share('before', then) > 0;
      const was = isThenRead ? percent(hitRatios(then.sums).requests) : NOT_READ;
      const share = reading.share('now', { from, to });
      const time = dayClock(from, 'utc');
      if (share === 0) {
        return { cells: [time, NOT_READ, HATCH, HATCH, was, HATCH, HATCH, HATCH], tone: 'faint' };
      }
      return {
        cells: [
          time,
          percent(share),
          count(sums.requests),
          percent(hitRatios(sums).requests),
          was,
          percent(hitRatios(sums).bytes),
          count(sums.stale),
          count(sums.errors),
        ],
      };
    }),
    note: `${parts.length > 0 ? `WAS is of ${parts.join(', ')}; ` : ''}${LENS_IN_WORDS.hit}`,
  };
}

export function bypassSection(lens: MissLens, asked: Asked): AnswerSection {
  const isOfZone = asked.zones.length > 1;
  return {
    title: 'pages that go past the cache',
    columns: [
      ...(isOfZone ? [ZONE] : []),
      { title: 'PAGE', cells: 'rest' },
      { title: 'BYPASS', cells: 8, align: 'right' },
      { title: 'WERE', cells: 8, align: 'right' },
      { title: 'REQUESTS', cells: 9, align: 'right' },
    ],
    rows: lens.bypassed.slice(0, ROWS_EACH).map((row) => ({
      ...(row.value === null ? {} : ledBy('logs', ofZone(asked, row.zone), 'page', row.value)),
      cells: [
        ...(isOfZone ? [zoneCell(asked, row.zone)] : []),
        row.value ?? '(others)',
        count(row.now.bypassed),
        count(row.before.bypassed),
        count(row.now.requests),
      ],
    })),
    ...(lens.bypassed.length === 0 ? { note: 'none' } : {}),
  };
}

function ofZone({ query }: Asked, zone: string | null): Query {
  const term = zone === null ? null : termForValue('logs', 'zone', zone, false);
  return term ? { ...query, terms: [...query.terms, term] } : query;
}

function zoneCell({ zones }: Asked, zone: string | null): string {
  return zone === null ? '' : zoneNameOf(zones, zone);
}

function eitherOf(field: string, values: readonly string[]): Term {
  return { kind: 'field', field, op: 'eq', values, negated: false };
}
