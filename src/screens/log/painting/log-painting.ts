import { cacheStatusRow } from '../../../domain/log.ts';
import { isUnread } from '../../../domain/logs/paged-log.ts';
import { type PlacedTerm, placeTerms } from '../../../domain/query/push-down.ts';
import { EMPTY_QUERY, type Term } from '../../../domain/query/query.ts';
import { printQuery } from '../../../domain/query/query-text.ts';
import { zoneNameOf } from '../../../domain/query/zone-terms.ts';
import { isLacking } from '../../../domain/tail/coverage.ts';
import { zonesInTrouble } from '../../../domain/tail/merged-report.ts';
import type { TailReport } from '../../../domain/tail/tail-report.ts';
import type { PullZone } from '../../../domain/zone.ts';
import type { Painting } from '../../../paint/painting.ts';
import {
  cut,
  failureLine,
  findsOf,
  NO_ASIDE,
  type Strip,
  soughtWords,
  stripped,
  timeText,
  todayOf,
  wholeSeconds,
} from '../../../paint/row.ts';
import {
  addedTerms,
  fittingForm,
  gapsPart,
  requestWords,
  termLine,
  warnedPart,
  withEnds,
} from '../../../paint/status-line.ts';
import type { Look, Words } from '../../../paint/theme.ts';
import { toldCause } from '../../../state/evidence/row-cause.ts';
import { tagsOf } from '../../../state/group-tags.ts';
import { isEndless, sourceName, zonesOfLog } from '../../../state/log-zones.ts';
import type { GroupsView, LogSession, LogView, RecordView, State, View } from '../../../state/model.ts';
import { causePart } from '../../../state/sessions/log-causes.ts';
import { readShare } from '../../../state/sessions/log-coverage.ts';
import { isFull } from '../../../state/sessions/paging.ts';
import { shownLog } from '../../../state/sessions/session.ts';
import { isCountedHere } from '../../../state/sessions/stored-groups.ts';
import { reportOf } from '../../../state/sessions/zone-tails.ts';
import { nearestOf } from '../../../state/view-stack.ts';
import { width } from '../../../text/fit.ts';
import { sanitise } from '../../../text/sanitise.ts';
import { count, duration, percent } from '../../../text/units.ts';
import { fieldsOf } from '../log-screens.ts';
import { hasTagColumn } from '../placed-columns.ts';
import { groupsBody } from './groups-body.ts';
import { logBody } from './log-body.ts';
import { ratesLine } from './rates-line.ts';
import {
  countBadge,
  countFootLine,
  countWords,
  historyBadge,
  historyFootLine,
  isDenied,
  savedBadge,
  savedFootLine,
  savedWindowWords,
} from './reading-words.ts';

/** Below this width the title names the engine without the word before it. */
const NARROW = 60;

/** Most cells of a log's name in the title. */
const MOST_OF_TITLE = 40;

type Queried = Pick<LogView, 'query'>;

/** The lines around the rows of a log, and around one of them. */
const LOG_LINES = {
  badge: (state: State) => logBadge(state, null),
  head: ratesLine,
  query: (state: State, view: Queried, strip: Strip) => logQueryLine(state, view, strip, keptChip),
  foot: logFootLine,
  trouble: logTrouble,
} as const;

/** The zones; for the rows of a group, what was added to reach them. */
function logCrumb(state: State, view: LogView, index: number): string {
  const below = nearestOf(state.views.slice(0, index), 'log');
  if (!below) return sanitise(sourceWords(state), 'text', MOST_OF_TITLE);
  return addedTerms(below.query, view.query) || 'rows';
}

/** The names of all zones where there is room for them. */
function sourceWords({ session, size }: State): string {
  const names = zonesOfLog(session).map(({ name }) => name);
  const all = names.join(', ');
  const isRoom = all.length <= Math.min(MOST_OF_TITLE, size.columns / 3);
  return names.length > 0 && isRoom ? all : (sourceName(session) ?? '');
}

