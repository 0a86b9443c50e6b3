import { count, counted, duration, MINUTE } from '../../../text/units.ts';
import { answeredLevel, type Level, type Population } from '../../deviation/sampled-rows.ts';
import { PAUSE } from '../../deviation/stretch.ts';
import type { OriginError } from '../../evidence/origin-error.ts';
import type { LogNeed, Met, Need } from '../../inquiry/inquiry.ts';
import { SampleReading } from '../../inquiry/sample-reading.ts';
import type { Query } from '../../query/query.ts';
import { clockSteps, type TimeRange } from '../../tail/coverage.ts';
import { canBeRead, type PullZone } from '../../zone.ts';
import { dayBefore } from '../wrong/sample-times.ts';
import { type Cause, causesOf, heardOf, SAMPLES_TELLING } from '../wrong/verdict.ts';

/** The lengths of time that several zones are sampled over. */
export const ACCOUNT_SPANS = [
  { title: '3 hours', span: 180 * MINUTE },
  { title: '1 day', span: 1440 * MINUTE },
] as const;

/** A sample stands for no less, ms: attacks and storms that last five minutes are met by one at least. */
const STEP = 4 * MINUTE;

/** Requests of one plan, however many zones there are; the clock's steps may add one for each zone. */
const REQUESTS_MOST = 1_200;

/** Samples of a zone: fewer do not tell what is usual, so more zones than these leave room for are not asked. */
const SAMPLES_LEAST = 20;

/** Rows of a sample of one zone, and of each of several: a tenth of the requests stands out in them. */
const ROWS = { one: 400, each: 200 } as const;

/** Samples of rows that are held, where they are as full as those that are asked for. */
const HELD_SAMPLES = { least: 12, most: 720 } as const;

/** Requests a second that the quota of one zone allows all sessions of a user together, and that are asked of all zones. */
const PACE = { zone: 2.6, all: 30 } as const;

/** `zones`: those that are asked, in the order given; `left`: how many are not; `silent`: of how many no log can be read. */
export type SamplePlan = {
  zones: readonly PullZone[];
  left: number;
  silent: number;
  /** How long a sample stands for, ms, and how many rows it has at most. */
  step: number;
  rows: number;
};

/**
 * How to sample zones over a time, by as many requests as one plan may cost; the first zones come first. `unlisted`: zones
 * that are known by their number alone.
 */
export function samplePlan(all: readonly PullZone[], span: number, unlisted = 0): SamplePlan {
  const logging = all.filter(canBeRead);
  const zones = logging.slice(0, Math.floor(REQUESTS_MOST / SAMPLES_LEAST));
  const samples = Math.floor(REQUESTS_MOST / Math.max(1, zones.length));
  const step = Math.max(STEP, Math.ceil(span / samples / MINUTE) * MINUTE);
  const left = logging.length - zones.length + unlisted;
  const rows = all.length + unlisted > 1 ? ROWS.each : ROWS.one;
  return { zones, left, silent: all.length - logging.length, step, rows };
}

/** The same of so many rows that are held: that costs nothing, and samples are neither few nor many. */
export function planOfHeld(zones: readonly PullZone[], { from, to }: TimeRange, held: number): SamplePlan {
  const rows = zones.length > 1 ? ROWS.each : ROWS.one;
  const each = held / Math.max(1, zones.length);
  const samples = Math.max(HELD_SAMPLES.least, Math.min(HELD_SAMPLES.most, each / rows));
  const step = Math.max(1000, Math.min(STEP, Math.ceil((to - from) / samples / 1000) * 1000));
  return { zones, left: 0, silent: 0, step, rows };
}

/** `45 of each, 18 zones, about 27s`: how the price is made up, whom it leaves out, and how long the quota makes it take. */
export function planWords({ zones, left }: SamplePlan, requests: number): string {
  const each = Math.ceil(requests / Math.max(1, zones.length));
  const ms = Math.ceil(Math.max(each / PACE.zone, requests / PACE.all)) * 1000;
  if (zones.length === 1 && left === 0) return `about ${duration(ms)}, the newest first`;
  const asked =
    left > 0
      ? `the first ${count(zones.length)} of ${count(zones.length + left)}`
      : counted(zones.length, 'zone');
  return `${count(each)} of each, ${asked}, about ${duration(ms)}`;
}

