import type { Crowd } from './place.ts';
import { hash, poisson, unit } from './random.ts';
import { delayOf, type Failure, LONGEST_DELAY, type Row } from './rows.ts';
import type { Depth, Zone } from './zone.ts';

/** Requests that come of one reason. Each stream is a function of the second, so any second stands alone. */
export type Stream = {
  readonly id: number;
  readonly seed: number;
  /** Requests a second that are expected of it. */
  readonly mean: (second: number) => number;
  readonly count: (second: number) => number;
  readonly fill: (row: Row) => void;
  /** Which classes of status it has, as bits; and whether Shield's rules meet it. */
  readonly classes: number;
  readonly rules: boolean;
  readonly usual: Usual;
};
/** Shares of its requests, for the statistics. */
export type Usual = {
  readonly hit: number;
  readonly moved: number;
  readonly client: number;
  readonly server: number;
};

/** Something that makes requests of any stream turn out otherwise. */
export type Effect = {
  readonly from: number;
  readonly to: number;
  readonly strength: (t: number) => number;
  readonly touch: (row: Row, strength: number) => void;
  readonly classes: number;
  readonly rules: boolean;
  /** What the origin error log tells of it, with the part of all requests that fails at full strength. */
  readonly failing: { readonly failure: Failure; readonly share: number } | null;
  /** Parts of all requests at full strength, for the statistics. */
  readonly turned: {
    readonly server: number;
    readonly client: number;
    readonly moved: number;
    readonly lostHits: number;
  };
};

export type Traffic = {
  readonly zone: Zone;
  readonly depth: Depth;
  readonly streams: readonly Stream[];
  readonly effects: readonly Effect[];
};

export const countBy =
  (seed: number, mean: (second: number) => number) =>
  (second: number): number =>
    poisson(mean(second), hash(seed ^ 0x1234567, second));

export const strengthAt = (effect: Effect, t: number): number =>
  t < effect.from || t >= effect.to ? 0 : effect.strength(t);

function rowOf(traffic: Traffic, stream: Stream, second: number, index: number, count: number): Row {
  const key = hash(hash(stream.seed, second), index);
  const row: Row = {
    t: second * 1000 + Math.min(999, Math.floor(((index + unit(key, 90)) * 1000) / count)),
    second,
    index,
    stream: stream.id,
    key,
    crowd: traffic.depth.crowd as Crowd,
    client: 0,
    edge: 0,
    page: -1,
    path: '',
    referer: null,
    status: 200,
    cache: '-',
    bytes: 0,
    failure: null,
    rule: null,
    action: '',
  };
  stream.fill(row);
  for (const effect of traffic.effects) {
    const strength = strengthAt(effect, row.t);
    if (strength > 0) effect.touch(row, strength);
  }
  return row;
}

const overlaps = (effect: Effect, second: number) =>
  effect.from < second * 1000 + 1000 && effect.to > second * 1000;

export const ALL = 0xff;

/** The rows of one second by time. Streams that cannot have a wanted class of status are not made. */
export function rowsOfSecond(traffic: Traffic, second: number, classes = ALL, rulesOnly = false): Row[] {
  let extra = 0;
  let rules = false;
  for (const effect of traffic.effects) {
    if (overlaps(effect, second)) {
      extra |= effect.classes;
      rules ||= effect.rules;
    }
  }
  const rows: Row[] = [];
  let streams = 0;
  for (const stream of traffic.streams) {
    if (((stream.classes | extra) & classes) === 0) continue;
    if (rulesOnly && !stream.rules && !rules) continue;
    const count = stream.count(second);
    if (count === 0) continue;
    streams += 1;
    for (let i = 0; i < count; i += 1) rows.push(rowOf(traffic, stream, second, i, count));
  }
  if (streams > 1) rows.sort((a, b) => a.t - b.t || a.stream - b.stream || a.index - b.index);
  return rows;
}

export function countOfSecond(traffic: Traffic, second: number): number {
  let count = 0;
  for (const stream of traffic.streams) count += stream.count(second);
  return count;
}

/** Whether the log has it by then. */
export const arrived = (row: Row, now: number): boolean =>
  now - row.t >= LONGEST_DELAY || row.t + delayOf(row) <= now;

/** Some failing rows of a second, from a place in it that differs, for a log that keeps but a few of very many. */
export function failuresOfSecond(traffic: Traffic, second: number, wanted: number, failure: Failure): Row[] {
  const found: Row[] = [];
  const [main] = traffic.streams;
  if (main === undefined) return found;
  const count = main.count(second);
  const start = count === 0 ? 0 : hash(main.seed ^ 0x55, second) % count;
  for (let n = 0; n < count && found.length < wanted; n += 1) {
    const row = rowOf(traffic, main, second, (start + n) % count, count);
    if (row.failure === failure) found.push(row);
  }
  return found;
}
