import { lengthOf, sharedRanges, type TimeRange } from './coverage.ts';
import { TAIL_TUNING } from './tail-pace.ts';
import type { TailReport, TailStatus } from './tail-report.ts';

/**
 * What one zone's tail knows of its coverage. `zone`: the pull zone's id; `report`: null before its first answer;
 * `overtaken`: its rows that are late because of the others, see `overtakenTimes`.
 */
export type ZoneReport = { zone: string; report: TailReport | null; overtaken: number };

/** A zone that is not read as the others are. `behind`: ms of event time; null: its requests fail. */
type ZoneTrouble<Z extends ZoneReport = ZoneReport> = { of: Z; behind: number | null };

/** A zone counts as behind from here on, ms: later, its own tail jumps to the present. */
const BEHIND_FROM = TAIL_TUNING.behindMost;

/** The status of several zones is the first of these that one of them has: one that reads speaks for all. */
const SPEAKS_FIRST: readonly TailStatus[] = [
  'live',
  'quiet',
  'connecting',
  'rateLimited',
  'offline',
  'failed',
  'stopped',
];

const TROUBLED: ReadonlySet<TailStatus> = new Set(['rateLimited', 'offline', 'failed']);

/**
 * What is known of several zones together: complete is what all have read, and rows are sums. `completeTo` and
 * `watermark` are the least, null while one zone has none; `read` and `readShare` are what every zone read. Null
 * before any answer. For one zone it is that zone's report.
 */
export function mergedReport(parts: readonly ZoneReport[]): TailReport | null {
  const told = parts.flatMap(({ report }) => report ?? []);
  const [first] = told;
  if (first === undefined || parts.length === 1) return first ?? null;
  const isWhole = told.length === parts.length;
  const status = statusOf(told, isWhole);
  const speaking = told.filter((report) => report.status === status);
  const sum = (count: (report: TailReport) => number) => told.reduce((all, report) => all + count(report), 0);
  const read = isWhole ? told.map((report) => report.read).reduce(sharedRanges) : [];
  return {
    status,
    since: Math.min(...(speaking.length > 0 ? speaking : told).map(({ since }) => since)),
    origin: least(told.map(({ origin }) => origin)),
    completeTo: isWhole ? least(told.map(({ completeTo }) => completeTo)) : null,
    watermark: isWhole ? least(told.map(({ watermark }) => watermark)) : null,
    readShare: isWhole ? shareOf(told, read) : first.readShare === null ? null : 0,
    read,
    seen: sum(({ seen }) => seen),
    unique: sum(({ unique }) => unique),
    late: sum(({ late }) => late) + parts.reduce((all, { overtaken }) => all + overtaken, 0),
    duplicates: sum(({ duplicates }) => duplicates),
    bad: sum(({ bad }) => bad),
    gaps: parts
      .flatMap(({ zone, report }) =>
        (report?.gaps ?? []).map((gap) => ({ ...gap, zone, id: `${zone} ${gap.id}` })),
      )
      .sort((a, b) => a.from - b.from),
    reading: told.flatMap(({ reading }) => reading),
    retryAt: least(speaking.map(({ retryAt }) => retryAt)),
    failure: speaking.find(({ failure }) => failure !== null)?.failure ?? null,
    lastRowAt: greatest(told.map(({ lastRowAt }) => lastRowAt)),
    serverNow: greatest(told.map(({ serverNow }) => serverNow)),
    clockAhead: told.find(({ clockAhead }) => clockAhead !== null)?.clockAhead ?? null,
  };
}

/**
 * The zones whose requests fail, then those behind, the furthest first. A zone is behind where it is read less far
 * than the one read furthest, by more than an ordinary pause between requests. In a closed window each goes at its
 * own pace.
 */
export function zonesInTrouble<Z extends ZoneReport>(parts: readonly Z[]): ZoneTrouble<Z>[] {
  const front = greatest(parts.map(({ report }) => readTo(report)));
  const failing = parts.filter(({ report }) => report !== null && TROUBLED.has(report.status));
  const behind = parts.flatMap((of): { of: Z; behind: number }[] => {
    const at = readTo(of.report);
    const hasEnd = of.report?.readShare !== null;
    if (front === null || at === null || hasEnd || failing.includes(of)) return [];
    return front - at > BEHIND_FROM ? [{ of, behind: front - at }] : [];
  });
  behind.sort((a, b) => b.behind - a.behind);
  return [...failing.map((of) => ({ of, behind: null })), ...behind];
}

/**
 * The event times at which rows of a zone are late because of the others; null = none is. Such a row is of the time after the log was
 * opened and its zone had not been read so far yet, while another one had been, by more than `BEHIND_FROM`: it comes in above rows
 * that were on screen already. History, and what fills a gap, comes in among older rows as with one zone, and is not late.
 * `before`: the zone's report before the answer; `opened`: how far the first answer about any zone had read.
 */
export function overtakenTimes(
  before: TailReport | null,
  others: readonly (TailReport | null)[],
  opened: number | null,
): TimeRange | null {
  const from = readTo(before) ?? opened;
  const front = greatest(others.map(readTo));
  if (from === null || front === null || before?.readShare != null) return null;
  const to = front - BEHIND_FROM;
  return from < to ? { from, to } : null;
}

/** The newest time that a complete answer covers. */
export function readTo(report: TailReport | null): number | null {
  return report?.read.at(-1)?.to ?? null;
}

function statusOf(told: readonly TailReport[], isWhole: boolean): TailStatus {
  const all = new Set<TailStatus>(told.map(({ status }) => status));
  if (!isWhole) all.add('connecting');
  return SPEAKS_FIRST.find((status) => all.has(status)) ?? 'connecting';
}

/** A zone's share implies the length of its window. */
function shareOf(told: readonly TailReport[], read: readonly TimeRange[]): number | null {
  const shares = told.map((report) => {
    if (!report.readShare) return report.readShare;
    return (report.readShare * lengthOf(read)) / lengthOf(report.read);
  });
  return least(shares);
}

/** The least of all; null where one is unknown. */
function least(times: readonly (number | null)[]): number | null {
  const known = times.filter((time) => time !== null);
  return known.length < times.length || known.length === 0 ? null : Math.min(...known);
}

function greatest(times: readonly (number | null)[]): number | null {
  const known = times.filter((time) => time !== null);
  return known.length === 0 ? null : Math.max(...known);
}