/** QUIET, OFFLINE and RATE LIMITED are different nights: each has its own word and clock. */
function logBadge(state: State, counted: Words | null): Words {
  const { session } = state;
  if (!session) return { text: '', slot: 'dim' };
  if (counted !== null && session.to !== null) return counted;
  return badgeOfZones(badgeOfAll(state, session, counted), session, state.size.columns);
}

function badgeOfAll(state: State, session: LogSession, counted: Words | null): Words {
  if (session.source.kind === 'files') return savedBadge(session.source.report);
  if (session.paged !== null && session.to !== null) return historyBadge(state, session);
  const own = badgeOfTails(state, session);
  if (session.paged === null) return own;
  const { text } = counted ?? historyBadge(state, session);
  const short = state.size.columns < NARROW ? text.replace('HISTORY ', '') : text;
  return { ...own, text: `${own.text}, ${short}` };
}

function badgeOfTails(state: State, session: LogSession): Words {
  const view = shownLog(state);
  const report = session.report;
  // A closed window is read, not followed, and moving in it stops nothing.
  if (session.to !== null && (report?.status === 'live' || report?.status === 'quiet')) {
    return { text: readingWords(report), slot: 'quiet' };
  }
  if (view?.paused && isEndless(session)) {
    const { backlog, newer } = session.book;
    const isRoom = state.size.columns >= 100 && backlog > newer;
    const text = `PAUSED ${count(newer)} new${isRoom ? `, ${count(backlog - newer)} earlier` : ''}`;
    const under = tailBadge(session.report, state.now);
    // A pause must not hide that nothing arrives any more.
    return under.slot === 'down'
      ? { text: `${text}, ${under.text}`, slot: 'down' }
      : { text, slot: 'paused' };
  }
  return tailBadge(session.report, state.now);
}

/** The query: what the server does in one colour, what is done here in another with what it hid. */
function logQueryLine(
  state: State,
  { query }: Queried,
  strip: Strip,
  hiddenOf: (_: LogSession) => Words,
): string {
  const { session } = state;
  if (!session) return '';
  const { look } = strip;
  const { source } = session;
  const window = printQuery({ ...EMPTY_QUERY, window: query.window });
  // Where a term runs depends on all terms asked: a second one for the same parameter runs here.
  const asked = zonesOfLog(session).map((zone) => placeTerms(session.asked.terms, zone));
  const times =
    source.kind === 'files'
      ? savedWindowWords(window, source, todayOf(state, look), look)
      : window || 'newest rows';
  const slotOf = (term: Term) => (isOnServer(term, asked) ? 'server' : 'local');
  return termLine(state, { ...query, groupBy: [] }, { times, slotOf, hidden: hiddenOf(session) }, strip);
}

/** What groups cover, and what is hidden of that. */
function groupsChip(state: State, view: GroupsView, session: LogSession, look: Look): Words {
  const counted = countWords(state, view, look);
  if (counted !== null && !isCountedHere(view)) return { text: counted, slot: 'dim' };
  if (session.book.filtering === null && view.work?.kind === 'count')
    return { text: `counting ${percent(view.work.of.share)}`, slot: 'dim' };
  return keptChip(session, [countedWords(view, session), ...(counted === null ? [] : [counted])]);
}

/** Rows kept but hidden, and rows dropped; otherwise the status line has the count. */
function keptChip({ book }: LogSession, over: readonly string[] = []): Words {
  const { evicted, filtering, hidden, size } = book;
  if (filtering !== null) return { text: `filtering ${percent(filtering)}`, slot: 'local' };
  const rows = over.length === 0 ? `${count(size)} rows, ` : '';
  const parts = [
    ...over,
    ...(hidden > 0 ? [`hidden here ${count(hidden)} of ${count(size)}`] : []),
    ...(evicted > 0 ? [`${rows}${count(evicted)} older dropped`] : []),
  ];
  return { text: parts.join(', '), slot: hidden > 0 ? 'local' : 'dim' };
}

