import { counted, dayMinute, dayOf, joined, percent } from '../../../text/units.ts';
import type { FailingMost, FailingPages } from '../../deviation/failing-pages.ts';
import type { AnsweredRows, Level, Name } from '../../deviation/sampled-rows.ts';
import type { Between } from '../../deviation/stretch.ts';
import type { Fall } from '../../deviation/volume.ts';
import { changeWords } from '../../evidence/change.ts';
import { codeWord } from '../../evidence/origin-error.ts';
import { ratioOf } from '../../logs/sums/traffic.ts';
import type { WafRule } from '../../shield/shield.ts';
import { timeWord } from '../evidence/evidence-reading.ts';
import type { Cause } from './verdict.ts';

/** The rules of a Shield zone by their ids; null: not read. */
export type RuleTexts = ReadonlyMap<string, WafRule> | null;

/** Different query strings of one page that are worth a word. */
const MANY_QUERIES = 50;

/** 4xx are a part of every log: from this share on they are worth a word. */
const MANY_REFUSED = 0.1;

/** A value that so many rows of a cause have is said of it. */
const MOST = 0.5;

/** A value much as a term of a query, but raw. */
function termWords({ field, value }: Name): string {
  if (value === '') return `${field}:""`;
  return `${field}:${/\s/.test(value) ? `"${value}"` : value}`;
}

/** The names of a cause but how it was answered, much as terms of a query; raw: they are made safe where they are shown. */
function nameWords({ deviation, rules }: Cause, texts: RuleTexts): string {
  const names = (deviation?.names ?? []).filter(({ field }) => field !== 'status' && field !== 'cache');
  return joined(
    [
      ...names.map(termWords),
      ...rules.map(({ ruleId, ja4 }) => {
        const text = texts?.get(ruleId)?.description;
        return `rule:${ruleId}${text ? ` (${text})` : ''}${deviation === null && ja4 !== null ? ` ja4:${ja4}` : ''}`;
      }),
    ],
    ' ',
  );
}

/** `38.0% of requests answered 502 by the origin`: what happens to how many, without when and where. */
function effectWords(cause: Cause): string {
  const { deviation, fall, share } = cause;
  if (fall !== null) return fallWords(fall);
  const of = `${percent(share)} of requests`;
  if (deviation === null) return `Shield acts on ${of}`;
  const { harm, usual, times, isMoreAsked } = deviation;
  const status = mostCommon(deviation);
  if (times !== null)
    return `${times.toFixed(times < 10 ? 1 : 0)} times as many of these requests as usual${status === null ? '' : `, answered ${status}`}`;
  switch (harm) {
    case 'trouble': {
      if (isOfOldCopies(deviation)) return `${of} answered with old copies, the origin is slow or down`;
      const isOfOrigin = deviation.isOfOrigin || cause.code !== null;
      const by = isOfOrigin ? ' by the origin' : deviation.isOfCache ? ' from the cache' : '';
      return `${of} answered ${status ?? '5xx'}${by}`;
    }
    case 'sender':
      return `${senderWord(deviation)} ${of}${status === null || /^[23]/.test(status) ? '' : `, answered ${status}`}`;
    case 'misses':
    case 'bypassed': {
      const was = usual === null ? '' : `, usually ${percent(usual)}`;
      if (isMoreAsked) return `${of} are for what always goes to the origin${was}`;
      return `${of} ${harm === 'bypassed' ? 'bypass the cache' : 'fetched from the origin'}${was}`;
    }
    default:
      return `${of} answered ${status ?? (harm === 'redirected' ? '3xx' : '4xx')}${usual === null ? '' : `, usually ${percent(usual)}`}`;
  }
}

/** Below so little is left that nothing is. */
const NOTHING = 0.005;

function fallWords({ left, until }: Fall): string {
  const come = until === null ? 'come' : 'came';
  return left < NOTHING ? `no requests ${come}` : `${percent(left)} of the usual requests ${come}`;
}

/** Who sends, or what makes many send. */
function senderWord({ names }: NonNullable<Cause['deviation']>): string {
  const has = (...fields: Name['field'][]) => names.some(({ field }) => fields.includes(field));
  if (has('ip', 'ja4', 'asn')) return 'one sender makes';
  if (names.some(({ field, value }) => field === 'referer' && value !== '')) return 'one site refers';
  return has('ua') ? 'one program makes' : 'one sender makes';
}

/** The status that most rows were answered with; null: none was given to most. */
function mostCommon({ rows, statuses: [first] }: AnsweredRows): string | null {
  return first !== undefined && first.rows >= rows * MOST ? String(first.status) : null;
}

/** Whether most of what an origin fails at is answered with what the cache still had. */
export function isOfOldCopies({ rows, statuses }: AnsweredRows): boolean {
  const old = statuses.filter(({ status }) => status < 500).reduce((sum, each) => sum + each.rows, 0);
  return old > rows * MOST;
}

/** `17,960 query strings of /search`, where one page has them; empty where none has many. */
export function queryWords({ deviation }: Cause): string {
  if (deviation?.harm !== 'misses' && deviation?.harm !== 'bypassed') return '';
  const { queries, rows } = deviation;
  if (queries === null || queries.distinct < MANY_QUERIES || queries.rows < rows * MOST) return '';
  return `${counted(queries.distinct, 'different query string')} of ${queries.page} in ${counted(queries.rows, 'row')}`;
}

