import { count, percent } from '../../../text/units.ts';
import type { Counting } from '../../logs/counts.ts';
import { hitRatios } from '../../logs/sums/traffic.ts';
import type { Query } from '../../query/query.ts';
import { zoneNameOf } from '../../query/zone-terms.ts';
import { equalParts, type TimeRange } from '../../tail/coverage.ts';
import type { PullZone, Zones } from '../../zone.ts';
import { besideRows, CausesBeside } from '../evidence/causes-beside.ts';
import { within } from '../inquiry/answer-section.ts';
import type { AnswerTable } from '../inquiry/answer-table.ts';
import { splitOver } from '../inquiry/asking-order.ts';
import { type Besides, type Inquiry, type Need, type Side, SLICE_ROWS } from '../inquiry/inquiry.ts';
import { LogReading, zoneReads } from '../inquiry/log-reading.ts';
import { hedgeOf, readWords, zonesRead } from '../inquiry/reading-words.ts';
import { LensFollowUp } from './lens-follow-up.ts';
import { LENS_FIELDS } from './lens-tally.ts';
import { createMissLens, type MissLens, type ZoneShare } from './miss-lens.ts';
import {
  bypassSection,
  explosionSection,
  lossSection,
  originSection,
  ROWS_EACH,
  timeSection,
} from './miss-sections.ts';

/** Slices of the series over time, and the usual number of requests for each of the two windows: one falls into every slice. */
const BUCKETS = 8;
/** The fewest requests for each window of all zones. */
const PARTS_LEAST = 3;
const ROWS_FIRST = 10;

/** Values of one field and window that a store tells, of all zones together, and of each no fewer: some megabytes of all. */
const COUNTED_VALUES = 20_000;
const COUNTED_LEAST = 2_000;

type Question = Besides & {
  zones: Zones;
  query: Query;
  now: TimeRange;
  before: TimeRange;
  /** What it is compared with, in words. */
  against: string;
  /** About how many rows a window of all zones has; null where that is not known. */
  rows: number | null;
};

/** What started missing in a window of the CDN logs, against an earlier one. */
export function missInquiry(o: Question): Inquiry {
  const valuesMost = splitOver(COUNTED_VALUES, o.zones.length, COUNTED_LEAST);
  const reading = new LogReading({
    zones: zoneReads(o.zones, o.query, partsFor(o.rows)),
    windows: { now: [o.now], before: [o.before] },
    counted: { until: o.storedUntil, of: (side) => countingOf(o[side], valuesMost) },
  });
  const causes = o.withCauses ? new CausesBeside(o.zones, o.now) : null;
  const { zones: lenses, result } = createMissLens({
    window: o.now,
    baseline: o.before,
    buckets: BUCKETS,
    zones: o.zones.map(({ id }) => id),
  });
  const more = new LensFollowUp();
  const { follow } = reading;
  const ofStore = more.most(reading.needs);
  const shown = () => result(sharesOf(reading));
  const rows: Inquiry = {
    needs: reading.needs,
    ...(follow ? { follow: { most: follow.most + ofStore, ofStore, next } } : {}),
    add(need, met) {
      const lens = need.kind === 'logs' && lenses.get(need.zoneId);
      if (!lens || more.add(need, met, lens)) return;
      if (met.kind === 'counts') lens.addCounts(met.counts, need);
      for (const record of reading.add(need, met)) lens.add(record);
    },
    table: () => {
      const cut = LENS_FIELDS.filter((id) => lenses.values().some((each) => each.isCut(id))).join(', ');
      const coverage = [
        `${count(reading.rows('now') + reading.rows('before'))} rows`,
        ...reading.countedWords,
        ...(cut === '' ? [] : [`of ${cut} the ${count(valuesMost)} largest values of each window`]),
        readWords(reading, 'now', 'this window'),
        readWords(reading, 'before', o.against),
        ...zonesRead(reading),
        ...(causes?.coverage() ?? []),
      ].join(', ');
      return lensTable(shown(), o, reading, { causes, coverage });
    },
    rest: () => reading.rest(),
  };
  return besideRows(rows, causes, () => {
    const { stale, errors } = shown();
    return reading.compared.length > 0 && (stale.hasRisen || errors.hasRisen) ? o.zones : [];
  });

  /** Rows that a store cannot count; then which values one list leaves out, and which parameters differ. */
  function next(): readonly Need[] {
    const uncounted = follow?.next() ?? [];
    return uncounted.length > 0 ? uncounted : more.next(reading.needs, lenses, shown().explosions);
  }
}

