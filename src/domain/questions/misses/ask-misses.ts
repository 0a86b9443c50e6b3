import { count, percent } from '../../../text/units.ts';
import { hitRatios } from '../../logs/sums/traffic.ts';
import { matcher } from '../../query/match.ts';
import { splitForServer } from '../../query/push-down.ts';
import type { Query } from '../../query/query.ts';
import type { TimeRange } from '../../tail/coverage.ts';
import type { PullZone } from '../../zone.ts';
import { type AnswerTable, within } from '../inquiry/answer-table.ts';
import { type Inquiry, SLICE_ROWS } from '../inquiry/inquiry.ts';
import { LogReading } from '../inquiry/log-reading.ts';
import { createMissLens, type MissLens } from './miss-lens.ts';
import {
  bypassSection,
  explosionSection,
  lossSection,
  originSection,
  ROWS_EACH,
  timeSection,
} from './miss-sections.ts';

/** Slices of the series over time, and the most requests for each of the two windows: one falls into every slice. */
const BUCKETS = 8;
/** The fewest requests for each window. */
const PARTS_LEAST = 3;
const ROWS_FIRST = 10;

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
  const asked = within(o.query, o.now);
  return {
    headline: headlineOf(lens, o, reading, troubles[0]),
    tone: troubles.length > 0 ? 'bad' : isWhole ? 'good' : 'plain',
    // What has something to tell comes first.
    sections: [
      explosionSection(lens, asked),
      lossSection('pages that miss more than before', lens.worse, 'page', asked, ROWS_FIRST),
      originSection(lens, asked),
      timeSection(lens, reading),
      bypassSection(lens, asked),
      ...(['host', 'edge', 'status'] as const).map((field) =>
        lossSection(`by ${field}`, lens.by[field], field, asked, ROWS_EACH),
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