/** `38.0% of requests answered 502 by the origin since 22:47 (dns_lookup); OriginUrl was changed at 22:42: a -> b`. `end`: of the window. */
export function causeSentence(cause: Cause, end: number, texts: RuleTexts): string {
  const named = nameWords(cause, texts);
  const [change] = cause.changes;
  const code = cause.code === null ? '' : ` (${codeWord(cause.code.code)})`;
  const what = joined([effectWords(cause), named === '' ? '' : `with ${named}`], ' ');
  return joined([
    joined([`${what} ${timeWords(cause, end)}${code}`, queryWords(cause)], ', '),
    change ? changeWords(change, timeWord(change.timestamp, end)) : '',
  ]);
}

/** When it began and ended, in a sentence: `since 22:47`, `since before 20:14, as far back as was read`, `from 21:10 to 21:25`. */
function timeWords({ since, until, hour, isOnAndOff }: Cause, end: number): string {
  if (since === null) return 'since when is not known';
  const begin = sinceWords(since, end);
  if (isOnAndOff)
    return `on and off${since.after === null ? `, since ${timeWord(since.before, end)} or earlier` : ` ${begin}`}`;
  if (until !== null)
    return since.after === null
      ? `until ${moment(until, end)}, ${begin}`
      : `from ${moment(since, end)} to ${moment(until, end)}`;
  if (since.after !== null) return begin;
  return hour === null
    ? `${begin}, as far back as was read`
    : `${begin}; by statistics since the hour of ${timeWord(hour.at, end)}`;
}

function sinceWords(since: Between, end: number): string {
  return since.after === null ? `since before ${timeWord(since.before, end)}` : `since ${moment(since, end)}`;
}

/** One moment where it is known to the minute, else the two that it lies between. */
function moment({ after, before }: Between, end: number): string {
  if (after === null) return `before ${timeWord(before, end)}`;
  return before - after <= 90_000
    ? timeWord(before, end)
    : `${timeWord(after, end)}-${timeWord(before, end)}`;
}

/** The same in few cells: of another day than the last the later moment, `11-20 23:14`. */
export function cellOf(times: Between, end: number): string {
  const isOfDay = dayOf(times.before, 'utc') === dayOf(end - 1, 'utc');
  return isOfDay ? moment(times, end) : dayMinute(times.before);
}

/** `65% of 17 requests for shape:/api/checkout/pay answered 500`: too few requests for a cause. */
export function failingWords({ name, failed, rows, status }: FailingPages): string {
  const how = status === null ? 'fetched from the origin' : `answered ${status}`;
  return `${percent(failed / rows)} of ${counted(rows, 'request')} for ${termWords(name)} ${how}`;
}

/** `2.4 times the usual requests`; empty where about as many come as usual. */
export function volumeWords(times: number | null): string {
  if (times === null) return '';
  return times >= 1
    ? `${times.toFixed(1)} times the usual requests`
    : `${percent(times)} of the usual requests`;
}

export function failingMostWords({ name, failed, of }: FailingMost): string {
  return `${percent(failed / of)} of ${counted(of, 'error')} with ${termWords(name)}`;
}

/** 5xx from this share and so many rows on is no good level, though no cause. */
const BAD_LEVEL = { share: 0.01, rows: 20 } as const;

export function isBadLevel({ rows, errors }: Level): boolean {
  return errors >= BAD_LEVEL.rows && errors >= rows * BAD_LEVEL.share;
}

/** What the level of the rows is, in words: how many were answered 5xx, 4xx where that is many, and from cache. */
export function levelWords(level: Level): string {
  const { rows, errors } = level;
  const hit = hitRatioOf(level);
  const refused = clientErrorShare(level);
  return joined(
    [
      `5xx ${percent(rows > 0 ? errors / rows : null)}`,
      refused >= MANY_REFUSED ? `4xx ${percent(refused)}` : '',
      hit === null ? '' : `hit ratio ${percent(hit)}`,
    ],
    ', ',
  );
}

/** The share of the rows that were answered 4xx, 0…1. */
export function clientErrorShare({ rows, clientErrors }: Level): number {
  return clientErrors / Math.max(1, rows);
}

export function hitRatioOf({ edge, origin }: Level): number | null {
  return ratioOf(edge, edge + origin);
}

/** A status that so many of the errors of a cause have is worth a word. */
const MANY = 0.2;

/** The code that origin errors tell, what its rows have in common, and how they were answered. */
export function withWords(cause: Cause, texts: RuleTexts): string {
  const { deviation, code } = cause;
  const named = (deviation?.names ?? []).filter(({ field }) => field === 'status').map(({ value }) => value);
  const answered = named.length > 0 || deviation === null ? named : refusalsOf(deviation);
  return joined(
    [
      code === null ? '' : codeWord(code.code),
      nameWords(cause, texts),
      ...answered.map((status) => `status:${status}`),
    ],
    ' ',
  );
}

/** The statuses that an origin fails with, or that most rows are refused with, where they are several. */
function refusalsOf({ harm, rows, statuses }: NonNullable<Cause['deviation']>): string[] {
  const failed = statuses.filter(({ status }) => status >= (harm === 'trouble' ? 500 : 400));
  const all = failed.reduce((sum, each) => sum + each.rows, 0);
  if (harm !== 'trouble' && all < rows * MOST) return [];
  return failed.filter((each) => each.rows >= all * MANY).map(({ status }) => String(status));
}
