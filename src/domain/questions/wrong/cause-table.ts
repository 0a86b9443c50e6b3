import { clockMinute, count, counted, isoOf, joined, percent, rateText } from '../../../text/units.ts';
import { type Level, levelOfMarks, type Name } from '../../deviation/sampled-rows.ts';
import type { Between } from '../../deviation/stretch.ts';
import { median, rateIn, rateOf } from '../../deviation/usual.ts';
import { changeWords } from '../../evidence/change.ts';
import { codeWord } from '../../evidence/origin-error.ts';
import {
  type AnswerFinding,
  type AnswerRow,
  type AnswerSection,
  type Facts,
  type FactValue,
  ledBy,
  onScreen,
  rest,
  sectionOf,
  shares,
  textSection,
  within,
  words,
} from '../../inquiry/answer-table.ts';
import { type FieldTerm, type Query, withTerms } from '../../query/query.ts';
import { termForValue } from '../../query/terms.ts';
import type { TimeRange } from '../../tail/coverage.ts';
import type { PullZone } from '../../zone.ts';
import { meaningOf, timeWord } from '../evidence/evidence-reading.ts';
import {
  causeSentence,
  cellOf,
  hitRatioOf,
  isOfOldCopies,
  queryWords,
  type RuleTexts,
  withWords,
} from './cause-words.ts';
import type { RaisedRule } from './raised-rules.ts';
import { type Cause, type CausesFound, type Heard, LEAST_SPOILT } from './verdict.ts';

/** What was asked about. `rules`: null where they were not read. */
export type AskedAbout = { zone: PullZone; query: Query; range: TimeRange; rules: RuleTexts };

/** A cause as it is listed, by itself or for several zones together. */
export type CauseLine = {
  cause: Cause;
  about: AskedAbout;
  leads?: AnswerRow['leads'] | undefined;
  isSubject?: boolean;
  /** Set where there are several zones to tell apart. */
  zone?: string;
};

/** The causes, a line each. */
export function causesSection(title: string, lines: readonly CauseLine[], note: string): AnswerSection {
  const hasZones = lines.some(({ zone }) => zone !== undefined);
  return sectionOf('causes', title, lines, {
    sentence: ({ zone, cause, about }) =>
      joined([zone?.trim() ?? '', causeSentence(cause, about.range.to, about.rules)], ': '),
    columns: [
      ...(hasZones ? [onScreen<CauseLine>('ZONE', 16, ({ zone = '' }) => zone)] : []),
      onScreen(
        'SINCE',
        12,
        ({ cause: { since }, about }) => (since === null ? 'not known' : cellOf(since, about.range.to)),
        hasZones ? { from: 60 } : {},
      ),
      onScreen(
        'UNTIL',
        12,
        ({ cause: { until }, about }) => (until === null ? 'on' : cellOf(until, about.range.to)),
        { from: 60 },
      ),
      shares('share', 'SHARE', 6, ({ cause }) => cause.share, hasZones ? { from: 90 } : {}),
      shares('usual', 'USUAL', 6, ({ cause }) => cause.deviation?.usual ?? null, { from: 100 }),
      words('sureness', 'SURE', 8, ({ cause }) => cause.sureness, {
        from: hasZones ? 110 : 90,
      }),
      words('what', 'WHAT', 14, ({ cause }) => cause.what),
      rest('with', 'WITH', ({ cause, about }) => withWords(cause, about.rules)),
    ],
    row: ({ cause, about, leads, isSubject = false }) => ({
      tone: cause.until === null ? 'bad' : 'notable',
      isSubject,
      ...ledFrom(cause, about),
      ...(leads ? { leads } : {}),
    }),
    note,
  });
}

/** The requests of the cause, or the events of its rule. */
export function ledFrom(
  { deviation, rules, since, until }: Cause,
  { query, range, zone }: Omit<AskedAbout, 'rules'>,
): Pick<AnswerRow, 'leads' | 'value'> {
  const ofZone = zone.id === '' ? {} : { zones: [zone.id] };
  if (deviation === null) {
    const [rule] = rules;
    if (!rule) return { leads: { subject: 'logs', query: within(query, range) } };
    return ledBy('shield', within({ ...query, terms: [] }, range), 'rule', rule.ruleId);
  }
  const begin = Math.max(range.from, since?.after ?? range.from);
  const times = { from: Math.floor(begin), to: Math.ceil(until?.before ?? range.to) };
  const [name] = deviation.names.filter(({ field }) => field !== 'status' && field !== 'cache');
  const answer = answerTerm(deviation);
  const terms = [
    name === undefined ? null : termOf(name),
    answer === null ? null : termForValue('logs', answer.field, answer.value, false),
  ];
  const found = terms.reduce((sum, term) => withTerms(sum, term), within(query, times));
  return { leads: { subject: 'logs', query: found, ...ofZone }, ...ofOneValue(name) };
}

