import type { LogRecord } from '../../log.ts';
import { matcher } from '../../query/match.ts';
import { splitForServer } from '../../query/push-down.ts';
import type { Query } from '../../query/query.ts';
import { clockSteps, type TimeRange } from '../../tail/coverage.ts';
import type { PullZone } from '../../zone.ts';
import type { LogNeed, Met, Need } from '../inquiry/inquiry.ts';
import { type AnomalyWindow, anomalyWindowsOf } from './anomaly-windows.ts';
import { type Sample, sampleOf } from './samples.ts';

/** All samples are looked at again when this share of them is new: for a thousand it takes longer than a frame. */
const RENEWED = 0.02;

/** What was found when the samples were looked at last, and in how many of them, the oldest first. */
export type Looked = {
  samples: number;
  rows: number;
  found: readonly AnomalyWindow[];
  read: readonly Sample[];
};

const NOTHING: Looked = { samples: 0, rows: 0, found: [], read: [] };

/** Samples of one zone's log over a long window, and what stood out in those that were read. */
export class ZoneSamples {
  readonly zone: PullZone;
  /** The oldest first. */
  readonly needs: readonly LogNeed[];
  /** Whether a row counts. */
  readonly matches: (record: LogRecord) => boolean;
  readonly isFiltered: boolean;
  readonly #samples = new Map<number, Sample>();
  #heard = 0;
  #looked: Looked = NOTHING;

  /** `step`: how long a sample stands for, ms; `rows`: of each. */
  constructor(o: { zone: PullZone; query: Query; range: TimeRange; step: number; rows: number }) {
    const { zone, query, rows } = o;
    const { server: filter } = splitForServer(query, zone);
    this.zone = zone;
    this.matches = matcher(query, zone.anonymisation);
    this.isFiltered = query.terms.length > 0;
    this.needs = clockSteps(o.range, o.step).map((range) => ({
      kind: 'logs',
      side: 'now',
      zoneId: zone.id,
      range,
      filter,
      rows,
    }));
  }

  add(need: Need, met: Met): void {
    this.#heard++;
    if (need.kind !== 'logs' || met.kind !== 'logs') return;
    const { records, hasMore, gone } = met;
    const range = { from: gone?.to ?? need.range.from, to: need.range.to };
    const readTo = hasMore ? (records.at(-1)?.timestamp ?? range.from) : range.to;
    this.#samples.set(need.range.from, sampleOf(range, readTo, records.filter(this.matches)));
  }

  get looked(): Looked {
    const more = this.#samples.size - this.#looked.samples;
    // After the first round, whatever failed in it, each sample that comes is the last for all that is known.
    const isDue = more >= this.#samples.size * RENEWED || this.#heard >= this.needs.length;
    if (more > 0 && isDue) {
      const read = [...this.#samples.values()].toSorted((a, b) => a.from - b.from);
      const rows = read.reduce((sum, sample) => sum + sample.rows, 0);
      this.#looked = { samples: read.length, rows, found: anomalyWindowsOf(read, this.isFiltered), read };
    }
    return this.#looked;
  }

  /** Samples that were answered. */
  get answered(): number {
    return this.#samples.size;
  }

  rest(): LogNeed[] {
    return this.needs.filter(({ range }) => !this.#samples.has(range.from));
  }
}