/** What a store is asked to count of one window. */
function countingOf(window: TimeRange, most: number): Counting {
  return {
    kind: 'several',
    parts: [
      { of: { kind: 'values', fields: LENS_FIELDS, most, sums: true } },
      { of: { kind: 'steps', fields: [], steps: equalParts(window, BUCKETS), share: 1 } },
      { of: { kind: 'queryStrings', most } },
    ],
  };
}

/** How much of each zone was read, and what its rows count. */
function sharesOf(reading: LogReading): Map<string, ZoneShare> {
  const weights = { now: reading.weights('now').of, before: reading.weights('before').of };
  const shareOf = (zone: PullZone, side: Side) => ({
    covered: reading.covered(side, zone),
    weight: weights[side].get(zone.id) ?? 0,
  });
  return new Map(
    reading.zones.map((zone) => [zone.id, { now: shareOf(zone, 'now'), before: shareOf(zone, 'before') }]),
  );
}

/** A window that a few answers hold is read whole; of one that is larger, or not known, a piece of each slice is. */
function partsFor(rows: number | null): number {
  return rows === null ? BUCKETS : Math.max(PARTS_LEAST, Math.min(BUCKETS, Math.ceil(rows / SLICE_ROWS)));
}

function lensTable(
  lens: MissLens,
  o: Question,
  reading: LogReading,
  { causes, coverage }: { causes: CausesBeside | null; coverage: string },
): AnswerTable {
  const [explosion] = lens.explosions;
  const [worst] = lens.worse;
  const ofZone = (id: string | null) =>
    id === null || o.zones.length < 2 ? '' : ` of ${zoneNameOf(o.zones, id)}`;
  const troubles = [
    causes?.words(o.now) ?? (lens.stale.hasRisen ? 'the origin is in trouble: stale answers rise' : ''),
    explosion ? `query strings explode at ${explosion.path}${ofZone(explosion.zone)}` : '',
    worst ? `most extra misses: ${worst.value ?? 'other paths'}${ofZone(worst.zone)}` : '',
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
  const asked = { query: within(o.query, o.now), zones: o.zones };
  return {
    headline: headlineOf(lens, o, reading, troubles[0]),
    tone: troubles.length > 0 ? 'bad' : isWhole && lens.explosionsOf !== 'none' ? 'good' : 'plain',
    // What has something to tell comes first.
    sections: [
      explosionSection(lens, asked),
      lossSection('pages or shapes that miss more than before', lens.worse, 'page', asked, ROWS_FIRST),
      ...(causes?.sections(o.query, o.now) ?? []),
      originSection(lens, asked),
      timeSection(lens, reading),
      bypassSection(lens, asked),
      ...(['zone', 'host', 'edge', 'status'] as const)
        .filter((field) => field !== 'zone' || o.zones.length > 1 || lens.by.zone.length > 1)
        .map((field) => lossSection(`by ${field}`, lens.by[field], field, asked, ROWS_EACH)),
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
  const nothing = lens.explosionsOf === 'none' ? 'no page' : 'nothing';
  const verdict = trouble ?? `${nothing} misses more than before`;
  return `${hedgeOf(reading)}hit ratio ${percent(now)} now, ${percent(before)} ${title}; ${verdict}`;
}

/** The window of which nothing was read that could be compared; null = there is none. */
function unreadOf(o: Question, reading: LogReading): string | null {
  if (reading.compared.length > 0) return null;
  return reading.share('now') === 0 ? 'this window' : o.against;
}
