import { SampledRows } from '../deviation/sampled-rows.ts';
import type { Side } from '../differing.ts';
import type { LogRecord } from '../log.ts';
import { matcher } from '../query/match.ts';
import { splitForServer } from '../query/push-down.ts';
import type { Query } from '../query/query.ts';
import type { TimeRange } from '../tail/coverage.ts';
import type { PullZone } from '../zone.ts';
import { type LogNeed, type Met, type Need, partOf, type Reading } from './inquiry.ts';

/** Samples of one zone's log being read: the first rows of times, once each. What the detector judges is taken from rows here alone. */
export class SampleReading implements Reading {
  readonly zone: PullZone;
  readonly rows = new SampledRows();
  /** Whether a row counts. */
  readonly matches: (record: LogRecord) => boolean;
  readonly #needs: LogNeed[] = [];
  readonly #read = new Set<Need>();
  readonly #chosen = new Set<Need>();
  readonly #about: Pick<LogNeed, 'kind' | 'zoneId' | 'filter' | 'rows'>;

  /** `most`: rows of a sample. */
  constructor(zone: PullZone, query: Query, most: number) {
    this.zone = zone;
    this.matches = matcher(query.terms, zone.anonymisation);
    this.#about = { kind: 'logs', zoneId: zone.id, filter: splitForServer(query, zone).server, rows: most };
  }

  /** More times, each a request. */
  of(times: readonly TimeRange[], side: Side = 'now'): readonly LogNeed[] {
    const needs = times.map((range) => ({ ...this.#about, side, range }));
    this.#needs.push(...needs);
    return needs;
  }

  /** The same, chosen by what was found so far: they say when it was, and not how often it is. */
  chosen(times: readonly TimeRange[], side: Side = 'now'): readonly LogNeed[] {
    const needs = this.of(times, side);
    for (const need of needs) this.#chosen.add(need);
    return needs;
  }

  get needs(): readonly LogNeed[] {
    return this.#needs;
  }

  /** How many of them were answered, and whether all were. */
  get answered(): number {
    return this.#read.size;
  }

  get isRead(): boolean {
    return this.#read.size === this.#needs.length;
  }

  add(need: Need, met: Met): void {
    if (need.kind !== 'logs' || met.kind !== 'logs' || need.zoneId !== this.zone.id || this.#read.has(need))
      return;
    this.#read.add(need);
    const { records, covered } = partOf(need.range, met);
    // Of rows in no order nobody knows which are missing: they are no sample.
    const from = covered[0]?.from ?? need.range.from;
    const own = records.filter((record) => record.raw === null && this.matches(record));
    const times = { from, to: need.range.to, readTo: covered.at(-1)?.to ?? from };
    this.rows.add({ side: need.side, isChosen: this.#chosen.has(need), ...times }, own);
  }

  has(need: Need): boolean {
    return this.#read.has(need);
  }

  rest(): readonly LogNeed[] {
    return this.#needs.filter((need) => !this.#read.has(need));
  }
}

/** Whether a row counts in the samples of its zone. */
export function matchesAny(samples: readonly SampleReading[]): (record: LogRecord) => boolean {
  const byZone = new Map(samples.map((each) => [each.zone.id, each]));
  return (record) => byZone.get(record.pullZoneId ?? '')?.matches(record) ?? false;
}
