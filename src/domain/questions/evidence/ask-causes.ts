import { count, counted, dayClock, dayMinute, joined, percent } from '../../../text/units.ts';
import { listedChanges, type NameOf, NEAR_START, type Start, type ZoneIds } from '../../evidence/change.ts';
import { codeWord, errorMatcher, pathOfError, type ZoneError } from '../../evidence/origin-error.ts';
import { type OriginTally, originBeginnings, originTally } from '../../evidence/origin-tally.ts';
import {
  type AnswerSection,
  type AnswerTable,
  type Facts,
  figures,
  isoTimes,
  ledBy,
  onScreen,
  rest,
  sectionOf,
  shares,
  times,
  within,
  words,
} from '../../inquiry/answer-table.ts';
import { readBy } from '../../inquiry/inquiry.ts';
import { causeRow } from '../../origin-cause.ts';
import { type Query, withTerms } from '../../query/query.ts';
import { termForValue } from '../../query/terms.ts';
import { zoneNameOf } from '../../query/zone-terms.ts';
import type { TimeRange } from '../../tail/coverage.ts';
import type { Zones } from '../../zone.ts';
import { type Brief, type Made, made, queryOf } from '../asked/asked.ts';
import { changeSection, namesBy, nearestWords } from './ask-changes.ts';
import {
  changesIn,
  changesReading,
  type EvidenceReading,
  errorsIn,
  meaningOf,
  newestRunWords,
  originReading,
} from './evidence-reading.ts';

type Question = Pick<Brief, 'zones' | 'range'> & { query: Query; nameOf: NameOf };

/** Errors told of one value each, in the sections by value. */
const ROWS_EACH = 10;
const ROWS_LISTED = 500;
/** So long before and after an error, or a run of them, Enter looks for its rows, ms. */
const AROUND = 10_000;

/** Why an origin gives no answers, by the origin errors of a time, and what was changed right before. */
export function causes(o: Brief): Made {
  const { range, shieldZoneId, nameOf = namesBy(o.zones) } = o;
  const [first, ...others] = o.zones;
  const zones: Zones = [{ ...first, shieldZoneId: shieldZoneId ?? first.shieldZoneId }, ...others];
  // Its terms filter the errors, as far as these tell what a term asks for.
  const about = { zones, range, query: queryOf(o), nameOf };
  const origin = originReading(zones, range, zones.length);
  const changes = changesReading(changeRange(range));
  const inquiry = readBy([origin, changes], () => causesTable(origin, changes, about));
  return made(o, inquiry, '');
}

/** What was changed right before the first error of the time may have brought it about. */
function changeRange({ from, to }: TimeRange): TimeRange {
  return { from: from - NEAR_START, to };
}

function causesTable(
  origin: EvidenceReading<'originErrors'>,
  changes: EvidenceReading<'changes'>,
  o: Question,
): AnswerTable {
  const { passes, ignored } = errorMatcher(o.query.terms);
  const errors = errorsIn(origin, o.range).filter(passes);
  const tally = originTally(errors, o.range);
  const [zone] = o.zones;
  const ids: ZoneIds = { pullZoneId: zone.id, shieldZoneId: zone.shieldZoneId };
  const listed = listedChanges(
    changesIn(changes, changeRange(o.range)),
    ids,
    startsOf(origin, o.range),
  ).filter(({ before }) => before !== null);
  const near = nearestWords(listed, o.nameOf);
  const cause = newestRunWords(tally, o.range);
  const sections: AnswerSection[] = [causeSection(tally, o.query)];
  if (listed.length > 0) sections.push(changeSection('changed right before', listed, o.nameOf));
  if (errors.length > 0) {
    if (o.zones.length > 1) sections.push(valueSection('zone', errors, ({ zoneId }) => zoneId, o));
    sections.push(
      valueSection('page', errors, pathOfError, o),
      valueSection('edge', errors, ({ edge }) => edge, o),
      listSection(errors, o),
    );
  }
  return {
    headline: headlineOf(origin, cause, near, tally),
    // One may come late: that none is told is never sure.
    verdict: cause === null ? 'unknown' : 'wrong',
    sections,
    isWhole:
      origin.rest().length + changes.rest().length + ignored === 0 &&
      origin.missing().length + changes.missing().length === 0,
    coverage: joined([
      `origin errors: ${origin.read.length} of ${counted(origin.needs.length, 'day')} read`,
      `changes: ${changes.read.length} of ${counted(changes.needs.length, 'day')} read`,
      'how long the platform keeps and delays them is not documented',
      ignored > 0
        ? `${counted(ignored, 'term')} of the filter left out: origin errors tell no such thing`
        : '',
      ...origin.missing(),
      ...changes.missing(),
    ]),
  };
}

function headlineOf(
  origin: EvidenceReading<'originErrors'>,
  cause: string | null,
  near: string,
  tally: OriginTally,
): string {
  if (origin.read.length === 0) return origin.trouble()[0] ?? 'why does the origin fail?';
  const part = origin.rest().length > 0 ? ' in the days read' : '';
  if (cause === null) return `no origin error was reported of these times${part}; one may come late`;
  const [first] = tally.causes;
  return joined([`${cause}${part}`, meaningOf(first?.code ?? ''), near]);
}

/** Of what was told of the whole days: an edge of the time that was asked about is no beginning. */
function startsOf(origin: EvidenceReading<'originErrors'>, { from, to }: TimeRange): Start[] {
  const days = origin.read.map(([{ day }]) => Date.parse(`${day}T00:00:00Z`));
  const told = { from: Math.min(from, ...days), to };
  return originBeginnings(errorsIn(origin, told), told)
    .filter(({ at }) => at >= from)
    .map(({ at, code }) => ({ at, what: codeWord(code) }));
}

