import { clockMinute, count, MINUTE } from '../../text/units.ts';
import { recentFigures, type ZoneHealth } from '../health/zone-health.ts';
import type { LogRecord } from '../log.ts';
import { addRecord, type CacheSums, noCacheSums } from '../logs/sums/traffic.ts';
import { nearestNames } from '../query/nearest.ts';
import type { QuerySubject } from '../query/query.ts';
import type { QueryError } from '../query/query-text.ts';
import type { TimeRange } from '../tail/coverage.ts';

type WatchSign = keyof typeof SIGNS;
type WatchUnit = '%' | '/s' | '/min' | '/h';

/** `hit<60%`: the command ends when it holds of `minutes` complete minutes taken together. `value` is in `unit`. */
export type Watch = {
  subject: QuerySubject;
  metric: WatchMetricId;
  sign: WatchSign;
  value: number;
  unit: WatchUnit;
  minutes: number;
};

type WatchMetric = {
  subject: QuerySubject;
  title: string;
  kind: 'share' | 'rate';
  example: string;
};

/** What can be waited for. Shares are in per cent of requests, rates per second, minute or hour. */
export const WATCH_METRICS = {
  hit: { subject: 'logs', title: 'hit ratio', kind: 'share', example: 'hit<60%' },
  hitbytes: { subject: 'logs', title: 'hit ratio by bytes', kind: 'share', example: 'hitbytes<80%' },
  '4xx': { subject: 'logs', title: '4xx', kind: 'share', example: '4xx>10%' },
  '5xx': { subject: 'logs', title: '5xx', kind: 'share', example: '5xx>2%' },
  stale: { subject: 'logs', title: 'stale answers', kind: 'share', example: 'stale>5%' },
  rate: { subject: 'logs', title: 'requests', kind: 'rate', example: 'rate>500/s' },
  events: { subject: 'shield', title: 'events', kind: 'rate', example: 'events>1000/min' },
  blocked: { subject: 'shield', title: 'blocked events', kind: 'rate', example: 'blocked>500/min' },
  challenged: { subject: 'shield', title: 'challenged events', kind: 'rate', example: 'challenged>100/min' },
  logged: { subject: 'shield', title: 'logged events', kind: 'rate', example: 'logged>100/min' },
} as const satisfies Record<string, WatchMetric>;

export type WatchMetricId = keyof typeof WATCH_METRICS;

/** ms in what a rate is per. */
const WATCH_UNITS = { '/s': 1000, '/min': 60_000, '/h': 3_600_000 } as const;

const UNIT_NAMES: Readonly<Record<string, WatchUnit>> = {
  '%': '%',
  '/s': '/s',
  '/sec': '/s',
  '/m': '/min',
  '/min': '/min',
  '/h': '/h',
};

const MOST_MINUTES = 60;
const SUBJECTS = { logs: 'CDN logs', shield: 'Shield events' } as const;
const SIGNS = {
  '<': { words: 'below', holds: (measured, value) => measured < value },
  '<=': { words: 'at most', holds: (measured, value) => measured <= value },
  '>': { words: 'above', holds: (measured, value) => measured > value },
  '>=': { words: 'at least', holds: (measured, value) => measured >= value },
} as const satisfies Record<string, { words: string; holds: (measured: number, value: number) => boolean }>;

type WatchReading = { ok: true; watch: Watch } | { ok: false; error: QueryError };