/** The rows that groups cover: not those held back since, nor what was not read of a window. */
function countedWords({ rows }: GroupsView, session: LogSession): string {
  const { backlog } = session.book;
  const of = backlog > 0 ? ` of ${count(rows + backlog)}` : '';
  const share = readShare(session) ?? 1;
  return `over ${count(rows)}${of} rows${share < 1 ? `, ${percent(share)} read` : ''}`;
}

/** Whether the servers of all zones decide a term. `asked`: where each zone's terms run. */
function isOnServer(term: Term, asked: readonly (readonly PlacedTerm[])[]): boolean {
  const text = JSON.stringify(term);
  const isAsked = (terms: readonly PlacedTerm[]) =>
    terms.some((each) => each.runs === 'server' && JSON.stringify(each.term) === text);
  return asked.length > 0 && asked.every(isAsked);
}

/**
 * The status line: requests read, up to when they are complete, what is missing, the price. Where room is short it
 * names a gap, and in a narrow window which zone is behind rather than up to when all are complete.
 */
function logFootLine(state: State, _: View, { columns, look }: Strip): string {
  const { session } = state;
  if (session?.source.kind === 'files') return savedFootLine(session.source.report, { columns, look });
  if (session?.paged && session.to !== null) return historyFootLine(state, { columns, look });
  const report = session?.report;
  const { dot } = look.glyph;
  const budget = budgetWords(state);
  const right = look.paint(budget.slot, budget.text);
  if (!session || !report) return withEnds('nothing read yet', right, columns);
  // Time that nobody asked for is a row of its own, not a gap in what was read.
  const isPaged = session.paged !== null;
  const missing = report.gaps.filter((gap) => isLacking(gap) && !isUnread(gap, isPaged)).length;
  const reading = report.reading.length > 0 ? [look.paint('accent', 'reading a gap')] : [];
  const gaps = [gapsPart(missing, look), ...reading].join(` ${dot} `);
  const full = isPaged && isFull(session) ? [look.paint('warning', 'memory is full')] : [];
  const until = untilWords(session, report, state, look);
  const room = columns - 3 - width(stripped(right));
  const beside = columns < NARROW ? gaps : `${until.short} ${dot} ${gaps}`;
  const named = zoneTroubleWords(session, room - width(stripped(beside)) - 3, look);
  const trouble = named === '' ? [] : [look.paint('warning', named)];
  // With the sign of such rows in the list.
  const late = report.late > 0 ? [`${count(report.late)} late (~)`] : [];
  const rest = [gaps, ...full, ...warnedPart(report.bad, 'not understood', look), ...trouble];
  const cause = causePart(state);
  const causes = cause === null ? [] : [cause.long, cause.short].map((text) => look.paint('local', text));
  const requests = requestWords(report.unique);
  const forms = [
    ...causes.map((each) => [each, until.short, ...rest]),
    ...causes.map((each) => [each, gaps, ...trouble]),
    ...causes.map((each) => [each]),
    [requests.long, until.long, ...late, ...rest],
    [requests.long, until.short, ...late, ...rest],
    [requests.short, until.short, ...rest],
    [requests.short, until.short, gaps, ...trouble],
    [until.short, gaps, ...trouble],
    [gaps, ...trouble],
  ];
  return withEnds(fittingForm(forms, room, look), right, columns);
}

/**
 * `complete until`: late rows were looked for again before this time. `read until`: an answer covers it, and none of
 * it is complete yet. A window with an end is read from both.
 */
function untilWords(
  session: LogSession,
  report: TailReport,
  state: State,
  look: Look,
): { long: string; short: string } {
  const { watermark, completeTo } = report;
  const same = (words: string) => ({ long: words, short: words });
  const share = session.to === null ? null : readShare(session);
  if (share !== null && share < 1) return same(`${percent(share)} read`);
  if (completeTo === null) return same('not complete yet');
  const time = (at: number) => timeText(at, todayOf(state, look), look);
  const short = watermark === null ? `read until ${time(completeTo)}` : `complete until ${time(watermark)}`;
  const isOpen = watermark === null || watermark < completeTo;
  return { long: isOpen ? `${short}, late rows may come` : short, short };
}