function valueSection(
  field: 'zone' | 'page' | 'edge',
  errors: readonly ZoneError[],
  valueIn: (error: ZoneError) => string | null,
  o: Question,
): AnswerSection {
  const groups = [...Map.groupBy(errors, valueIn)].toSorted(([, a], [, b]) => b.length - a.length);
  const query = within(o.query, o.range);
  const nameOf = (value: string) => (field === 'zone' ? zoneNameOf(o.zones, value) : value);
  const mostOf = (own: readonly ZoneError[]) => codeWord(originTally(own, o.range).causes[0]?.code ?? '');
  return sectionOf('values', `by ${field}`, groups, {
    sentence: ([value, own]) =>
      `${count(own.length)} of ${counted(errors.length, 'origin error')} at ${field} ${value === null ? 'not reported' : nameOf(value)}, most of them ${mostOf(own)}`,
    most: ROWS_EACH,
    first: () => ({ field }),
    columns: [
      figures('errors', 'ERRORS', 7, ([, own]) => own.length),
      shares('share', 'SHARE', 6, ([, own]) => own.length / errors.length),
      words('code', 'MOST OF ALL', 24, ([, own]) => mostOf(own)),
      rest('value', field.toUpperCase(), ([value]) => (value === null ? null : nameOf(value)), {
        shown: ([value]) => (value === null ? 'not reported' : nameOf(value)),
      }),
    ],
    row: ([value]) => (value === null ? {} : ledBy('logs', query, field, value)),
    aside: groups.length > ROWS_EACH ? `${count(groups.length - ROWS_EACH)} more` : '',
  });
}

function listSection(errors: readonly ZoneError[], o: Question): AnswerSection {
  const listed = Math.min(errors.length, ROWS_LISTED);
  const cut = listed < errors.length ? `the newest ${count(listed)} of ${count(errors.length)}` : '';
  return sectionOf('errors', 'the errors, the newest first (UTC)', errors, {
    sentence: ({ timestamp, code, edge, url, message }) =>
      joined(
        [
          `${codeWord(code)}${edge === null ? '' : ` at edge ${edge}`} at ${dayClock(timestamp, 'utc')} UTC: ${url ?? 'no path reported'}`,
          message ?? '',
        ],
        ', ',
      ),
    most: ROWS_LISTED,
    columns: [
      times('time', 'TIME', 14, ({ timestamp }) => timestamp),
      words('code', 'CODE', 24, ({ code }) => codeWord(code)),
      words('status', 'ST', 3, ({ status }) => status),
      words('edge', 'EDGE', 4, ({ edge }) => edge),
      words('message', 'MESSAGE', 40, ({ message }) => message, { from: 120 }),
      rest('path', 'PATH', ({ url }) => url, { shown: ({ url }) => url ?? 'not reported' }),
    ],
    ...(o.zones.length > 1
      ? { also: ({ zoneId }: ZoneError) => ({ zone: zoneNameOf(o.zones, zoneId) }) }
      : {}),
    row: (error) => {
      const page = pathOfError(error);
      const times = { from: error.timestamp - AROUND, to: error.timestamp + AROUND };
      const query = within(o.query, times);
      return page === null ? { leads: { subject: 'logs', query } } : ledBy('logs', query, 'page', page);
    },
    aside: cut,
    note: 'each leads to the rows of its path at that time, which is as close as they can be matched',
  });
}

/** The codes that origin errors have, and what each means; Enter: the rows of the query in its newest run that it is the cause of. */
export function causeSection(
  { causes, total }: OriginTally,
  query: Query,
  title = 'by cause',
): AnswerSection {
  const [first] = causes;
  return sectionOf('causes', title, causes, {
    sentence: ({ code, count, run }) =>
      `${counted(count, 'origin error')}, ${percent(count / total)} of all, ${count === 1 ? 'is' : 'are'} ${codeWord(code)} (${meaningOf(code)}); its newest run began at ${dayMinute(run.from)} UTC`,
    columns: [
      words('code', 'CODE', 24, ({ code }) => codeWord(code)),
      figures('errors', 'ERRORS', 7, ({ count }) => count),
      shares('share', 'SHARE', 6, ({ count }) => count / total),
      onScreen('SINCE', 11, ({ run }) => dayMinute(run.from)),
      rest('means', 'WHAT IT MEANS', ({ code }) => meaningOf(code)),
    ],
    also: runFacts,
    row: ({ code, run, isOf5xx }, at) => ({
      tone: at === 0 ? 'bad' : 'plain',
      isSubject: at === 0,
      // Where none of its rows can be told to have it, it leads to all of the query.
      leads: {
        subject: 'logs',
        query: withTerms(
          within(query, { from: run.from - AROUND, to: run.to + AROUND }),
          isOf5xx ? termForValue('logs', 'cause', codeWord(code), false) : null,
        ),
      },
    }),
    note:
      first === undefined
        ? 'an origin error is reported where the platform got no answer; a 5xx that the origin sent is none'
        : `what to do: ${causeRow(first.code)?.next ?? 'look at the log of the origin at that time'}`,
    aside: first === undefined ? '' : 'SINCE: where its newest run begins, UTC',
  });
}

/** The newest run of a cause: so many of all errors between its first and its last. */
function runFacts({ run }: OriginTally['causes'][number]): Facts {
  return { run: { ...isoTimes(run), errors: run.count, errorsOfAll: run.of } };
}
