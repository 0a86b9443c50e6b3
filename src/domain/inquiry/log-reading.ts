import { count, counted, duration, joined, percent } from '../../text/units.ts';
import type { Side } from '../differing.ts';
import type { LogRecord } from '../log.ts';
import { createRowCounter, type RowTally } from '../logs/counted/count-rows.ts';
import { isCut, joinedCounts } from '../logs/counted/join-counts.ts';
import {
  type CountedField,
  type Counting,
  type Counts,
  type CountsAsked,
  partOfCounts,
  rowsCounted,
} from '../logs/counts.ts';
import { type ServerLogFilter, splitForServer } from '../query/push-down.ts';
import type { Query, Term } from '../query/query.ts';
import { withZoneIds } from '../query/zone-terms.ts';
import {
  equalParts,
  lengthOf,
  shared,
  sharedRanges,
  type TimeRange,
  timeShared,
  without,
} from '../tail/coverage.ts';
import type { PullZone } from '../zone.ts';
import {
  type CountsMet,
  type Follow,
  type Inquiry,
  inTurns,
  type LogNeed,
  type Met,
  type Need,
  partOf,
  splitOver,
  spread,
} from './inquiry.ts';

/** A zone to be read: what its server is asked for, in how many requests for each window, and which rows of it count. */
type ZoneRead = { zone: PullZone; filter: ServerLogFilter; parts: number; terms: readonly Term[] };

/** What is counted of the rows of a window. `until`: up to when a store has them, and counts them; undefined = there is none. */
type Counted = { until: number | undefined; of: (side: Side) => Counting };

/** What somebody counted for a need. */
export type CountedNeed = { need: LogNeed; counts: Counts };

/** `counted`: what somebody counted of it; `here`: what is counted of its rows that were read. */
type Window = {
  slices: readonly TimeRange[];
  read: TimeRange[];
  left: TimeRange[];
  rows: number;
  counted: CountedNeed[];
  here: RowTally | null;
};

/** The times of each window: disjoint, the oldest first. */
type Windows = Partial<Record<Side, readonly TimeRange[]>>;

/** `counts`: what is counted of its rows, if it is; `isStored`: whoever keeps older ones counts them. */
type ZoneWindows = ZoneRead & {
  windows: ReadonlyMap<Side, Window>;
  counts: ((side: Side) => CountsAsked) | null;
  isStored: boolean;
};

const NO_VALUES: CountedField = { values: [], distinct: 0, blank: 0 };

/** A slice is no shorter, ms. */
const SHORTEST = 1000;

/** The fewest requests for each window of a zone among several: the beginning of one slice alone tells little of it. */
const PARTS_LEAST = 2;

/** The zones that a query is asked of, with so many requests for each window together. */
export function zoneReads(zones: readonly PullZone[], query: Query, parts: number): ZoneRead[] {
  const each = splitOver(parts, zones.length, PARTS_LEAST);
  const asked = { ...query, terms: withZoneIds(query.terms, zones) };
  return zones.map((zone) => ({
    zone,
    filter: splitForServer(query, zone).server,
    parts: each,
    terms: asked.terms,
  }));
}

/**
 * Windows of CDN logs being read by single requests, and how much of them is covered. A window of a zone is cut into equal
 * slices, so what is read of a busy one is spread over it and the price is known before. The slices are asked for in an order
 * in which any number of first ones lies evenly over the zones and in every window, and so is what they leave. Of rows that are counted a
 * question gets counts and their coverage: what a store counts and what is counted here are the same to it. Where a store counts the
 * rows of older times, each of these times is one request.
 */
export class LogReading {
  readonly needs: readonly LogNeed[];
  readonly zones: readonly PullZone[];
  readonly sides: readonly Side[];
  readonly #zones: ReadonlyMap<string, ZoneWindows>;
  readonly #ranges: Windows;
  #isCounted = false;
  #counted = 0;
  #lacking = 0;
  readonly #until: number;
  readonly #refusals = new Set<string>();
  readonly #givenUp = new Set<string>();
  /** Zones whose rows cannot be counted, and were not asked for yet. */
  readonly #uncounted = new Set<ZoneWindows>();