/** The quota used; in a narrow window only where it delays requests. */
function budgetWords({ budget, now, size }: State): Words {
  const isNarrow = size.columns < NARROW;
  if (!budget) return { text: isNarrow ? '' : 'nothing asked', slot: 'dim' };
  const { used, cap, degraded, isSpent, frozenUntil } = budget;
  const text = `quota ${used}/${cap}`;
  if (frozenUntil !== null && frozenUntil > now) return { text, slot: 'down' };
  if (degraded) return { text: isNarrow ? text : `${text} (an eighth: no shared ledger)`, slot: 'warning' };
  if (isSpent) return { text, slot: 'warning' };
  return { text: isNarrow ? '' : text, slot: 'dim' };
}

/** Why the tail does not go on; the log may be followed behind a screen that does not show it. */
function logTrouble(state: State, _: View, columns: number): string | null {
  const { session } = state;
  const report = session?.report;
  const isTroubled = report?.status !== 'live' && report?.status !== 'quiet';
  // A log without a row says it in place of the rows.
  if (!report?.failure || !isTroubled || session?.book.length === 0) return causeTrouble(state, columns);
  return failureLine(report.failure, columns);
}

/** Why the origin errors for the log's filter or groups are missing. */
function causeTrouble(state: State, columns: number): string | null {
  const refused = causePart(state) === null ? undefined : state.evidence.refused.get('originErrors');
  return refused ? `origin errors: ${failureLine(refused, columns - 15)}` : null;
}

/** The profile of the group under the cursor, where the list has no column for it. */
function groupAside({ size }: State, view: GroupsView): Words {
  const { columns } = size;
  const group = view.groups[view.cursor];
  const tags = group && !hasTagColumn(view, columns) ? tagsOf(view, group) : [];
  return { slot: 'warning', text: tags.length === 0 ? '' : `looks like ${tags.join(', ')} (a: why) ` };
}

/** The cursor's place among the matches. Rows held back or not read yet were not searched. */
export function logAside(state: State, view: LogView): Words {
  const { session } = state;
  const { search } = view;
  if (!search?.at) return causeAside(state, view);
  const { index, total } = search.at;
  const isPart = (session?.report?.readShare ?? 1) < 1 || (session?.book.backlog ?? 0) > 0;
  const words = `${soughtWords(search)} ${count(index)}/${count(total)}`;
  return { slot: 'match', text: isPart ? `${words} so far` : words };
}

/** The known origin error nearest to the row under the cursor. */
function causeAside(state: State, { paused, cursor }: LogView): Words {
  const book = state.session?.book;
  const id = paused && cursor?.kind === 'row' && state.evidence.told.size > 0 ? cursor.id : null;
  const cause = id !== null && book?.has(id) ? toldCause(state, book.record(id)) : null;
  return cause
    ? { slot: 'warning', text: `nearest origin error: ${sanitise(cause.error.code, 'strict', 40)}` }
    : NO_ASIDE;
}

/** A window was read once in full before its late rows are looked for. */
function readingWords({ readShare }: TailReport): string {
  return readShare === 1 ? 'READING late rows' : `READING ${percent(readShare ?? 0)}`;
}

function tailBadge(report: TailReport | null, now: number): Words {
  if (!report) return { text: 'CONNECTING', slot: 'quiet' };
  const ago = wholeSeconds(now - report.since);
  switch (report.status) {
    case 'connecting':
      return { text: `CONNECTING ${ago}`, slot: 'quiet' };
    case 'live':
      return { text: 'LIVE', slot: 'live' };
    case 'quiet':
      return {
        text: `QUIET ${wholeSeconds(now - (report.lastRowAt ?? report.since))}`,
        slot: 'quiet',
      };
    case 'rateLimited':
      // A countdown at zero is a request under way.
      return (report.retryAt ?? now) > now
        ? {
            text: `RATE LIMITED ${duration(Math.ceil(((report.retryAt ?? now) - now) / 1000) * 1000)}`,
            slot: 'down',
          }
        : { text: 'RATE LIMITED, retrying', slot: 'down' };
    case 'offline':
      return { text: `OFFLINE ${ago}`, slot: 'down' };
    case 'failed':
      return { text: isDenied(report.failure) ? 'REFUSED' : `FAILING ${ago}`, slot: 'down' };
    case 'stopped':
      return report.gaps.length === 0
        ? { text: 'COMPLETE', slot: 'success' }
        : { text: `INCOMPLETE ${percent(report.readShare ?? 0)}`, slot: 'warning' };
  }
}

