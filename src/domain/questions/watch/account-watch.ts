import { recentFigures, type ZoneHealth } from '../../health/zone-health.ts';
import {
  metricOf,
  parseWatch,
  printWatch,
  type Watch,
  type WatchReading,
  type WatchVerdict,
  watchRefused,
  watchVerdict,
} from './watch.ts';

/** What can be waited for in any zone of an account: what a sample of its log tells, and what Shield blocked. */
const ACCOUNT_METRICS = ['hit', '4xx', '5xx', 'rate', 'blocked'];

const ANY = 'any ';

/** Reads `any 5xx>5%`: a watch that any zone may meet, by a sample of its newest rows. Errors point at their column. */
export function parseAccountWatch(text: string): WatchReading {
  const head = /^\s*any\s+/i.exec(text)?.[0];
  if (head === undefined) {
    const hint = `${ANY}5xx>5%; of one zone alone: edgescope logs <zone> --until '5xx>5%'`;
    return watchRefused(0, Math.max(1, text.length), 'what may hold of any zone begins with any', hint);
  }
  const rest = text.slice(head.length);
  const [name = ''] = /^[^\s<>=!]*/.exec(rest) ?? [];
  const metric = name.toLowerCase();
  if (!ACCOUNT_METRICS.includes(metric)) {
    const message = name === '' ? 'what to wait for is missing' : `'${name}' is not known of all zones`;
    const hint = ACCOUNT_METRICS.map((id) => ANY + metricOf(id).example).join(', ');
    return watchRefused(head.length, Math.max(1, name.length), message, hint);
  }
  const read = parseWatch(rest, metricOf(metric).subject);
  if (!read.ok) {
    const { error } = read;
    return { ok: false, error: { ...error, column: error.column + head.length } };
  }
  if (read.watch.minutes === 1) return read;
  const over = rest.search(/\sover\s/i) + 1;
  const message = 'a sample is of the newest rows, one to five minutes of them';
  const hint = ANY + printWatch({ ...read.watch, minutes: 1 });
  return watchRefused(head.length + over, rest.trimEnd().length - over, message, hint);
}

export function printAccountWatch(watch: Watch): string {
  return ANY + printWatch(watch);
}

/** Whether the newest sample of a zone meets the watch. */
export function judgedSample(watch: Watch, health: ZoneHealth): WatchVerdict {
  if (watch.subject === 'shield') {
    const { blocked: count } = health;
    if (count?.blocked === undefined || count.blocked === null)
      return { kind: 'waiting', why: 'what Shield blocked was not read' };
    const { blocked, from, to } = count;
    return watchVerdict(watch, count, { blocked }, to - from);
  }
  const figures = recentFigures(health);
  if (figures === null) return { kind: 'waiting', why: 'no row was read' };
  if (watch.metric === 'rate' && figures.requestsPerSecond === null)
    return { kind: 'waiting', why: 'too little was read to tell a rate' };
  const { rows: requests, edge, origin, clientErrors, serverErrors: errors } = figures.sums;
  const counted = { requests, edgeRequests: edge, originRequests: origin, clientErrors, errors };
  return watchVerdict(watch, figures, counted, figures.covered);
}