/** All samples are judged again when this share of them is new: those of three days take longer than a frame. */
const RENEWED = 0.1;

/** In a sample of fewer rows nothing stands out that lasts no longer. */
const TELLING_ROWS = 40;

/** Causes of one zone that are told. */
const MOST_CAUSES = 24;

/** What stands out of the samples that were read. `thin`: most of them have too few rows to tell that nothing did. */
type Judged = {
  causes: readonly Cause[];
  population: Population | null;
  level: Level;
  samples: number;
  isThin: boolean;
  isCut: boolean;
};

/** Causes of a zone of which the day before is looked at. */
export const LOOKED_UP = 2;

const NOTHING: Judged = {
  causes: [],
  population: null,
  level: { rows: 0, errors: 0, clientErrors: 0, edge: 0, origin: 0 },
  ...{ samples: 0, isThin: true, isCut: false },
};

/** Samples of one zone's log over a long window, and what stands out of those that were read. */
export class ZoneSamples extends SampleReading {
  readonly #query: Query;
  readonly #range: TimeRange;
  #heard = 0;
  #errors: readonly OriginError[] = [];
  #judged: Judged = NOTHING;

  /** Its needs are the oldest first. */
  constructor(zone: PullZone, { query, range, plan }: { query: Query; range: TimeRange; plan: SamplePlan }) {
    super(zone, query, plan.rows);
    this.of(withNewest(clockSteps(range, plan.step)));
    this.#query = query;
    this.#range = range;
  }

  override add(need: Need, met: Met): void {
    if (this.needs.some((each) => each === need)) this.#heard++;
    super.add(need, met);
  }

  /** What its first causes take to tell whether they come by the day; asked for once each. `edge`: Unix ms. */
  dayBefore(edge: number): readonly LogNeed[] {
    const { causes, population } = this.judged;
    if (population === null) return [];
    const [next = []] = causes
      .slice(0, LOOKED_UP)
      .map(({ deviation }) => (deviation === null ? [] : dayBefore(population, deviation, edge)))
      .filter((times) => times.length > 0);
    return this.chosen(next, 'before');
  }

  /** What was told of its origin. */
  hear(errors: readonly OriginError[]): void {
    this.#errors = errors;
    this.#judged = NOTHING;
  }

  get judged(): Judged {
    const more = this.answered - this.#judged.samples;
    // After the first round, whatever failed in it, each sample that comes is the last for all that is known.
    if (more > 0 && (more >= this.answered * RENEWED || this.#heard >= this.needs.length))
      this.#judged = this.#judge();
    return this.#judged;
  }

  #judge(): Judged {
    const heard = { ...heardOf(this, this.#query, this.#range, null), hasLog: true, errors: this.#errors };
    const { population } = heard;
    const { parts } = population;
    const samples = this.answered;
    const thin = parts.filter(({ first, end }) => end - first < TELLING_ROWS).length;
    return {
      causes: samples < SAMPLES_TELLING ? [] : causesOf(heard, { most: MOST_CAUSES, apart: PAUSE }).causes,
      population,
      level: answeredLevel(population, this.#range),
      samples,
      isThin: thin * 2 > parts.length,
      isCut: parts.some(({ to, readTo }) => readTo < to),
    };
  }
}

/** What goes on is told by the newest minute, which a sample of the last step need not reach, ms. */
const NEWEST = MINUTE;

function withNewest(steps: readonly TimeRange[]): readonly TimeRange[] {
  const last = steps.at(-1);
  if (last === undefined || last.to - last.from <= 2 * NEWEST) return steps;
  const at = last.to - NEWEST;
  return [...steps.slice(0, -1), { from: last.from, to: at }, { from: at, to: last.to }];
}
