import { oldestAsked } from '../../domain/kept.ts';
import { savedRange } from '../../domain/logs/saved-window.ts';
import { EMPTY_QUERY, type Query, type QuerySubject } from '../../domain/query/query.ts';
import { rangeOf } from '../../domain/shield/shield-window.ts';
import { shared, type TimeRange } from '../../domain/tail/coverage.ts';
import type { PullZone } from '../../domain/zone.ts';
import { TAIL_WINDOW } from '../logs/log.ts';
import type { SavedSource } from '../logs/log-source.ts';
import { CHOOSE_ONE_ZONE } from '../logs/log-zones.ts';
import { type LogSession, type State, topView } from '../model.ts';
import { onTop } from '../screens.ts';
import { rowUnder } from './answer-cursor.ts';
import { heldRanges, isOf, SAVED_ZONE } from './held.ts';

/** What a question is asked about: one log of a zone, in the times on screen. */
export type Scene = {
  subject: QuerySubject;
  zone: PullZone;
  query: Query;
  range: TimeRange;
  /** The oldest moment of which there are rows, Unix ms. */
  edge: number;
};

/** What the view on screen is about, or why nothing can be asked of it. */
export function sceneOf(state: State): Scene | string {
  const view = topView(state);
  const edge = oldestAsked(state.now, 'shield');
  if (view.kind === 'zones') {
    const zone = state.zones.shown[view.cursor];
    if (!zone) return 'no zone is listed yet';
    return { subject: 'logs', zone, query: EMPTY_QUERY, range: rangeOf(TAIL_WINDOW, state.now), edge };
  }
  const about = onTop(state, 'about');
  if (about === null || !('query' in view)) return 'open a zone first';
  const { subject, zones } = about;
  const [zone, ...others] = zones;
  const source = state.session?.source;
  // A row of an answer may be about a part of its times: a further question is about that part.
  const part = view.kind === 'answer' ? rowUnder(state, view)?.leads?.query.window : null;
  const query = part ? { ...view.query, window: part } : view.query;
  if (source?.kind === 'files') return savedScene(source, query);
  if (!zone) return 'no log is open';
  if (others.length > 0) return `a question is about one zone: ${CHOOSE_ONE_ZONE}`;
  const usual = subject === 'logs' ? TAIL_WINDOW : null;
  const now = subject === 'logs' ? newestOf(state, zone) : state.now;
  return { subject, zone, query, range: rangeOf(query.window ?? usual, now), edge };
}

/** What there is of saved logs in the window on screen. */
function savedScene({ report: { span } }: SavedSource, query: Query): Scene | string {
  const all = span && { from: span.from, to: span.to + 1 };
  const [range] = all ? shared(savedRange(query.window, span) ?? all, [all]) : [];
  if (!range || !span) return 'the saved logs hold no row in this window';
  return { subject: 'logs', zone: SAVED_ZONE, query, range, edge: span.from };
}

/** The end of a window that goes with time: of a log that is live it is the time up to which its rows are there. */
function newestOf(state: State, zone: PullZone): number {
  const { report } = sessionOf(state, zone) ?? {};
  const isCurrent = report?.status === 'live' || report?.status === 'quiet';
  return (isCurrent ? report.completeTo : null) ?? state.now;
}

/** The log on screen, where it is of that zone. */
export function sessionOf({ session }: State, { id }: PullZone): LogSession | null {
  if (session === null) return null;
  return isOf(session.source, id) ? session : null;
}

/** The times of which the log on screen holds every row that passes its filter. */
export function readTimes(state: State, zone: PullZone): TimeRange[] {
  const session = sessionOf(state, zone);
  return session ? heldRanges(session) : [];
}

/** The query over the very times that were asked about. */
export function overRange(query: Query, range: TimeRange): Query {
  return { ...query, groupBy: [], window: { kind: 'absolute', ...range } };
}