  constructor(o: { zones: readonly ZoneRead[]; windows: Windows; counted?: Counted }) {
    this.zones = o.zones.map(({ zone }) => zone);
    this.#ranges = o.windows;
    const ranges = Object.entries(o.windows) as [Side, readonly TimeRange[]][];
    this.sides = ranges.map(([side]) => side);
    this.#until = o.counted?.until ?? Number.NEGATIVE_INFINITY;
    this.#zones = new Map(
      o.zones.map((zone) => {
        const windows = new Map(
          ranges.map(([side, times]) => [side, windowOf(times, zone.parts, this.#until)]),
        );
        const { id, anonymisation } = zone.zone;
        const { counted } = o;
        const counts =
          counted && ((side: Side) => ({ terms: zone.terms, anonymisation, of: counted.of(side) }));
        return [id, { ...zone, windows, counts: counts ?? null, isStored: true }];
      }),
    );
    this.needs = this.rest();
  }

  /** The rows of an answer that are of the time that it covers. */
  add(need: Need, met: Met): readonly LogRecord[] {
    if (need.kind !== 'logs') return [];
    const zone = this.#zones.get(need.zoneId);
    const window = zone?.windows.get(need.side);
    // Two readings of one zone differ by what its server is asked for.
    if (!zone || !window || zone.filter !== need.filter) return [];
    if (met.kind === 'counts') this.#addCounts(window, need, met);
    if (met.kind === 'uncounted') this.#addRefusal(zone, met.why);
    if (met.kind !== 'logs') return [];
    const { records, covered, left } = partOf(need.range, met);
    window.left = without(window.left, need.range);
    if (left) window.left.push(left);
    window.read.push(...covered);
    window.rows += records.length;
    // Which rows count is decided where they are counted.
    if (zone.counts !== null && records.length > 0) window.here ??= createRowCounter(zone.counts(need.side));
    for (const record of records) window.here?.add(record);
    return records;
  }

  /** What is known of a zone's window; null: nothing was read of it. */
  counts(side: Side, { id }: Pick<PullZone, 'id'>): Counts | null {
    const here = this.here(side, id)?.counts();
    return joinedCounts([...this.counted(id, side).map(({ counts }) => counts), ...(here ? [here] : [])]);
  }

  /** The values that were counted of each window and zone. */
  get valueLists(): readonly Extract<Counts, { kind: 'values' }>[] {
    const all = this.sides.flatMap((side) => this.zones.map((zone) => this.counts(side, zone)));
    return all.flatMap((counts) => partOfCounts(counts, 'values') ?? []);
  }

  /** The fields of which some values are in no list. */
  cutOf<I extends string>(ids: readonly I[]): I[] {
    const lists = this.valueLists;
    return ids.filter((id) => lists.some(({ fields }) => isCut(fields.get(id) ?? NO_VALUES)));
  }

  /** The lots that somebody else counted of a zone. */
  counted(zoneId: string, side: Side): readonly CountedNeed[] {
    return this.#zones.get(zoneId)?.windows.get(side)?.counted ?? [];
  }

  /** What was counted here of a zone's window. */
  here(side: Side, zoneId: string): RowTally | null {
    return this.#zones.get(zoneId)?.windows.get(side)?.here ?? null;
  }

  /** What is not covered of a time that was counted is lacked by whoever keeps it, and cannot be asked for again. */
  #addCounts(window: Window, need: LogNeed, { covered, counts }: CountsMet): void {
    const { range } = need;
    window.counted.push({ need, counts });
    this.#isCounted = true;
    window.left = without(window.left, range);
    window.read.push(...covered);
    const rows = rowsCounted(counts);
    const parts = counts.kind === 'several' ? counts.parts : [];
    for (const part of parts) if (part.kind === 'none') this.#givenUp.add(part.why);
    window.rows += rows;
    this.#counted += rows;
    this.#lacking += range.to - range.from - timeShared(range, covered);
  }

  #addRefusal(zone: ZoneWindows, why: string): void {
    this.#refusals.add(why);
    if (!zone.isStored) return;
    zone.isStored = false;
    this.#uncounted.add(zone);
    for (const [side, window] of zone.windows) {
      window.slices = slicesOf(this.#ranges[side] ?? [], zone.parts);
      window.left = window.slices.flatMap((slice) => shared(slice, window.left));
    }
  }

  /** What is asked for where it turns out that rows cannot be counted; null = all are read anyway. */
  get follow(): Follow | null {
    if (!this.needs.some(({ counts }) => counts)) return null;
    const next = () => {
      const needs = inTurns([...this.#uncounted].flatMap((zone) => this.#needsOf(zone)));
      this.#uncounted.clear();
      return needs.filter(({ range }) => range.from < this.#until);
    };
    return { most: this.needs.length, next };
  }

  /** How rows of older times came; empty where all are read. */
  get countedWords(): string[] {
    const lacking = this.#lacking > 0 ? `, which lacks ${duration(this.#lacking)} of it` : '';
    return [
      ...(this.#isCounted ? [`${count(this.#counted)} of them counted by the store${lacking}`] : []),
      ...[...this.#givenUp].map((why) => `a part of it given up: ${why}`),
      ...[...this.#refusals].map((why) => `the store cannot count these rows (${why}): they are read`),
    ];
  }

  rows(side: Side): number {
    return this.#windowsOf(side).reduce((sum, { rows }) => sum + rows, 0);
  }

  /** As long as the time of a zone that was covered, ms. */
  covered(side: Side, zone: PullZone): number {
    return this.share(side, undefined, zone) * this.length(side);
  }

  /** Share of a window's time that was read, of all zones together, 0…1; of a part of it, or of one zone, where it is given. */
  share(side: Side, part?: TimeRange | null, zone?: PullZone): number {
    const windows = this.#windowsOf(side, zone);
    const parts = part === undefined ? (this.#ranges[side] ?? []) : part === null ? [] : [part];
    const asked = windows.length * lengthOf(parts);
    if (asked <= 0) return 0;
    const covered = windows.flatMap(({ read }) => parts.map((each) => timeShared(each, read)));
    return covered.reduce((sum, time) => sum + time, 0) / asked;
  }

  get isWhole(): boolean {
    return this.shareOfAll >= 1;
  }

  /** Share of the time of all windows together. */
  get shareOfAll(): number {
    const lengths = this.sides.map((side) => this.length(side));
    const asked = lengths.reduce((sum, length) => sum + length, 0);
    const covered = this.sides.reduce((sum, side, at) => sum + this.share(side) * (lengths[at] ?? 0), 0);
    return asked > 0 ? covered / asked : 0;
  }

  /** The time of a window, ms. */
  length(side: Side): number {
    return lengthOf(this.#ranges[side] ?? []);
  }

  /** The zones of which every window was read at least in part: what one says of the other is known of these alone. */
  get compared(): readonly PullZone[] {
    return this.zones.filter((zone) => this.sides.every((side) => this.share(side, undefined, zone) > 0));
  }

  /**
   * What a row of each zone counts in a sum over all of them, 0…1, by its id: as if of each no more was read than of the one
   * that was read least. So no zone weighs more for being read further, and no sum is firmer than the rows in it. Rows of
   * zones that cannot be compared count nothing, where some can. `share`: as much of the window the rows are of together.
   */
  weights(side: Side): { share: number; of: ReadonlyMap<string, number> } {
    const { compared } = this;
    const counted = compared.length > 0 ? compared : this.zones;
    const read = counted
      .map((zone) => [zone.id, this.share(side, undefined, zone)] as const)
      .filter(([, share]) => share > 0);
    const share = Math.min(1, ...read.map(([, each]) => each));
    return { share: read.length > 0 ? share : 0, of: new Map(read.map(([id, each]) => [id, share / each])) };
  }

  rest(): LogNeed[] {
    return inTurns([...this.#zones.values()].flatMap((zone) => this.#needsOf(zone)));
  }

  /** What is left of each window of a zone. */
  #needsOf({ zone, filter, windows, counts, isStored }: ZoneWindows): LogNeed[][] {
    return [...windows].map(([side, { slices, left }]) =>
      spread(slices).flatMap((slice) =>
        left
          .filter(({ from }) => from >= slice.from && from < slice.to)
          .map((range): LogNeed => {
            const need = { kind: 'logs', side, zoneId: zone.id, range, filter } as const;
            return counts !== null && isStored && range.to <= this.#until
              ? { ...need, counts: counts(side) }
              : need;
          }),
      ),
    );
  }

  #windowsOf(side: Side, zone?: PullZone): Window[] {
    const zones = zone ? [this.#zones.get(zone.id)] : [...this.#zones.values()];
    return zones.flatMap((each) => each?.windows.get(side) ?? []);
  }
}

function windowOf(times: readonly TimeRange[], parts: number, until: number): Window {
  const older = sharedRanges(times, [{ from: Number.NEGATIVE_INFINITY, to: until }]);
  const newer = sharedRanges(times, [{ from: until, to: Number.POSITIVE_INFINITY }]);
  const slices = [...older, ...slicesOf(newer, parts)];
  return { slices, read: [], left: slices, rows: 0, counted: [], here: null };
}

/** As many slices as there are requests, each of its times cut into as many as its length asks for; one at least of each. */
function slicesOf(times: readonly TimeRange[], parts: number): TimeRange[] {
  let [slicesLeft, timeLeft] = [parts, lengthOf(times)];
  return times.flatMap((range, at) => {
    const length = range.to - range.from;
    const most = slicesLeft - (times.length - at - 1);
    const own = Math.max(1, Math.min(most, Math.round((slicesLeft * length) / Math.max(1, timeLeft))));
    slicesLeft -= own;
    timeLeft -= length;
    return equalParts(range, own, SHORTEST);
  });
}

/** Zones named one by one; of more of them the number of the others is told. */
const NAMED = 3;

/** `shop`, `shop and api`, `shop, api and 4 more`. Names are untrusted, and made safe where they are shown. */
export function namesOf(names: readonly string[]): string {
  const [last, ...others] = names.length > NAMED ? [] : names.toReversed();
  if (last === undefined) {
    return names.length === 0
      ? ''
      : `${names.slice(0, NAMED).join(', ')} and ${count(names.length - NAMED)} more`;
  }
  return others.length === 0 ? last : `${others.toReversed().join(', ')} and ${last}`;
}

export function zoneNames(zones: readonly PullZone[]): string {
  return namesOf(zones.map(({ name }) => name));
}

/** How a price is made up, rows in memory apart: `at most 4 of each of 3 zones`; empty for one zone. */
export function eachWords(zones: readonly PullZone[], { needs }: Pick<Inquiry, 'needs'>): string {
  if (zones.length < 2) return '';
  const each = zones.map(
    ({ id }) => needs.filter((need) => need.kind === 'logs' && need.zoneId === id).length,
  );
  return `at most ${count(Math.max(...each))} of each of ${count(zones.length)} zones`;
}

/** `of the 22.7% read: `, the beginning of a sentence about what was read; empty where that is all. */
export function hedgeOf(reading: LogReading): string {
  if (reading.isWhole) return '';
  const without = leftOut(reading);
  const but =
    without.length > 0 && without.length < reading.zones.length ? `, without ${zoneNames(without)}` : '';
  return `of the ${partOfAll(reading.shareOfAll)} read${but}: `;
}

/** Of which window how much was read, how many rows, and `more`; `names`: what each window is called. */
export function sidesRead(
  reading: LogReading,
  names: Readonly<Partial<Record<Side, string>>>,
  more: readonly string[] = [],
): string {
  const rows = reading.sides.reduce((sum, side) => sum + reading.rows(side), 0);
  return joined([
    reading.sides.map((side) => readWords(reading, side, names[side] ?? '')).join(', '),
    joined([counted(rows, 'row'), ...reading.countedWords], ', '),
    ...(reading.sides.length > 1 ? zonesRead(reading) : []),
    ...more,
  ]);
}

/** `84% of the window read`; only a whole reading is called `all of the window`. */
function readWords(reading: LogReading, side: Side, name: string): string {
  const share = reading.share(side);
  return share >= 1 ? `all of ${name} read` : `${partOfAll(share)} of ${name} read`;
}

/** Of several zones which were not read, and what rows count where they were not read alike; empty where all is even. */
export function zonesRead(reading: LogReading): string[] {
  if (reading.zones.length < 2) return [];
  const without = leftOut(reading);
  const unread = without.filter((zone) =>
    reading.sides.every((side) => reading.share(side, undefined, zone) === 0),
  );
  const half = without.filter((zone) => !unread.includes(zone));
  const sides = reading.sides.map((side) => reading.weights(side));
  const isUneven = sides.some(({ of }) => [...of.values()].some((weight) => weight < 1));
  const shares = [...new Set(sides.map(({ share }) => partOfAll(share)))].join(' and ');
  return [
    unread.length > 0 ? `${zoneNames(unread)} not read` : '',
    half.length > 0 ? `${zoneNames(half)} not counted: one of the windows was not read` : '',
    isUneven ? `zones read unevenly: rows weighed as if ${shares} of each was read` : '',
  ].filter((text) => text !== '');
}

function leftOut(reading: LogReading): PullZone[] {
  const { compared } = reading;
  return reading.zones.filter((zone) => !compared.includes(zone));
}

/** A share that is not all is never shown as all. */
export function partOfAll(share: number): string {
  return percent(share >= 1 ? 1 : Math.min(share, 0.999));
}
