import type { LogRecord } from '../../src/domain/log.ts';
import type { ArrivedRow } from '../../src/domain/logs/log-rows.ts';
import type { Gap } from '../../src/domain/tail/coverage.ts';
import type { TailReport } from '../../src/domain/tail/tail-report.ts';
import type { Page, PullZone } from '../../src/domain/zone.ts';
import type { CommandId } from '../../src/keys/bindings.ts';
import { FIRST_STATE } from '../../src/loop/state-store.ts';
import { subscriptions } from '../../src/loop/subscriptions.ts';
import { update } from '../../src/loop/update.ts';
import { workOf } from '../../src/loop/work.ts';
import { NO_ZONES } from '../../src/screens/zones/zones-screen.ts';
import type { Action, Effect } from '../../src/state/messages.ts';
import type { State } from '../../src/state/model.ts';
import { recordWith } from './rows.ts';

/** An instant that all tests of the state share, Unix ms. */
export const NOON = Date.UTC(2026, 10, 20, 12, 0, 0);

export function zoneOf(id: string, name: string, more: Partial<PullZone> = {}): PullZone {
  return {
    id,
    name,
    hostnames: [`${name}.example.com`],
    enabled: true,
    suspended: false,
    logging: true,
    anonymisation: 'none',
    shieldZoneId: undefined,
    ...more,
  };
}

export function recordOf(n: number, more: Partial<LogRecord> = {}): LogRecord {
  return recordWith({
    timestamp: NOON + n * 1000,
    pullZoneId: '1',
    requestId: n.toString(16).padStart(32, '0'),
    cacheStatus: n % 3 === 0 ? 'MISS' : 'HIT',
    statusCode: n % 10 === 0 ? 503 : 200,
    bytesSent: 1000 + n,
    edgeLocation: 'FRA',
    host: 'shop.example.com',
    path: `/p/${n}`,
    url: `https://shop.example.com/p/${n}`,
    remoteIp: `192.0.2.${n % 4}`,
    userAgent: 'Mozilla/5.0',
    asnOrganization: 'Example',
    bodyBytesSent: null,
    ...more,
  });
}

/** Rows `from`, `from + 1`, … `to - 1`, a second apart. */
export function rowsOf(from: number, to: number): ArrivedRow[] {
  return Array.from({ length: to - from }, (_, index) => ({ record: recordOf(from + index), late: false }));
}

export function reportOf(more: Partial<TailReport> = {}): TailReport {
  return {
    status: 'live',
    since: NOON,
    origin: null,
    completeTo: NOON,
    watermark: null,
    readShare: null,
    read: [],
    seen: 0,
    unique: 0,
    late: 0,
    duplicates: 0,
    bad: 0,
    gaps: [],
    retryAt: null,
    failure: null,
    lastRowAt: NOON,
    serverNow: NOON,
    clockAhead: null,
    reading: [],
    ...more,
  };
}

export function gapOf(fromSecond: number, toSecond: number): Gap {
  return {
    id: `gap ${fromSecond}`,
    from: NOON + fromSecond * 1000,
    to: NOON + toSecond * 1000,
    reason: 'failed',
    rows: null,
  };
}

export function startState(more: Partial<State> = {}): State {
  return { ...FIRST_STATE, size: { columns: 80, rows: 24 }, now: NOON, endpoint: 'api.example.com', ...more };
}

/** A state that is told things one after another, each key a press of its own, and the effects that left. */
export function played(
  start: State,
  ...actions: (Action | CommandId)[]
): { state: State; effects: Effect[] } {
  let state = start;
  const effects: Effect[] = [];
  for (const each of actions) {
    const action: Action = typeof each === 'string' ? { type: 'commanded', command: each } : each;
    const calm = state.prompt ? { ...state, pace: { ...state.pace, at: Number.NEGATIVE_INFINITY } } : state;
    const [next, more] = update(calm, action, state.now);
    state = workedOff(next);
    effects.push(...more);
  }
  return { state, effects };
}

/** The state after all turns of the work that its subscription asks for. */
export function workedOff(start: State): State {
  let state = start;
  while (workOf(state) !== null) [state] = update(state, { type: 'worked' }, state.now);
  return state;
}

/** The pages of the list of zones that are being asked for: number of the request, page. */
export function zonePages(state: State): [number, number][] {
  return subscriptions(state).flatMap((each) =>
    each.kind === 'list' && each.list === 'zones' ? [[each.request, each.page]] : [],
  );
}

/** A page of the zones of the account. */
export function zonesRead(request: number, page: Page<PullZone>): Action {
  return { type: 'listArrived', list: 'zones', request, page };
}

/** The picker with these zones listed. */
export function listedState(zones: PullZone[], more: Partial<State> = {}): State {
  const request = 1;
  return played(
    { ...startState(more), zones: { ...NO_ZONES, ...more.zones, request } },
    zonesRead(request, { items: zones, page: 1, total: zones.length, hasMore: false }),
  ).state;
}

/** A zone's log opened, with rows read. */
export function followedState(rows: ArrivedRow[], gaps: Gap[] = [], more: Partial<TailReport> = {}): State {
  const opened = played(listedState([zoneOf('1', 'shop')]), 'open').state;
  const generation = opened.session?.generation ?? 0;
  const event = { rows, report: reportOf({ gaps, ...more }) };
  const { state } = played(opened, { type: 'tailRead', zone: '1', generation, event });
  // As after a key: that nothing of the zone was read before it was opened stands where the keys do.
  return { ...state, notice: null };
}

/** The same without the traffic over time: all rows of the screen are the list's. */
export function withoutTimeline(state: State): State {
  return { ...state, timeline: { ...state.timeline, size: 'off' } };
}