/** Cells of a name in the status line. */
const LONGEST_NAME = 20;

/** The zones that are not read as they should be, each with why, those that may recover first. */
function troubles(session: LogSession): { zone: PullZone; why: string }[] {
  const zones = zonesOfLog(session);
  if (zones.length < 2) return [];
  const told = zonesInTrouble(session.tails.map(reportOf)).map(({ of: { tail }, behind }) => ({
    zone: tail.zone,
    why: behind === null ? failingWords(tail.report) : ` ${wholeSeconds(behind)} behind`,
  }));
  const off = zones.filter(({ logging }) => !logging);
  return [...told, ...off.map((zone) => ({ zone, why: ': logging off' }))];
}

/** `api-gateway 41s behind, 1 more`: the zone worst off, and how many others are; empty = all is well. */
function zoneTroubleWords(session: LogSession, room: number, look: Look): string {
  const [first, ...others] = troubles(session);
  if (!first) return '';
  const rest = `${first.why}${others.length > 0 ? `, ${others.length} more` : ''}`;
  const name = sanitise(first.zone.name, 'strict');
  const cells = Math.max(4, Math.min(width(name), LONGEST_NAME, room - rest.length));
  return cut(name, cells, look) + rest;
}

/** The state of the log, and how many of its zones are in trouble. */
function badgeOfZones(badge: Words, session: LogSession, columns: number): Words {
  const { length } = troubles(session);
  if (length === 0) return badge;
  const of = `${length} of ${zonesOfLog(session).length}`;
  const text = `${badge.text}, ${of}${columns < NARROW ? '' : ' in trouble'}`;
  return { text, slot: badge.slot === 'down' ? 'down' : 'warning' };
}

function failingWords(report: TailReport | null): string {
  if (report?.status === 'rateLimited') return ': rate limited';
  if (report?.status === 'offline') return ': offline';
  const failure = report?.failure ?? null;
  if (failure?.kind === 'loggingDisabled') return ': logging off';
  return isDenied(failure) ? ': refused' : ': failing';
}

export const LOG_PAINTING = {
  ...LOG_LINES,
  body: logBody,
  crumb: logCrumb,
  aside: logAside,
} as const satisfies Painting<LogView>;

export const GROUPS_PAINTING = {
  ...LOG_LINES,
  body: groupsBody,
  badge: (state, view) => logBadge(state, countBadge(state, view)),
  query: (state, view, strip) =>
    logQueryLine(state, view, strip, (session) => groupsChip(state, view, session, strip.look)),
  foot: (state, view, strip) => countFootLine(state, view, strip.look) ?? logFootLine(state, view, strip),
  crumb: (_, view) => `by ${view.by.join(',')}`,
  aside: groupAside,
} as const satisfies Painting<GroupsView>;

export const RECORD_PAINTING = {
  ...LOG_LINES,
  body: {
    fields: (state, view) => ({
      fields: fieldsOf(state, view).map(({ name, value }) => ({
        name,
        value: meaningOf(state, name, value),
        whole: value,
      })),
      names: 20,
      finds: findsOf(null, state.highlights),
      gone: 'this row left the bounded buffer; Esc goes back',
    }),
  },
  crumb: () => 'row',
} as const satisfies Painting<RecordView>;

function meaningOf(state: State, name: string, value: string): string {
  if (name === 'pullZoneId') {
    const zone = zoneNameOf(zonesOfLog(state.session), value);
    return zone === value ? value : `${value}  (${zone})`;
  }
  return name === 'cacheStatus' ? `${value}  (${cacheStatusRow(value).meaning})` : value;
}
