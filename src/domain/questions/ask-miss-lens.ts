import { clock, count, dayClock, percent } from '../../text/units.ts';
import { hitRatios } from '../logs/cache-sums.ts';
import { matcher } from '../query/match.ts';
import { splitForServer } from '../query/push-down.ts';
import type { Query, Term } from '../query/query.ts';
import { termForValue } from '../query/terms.ts';
import type { TimeRange } from '../tail/coverage.ts';
import type { PullZone } from '../zone.ts';
import type { AnswerColumn, AnswerRow, AnswerSection, AnswerTable } from './answer-table.ts';
import { type Inquiry, SLICE_ROWS } from './inquiry.ts';
import { LogReading } from './log-reading.ts';
import {
  createMissLens,
  LENS_IN_WORDS,
  type LensDimension,
  type LensRow,
  type LensShare,
  type MissLens,
} from './miss-lens.ts';

/** Slices of the series over time, and the most requests for each of the two windows: one falls into every slice. */
const BUCKETS = 8;
/** The fewest requests for each window. */
const PARTS_LEAST = 3;
const ROWS_EACH = 6;
const ROWS_FIRST = 10;

/** The query field that a dimension of the lens is. */
const FIELDS = {
  host: 'host',
  path: 'page',
  edge: 'edge',
  status: 'status',
} as const satisfies Record<LensDimension, string>;

const NOT_READ = 'not read';

const RATIOS: readonly AnswerColumn[] = [
  { title: 'HIT', cells: 6, align: 'right' },
  { title: 'WAS', cells: 6, align: 'right' },
  { title: 'MISSES', cells: 8, align: 'right' },
  { title: 'EXTRA', cells: 8, align: 'right' },
];

type Question = {
  zone: PullZone;
  query: Query;
  now: TimeRange;
  before: TimeRange;
  /** What it is compared with, in words. */
  against: string;
  /** About how many rows a window has; null where that is not known. */
  rows: number | null;
};

/** What started missing in a window of the CDN log, against an earlier one. */
export function missInquiry(o: Question): Inquiry {
  const reading = new LogReading({
    zoneId: o.zone.id,
    filter: splitForServer(o.query, o.zone).server,
    windows: { now: o.now, before: o.before },
    parts: partsFor(o.rows),
  });
  const matches = matcher(o.query, o.zone.anonymisation);
  const lens = createMissLens({ window: o.now, baseline: o.before, buckets: BUCKETS });
  return {
    needs: reading.needs,
    add(need, met) {
      for (const record of reading.add(need, met)) if (matches(record)) lens.add(record);
    },
    table: () => {
      const covered = { now: reading.covered('now'), before: reading.covered('before') };
      const coverage = [
        `${count(reading.rows('now') + reading.rows('before'))} rows`,
        reading.words('now', 'this window'),
        reading.words('before', o.against),
      ].join(', ');
      return lensTable(lens.result(covered), o, reading, coverage);
    },
    rest: () => reading.rest(),
  };
}

/** A window that a few answers hold is read whole; of one that is larger, or not known, a piece of each slice is. */
function partsFor(rows: number | null): number {
  return rows === null ? BUCKETS : Math.max(PARTS_LEAST, Math.min(BUCKETS, Math.ceil(rows / SLICE_ROWS)));
}

function lensTable(lens: MissLens, o: Question, reading: LogReading, coverage: string): AnswerTable {
  const [explosion] = lens.explosions;
  const [worst] = lens.worse;
  const troubles = [
    lens.stale.hasRisen ? 'the origin is in trouble: stale answers rise' : '',
    explosion ? `query strings explode at ${explosion.path}` : '',
    worst ? `most extra misses: ${worst.value ?? 'other paths'}` : '',
  ].filter((text) => text !== '');
  const isWhole = reading.shareOfAll >= 1;
  // With one of the windows unread nothing is worse or new.
  if (unreadOf(o, reading) !== null) {
    return {
      headline: headlineOf(lens, o, reading, undefined),
      tone: 'plain',
      sections: [timeSection(lens, reading)],
      coverage,
    };
  }
  return {
    headline: headlineOf(lens, o, reading, troubles[0]),
    tone: troubles.length > 0 ? 'bad' : isWhole ? 'good' : 'plain',
    // What has something to tell comes first.
    sections: [
      explosionSection(lens, o),
      lossSection('pages that miss more than before', lens.worse, 'path', o, ROWS_FIRST),
      originSection(lens, o),
      timeSection(lens, reading),
      bypassSection(lens, o),
      ...(['host', 'edge', 'status'] as const).map((dimension) =>
        lossSection(`by ${dimension}`, lens.by[dimension], dimension, o, ROWS_EACH),
      ),
    ].toSorted((a, b) => Number(a.rows.length === 0) - Number(b.rows.length === 0)),
    coverage,
  };
}

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
  const verdict = trouble ?? 'nothing misses more than before';
  return `${reading.hedge}hit ratio ${percent(now)} now, ${percent(before)} ${title}; ${verdict}`;
}

