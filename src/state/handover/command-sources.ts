import type { CommandSource } from '../../domain/handover/place.ts';
import {
  logsPath,
  shieldDayPath,
  shieldSearchBody,
  shieldSearchPath,
  type WireRequest,
} from '../../domain/handover/wire-request.ts';
import type { LogBook } from '../../domain/logs/log-book.ts';
import { splitForServer } from '../../domain/query/push-down.ts';
import { EMPTY_QUERY, type Query, type Term } from '../../domain/query/query.ts';
import { printQuery } from '../../domain/query/query-text.ts';
import { findZone } from '../../domain/query/zone-search.ts';
import { rangeOf } from '../../domain/shield/shield-window.ts';
import type { TimeRange } from '../../domain/tail/coverage.ts';
import { ITEMS_PER_PAGE, type PullZone } from '../../domain/zone.ts';
import { isAccountView } from '../account/account-views.ts';
import { TAIL_WINDOW } from '../logs/log.ts';
import { shownLog } from '../logs/session.ts';
import { type GroupsView, type LogView, type RecordView, type State, topView } from '../model.ts';
import type { AnswerView } from '../questions/answer-model.ts';
import { searchOf } from '../shield/shield-ask.ts';
import { isShieldList, isShieldView, type ShieldListView, type ShieldView } from '../shield/shield-model.ts';
import { accountCommand, accountRequest } from './handover-account.ts';
import { savedCrumb, savedTimes } from './saved-handover.ts';

type OverLog = LogView | GroupsView | RecordView;

/** Rows that the copied request asks for at once: the most that one answer holds. */
const ONE_ANSWER = 10_000;

/** A name that stands bare in a shell and is no flag. */
const PLAIN_NAME = /^[A-Za-z0-9][A-Za-z0-9._-]*$/;

/** Where the user is, as a command line can name it: with absolute times. A string says why it cannot. */
export function crumbOf(state: State): CommandSource | string {
  const view = topView(state);
  if (view.kind === 'zones') return { screen: 'zones' };
  if (isAccountView(view)) return accountCommand(view);
  if (view.kind === 'answer') return answerCrumb(state, view);
  if (view.kind === 'notebook') return 'the notebook is a file: no command opens it';
  if (isShieldView(view)) return shieldCrumb(state, view);
  const { session } = state;
  if (!session) return 'no zone is being followed';
  const query = { ...absoluteQuery(state, view), groupBy: view.kind === 'groups' ? view.by : [] };
  if (session.source.kind === 'files') return savedCrumb(session.source, query);
  return { screen: 'logs', zone: zoneWord(state, session.source.zone), query };
}

/** The request that brings what is on screen, and what it leaves to be decided here. A string says why there is none. */
export function requestOf(state: State): { request: WireRequest; remark: string } | string {
  const view = topView(state);
  const { base, logging } = state.handover.urls;
  if (view.kind === 'zones') {
    return {
      request: { method: 'GET', url: `${base}/pullzone?page=1&perPage=${ITEMS_PER_PAGE}` },
      remark: '',
    };
  }
  if (isAccountView(view)) {
    const request = accountRequest(view, base);
    return typeof request === 'string' ? request : { request, remark: '' };
  }
  if (view.kind === 'answer') return 'an answer is made of several requests; @ lists them';
  if (view.kind === 'notebook') return 'the notebook is a file: no request brings it';
  if (isShieldView(view)) return shieldRequest(state, view, base);
  const { session } = state;
  if (!session) return 'no zone is being followed';
  if (session.source.kind === 'files') return 'saved logs: no request brings them';
  const { zone } = session.source;
  const query = absoluteQuery(state, view);
  const { server, local } = splitForServer(query, zone);
  const path = logsPath({
    pullZoneId: zone.id,
    ...rangeOfLog(state),
    order: 'asc',
    limit: ONE_ANSWER,
    filter: server,
  });
  if (path === null) return 'the zone has no id that a request could name';
  return { request: { method: 'GET', url: `${logging}${path}` }, remark: localWords(local) };
}