/** For further questions, which are of one value. */
function ofOneValue(name: Name | undefined): Pick<AnswerRow, 'value'> {
  return name === undefined || name.isPattern ? {} : { value: { field: name.field, value: name.value } };
}

function termOf({ field, value, isPattern }: Name): FieldTerm | null {
  const term = termForValue('logs', field, value, false);
  return term && isPattern ? { ...term, op: 'wildcard' } : term;
}

/** What rows of a harm are found by besides their name; null: that name is all of them. */
function answerTerm(deviation: NonNullable<Cause['deviation']>): { field: string; value: string } | null {
  // Those of a surge are rows of the query.
  if (deviation.times !== null) return null;
  switch (deviation.harm) {
    case 'trouble':
      return isOfOldCopies(deviation)
        ? { field: 'cache', value: 'STALE' }
        : { field: 'status', value: '5xx' };
    case 'refused':
    case 'notFound':
    case 'clientErrors':
    case 'redirected':
      return { field: 'status', value: String(deviation.statuses[0]?.status ?? '4xx') };
    case 'bypassed':
    case 'misses':
      return { field: 'cache', value: deviation.cache ?? 'MISS' };
    case 'sender':
    case 'surge':
      return null;
  }
}

/** A hit ratio that moved by less is not worth one. */
const MOVED = 0.05;

/** A rate so many times the usual one is worth a word. */
const FLOOD = 2;

/** What speaks for a cause, from each source, and how sure it is. */
export function evidenceSection(cause: Cause, o: AskedAbout): AnswerSection {
  const { whyNotSurer, sureness, deviation, what } = cause;
  return textSection(
    'evidence',
    joined([what, withWords(cause, o.rules)], ' '),
    'EVIDENCE',
    [
      ...evidenceOf(cause, o.range.to).map(({ words }) => words),
      cause.since?.after === null && deviation !== null && !cause.isOnAndOff
        ? 'it was there as far back as was read: its beginning is not known, and no change is held against it'
        : '',
    ].filter((text) => text !== ''),
    {
      row: ledFrom(cause, o),
      note:
        whyNotSurer.length === 0
          ? `${sureness}: in several samples, beside enough of other times`
          : `${sureness}, not surer because ${whyNotSurer.join(', and ')}`,
    },
  );
}

/** A piece of evidence in words, empty where the sentence of the cause says it, and as scripts read it; null: it is in another one. */
type Evidence = { words: string; facts: FactValue };

function evidenceOf(cause: Cause, end: number): Evidence[] {
  const { deviation, fall, rules, code, changes, hour } = cause;
  const queries = queryWords(cause);
  return [
    ...told(deviation, (each) => {
      const { rows, samples, stretch, times, usual } = each;
      return {
        words: rowsWords(each),
        facts: {
          ...{ kind: 'rows', rows, samples, share: times === null ? stretch.share : null },
          ...{ timesUsual: times, usual, ...(queries === '' ? {} : { queryStrings: queries }) },
        },
      };
    }),
    { words: queries, facts: null },
    ...told(fall, ({ left, usual }) => ({
      words: `CDN log: ${rateText(left * usual)} req/s, where at least ${rateText(usual)} are usual`,
      facts: { kind: 'volume', ofUsual: left, perSecond: left * usual, usualPerSecond: usual },
    })),
    ...rules.map((rule) => {
      const { ruleId, count: events, usual, ja4, firstSeen, lastSeen } = rule;
      const seen = { from: isoOf(firstSeen), to: isoOf(lastSeen) };
      return {
        words: ruleWords(rule),
        facts: { kind: 'rule', rule: ruleId, events, usual, ja4, ...seen },
      };
    }),
    ...told(code, (each) => ({
      words: `origin errors: ${codeWord(each.code)} ${count(each.count)} of ${count(each.of)} in its time (${meaningOf(each.code)})`,
      facts: { kind: 'originErrors', ...each },
    })),
    ...changes.map((change) => ({
      words: changeWords(change, timeWord(change.timestamp, end)),
      facts: {
        ...{ kind: 'change', at: isoOf(change.timestamp), action: change.action },
        fields: change.diff.fields.map(({ field, old, now }) => ({ field, before: old, after: now })),
        text: change.diff.text,
      },
    })),
    ...told(hour, ({ at, requests, serverErrors }) => ({
      words: '',
      facts: { kind: 'statistics', hour: isoOf(at), requests, serverErrors },
    })),
  ];
}

function told<T>(value: T | null, evidence: (value: T) => Evidence): Evidence[] {
  return value === null ? [] : [evidence(value)];
}

