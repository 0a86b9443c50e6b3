import type { LogRecord } from '../../log.ts';
import { matcher } from '../../query/match.ts';
import { splitForServer } from '../../query/push-down.ts';
import type { Query } from '../../query/query.ts';
import { clockSteps, type TimeRange } from '../../tail/coverage.ts';
import type { PullZone } from '../../zone.ts';
import type { LogNeed, Met, Need } from '../inquiry/inquiry.ts';
import { type AnomalyWindow, anomalyWindowsOf } from './anomaly-windows.ts';
import { CountedSamples } from './counted-samples.ts';
import { partRead, type Sample, sampleOf } from './samples.ts';

/** All samples are looked at again when this share of them is new: for a thousand it takes longer than a frame. */
const RENEWED = 0.02;

/** What was found when the samples were looked at last, and in which of them, the oldest first. */
type Looked = { found: readonly AnomalyWindow[]; read: readonly Sample[] };

const NOTHING: Looked = { found: [], read: [] };

/** Samples of one zone's log over a long window, and what stood out in those that were read. */
export class ZoneSamples {
  readonly zone: PullZone;
  /** The oldest first; one for all times whose rows a store counts. */
  readonly needs: readonly LogNeed[];
  /** How many samples there can be. */
  readonly wanted: number;
  /** Whether a row counts. */
  readonly matches: (record: LogRecord) => boolean;
  readonly isFiltered: boolean;
  readonly counted: CountedSamples | null;
  readonly #samples = new Map<number, Sample>();
  readonly #newer: readonly LogNeed[];
  #older: readonly LogNeed[] = [];
  #heard = 0;
  #looked: Looked = NOTHING;

  /** `step`: how long a sample stands for, ms; `rows`: of each; `storedUntil`: up to when a store counts rows, Unix ms. */
  constructor(o: {
    zone: PullZone;
    query: Query;
    range: TimeRange;
    step: number;
    rows: number;
    storedUntil?: number | undefined;
  }) {
    const { zone, query, rows, range, step, storedUntil: until = Number.NEGATIVE_INFINITY } = o;
    const { server: filter } = splitForServer(query, zone);
    const needOf = (range: TimeRange): LogNeed => ({
      ...({ kind: 'logs', side: 'now', zoneId: zone.id } as const),
      range,
      filter,
      rows,
    });
    this.zone = zone;
    this.matches = matcher(query, zone.anonymisation);
    this.isFiltered = query.terms.length > 0;
    this.#newer = stepsWithin({ from: Math.max(range.from, until), to: range.to }, step).map(needOf);
    const older = stepsWithin({ from: range.from, to: Math.min(range.to, until) }, step).map(needOf);
    this.counted = older.length === 0 ? null : new CountedSamples(older, step, query.terms, zone);
    this.needs = [...(this.counted === null ? [] : [this.counted.need]), ...this.#newer];
    this.wanted = older.length + this.#newer.length;
  }

  add(need: Need, met: Met): void {
    this.#heard++;
    if (need.kind !== 'logs') return;
    if (need.counts !== undefined) this.#addCounts(met);
    else if (met.kind === 'logs') {
      const { records, span, ...range } = partRead(need.range, met, this.matches);
      this.#samples.set(need.range.from, sampleOf(range, span, records));
    }
  }

  #addCounts(met: Met): void {
    const { counted } = this;
    if (counted === null) return;
    if (met.kind === 'uncounted' && counted.isOpen) this.#older = counted.steps;
    counted.add(met);
    for (const [from, sample] of counted.samples()) this.#samples.set(from, sample);
    // The samples are as many as before where they say more of themselves.
    this.#looked = NOTHING;
  }

  /** Asked for when what was asked was answered, once: which values the same rows have, or rows that a store cannot count. */
  follow(): readonly LogNeed[] {
    const rows = this.#older;
    this.#older = [];
    if (rows.length > 0) return rows;
    const pairs = this.counted?.pairsNeed(this.isFiltered) ?? null;
    return pairs === null ? [] : [pairs];
  }

  get looked(): Looked {
    const more = this.#samples.size - this.#looked.read.length;
    // After the first round, whatever failed in it, each sample that comes is the last for all that is known.
    const isDue = more >= this.#samples.size * RENEWED || this.#heard >= this.needs.length;
    if (more > 0 && isDue) {
      const read = [...this.#samples.values()].toSorted((a, b) => a.from - b.from);
      this.#looked = { found: anomalyWindowsOf(read, this.isFiltered), read };
    }
    return this.#looked;
  }

  /** Samples that were answered. */
  get answered(): number {
    return this.#samples.size;
  }

  rest(): LogNeed[] {
    const older = this.counted === null ? [] : this.counted.isOpen ? [this.counted.need] : this.counted.read;
    return [...older, ...this.#newer].filter(({ range, counts }) => counts || !this.#samples.has(range.from));
  }
}

function stepsWithin(range: TimeRange, step: number): TimeRange[] {
  return range.from < range.to ? clockSteps(range, step) : [];
}
