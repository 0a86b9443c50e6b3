import { clockMinute, MINUTE } from '../../../text/units.ts';
import type { LogRecord } from '../../log.ts';
import { addRecord, type CacheSums, noCacheSums } from '../../logs/sums/traffic.ts';
import type { TimeRange } from '../../tail/coverage.ts';
import {
  holds,
  WATCH_METRICS,
  WATCH_UNITS,
  type Watch,
  type WatchMetricId,
  watchReason,
  watchSpan,
} from './watch.ts';

/** What a watch can say. `measured` is in the watch's unit, `of` requests or events. */
export type WatchVerdict =
  | { kind: 'waiting'; why: string }
  | (TimeRange & { kind: 'no'; measured: number; of: number })
  | (TimeRange & { kind: 'met'; measured: number; of: number; reason: string });

/** A share of fewer requests than these is not judged: one miss of two is no incident. */
export const LEAST_REQUESTS = 20;

/** How long after its end a minute is judged, ms: by then nearly all of its late rows are there. */
export const SETTLED = 20_000;

export type Watcher = ReturnType<typeof createWatcher>;

/** What is counted besides the traffic of a minute. */
const NO_MORE = { clientErrors: 0, events: 0, blocked: 0, challenged: 0, logged: 0 };

type Sums = CacheSums & typeof NO_MORE;

type Measure = (sums: Sums) => { part: number; of: number };

/** Shares are part ÷ of; rates are `of` per unit of time. */
const MEASURES = {
  hit: ({ edgeRequests, originRequests }) => ({ part: edgeRequests, of: edgeRequests + originRequests }),
  hitbytes: ({ edgeBytes, originBytes }) => ({ part: edgeBytes, of: edgeBytes + originBytes }),
  '4xx': ({ clientErrors, requests }) => ({ part: clientErrors, of: requests }),
  '5xx': ({ errors, requests }) => ({ part: errors, of: requests }),
  stale: ({ stale, edgeRequests, originRequests }) => ({ part: stale, of: edgeRequests + originRequests }),
  rate: ({ requests }) => ({ part: requests, of: requests }),
  events: ({ events }) => ({ part: events, of: events }),
  blocked: ({ blocked }) => ({ part: blocked, of: blocked }),
  challenged: ({ challenged }) => ({ part: challenged, of: challenged }),
  logged: ({ logged }) => ({ part: logged, of: logged }),
} as const satisfies Record<WatchMetricId, Measure>;

/**
 * Holds a watch against complete minutes of UTC, `watch.minutes` of them together, each span once. `since` (Unix ms):
 * nothing is known from before. Rows may come in any order; one that comes after its minute was judged does not
 * change the verdict.
 */
export function createWatcher(
  watch: Watch,
  since: number,
): {
  addRecord(record: LogRecord): void;
  /** Events of one moment or of a group; an action of another name counts as an event only. */
  addEvents(at: number, action: string | null, events: number): void;
  /**
   * The first span that meets the watch, of those that ended by `completeTo` (Unix ms, everything before was read)
   * and were not judged yet; else the last one. A span that touches one of `gaps` is not judged.
   */
  judge(completeTo: number, gaps?: readonly TimeRange[]): WatchVerdict;
} {
  const span = watch.minutes * MINUTE;
  const minutes = new Map<number, Sums>();
  let next = Math.ceil(since / MINUTE) * MINUTE;
  const sumsAt = (time: number): Sums | null => {
    const minute = Math.floor(time / MINUTE) * MINUTE;
    if (minute < next) return null;
    const known = minutes.get(minute) ?? noSums();
    minutes.set(minute, known);
    return known;
  };
  return {
    addRecord(record) {
      const sums = sumsAt(record.timestamp);
      if (sums === null) return;
      addRecord(sums, record);
      if (record.statusCode >= 400 && record.statusCode <= 499) sums.clientErrors++;
    },
    addEvents(at, action, events) {
      const sums = sumsAt(at);
      if (sums === null) return;
      sums.events += events;
      if (action === 'blocked' || action === 'challenged' || action === 'logged') sums[action] += events;
    },
    judge(completeTo, gaps = []) {
      const why = `not enough data yet: the next complete span ends at ${clockMinute(next + span)}Z`;
      let last: WatchVerdict = { kind: 'waiting', why };
      for (; next + span <= completeTo; next += MINUTE) {
        const range = { from: next, to: next + span };
        last = verdictOn(watch, range, minutes, gaps);
        minutes.delete(next);
        if (last.kind !== 'met') continue;
        next += MINUTE;
        break;
      }
      return last;
    },
  };
}

function verdictOn(
  watch: Watch,
  range: TimeRange,
  minutes: ReadonlyMap<number, Sums>,
  gaps: readonly TimeRange[],
): WatchVerdict {
  const { from, to } = range;
  if (gaps.some((gap) => gap.from < to && gap.to > from)) {
    return { kind: 'waiting', why: `${watchSpan(range)} was not read whole` };
  }
  const total = noSums();
  for (let minute = from; minute < to; minute += MINUTE) {
    const sums = minutes.get(minute);
    if (sums !== undefined) addSums(total, sums);
  }
  const { part, of } = MEASURES[watch.metric](total);
  if (WATCH_METRICS[watch.metric].kind === 'share') {
    // By bytes, too, it is the requests that make a sample large enough.
    const requests = watch.metric === 'hitbytes' ? total.edgeRequests + total.originRequests : of;
    return shareVerdict(watch, range, { part, of, requests });
  }
  return rateVerdict(watch, range, { part, of, time: to - from });
}

/** Of the share `part` ÷ `of`, which so many requests tell. */
export function shareVerdict(
  watch: Watch,
  range: TimeRange,
  { part, of, requests }: { part: number; of: number; requests: number },
): WatchVerdict {
  if (of === 0) return { kind: 'waiting', why: `${watchSpan(range)} had nothing to measure` };
  if (requests < LEAST_REQUESTS) {
    const why = `${watchSpan(range)} had ${requests} requests, fewer than the ${LEAST_REQUESTS} that a share is judged by`;
    return { kind: 'waiting', why };
  }
  return judged(watch, range, (part / of) * 100, requests);
}

/** Of the rate of `part` in a time of `range`, ms; `of` are counted in it. */
export function rateVerdict(
  watch: Watch,
  range: TimeRange,
  { part, of, time }: { part: number; of: number; time: number },
): WatchVerdict {
  const unit = watch.unit === '%' ? 1000 : WATCH_UNITS[watch.unit];
  return judged(watch, range, part / (time / unit), of);
}

function judged(watch: Watch, { from, to }: TimeRange, measured: number, of: number): WatchVerdict {
  if (!holds(watch, measured)) return { kind: 'no', from, to, measured, of };
  return { kind: 'met', from, to, measured, of, reason: watchReason(watch, measured, of, { from, to }) };
}

function noSums(): Sums {
  return { ...noCacheSums(), ...NO_MORE };
}

function addSums(sum: Sums, more: Sums): void {
  for (const name of Object.keys(sum) as (keyof Sums)[]) sum[name] += more[name];
}