/** Reads `metric sign value unit [over Nm]`; spaces do not count, nor does case. Errors point at their column. */
export function parseWatch(text: string, subject: QuerySubject): WatchReading {
  const match = /^(\s*)([^\s<>=!]*)(\s*)([<>=!]*)(\s*)(\S*)(.*)$/s.exec(text);
  const [, lead = '', name = '', gap1 = '', sign = '', gap2 = '', amount = '', rest = ''] = match ?? [];
  const nameAt = lead.length;
  const signAt = nameAt + name.length + gap1.length;
  const amountAt = signAt + sign.length + gap2.length;
  const names = Object.keys(WATCH_METRICS).filter((id) => metricOf(id).subject === subject);
  const examples = names.slice(0, 3).map((id) => metricOf(id).example);
  if (name === '') return watchRefused(nameAt, 1, 'what to wait for is missing', examples.join(', '));
  const id = name.toLowerCase();
  if (!isMetric(id)) {
    const [nearest] = nearestNames(id, names);
    const hint = nearest ? `did you mean ${metricOf(nearest).example}?` : `one of ${names.join(', ')}`;
    return watchRefused(nameAt, name.length, `'${name}' cannot be waited for`, hint);
  }
  const metric = metricOf(id);
  if (metric.subject !== subject) {
    const hint = `edgescope ${metric.subject} <zone> --until '${metric.example}'`;
    return watchRefused(nameAt, name.length, `${id} is counted in ${SUBJECTS[metric.subject]}`, hint);
  }
  if (!isSign(sign)) {
    const message = sign === '' ? 'a comparison is missing' : `'${sign}' is no comparison here`;
    return watchRefused(signAt, Math.max(1, sign.length), message, `< <= > or >=: ${metric.example}`);
  }
  const number = /^(\d{1,12}(?:\.\d{1,6})?)([km]?)(?!\d)(.*)$/i.exec(amount);
  if (!number) {
    const message = amount === '' ? 'a number is missing' : `'${amount}' is not an amount`;
    return watchRefused(amountAt, Math.max(1, amount.length), message, `for example ${metric.example}`);
  }
  const [, digits = '', scale = '', unitText = ''] = number;
  const unitAt = amountAt + digits.length + scale.length;
  const unit = UNIT_NAMES[unitText.toLowerCase()];
  if (unit === undefined || (unit === '%') !== (metric.kind === 'share')) {
    const wanted = metric.kind === 'share' ? '%' : '/s, /min or /h';
    const message = unitText === '' ? 'its unit is missing' : `'${unitText}' is not a unit of ${id}`;
    return watchRefused(unitAt, Math.max(1, unitText.length), message, `${wanted}: ${metric.example}`);
  }
  const times = scale === '' ? 1 : scale.toLowerCase() === 'k' ? 1e3 : 1e6;
  // To the millionth, so that `1.001k` is 1001 and what is printed is what was read.
  const value = Math.round(Number(digits) * times * 1e6) / 1e6;
  if (!canHold(sign, value, unit)) {
    const length = amountAt + amount.length - signAt;
    return watchRefused(signAt, length, 'this can never be', `for example ${metric.example}`);
  }
  const minutes = minutesOf(rest);
  if (minutes === null) {
    const restAt = amountAt + amount.length + (rest.length - rest.trimStart().length);
    const hint = `nothing, or over 2m … over ${MOST_MINUTES}m`;
    return watchRefused(restAt, Math.max(1, rest.trim().length), `'${rest.trim()}' is not understood`, hint);
  }
  return { ok: true, watch: { subject, metric: id, sign, value, unit, minutes } };
}

/** The shortest text that `parseWatch` reads as this. */
export function printWatch({ metric, sign, value, unit, minutes }: Watch): string {
  return `${metric}${sign}${value}${unit}${minutes === 1 ? '' : ` over ${minutes}m`}`;
}

export function holds({ sign, value }: Watch, measured: number): boolean {
  return SIGNS[sign].holds(measured, value);
}

/**
 * Why a watch ended: `hit ratio 41 % of 12,331 requests in 02:14–02:15Z is below 60 %`. `measured` is in the watch's
 * unit, `of` the number of requests or events that it was measured on.
 */
