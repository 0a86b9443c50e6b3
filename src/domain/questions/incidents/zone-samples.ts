import { MINUTE } from '../../../text/units.ts';
import type { OriginError } from '../../evidence/origin-error.ts';
import type { LogRecord } from '../../log.ts';
import { matcher } from '../../query/match.ts';
import { splitForServer } from '../../query/push-down.ts';
import type { Query } from '../../query/query.ts';
import { clockSteps, type TimeRange } from '../../tail/coverage.ts';
import type { PullZone } from '../../zone.ts';
import { answeredLevel, type Level, populationOf } from '../deviation/population.ts';
import { SampledRows } from '../deviation/sampled-rows.ts';
import { PAUSE } from '../deviation/stretch.ts';
import type { LogNeed, Met, Need } from '../inquiry/inquiry.ts';
import { type Cause, causesOf, chosenBy, SAMPLES_TELLING } from '../wrong/verdict.ts';
import type { SamplePlan } from './sample-plan.ts';

/** All samples are judged again when this share of them is new: those of three days take longer than a frame. */
const RENEWED = 0.1;

/** In a sample of fewer rows nothing stands out that lasts no longer. */
const TELLING_ROWS = 40;

/** Causes of one zone that are told. */
const MOST_CAUSES = 24;

/** What stands out of the samples that were read. `thin`: most of them have too few rows to tell that nothing did. */
type Judged = { causes: readonly Cause[]; level: Level; samples: number; isThin: boolean; isCut: boolean };

const NOTHING: Judged = {
  causes: [],
  level: { rows: 0, errors: 0, clientErrors: 0, edge: 0, origin: 0 },
  ...{ samples: 0, isThin: true, isCut: false },
};

/** Samples of one zone's log over a long window, and what stands out of those that were read. */
export class ZoneSamples {
  readonly zone: PullZone;
  /** The oldest first. */
  readonly needs: readonly LogNeed[];
  /** Whether a row counts. */
  readonly matches: (record: LogRecord) => boolean;
  readonly #query: Query;
  readonly #range: TimeRange;
  readonly #sampled: SampledRows;
  #heard = 0;
  #errors: readonly OriginError[] = [];
  #judged: Judged = NOTHING;

  constructor(zone: PullZone, { query, range, plan }: { query: Query; range: TimeRange; plan: SamplePlan }) {
    const { server: filter } = splitForServer(query, zone);
    const about = { kind: 'logs', side: 'now', zoneId: zone.id, filter, rows: plan.rows } as const;
    this.zone = zone;
    this.matches = matcher(query, zone.anonymisation);
    this.needs = withNewest(clockSteps(range, plan.step)).map((step) => ({ ...about, range: step }));
    this.#query = query;
    this.#range = range;
    this.#sampled = new SampledRows(this.matches);
  }

  add(need: Need, met: Met): void {
    this.#heard++;
    this.#sampled.add(need, met);
  }

  /** What was told of its origin. */
  hear(errors: readonly OriginError[]): void {
    this.#errors = errors;
    this.#judged = NOTHING;
  }

  /** Samples that were answered. */
  get answered(): number {
    return this.#sampled.size;
  }

  get judged(): Judged {
    const more = this.answered - this.#judged.samples;
    // After the first round, whatever failed in it, each sample that comes is the last for all that is known.
    if (more > 0 && (more >= this.answered * RENEWED || this.#heard >= this.needs.length))
      this.#judged = this.#judge();
    return this.#judged;
  }

  rest(): readonly LogNeed[] {
    return this.needs.filter((need) => !this.#sampled.has(need));
  }

  #judge(): Judged {
    const population = populationOf(this.#sampled, this.#range);
    const { parts } = population;
    const samples = this.answered;
    const thin = parts.filter(({ first, end }) => end - first < TELLING_ROWS).length;
    const about = {
      ...{ range: this.#range, sampled: this.#sampled, population, errors: this.#errors, hasLog: true },
      ...{ zone: { pullZoneId: this.zone.id, shieldZoneId: null }, unread: this.needs.length - samples },
      ...{ rules: [], isShieldRead: null, changes: [], statistics: [], ...chosenBy(this.#query) },
    };
    return {
      causes: samples < SAMPLES_TELLING ? [] : causesOf(about, { most: MOST_CAUSES, pause: PAUSE }),
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