function sampledWords(rows: number, samples: number): string {
  return `${counted(rows, 'row')} in ${counted(samples, 'sample')}`;
}

function rowsWords({ rows, samples, stretch, usual, times }: NonNullable<Cause['deviation']>): string {
  if (times !== null)
    return `CDN log: ${sampledWords(rows, samples)}, ${times.toFixed(1)} times as many as usual`;
  const was = usual === null ? 'no other time was read' : `usually ${percent(usual)}`;
  return `CDN log: ${sampledWords(rows, samples)}, ${percent(stretch.share)} of the requests of its time, ${was}`;
}

function ruleWords({ ruleId, count: events, usual, ja4, firstSeen, lastSeen }: RaisedRule): string {
  const seen =
    firstSeen === null || lastSeen === null
      ? ''
      : `, from ${clockMinute(firstSeen)} to ${clockMinute(lastSeen)}`;
  const of = ja4 === null ? 'of many kinds of clients' : `most of ja4:${ja4}`;
  return `Shield: rule ${ruleId} has ${counted(events, 'event')}, usually ${count(usual)}${seen}, ${of}`;
}

/** What was seen and is no cause: too little of the requests for one, or nothing that spoils them. */
export function notesSection(
  { causes, recurring }: CausesFound,
  heard: Heard,
  level: Level,
  o: AskedAbout,
): AnswerSection[] {
  const { range, errors, rules, population } = heard;
  const strays = errors.filter(({ timestamp }) => timestamp >= range.from && timestamp < range.to).length;
  const hasOrigin = causes.some(({ deviation }) => deviation?.harm === 'trouble');
  const quiet = rules.filter((rule) => causes.every((cause) => !cause.rules.includes(rule)));
  const [rate, usual] = [rateOf(population, range), usualRate(heard)];
  const texts = [
    ...recurring.map(
      (cause) =>
        `${causeSentence(cause, range.to, o.rules)}: ${percent(cause.deviation?.dayBefore ?? null)} at the same time of an earlier day`,
    ),
    strays > 0 && !hasOrigin
      ? `${counted(strays, 'origin error')}, less than ${percent(LEAST_SPOILT)} of the requests`
      : '',
    ...(heard.hasLog
      ? quiet.map((rule) => `${ruleWords(rule)}; less than ${percent(LEAST_SPOILT)} of the requests`)
      : []),
    rate !== null && usual !== null && rate >= FLOOD * usual
      ? `${(rate / usual).toFixed(1)} times as many requests as usual`
      : '',
    hitNote(level, heard),
  ].filter((text) => text !== '');
  return texts.length === 0 ? [] : [textSection('notes', 'seen, and no cause', 'NOTE', texts)];
}

function hitNote(level: Level, { population: { marks, windowAt } }: Heard): string {
  const usual = hitRatioOf(levelOfMarks(marks.subarray(0, windowAt)));
  const now = hitRatioOf(level);
  return now === null || usual === null || Math.abs(now - usual) < MOVED
    ? ''
    : `hit ratio ${percent(now)}, ${percent(usual)} at other times`;
}

/** Requests a second of the other times together; null: none was read. */
function usualRate({ population: { parts } }: Heard): number | null {
  const rates = parts.flatMap((part) => (part.side === 'before' ? (rateIn(part) ?? []) : []));
  return rates.length === 0 ? null : median(rates);
}

/** A cause as scripts read it. `place`: its number, from 1 on. */
export function causeFinding(cause: Cause, place: number, o: AskedAbout): AnswerFinding {
  const { what, deviation, code, rules, since, isOnAndOff, until, share, sureness, whyNotSurer } = cause;
  const { leads } = ledFrom(cause, o);
  const facts: Facts = {
    cause: place,
    sentence: `${o.zone.name}: ${causeSentence(cause, o.range.to, o.rules)}`,
    what,
    with: [
      ...(deviation?.names ?? []).map(({ field, value }) => ({ field, value })),
      ...(code === null ? [] : [{ field: 'cause', value: code.code }]),
      ...rules.map(({ ruleId }) => ({ field: 'rule', value: ruleId })),
    ],
    since: timesOf(since),
    state: until === null ? 'on' : 'over',
    isOnAndOff,
    until: timesOf(until),
    share,
    sureness,
    whyNotSurer,
    evidence: evidenceOf(cause, o.range.to).flatMap((each) => each.facts ?? []),
  };
  return { facts, ...(leads ? { leads } : {}) };
}

/** The moments between which it lies; `from` null: it was so as far back as was read. */
function timesOf(times: Between | null): FactValue {
  return times && { from: isoOf(times.after), to: isoOf(times.before) };
}
