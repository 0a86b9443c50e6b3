import type { SimZone } from '../account/account-zones.ts';
import { mix, Rng } from '../random.ts';
import { NOBODY } from './incident-rows.ts';
import type { SimRow } from './rows.ts';

/** Of every `share` of rows, the delay until reads show them lies evenly in [least, most) ms. */
type Lateness = readonly { share: number; least: number; most: number }[];

/** Ordinary traffic of `zone` (a pull zone id; all when absent) times `factor` within [from, to), Unix ms. */
type Surge = { zone?: number; from: number; to: number; factor: number };

/** What was made and looked at since the start; the cost of answers, told without a clock. */
export type DrawCounts = {
  /** Stretches of time of one stream whose rows were drawn. */
  draws: number;
  rows: number;
  /** Shield events held against a search. */
  looked: number;
};

/** Most rows show within two seconds, 0.5 % after 5–90 s, a few after up to four minutes. */
const USUAL_LATENESS: Lateness = [
  { share: 0.9945, least: 150, most: 1_900 },
  { share: 0.005, least: 5_000, most: 90_000 },
  { share: 0.0005, least: 90_000, most: 240_000 },
];

export type SliceOptions = {
  lateness?: Lateness;
  surges?: readonly Surge[];
  /** Exactly `rate` ordinary rows each second: no day curve, no chance, no Shield noise. For measurements. */
  isSteady?: boolean;
};

/** Some time of one stream of rows, in epoch seconds. */
type StreamSlice = {
  salt: number;
  stream: number;
  start: number;
  seconds: number;
  expected: number;
  /** No more than the first so many rows are wanted. */
  most?: number;
};

type SliceMaker = {
  /** How many rows a zone with this rate has in a slice, on average. */
  expected(rate: number, zone: SimZone, start: number, seconds: number): number;
  /** Makes the rows of a slice in order of time. Their number is drawn before any of them, so the first ones are the same alone. */
  make(slice: StreamSlice, fill: (row: SimRow, rng: Rng) => void): SimRow[];
  readonly work: DrawCounts;
};

/** Streams of a zone: everyday requests, everyday Shield noise, and one for each incident under way. */
export const ORDINARY_STREAM = 0;
export const NOISE_STREAM = 1;
export const FIRST_INCIDENT_STREAM = 2;

export function createSliceMaker(o: SliceOptions): SliceMaker {
  const lateness = o.lateness ?? USUAL_LATENESS;
  const surges = o.surges ?? [];
  const isSteady = o.isSteady ?? false;
  const work: DrawCounts = { draws: 0, rows: 0, looked: 0 };
  return {
    expected: (rate, zone, start, seconds) => {
      if (zone.suspended || !zone.enabled) return 0;
      let n = (isSteady ? rate : rate * dayCurve(start + Math.floor(seconds / 2))) * seconds;
      for (const s of surges) {
        const isHit =
          (s.zone === undefined || s.zone === zone.id) && start * 1000 >= s.from && start * 1000 < s.to;
        if (isHit) n *= s.factor;
      }
      return n;
    },
    make: ({ salt, stream, start, seconds, expected, most }, fill) => {
      const rng = new Rng(mix(mix(salt, start), Math.min(stream, FIRST_INCIDENT_STREAM)));
      const n = rowCount(expected, rng, isSteady && stream === ORDINARY_STREAM);
      const made = Math.min(n, most ?? n);
      work.draws += 1;
      work.rows += made;
      const rows: SimRow[] = [];
      for (let i = 0; i < made; i++) {
        const row = blank(start, seconds, stream, i, n, rng, lateness);
        fill(row, rng);
        rows.push(row);
      }
      return rows;
    },
    work,
  };
}

/** Ordinary traffic follows the hour (quietest at 07:00 UTC, fullest at 19:00) and the weekend. */
export function dayCurve(second: number): number {
  const hour = (second % 86_400) / 3600;
  const weekday = (Math.floor(second / 86_400) + 4) % 7;
  const weekend = weekday === 0 || weekday === 6 ? 0.85 : 1;
  return weekend * (0.8 + 0.25 * Math.cos(((hour - 19) * Math.PI) / 12));
}

function blank(
  start: number,
  seconds: number,
  stream: number,
  index: number,
  n: number,
  rng: Rng,
  lateness: Lateness,
): SimRow {
  const h = rng.next();
  const ms = seconds * 1000;
  const t = start * 1000 + Math.min(ms - 1, Math.floor(((index + rng.unit()) / n) * ms));
  return {
    t,
    second: Math.floor(t / 1000),
    late: delay(rng, lateness),
    stream,
    index,
    h,
    client: NOBODY,
    method: 'GET',
    scheme: 'https',
    host: '',
    path: '/',
    isPlain: true,
    status: 200,
    cache: '-',
    bytes: 0,
    bodyBytes: null,
    referer: null,
    range: null,
    authorization: null,
    isOriginShield: false,
    rule: null,
    action: null,
    matched: null,
  };
}

function delay(rng: Rng, lateness: Lateness): number {
  let u = rng.unit();
  for (const part of lateness) {
    if (u < part.share) return Math.floor(part.least + (u / part.share) * (part.most - part.least));
    u -= part.share;
  }
  return lateness.at(-1)?.most ?? 0;
}

function rowCount(expected: number, rng: Rng, isSteady: boolean): number {
  return isSteady ? Math.round(expected) : Math.floor(expected * (0.85 + 0.3 * rng.unit()) + rng.unit());
}
