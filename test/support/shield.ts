import assert from 'node:assert/strict';
import type { ShieldAnswer, ShieldEvent, ShieldGroup } from '../../src/domain/shield/shield.ts';
import { subscriptions } from '../../src/loop/subscriptions.ts';
import type { Subscription } from '../../src/state/messages.ts';
import type { State } from '../../src/state/model.ts';
import type { ShieldGroupsView, ShieldRowsView } from '../../src/state/shield-model.ts';
import { topView } from '../../src/state/view-stack.ts';
import { eventWith } from './rows.ts';
import { listedState, NOON, played, zoneOf } from './state.ts';

export const PAIRS = [{ shieldZoneId: '9', pullZoneId: '1' }];

const picker = played(listedState([zoneOf('1', 'shop')]), { type: 'shieldMapped', pairs: PAIRS }).state;

/** The explorer just opened: its first search is under way. */
export const opened = played(picker, 'shieldScreen').state;

/** The explorer with two rules read. */
export const rules = answered(
  opened,
  answerOf({ groups: [groupOf({ ruleId: 'A' }, 5), groupOf({ ruleId: 'B' }, 3)], total: 2 }),
);

export function searches(state: State): Extract<Subscription, { kind: 'shieldSearch' }>[] {
  return subscriptions(state).filter((each) => each.kind === 'shieldSearch');
}

export function requestOf(state: State): number {
  return searches(state)[0]?.request ?? -1;
}

export function groupOf(
  key: ShieldGroup['key'],
  count: number,
  more: Partial<ShieldGroup> = {},
): ShieldGroup {
  const context = {
    country: 'DE',
    asn: '1',
    blocked: count,
    challenged: 0,
    logged: 0,
    features: [],
    ruleIds: [],
  };
  return { key, count, firstSeen: NOON, lastSeen: NOON, context, raw: null, ...more };
}

export function answerOf(more: Partial<ShieldAnswer>): ShieldAnswer {
  return { kind: 'groups', events: [], groups: [], total: 0, totalPages: 1, page: 0, bad: 0, ...more };
}

/** Events `from`, `from + 1`, … `to - 1`, each a millisecond older than the one before it. */
export function eventsOf(from: number, to: number): ShieldEvent[] {
  return Array.from({ length: to - from }, (_, i) =>
    eventWith({
      logId: `e${from + i}`,
      timestamp: NOON - from - i,
      fields: { ip: `192.0.2.${Math.abs(from + i) % 5}`, action: 'blocked' },
    }),
  );
}

/** Groups of addresses `from` … `to - 1`, the larger the earlier. */
export function addressesOf(from: number, to: number): ShieldGroup[] {
  return Array.from({ length: to - from }, (_, i) =>
    groupOf({ ruleId: `R${String(from + i).padStart(5, '0')}` }, 100_000 - from - i),
  );
}

export function answered(state: State, answer: ShieldAnswer): State {
  return played(state, { type: 'shieldAnswered', request: requestOf(state), answer }).state;
}

export function groups(state: State): ShieldGroupsView {
  const view = topView(state);
  assert.equal(view.kind, 'shieldGroups');
  return view as ShieldGroupsView;
}

export function rows(state: State): ShieldRowsView {
  const view = topView(state);
  assert.equal(view.kind, 'shieldRows');
  return view as ShieldRowsView;
}

/** The first page of the events of rule A, of `total` in all. */
export function inRows(total: number): State {
  const view = groups(rules);
  const state = played(
    {
      ...rules,
      views: [...rules.views.slice(0, -1), { ...view, query: { ...view.query, groupBy: ['rule'] } }],
    },
    'open',
  ).state;
  const events = eventsOf(0, Math.min(200, total));
  return answered(state, answerOf({ kind: 'rows', events, total, totalPages: Math.ceil(total / 200) }));
}

/** Groups of which the first `pages` pages of 500 are read, of `total` in all. */
export function inGroups(pages: number, total: number): State {
  const totalPages = Math.ceil(total / 500);
  const page = (n: number) =>
    answerOf({ groups: addressesOf(n * 500, Math.min(total, n * 500 + 500)), total, totalPages, page: n });
  let state = answered(opened, page(0));
  for (let n = 1; n < pages; n++) state = answered(played(state, 'last').state, page(n));
  return state;
}
