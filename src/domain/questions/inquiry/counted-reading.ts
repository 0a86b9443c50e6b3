import type { LogRecord } from '../../log.ts';
import { createRowCounter, type RowTally } from '../../logs/counted/count-rows.ts';
import { joinedCounts } from '../../logs/counted/join-counts.ts';
import type { Counting, Counts } from '../../logs/counts.ts';
import type { PullZone } from '../../zone.ts';
import type { LogNeed, Met, Need, Side } from './inquiry.ts';
import { LogReading, type Windows, type ZoneRead } from './log-reading.ts';

/** What somebody counted for a need. */
export type CountedNeed = { need: LogNeed; counts: Counts };

/**
 * A reading of which a question gets counts and their coverage, and no row: what a store counts and what is counted here of the
 * rows that are read are the same to it.
 */
export class CountedReading {
  /** What is covered by the counts. */
  readonly reading: LogReading;
  readonly #of: (side: Side) => Counting;
  readonly #zones: ReadonlyMap<string, ZoneRead>;
  /** By side and zone. */
  readonly #counters = new Map<string, RowTally>();
  readonly #counted: CountedNeed[] = [];

  /** `until`: up to when a store has the rows, and counts them; undefined = there is none. */
  constructor(o: {
    zones: readonly ZoneRead[];
    windows: Windows;
    until: number | undefined;
    of: (side: Side) => Counting;
  }) {
    this.#of = o.of;
    this.#zones = new Map(o.zones.map((zone) => [zone.zone.id, zone]));
    // Which rows count is decided where they are counted.
    const zones = o.zones.map((zone) => ({ ...zone, matches: () => true }));
    this.reading = new LogReading({ zones, windows: o.windows, counted: { until: o.until, of: o.of } });
  }

  get needs(): readonly LogNeed[] {
    return this.reading.needs;
  }

  rest(): LogNeed[] {
    return this.reading.rest();
  }

  /** The rows that were counted, for what Shield events alone say of them. */
  add(need: Need, met: Met): readonly LogRecord[] {
    const records = this.reading.add(need, met);
    if (need.kind !== 'logs') return records;
    if (met.kind === 'counts') this.#counted.push({ need, counts: met.counts });
    const counter = records.length > 0 ? this.#counterOf(need) : null;
    for (const record of records) counter?.add(record);
    return records;
  }

  /** What is known of a zone's window; null: nothing was read of it. */
  counts(side: Side, { id }: Pick<PullZone, 'id'>): Counts | null {
    return joinedCounts([...this.counted(id, side).map(({ counts }) => counts), ...this.#here(side, id)]);
  }

  /** The lots that somebody else counted of a zone. */
  counted(zoneId: string, side: Side): readonly CountedNeed[] {
    return this.#counted.filter(({ need }) => need.zoneId === zoneId && need.side === side);
  }

  /** What was counted here of a zone's window. */
  here(side: Side, zoneId: string): RowTally | null {
    return this.#counters.get(`${side} ${zoneId}`) ?? null;
  }

  /** Other counts in the place of those for a need. */
  replace(need: LogNeed, counts: Counts): void {
    const found = this.#counted.find((each) => each.need === need);
    if (found) found.counts = counts;
  }

  #here(side: Side, zoneId: string): Counts[] {
    const counts = this.here(side, zoneId)?.counts();
    return counts ? [counts] : [];
  }

  #counterOf({ side, zoneId }: LogNeed): RowTally {
    const key = `${side} ${zoneId}`;
    const known = this.#counters.get(key);
    if (known !== undefined) return known;
    const read = this.#zones.get(zoneId);
    const counter = createRowCounter({
      terms: read?.terms ?? [],
      anonymisation: read?.zone.anonymisation ?? 'none',
      of: this.#of(side),
    });
    this.#counters.set(key, counter);
    return counter;
  }
}
