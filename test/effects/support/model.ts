import { FAILURES } from '../../../src/domain/failure.ts';
import { arrivedRows } from '../../../src/domain/logs/log-rows.ts';
import type { GapReason } from '../../../src/domain/tail/coverage.ts';
import { TAIL_TUNING, type TailTuning, tailFaultOf } from '../../../src/domain/tail/tail-pace.ts';
import type { TailReport } from '../../../src/domain/tail/tail-report.ts';
import type { PullZone } from '../../../src/domain/zone.ts';
import { startTail } from '../../../src/effects/tail/tail.ts';
import type { TailFetch } from '../../../src/effects/tail/tail-context.ts';
import type { Clock } from '../../../src/time/clock.ts';
import { VirtualClock } from '../../support/virtual-clock.ts';
import { contentOf, randomOf, rowsOf, type Traffic } from './model-rows.ts';
import { type ModelFault, type ModelRow, ModelServer } from './model-server.ts';

export type Suspension = { at: number; ms: number; isCounted: boolean };

/** Times in ms from the start of the tail; `faults` likewise. */
export type Scenario = {
  seed: number;
  traffic: Traffic;
  /** Most rows of an answer. */
  limit: number;
  /** How far the machine's clock is ahead of the server's. */
  skew: number;
  hasDate: boolean;
  /** How far every Date is ahead. */
  dateOff: number;
  refusesFuture: boolean;
  faults: readonly ModelFault[];
  suspension: Suspension | null;
  /** How long before the start the question reaches back; null = recent. */
  since: number | null;
  backfills: readonly number[];
  /** All faults are over by then, and the tail has had time since. */
  duration: number;
  /** The tail's numbers, by which the outcome is judged too; those of the model when absent. */
  tuning?: TailTuning;
};

/** What the tail trusts, made wrong. */
export type Defect = {
  fetch?: (fetch: TailFetch) => TailFetch;
  /** The tail's own clock, that of its server left as it is. */
  clock?: (clock: VirtualClock) => Clock;
};

export type Outcome = {
  /** What was found wrong, a sentence each; empty = nothing. */
  wrong: string[];
  report: TailReport | null;
  requests: number;
  emitted: number;
  missing: number;
};

export const ZONE: PullZone = {
  id: '1',
  name: 'zone',
  hostnames: [],
  enabled: true,
  suspended: false,
  logging: true,
  anonymisation: 'none',
  shieldZoneId: null,
};

const START = Date.UTC(2026, 0, 2);

/** The tail's own numbers, with the slow ones twelve times faster, so that an hour fits into five minutes. */
export const MODEL_TUNING: TailTuning = {
  ...TAIL_TUNING,
  lateness: 30_000,
  latenessMost: 150_000,
  window: 75_000,
  firstRows: 200,
  quietAfter: 3_000,
  overloadPatience: 10_000,
  sealChunk: 5_000,
  margin: 5_000,
  clockDoubt: 75_000,
  retention: 600_000,
  spanMost: 300_000,
  sleepNoticed: 5_000,
};

/** Time that sealing may take beyond the lateness bound when nothing is wrong any more. */
const SEAL_SLACK = 25_000;

