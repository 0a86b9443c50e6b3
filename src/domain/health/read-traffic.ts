import { MINUTE } from '../../text/units.ts';
import { cacheStatusRow, type LogRecord } from '../log.ts';
import { isServerError } from '../logs/sums/traffic.ts';
import type { TimeRange } from '../tail/coverage.ts';

/** Rows of a zone's log, counted. `edge` and `origin` are the two sides of the hit ratio. */
export type HealthSums = {
  rows: number;
  edge: number;
  origin: number;
  clientErrors: number;
  serverErrors: number;
};

/** A part of a minute, or of five where it is older than `FINE`, whose rows were all read; Unix ms. */
export type HealthBin = TimeRange & HealthSums;

/** Up to this age time is kept by the minute, ms; an account may have 50,000 zones. */
const FINE = 6 * MINUTE;
const COARSE = 5 * MINUTE;

/** What is remembered of a zone's past. */
export const HEALTH_MEMORY = 65 * MINUTE;

const NO_SUMS: HealthSums = { rows: 0, edge: 0, origin: 0, clientErrors: 0, serverErrors: 0 };
const SUM_NAMES = Object.keys(NO_SUMS) as (keyof HealthSums)[];

/**
 * The bins with a time that was read whole; what they held of that time is counted anew. `records`: all rows of the
 * time, and perhaps others.
 */
export function withRead(
  bins: readonly HealthBin[],
  read: TimeRange,
  records: readonly LogRecord[],
): HealthBin[] {
  const fresh = minutesOf(read);
  for (const record of records) {
    const { timestamp } = record;
    if (record.raw !== null || !(timestamp >= read.from && timestamp < read.to)) continue;
    const bin = fresh[Math.floor(timestamp / MINUTE) - Math.floor(read.from / MINUTE)];
    if (bin !== undefined) addRecord(bin, record);
  }
  const others = bins.filter(
    ({ from, to }) => (to <= read.from || from >= read.to) && to > read.to - HEALTH_MEMORY,
  );
  return compacted([...others, ...fresh].sort((a, b) => a.from - b.from));
}

/** The sums of these bins, and the time that they cover, ms. */
export function summed(bins: readonly HealthBin[]): HealthSums & { covered: number } {
  const sum = { ...NO_SUMS, covered: 0 };
  for (const bin of bins) {
    sum.covered += bin.to - bin.from;
    for (const name of SUM_NAMES) sum[name] += bin[name];
  }
  return sum;
}

/** Older bins that meet within the same five minutes are one. */
function compacted(bins: readonly HealthBin[]): HealthBin[] {
  const newest = bins.at(-1)?.to ?? 0;
  const kept: HealthBin[] = [];
  for (const bin of bins) {
    const last = kept.at(-1);
    const isOld = bin.to <= newest - FINE;
    if (isOld && last?.to === bin.from && fiveOf(last.from) === fiveOf(bin.from)) {
      const { covered: _, ...sums } = summed([last, bin]);
      kept[kept.length - 1] = { from: last.from, to: bin.to, ...sums };
    } else kept.push(bin);
  }
  return kept;
}

function fiveOf(time: number): number {
  return Math.floor(time / COARSE);
}

function minutesOf({ from, to }: TimeRange): HealthBin[] {
  const bins: HealthBin[] = [];
  for (let at = from; at < to; ) {
    const end = Math.min(to, (Math.floor(at / MINUTE) + 1) * MINUTE);
    bins.push({ from: at, to: end, ...NO_SUMS });
    at = end;
  }
  return bins;
}

function addRecord(sums: HealthSums, { cacheStatus, statusCode }: LogRecord): void {
  const { served } = cacheStatusRow(cacheStatus);
  sums.rows++;
  if (served !== null) sums[served]++;
  if (statusCode >= 400 && statusCode <= 499) sums.clientErrors++;
  if (isServerError(statusCode)) sums.serverErrors++;
}
