import {
  type ClientTimeline,
  canonicalId,
  clientTimelineOf,
  eventsOf,
  requestsElsewhere,
  requestsOf,
  SAME_REQUEST_SECONDS,
  type Sighting,
  sightingOfRecord,
} from '../clients/client-identity.ts';
import type { LogRecord } from '../log.ts';
import { EMPTY_QUERY, type Query } from '../query/query.ts';
import { termForValue } from '../query/terms.ts';
import { rangeOf } from '../shield/shield-window.ts';
import type { TimeRange } from '../tail/coverage.ts';
import type { PullZone, Zones } from '../zone.ts';
import { EventReading } from './event-reading.ts';
import type { LogNeed, Met, Need, Reading } from './inquiry.ts';
import { LogReading, zoneReads } from './log-reading.ts';

/** A line to turn at: that of the first zone, whose Shield is asked, too; of the others the CDN logs are asked for its client. */
export type Pivot = {
  zones: Zones;
  shieldZoneId: string | null | undefined;
  /** Unix ms. */
  now: number;
  subject: Sighting;
};

/**
 * What both logs say of one client around one line of either, being read: the same request by its id, and what lies within a minute of it
 * by what the zones keep of addresses.
 */
export class ClientReading implements Reading {
  /** What was asked last; null: nothing tells who it was, or nothing keeps it. */
  readonly query: Query | null;
  /** Zones that are not asked: they keep no log, or nothing of addresses to ask by. */
  readonly silent: readonly PullZone[];
  readonly #o: Pivot;
  readonly #logs: readonly LogReading[];
  readonly #events: EventReading | null;
  /** A row that two questions find counts once, where it has an id; of each question a moment is told once. */
  readonly #records = new Map<unknown, LogRecord>();

  constructor(o: Pivot) {
    this.#o = o;
    const { zones, shieldZoneId, subject, now } = o;
    const { anonymisation } = zones[0];
    const logs = zones.flatMap((zone) => {
      if (!zone.logging) return [];
      const queries =
        zone === zones[0]
          ? requestsOf(subject, anonymisation, now)
          : requestsElsewhere(subject, anonymisation, zone.anonymisation, now);
      return queries.map((query) => ({ query, zone }));
    });
    const [events] = shieldZoneId ? eventsOf(subject, anonymisation, now) : [];
    this.query = events ?? logs.at(-1)?.query ?? null;
    this.silent = zones.slice(1).filter((each) => !logs.some(({ zone }) => zone === each));
    this.#logs = logs.map(({ query, zone }) => readingOf(zone, query, rangeOf(query.window, now)));
    // One page tells of the minute; of more than that the timeline is cut.
    this.#events =
      shieldZoneId && events
        ? new EventReading({ shieldZoneId, range: rangeOf(events.window, now), query: events, most: 1 })
        : null;
  }

  get needs(): readonly Need[] {
    return this.#readings.flatMap(({ needs }) => needs);
  }

  add(need: Need, met: Met): void {
    for (const reading of this.#logs)
      for (const record of reading.add(need, met)) this.#records.set(record.requestId || record, record);
    this.#events?.add(need, met);
  }

  rest(): readonly Need[] {
    return this.#readings.flatMap((reading) => reading.rest());
  }

  /** How many of its questions were read to their end, of how many, and whether one of those holds more than came. */
  get progress(): { read: number; of: number; isCut: boolean } {
    const all = this.#readings;
    const read = all.filter((each) => each.rest().length === 0);
    return { read: read.length, of: all.length, isCut: read.some((each) => !each.isWhole) };
  }

  timeline(): ClientTimeline {
    const { zones, subject } = this.#o;
    const kept = new Map(zones.map(({ id, anonymisation }) => [id, anonymisation]));
    const own = zones[0].anonymisation;
    const keptOf = ({ pullZoneId }: LogRecord) => kept.get(pullZoneId ?? '') ?? own;
    const records = [...this.#records.values()];
    return clientTimelineOf(subject, this.#events?.events ?? [], records, own, keptOf);
  }

  get #readings(): readonly (Reading & { isWhole: boolean })[] {
    return [...this.#logs, ...(this.#events ? [this.#events] : [])];
  }
}

/** A request being looked up in the CDN log by its id, 32 hex digits. */
export class RequestLookup implements Reading {
  /** What its row tells; null: it was not found yet. */
  found: Sighting | null = null;
  readonly #id: string;
  readonly #reading: LogReading;

  constructor({ zones, now }: Pick<Pivot, 'zones' | 'now'>, id: string, range: TimeRange) {
    const term = termForValue('logs', 'id', id, false);
    const query = { ...EMPTY_QUERY, terms: term === null ? [] : [term] };
    this.#id = id;
    this.#reading = readingOf(zones[0], query, searched(range, now));
  }

  get needs(): readonly LogNeed[] {
    return this.#reading.needs;
  }

  add(need: Need, met: Met): void {
    const records = this.#reading.add(need, met);
    const record = records.find(({ requestId }) => canonicalId(requestId) === this.#id);
    if (record !== undefined) this.found ??= sightingOfRecord(record);
  }

  rest(): readonly LogNeed[] {
    return this.#reading.rest();
  }
}

function readingOf(zone: PullZone, query: Query, range: TimeRange): LogReading {
  return new LogReading({ zones: zoneReads([zone], query, 1), windows: { now: [range] } });
}

/** A moment is searched around, because the two logs may date one request differently. */
function searched(range: TimeRange, now: number): TimeRange {
  const slack = SAME_REQUEST_SECONDS * 1000;
  if (range.to - range.from >= slack) return range;
  return { from: range.from - slack, to: Math.max(range.to, Math.min(now, range.to + slack)) };
}