export async function runModel(scenario: Scenario, defect: Defect = {}): Promise<Outcome> {
  const random = randomOf(scenario.seed);
  const clock = new VirtualClock({ real: START, offset: scenario.skew });
  const end = START + scenario.duration;
  const tuning = tuningOf(scenario);
  const rows = rowsOf(scenario.traffic, START - 200_000 * slowness(scenario), end, random);
  const faults: ModelFault[] = scenario.faults.map((f) => ({ ...f, from: START + f.from, to: START + f.to }));
  if (scenario.dateOff !== 0) faults.push({ kind: 'date', ms: scenario.dateOff, from: 0, to: end });
  const { limit, hasDate, refusesFuture } = scenario;
  const server = new ModelServer({ rows, clock, random, limit, hasDate, refusesFuture, faults });
  const wrong = new Set<string>();
  const emitted = new Map<string, number>();
  const stop = new AbortController();
  const from = scenario.since === null ? null : START - scenario.since;
  let report: TailReport | null = null;
  let afterStop = 0;
  /** The first time that the tail speaks for. */
  let origin = Number.POSITIVE_INFINITY;
  let openedAt = Number.POSITIVE_INFINITY;

  const tail = startTail({
    question: { zone: ZONE, filter: {}, from },
    fetch: defect.fetch === undefined ? server.fetch : defect.fetch(server.fetch),
    clock: defect.clock === undefined ? clock : defect.clock(clock),
    signal: stop.signal,
    tuning,
    emit: (event) => {
      if (stop.signal.aborted) afterStop += 1;
      ({ report } = event);
      if (origin === Number.POSITIVE_INFINITY && report.completeTo !== null) {
        openedAt = clock.real;
        origin = from ?? server.requests.findLast((r) => r.order === 'desc')?.from ?? origin;
      }
      for (const { record } of arrivedRows(event.rows)) {
        const content = contentOf(record);
        emitted.set(content, (emitted.get(content) ?? 0) + 1);
      }
      const { completeTo, watermark, serverNow } = report;
      const claimed = Math.max(completeTo ?? 0, watermark ?? 0, serverNow ?? 0);
      if (claimed > clock.real + aheadOf(scenario)) wrong.add(`a claim ${claimed - clock.real} ms ahead`);
      for (const gap of report.gaps) {
        if (gap.to > clock.real + aheadOf(scenario)) wrong.add(`a gap ${gap.to - clock.real} ms ahead`);
        if (!isTrueReason(gap.reason, gap, { scenario, server, openedAt })) {
          wrong.add(`false reason ${gap.reason}: ${gap.from - START}..${gap.to - START}`);
        }
      }
    },
  });
  const { suspension } = scenario;
  if (suspension !== null) {
    clock.at(START + suspension.at, () => clock.suspend(suspension.ms, suspension.isCounted));
  }
  for (const at of scenario.backfills) {
    clock.at(START + at, () => {
      const gap = report?.gaps.at(-1);
      if (gap !== undefined) tail.backfill(gap);
    });
  }
  await clock.run(end);

  const missing = compare(rows, emitted, { report, origin, lateness: tuning.lateness }, wrong);
  checkReport(report, end, scenario, wrong);
  checkRate(server, wrong);
  if (tail.held() > rowsAfterWatermark(rows, report, tuning.margin)) wrong.add('keys of final rows are kept');
  stop.abort();
  await clock.run(end + 1);
  if (clock.pending > 0) wrong.add('timers are left after the stop');
  if (afterStop !== 1) wrong.add('the stop is not the last thing said');
  return {
    wrong: [...wrong],
    report,
    requests: server.requests.length,
    emitted: [...emitted.values()].reduce((sum, n) => sum + n, 0),
    missing,
  };
}

/** No duplicate; and every row of final time that came in time was emitted. */
function compare(
  rows: readonly ModelRow[],
  emitted: ReadonlyMap<string, number>,
  { report, origin, lateness }: { report: TailReport | null; origin: number; lateness: number },
  wrong: Set<string>,
): number {
  const due = new Map<string, { due: number; all: number; time: number }>();
  let missing = 0;
  const watermark = report?.watermark ?? Number.NEGATIVE_INFINITY;
  for (const row of rows) {
    const content = contentOf(row.record);
    const entry = due.get(content) ?? { due: 0, all: 0, time: row.time };
    const isInGap = report?.gaps.some((gap) => row.time >= gap.from && row.time < gap.to) ?? false;
    const isDue =
      row.time >= origin && row.time < watermark && !isInGap && row.visibleAt <= row.time + lateness;
    due.set(content, { ...entry, due: entry.due + (isDue ? 1 : 0), all: entry.all + 1 });
  }
  for (const [content, entry] of due) {
    const count = emitted.get(content) ?? 0;
    if (count > entry.all) wrong.add('a row was shown twice');
    if (count < entry.due) {
      wrong.add('a row of final time is missing');
      missing += entry.due - count;
    }
  }
  for (const content of emitted.keys()) if (!due.has(content)) wrong.add('a row was made up');
  return missing;
}

function checkReport(report: TailReport | null, end: number, scenario: Scenario, wrong: Set<string>): void {
  if (report === null) {
    wrong.add('nothing was said');
    return;
  }
  const { gaps, watermark } = report;
  const tuning = tuningOf(scenario);
  const doubt = doubtOf(scenario);
  const due = end - tuning.lateness - SEAL_SLACK * slowness(scenario) - doubt;
  if (hasCapacity(scenario) && (watermark === null || watermark < due)) {
    wrong.add(`no progress: final to ${watermark === null ? 'nothing' : watermark - end}`);
  }
  for (let i = 0; i < gaps.length; i += 1) {
    const gap = gaps[i];
    const next = gaps[i + 1];
    if (gap !== undefined && gap.from >= gap.to) wrong.add('an empty gap');
    if (gap !== undefined && next !== undefined && gap.to > next.from) wrong.add('gaps overlap');
  }
  if (report.seen !== report.unique + report.duplicates) wrong.add('the counters do not add up');
  if (report.status !== 'live' && report.status !== 'quiet')
    wrong.add(`status ${report.status} with nothing wrong`);
}

/** How far what is claimed may lag behind: as far as one witness of the time is behind the others, while no row comes. */
function doubtOf(scenario: Scenario): number {
  const { dateOff, faults, hasDate, skew } = scenario;
  const tuning = tuningOf(scenario);
  if (!hasDate) return tuning.clockDoubt + Math.abs(skew) + tuning.clockMargin;
  const isTold = dateOff === 0 && !faults.some((f) => f.kind === 'date');
  return (isTold ? 0 : tuning.clockMargin) + Math.max(0, -skew, -dateOff);
}