export function watchReason(watch: Watch, measured: number, of: number, range: TimeRange): string {
  const { title, kind, subject } = metricOf(watch.metric);
  const span = watchSpan(range);
  const limit = `${SIGNS[watch.sign].words} ${withUnit(String(watch.value), watch.unit)}`;
  const told = withUnit(roundedAwayFrom(measured, watch.value), watch.unit);
  if (kind === 'share') return `${title} ${told} of ${count(of)} requests in ${span} is ${limit}`;
  const what = subject === 'logs' ? 'requests' : 'events';
  return `${title} ${told}, ${count(of)} ${what} in ${span}, is ${limit}`;
}

export function metricOf(id: string): WatchMetric {
  return WATCH_METRICS[id as WatchMetricId];
}

/** `02:14–02:15Z`. */
function watchSpan({ from, to }: TimeRange): string {
  return `${clockMinute(from)}–${clockMinute(to)}Z`;
}

function isMetric(id: string): id is WatchMetricId {
  return Object.hasOwn(WATCH_METRICS, id);
}

function isSign(text: string): text is WatchSign {
  return Object.hasOwn(SIGNS, text);
}

/** A share lies within 0…100 %, a rate is never negative: what asks for more would wait for ever. */
function canHold(sign: WatchSign, value: number, unit: WatchUnit): boolean {
  if (sign === '<' && value === 0) return false;
  if (unit !== '%') return true;
  return sign === '>' ? value < 100 : value <= 100;
}

function minutesOf(rest: string): number | null {
  if (rest.trim() === '') return 1;
  const digits = /^\s+over\s+(\d{1,3})\s*(?:m|min)\s*$/i.exec(rest)?.[1];
  const minutes = Number(digits ?? 0);
  return minutes >= 1 && minutes <= MOST_MINUTES ? minutes : null;
}

/** As few digits as still stand on the right side of the limit: 59.96 is not told as 60 when it is below 60. */
function roundedAwayFrom(measured: number, limit: number): string {
  const side = Math.sign(measured - limit);
  for (let digits = measured < 10 ? 1 : 0; digits < 12; digits++) {
    const text = measured.toFixed(digits);
    if (Math.sign(Number(text) - limit) === side) return String(Number(text));
  }
  return String(measured);
}

function withUnit(text: string, unit: WatchUnit): string {
  return unit === '%' ? `${text} %` : `${text.replace(/^\d+/, (digits) => count(Number(digits)))}${unit}`;
}

function watchRefused(column: number, length: number, message: string, hint: string): WatchReading {
  return { ok: false, error: { column, length, message, hint } };
}

/** What a watch can say. `measured` is in the watch's unit, `of` requests or events. */
export type WatchVerdict =
  | { kind: 'waiting'; why: string }
  | (TimeRange & { kind: 'no'; measured: number; of: number })
  | MetVerdict;

export type MetVerdict = TimeRange & { kind: 'met'; measured: number; of: number; reason: string };

/** A share of fewer requests than these is not judged: one miss of two is no incident. */
const LEAST_REQUESTS = 20;

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
  return watchVerdict(watch, range, total, to - from);
}

/** What was counted in a range, of which as much as `time`, ms, was read. */
function watchVerdict(watch: Watch, range: TimeRange, counted: Partial<Sums>, time: number): WatchVerdict {
  const sums = { ...noSums(), ...counted };
  const { part, of } = MEASURES[watch.metric](sums);
  if (watch.unit !== '%') return judged(watch, range, part / (time / WATCH_UNITS[watch.unit]), of);
  if (of === 0) return { kind: 'waiting', why: `${watchSpan(range)} had nothing to measure` };
  // By bytes, too, it is the requests that make a sample large enough.
  const requests = watch.metric === 'hitbytes' ? sums.edgeRequests + sums.originRequests : of;
  if (requests < LEAST_REQUESTS) {
    const why = `${watchSpan(range)} had ${requests} requests, fewer than the ${LEAST_REQUESTS} that a share is judged by`;
    return { kind: 'waiting', why };
  }
  return judged(watch, range, (part / of) * 100, requests);
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
