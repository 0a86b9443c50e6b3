import { SAVED_ZONE } from '../../domain/inquiry/saved-inquiry.ts';
import type { LogRecord } from '../../domain/log.ts';
import { oldestAsked } from '../../domain/log-retention.ts';
import { savedRange } from '../../domain/logs/saved-window.ts';
import { termMatcher } from '../../domain/query/match.ts';
import type { Query, Term, TimeWindow } from '../../domain/query/query.ts';
import { withZoneIds } from '../../domain/query/zone-terms.ts';
import type { Known } from '../../domain/questions/asked/asked.ts';
import { rangeOf } from '../../domain/shield/shield-window.ts';
import { shared, sharedRanges, type TimeRange, without } from '../../domain/tail/coverage.ts';
import type { PullZone, Zones } from '../../domain/zone.ts';
import { TAIL_WINDOW } from '../../screens/log/log-commands.ts';
import { onTop, queryOnTop, screenOf } from '../../screens/screens.ts';
import type { SavedSource } from '../../state/log-source.ts';
import type { LogSession, State } from '../../state/model.ts';
import type { AskedOf } from '../../state/screen.ts';
import { heldRanges, isOf } from '../../state/sessions/held.ts';
import { topView } from '../../state/view-stack.ts';

/** What a question is about: the log of one zone or more, in the times on screen. */
export type Scene = AskedOf & {
  zones: Zones;
  range: TimeRange;
  /** The oldest moment of which there are rows, Unix ms. */
  edge: number;
  /** The times on screen before and after the range, where that was selected. */
  rest: readonly TimeRange[];
};

/** Times selected from those on screen. */
export type Selected = { range: TimeRange; of: TimeRange };

/** The scene of the view, or of its selected times; or why nothing can be asked about it. */
export function sceneOf(state: State, selected: Selected | null = null): Scene | string {
  const scene = sceneOnTop(state, selected && { kind: 'absolute', ...selected.range });
  if (typeof scene === 'string' || selected === null) return scene;
  return { ...scene, rest: without([selected.of], scene.range) };
}

function sceneOnTop(state: State, selected: TimeWindow | null): Scene | string {
  const asked = askedOnTop(state);
  if (typeof asked === 'string') return asked;
  const { subject, isListed } = asked;
  const query = selected ? { ...asked.query, window: selected } : asked.query;
  const source = state.session?.source;
  if (source?.kind === 'files') return savedScene(source, query);
  const [zone, ...others] = zonesAsked(asked.zones, query.terms);
  if (!zone) return asked.zones.length === 0 ? 'no log is open' : 'no zone of this log passes the filter';
  const zones: Zones = [zone, ...others];
  const isStored = subject === 'logs' && state.history !== null;
  const now = subject === 'logs' ? newestOf(state, zones) : state.now;
  const range = rangeOf(query.window ?? (subject === 'logs' ? TAIL_WINDOW : null), now, isStored);
  // A store goes further back than the platform, nobody knows how far; the answer says what it lacks.
  const edge = isStored ? 0 : oldestAsked(state.now, 'shield');
  return { subject, zones, query, range, edge, rest: [], isListed };
}

function askedOnTop(state: State): AskedOf | string {
  const view = topView(state);
  const { askedOf } = screenOf(view);
  if (askedOf) return askedOf(state, view);
  const [about, own] = [onTop(state, 'about'), queryOnTop(state)];
  return about === null || own === null ? 'open a zone first' : { ...about, query: own.query };
}

/** The zones that a filter leaves: no row of the others would count. */
function zonesAsked(zones: readonly PullZone[], terms: readonly Term[]): readonly PullZone[] {
  const ofZones = withZoneIds(terms, zones).filter((term) => term.kind === 'field' && term.field === 'zone');
  if (zones.length < 2 || ofZones.length === 0) return zones;
  const passes = ofZones.map((term) => termMatcher(term));
  return zones.filter(({ id }) => passes.every((test) => test({ pullZoneId: id } as LogRecord)));
}

/** The end of a store's rows of the log on screen, which it can count. */
export function storedUntil({ history, now }: State): Pick<Known, 'storedUntil'> {
  return history === null ? {} : { storedUntil: oldestAsked(now, 'logs') };
}

/** The part of saved logs in the window on screen. */
function savedScene({ report: { span } }: SavedSource, query: Query): Scene | string {
  const all = span && { from: span.from, to: span.to + 1 };
  const [range] = all ? shared(savedRange(query.window, span) ?? all, [all]) : [];
  if (!range || !span) return 'the saved logs hold no row in this window';
  return { subject: 'logs', zones: [SAVED_ZONE], query, range, edge: span.from, rest: [] };
}

/** The end of a relative window: for live zones the time up to which their rows are there. */
function newestOf(state: State, zones: Zones): number {
  const tails = sessionOf(state, zones)?.tails ?? [];
  const current = tails.flatMap(({ zone, report }) => {
    const isCurrent = report?.status === 'live' || report?.status === 'quiet';
    return isCurrent && zones.some(({ id }) => id === zone.id) ? (report.completeTo ?? []) : [];
  });
  // A zone that fails has no say: nothing would be asked of the others meanwhile.
  return current.length > 0 ? Math.min(...current) : state.now;
}

/** The log on screen, where it has rows of all these zones. */
export function sessionOf({ session }: State, zones: Zones): LogSession | null {
  return session && zones.every((zone) => isOf(session, zone)) ? session : null;
}

/** The times in which the log on screen holds every row of all these zones that passes its filter. */
export function readTimes(state: State, zones: Zones): TimeRange[] {
  const session = sessionOf(state, zones);
  return session ? zones.map((zone) => heldRanges(session, zone)).reduce(sharedRanges) : [];
}