/** Rows of edges whose clock is ahead are all that tells the time where the two other witnesses differ. */
function aheadOf({ skew, hasDate, dateOff, faults, traffic }: Scenario): number {
  const isTold = hasDate && skew === 0 && dateOff === 0 && !faults.some((f) => f.kind === 'date');
  return isTold || traffic.fastShare === 0 ? 0 : traffic.fastMost;
}

/** Everything is read twice and more, in slices that are never quite full; else the tail may be overloaded for good. */
function hasCapacity(scenario: Scenario): boolean {
  const { limit, traffic, since } = scenario;
  const tuning = tuningOf(scenario);
  const rowsPerWindow = traffic.rate * (tuning.quotaWindow / 1000);
  const bunch = traffic.rate * (traffic.grain / 1000);
  // What was asked for from before the start is left to a few requests beside the head, and nothing was read of it while all failed.
  const reserve = since === null ? 8 : 24;
  return limit * tuning.requests > rowsPerWindow * reserve && limit > bunch * 8;
}

/** Rows whose keys may still be needed: of time not final, of gaps, of the margin, and of the rest of their buckets. */
function rowsAfterWatermark(rows: readonly ModelRow[], report: TailReport | null, margin: number): number {
  const bucket = 1_000;
  const keptFrom = (report?.watermark ?? Number.NEGATIVE_INFINITY) - margin - bucket;
  const isInGap = (time: number) => report?.gaps.some((g) => time >= g.from - bucket && time < g.to + bucket);
  return rows.filter(({ time }) => time >= keptFrom || isInGap(time)).length;
}

/** The tail's own requests keep to their share of the quota. */
function checkRate(server: ModelServer, wrong: Set<string>): void {
  const starts = server.requests.filter((r) => r.priority === 'background').map((r) => r.at);
  for (let i = 14; i < starts.length; i += 1) {
    if ((starts[i] ?? 0) - (starts[i - 14] ?? 0) < 10_000)
      wrong.add('more than 14 background requests in 10 s');
  }
}

/** Whether something happened in the scenario that the reason names, near the time of the gap. */
function isTrueReason(
  reason: GapReason,
  gap: { from: number; to: number },
  { scenario, server, openedAt }: { scenario: Scenario; server: ModelServer; openedAt: number },
): boolean {
  // A gap that the user asked for takes the reason of that try, however old it is.
  const tuning = tuningOf(scenario);
  const near = (from: number, to: number) =>
    scenario.backfills.length > 0 ||
    (gap.from <= START + to + 60_000 && gap.to >= START + from - tuning.window - 60_000);
  const fault = (test: (f: ModelFault) => boolean) =>
    scenario.faults.some((f) => test(f) && near(f.from, f.to));
  const failed = (r: GapReason) => fault((f) => f.kind === 'failure' && tailFaultOf(f.failure).reason === r);
  const sawMore = server.requests.some((r) => r.hasMore && r.from <= gap.to && r.to >= gap.from - 60_000);
  const { suspension } = scenario;
  switch (reason) {
    case 'notRead':
      // What was asked for by name is left out only where a clock was behind, and until the right time was known.
      return (
        failed(reason) ||
        (gap.to <= openedAt + 20_000 && (scenario.since === null || suspension !== null)) ||
        isTimeLearnt(scenario)
      );
    case 'failed':
      return failed('failed') || fault((f) => f.kind === 'lag');
    case 'offline':
      return failed('offline') || fault((f) => f.kind === 'hang');
    case 'rateLimited':
    case 'refused':
      return failed(reason);
    case 'overload':
    case 'overflow':
      // Answers that are too large, or short for no reason, leave small slices behind, as small pages do.
      return sawMore || !hasCapacity(scenario) || scenario.faults.some(isAboutSize);
    case 'strays':
      return false;
    case 'slept':
      // When exactly it slept nobody can tell who had no answer for a while.
      return suspension !== null && near(suspension.at, suspension.at + suspension.ms + 120_000);
    case 'retention':
      return failed(reason) || gap.to <= START + scenario.duration - tuning.retention + 1_000;
    case 'expired':
    case 'imported':
      return false;
  }
}

function tuningOf({ tuning }: Scenario): TailTuning {
  return tuning ?? MODEL_TUNING;
}

/** By how much the slow numbers are slower than the model's. */
function slowness(scenario: Scenario): number {
  return tuningOf(scenario).lateness / MODEL_TUNING.lateness;
}

function isTimeLearnt({ dateOff, faults, skew }: Scenario): boolean {
  return skew < 0 || dateOff < 0 || faults.some((f) => f.kind === 'date');
}

function isAboutSize(fault: ModelFault): boolean {
  return (
    fault.kind === 'short' || (fault.kind === 'failure' && FAILURES[fault.failure].traits.window === 'large')
  );
}