/** The times of the log on screen. Its end is now while it is live, and the newest row in view while it is paused. */
export function rangeOfLog(state: State): TimeRange {
  const { session, now } = state;
  const log = shownLog(state);
  if (!session) return { from: now - TAIL_WINDOW.duration, to: now };
  if (session.source.kind === 'files') return savedTimes(session.source, now);
  const rows = rowTimes(session.book);
  // The server's clock, which rows are timed by, may be ahead of ours.
  const end = session.to ?? (log?.paused && rows ? rows.last + 1 : Math.max(now, (rows?.last ?? 0) + 1));
  const from = session.from ?? rows?.first ?? end - TAIL_WINDOW.duration;
  return { from, to: Math.max(end, from + 1) };
}

/** The word that names a zone on a command line: its name where that is plain and its own, else its id. */
export function zoneWord(state: State, zone: PullZone): string {
  if (zone.id === '') return zone.name;
  const found = PLAIN_NAME.test(zone.name) ? findZone(state.zones.items, zone.name) : null;
  return found?.kind === 'found' && found.zone.id === zone.id ? zone.name : zone.id;
}

/** The list that a view of the explorer shows, or that lies under the event. */
export function listOf(state: State, view: ShieldView): ShieldListView | null {
  if (view.kind !== 'shieldEvent') return view;
  return state.views.findLast(isShieldList) ?? null;
}

function absoluteQuery(state: State, view: OverLog): Query {
  const terms = view.kind === 'record' ? [...view.query.terms, ...idTerm(state, view)] : view.query.terms;
  return { terms, window: { kind: 'absolute', ...rangeOfLog(state) }, groupBy: [] };
}

/** A single row is named by its request id; one without stays among the rows of its list. */
function idTerm(state: State, view: RecordView): Term[] {
  const book = state.session?.book;
  const id = book?.has(view.id) ? book.record(view.id).requestId : null;
  if (id === null || !/^[0-9a-f]{32}$/.test(id)) return [];
  return [{ kind: 'field', field: 'id', op: 'eq', values: [id], negated: false }];
}

/** An answer has no command of its own: what is handed over is the part of the log that it is about. */
function answerCrumb(state: State, { subject, zone, query }: AnswerView): CommandSource | string {
  const range = query.window?.kind === 'absolute' ? query.window : rangeOf(query.window, state.now);
  const window = { kind: 'absolute', from: range.from, to: range.to ?? state.now } as const;
  const source = state.session?.source;
  if (source?.kind === 'files') return savedCrumb(source, { ...query, window });
  return { screen: subject, zone: zoneWord(state, zone), query: { ...query, window } };
}

function shieldCrumb(state: State, view: ShieldView): CommandSource | string {
  const list = listOf(state, view);
  if (!state.shield || !list) return 'no Shield zone is open';
  const window = { kind: 'absolute', ...list.reading.range } as const;
  return {
    screen: 'shield',
    zone: zoneWord(state, state.shield.zone),
    query: { ...list.query, window },
  };
}

function shieldRequest(
  state: State,
  view: ShieldView,
  base: string,
): { request: WireRequest; remark: string } | string {
  const list = listOf(state, view);
  const id = state.shield?.shieldZoneId ?? null;
  if (!list || id === null) return 'the Shield zone is not known yet';
  const remark = localWords([...list.reading.plan.local, ...list.reading.plan.undecided]);
  if (list.kind === 'shieldRows' && list.day) {
    const path = shieldDayPath(id, list.day.day, null);
    return path === null
      ? 'the Shield zone has no id that a request could name'
      : { request: { method: 'GET', url: `${base}${path}` }, remark };
  }
  const path = shieldSearchPath(id);
  if (path === null) return 'the Shield zone has no id that a request could name';
  const body = shieldSearchBody({ ...searchOf(list), page: 0 });
  return { request: { method: 'POST', url: `${base}${path}`, body }, remark };
}

function localWords(local: readonly Term[]): string {
  return local.length === 0 ? '' : `without ${printQuery({ ...EMPTY_QUERY, terms: local })}: decided here`;
}

/** Times of the oldest and the newest row in view; null where there is none. */
function rowTimes(book: LogBook): { first: number; last: number } | null {
  book.settle();
  let first = 0;
  let last = book.length - 1;
  while (first <= last && book.at(first)?.kind === 'gap') first++;
  while (last >= first && book.at(last)?.kind === 'gap') last--;
  const [oldest, newest] = [book.at(first), book.at(last)];
  if (oldest?.kind !== 'row' || newest?.kind !== 'row') return null;
  return { first: book.record(oldest.id).timestamp, last: book.record(newest.id).timestamp };
}