/** The window of which nothing was read; null = there is none. */
function unreadOf(o: Question, reading: LogReading): string | null {
  if (reading.covered('now') === 0) return 'this window';
  return reading.covered('before') === 0 ? o.against : null;
}

function lossSection(
  title: string,
  rows: readonly LensRow[],
  dimension: LensDimension,
  o: Question,
  most: number,
): AnswerSection {
  return {
    title,
    columns: [{ title: dimension.toUpperCase(), cells: 'rest' }, ...RATIOS, { title: '', cells: 7 }],
    rows: rows.slice(0, most).map((row) => ({
      ...ledBy(row.value, dimension, o),
      cells: [
        row.value ?? '(others)',
        percent(row.ratioNow),
        percent(row.ratioBefore),
        count(row.now.originRequests),
        row.extraMisses === null ? 'new' : count(row.extraMisses),
        row.isFlipped ? 'flipped' : row.isWorse ? 'worse' : '',
      ],
      tone: row.isFlipped ? 'bad' : row.isWorse ? 'notable' : 'plain',
    })),
    note:
      dimension === 'path'
        ? `${rows.length === 0 ? 'none; ' : ''}${LENS_IN_WORDS.worse}`
        : rows.length === 0
          ? 'none'
          : 'extra = misses now less those that the ratio before would give',
  };
}

function explosionSection(lens: MissLens, o: Question): AnswerSection {
  return {
    title: 'query strings that explode',
    columns: [
      { title: 'PAGE', cells: 'rest' },
      { title: 'DIFFERENT', cells: 10, align: 'right' },
      { title: 'REQUESTS', cells: 9, align: 'right' },
      { title: 'WERE', cells: 8, align: 'right' },
      { title: 'PARAMETER', cells: 14, from: 70 },
    ],
    rows: lens.explosions.slice(0, ROWS_EACH).map((found) => ({
      ...ledBy(found.path, 'path', o),
      cells: [
        found.path,
        `${found.isAtLeast ? '>=' : ''}${count(found.distinct)}`,
        count(found.requests),
        found.before === null ? '-' : count(found.before.distinct),
        found.parameters[0]?.name ?? '',
      ],
      tone: 'bad',
    })),
    note: `${lens.explosions.length === 0 ? 'none; ' : ''}${LENS_IN_WORDS.explosion}`,
  };
}

function originSection(lens: MissLens, o: Question): AnswerSection {
  const row = (name: string, share: LensShare, term: Term): AnswerRow => ({
    ...rowsWith(term, o),
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
function timeSection(lens: MissLens, reading: LogReading): AnswerSection {
  const parts = lens.series.flatMap(({ from }, index) => {
    const share = reading.share('before', lens.seriesBefore[index] ?? null);
    return share > 0 && share < 1 ? [`${percent(share)} of its time at ${clock(from, { zone: 'utc' })}`] : [];
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
      const was =
        then === undefined
          ? '-'
          : reading.share('before', then) === 0
            ? NOT_READ
            : percent(hitRatios(then.sums).requests);
      const share = reading.share('now', { from, to });
      const time = dayClock(from, 'utc');
      if (share === 0) return { cells: [time, NOT_READ, '', '', was, '', '', ''], tone: 'faint' };
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

function bypassSection(lens: MissLens, o: Question): AnswerSection {
  return {
    title: 'pages that go past the cache',
    columns: [
      { title: 'PAGE', cells: 'rest' },
      { title: 'BYPASS', cells: 8, align: 'right' },
      { title: 'WERE', cells: 8, align: 'right' },
      { title: 'REQUESTS', cells: 9, align: 'right' },
    ],
    rows: lens.bypassed.slice(0, ROWS_EACH).map((row) => ({
      ...ledBy(row.value, 'path', o),
      cells: [
        row.value ?? '(others)',
        count(row.now.bypassed),
        count(row.before.bypassed),
        count(row.now.requests),
      ],
    })),
    ...(lens.bypassed.length === 0 ? { note: 'none' } : {}),
  };
}

/** The rows of a value, and the value for further questions. */
function ledBy(value: string | null, dimension: LensDimension, o: Question): Partial<AnswerRow> {
  const field = FIELDS[dimension];
  const term = value === null ? null : termForValue('logs', field, value, false);
  if (value === null || term === null) return {};
  return { ...rowsWith(term, o), value: { field, value } };
}

/** The rows of this window with a term. */
function rowsWith(term: Term, { query: { terms }, now }: Question): Pick<AnswerRow, 'leads'> {
  const query: Query = { terms: [...terms, term], window: { kind: 'absolute', ...now }, groupBy: [] };
  return { leads: { subject: 'logs', query } };
}

function eitherOf(field: string, values: readonly string[]): Term {
  return { kind: 'field', field, op: 'eq', values, negated: false };
}
