import assert from 'node:assert/strict';
import type { Key } from 'ink';
import { failureOf } from '../../src/domain/failure.ts';
import type { Met, Need } from '../../src/domain/inquiry/inquiry.ts';
import { SHIELD_DIMENSIONS } from '../../src/domain/shield/shield.ts';
import { chords } from '../../src/keymap/chord.ts';
import { resolve } from '../../src/keymap/resolve.ts';
import { BINDINGS, COMMANDS, wordsOf } from '../../src/keys/bindings.ts';
import { subscriptions } from '../../src/loop/subscriptions.ts';
import { update } from '../../src/loop/update.ts';
import { createLook } from '../../src/paint/theme.ts';
import { layoutOf } from '../../src/state/list/screen-layout.ts';
import type { Action, Effect, Message } from '../../src/state/messages.ts';
import type { State } from '../../src/state/model.ts';
import { topView } from '../../src/state/view-stack.ts';
import { bodyLines } from '../../src/ui/body.ts';
import { bottomLines, footLine, headLine, queryLine, titleLine } from '../../src/ui/chrome.ts';
import { randomOf } from '../effects/support/model-rows.ts';
import { LIST_ITEMS } from '../support/account-lists.ts';
import { answerOf, eventsOf, groupOf, PAIRS } from '../support/shield.ts';
import { gapOf, listedState, NOON, played, reportOf, rowsOf, zoneOf } from '../support/state.ts';
import { storageZoneOf } from '../support/storage.ts';
import { stringsOf } from './strings.ts';

export type KeyFigures = { tried: number; keys: number; answers: number; requests: number; views: number };

type Random = () => number;
type Press = { input: string; key: Partial<Key> };

const MOST_KEYS = 40;
const SIZES = [
  [80, 24],
  [120, 40],
  [60, 15],
  [40, 10],
  [20, 5],
] as const;
/** Named keys as Ink tells them, apart from letters. */
const NAMED: readonly Press[] = (
  [
    'upArrow',
    'downArrow',
    'leftArrow',
    'rightArrow',
    'pageUp',
    'pageDown',
    'home',
    'end',
    'delete',
    'backspace',
    'return',
    'escape',
    'tab',
  ] as const
).map((name) => ({ input: '', key: { [name]: true } }));
const LETTERS: readonly string[] = [
  ...new Set(Object.values(BINDINGS).flatMap(({ keys }) => keys as readonly string[])),
].flatMap((key) => (key.length === 1 ? [key] : []));
/** Commands without a key are ordered by their words. */
const WORDS: readonly string[] = COMMANDS.flatMap(wordsOf).map((word) => `:${word}\r`);
const TYPED = [
  'ip:192.0.2.1',
  'last:5m',
  'status:5xx -cache:HIT',
  '"a b"',
  '{',
  'shop',
  'by:ip,asn',
  '\\',
  'last:99d',
  ':logs shop last:1h',
  ':by asn,ip',
  ':5xx',
  ':storage files',
  ':mark 192 red',
  ':unmark 192',
  ':marks',
  ':q',
];
const look = createLook('default', false, true);
const ZONES = [
  zoneOf('1', 'shop'),
  zoneOf('2', 'quiet', { logging: false }),
  zoneOf('3', 'gone', { suspended: true }),
];
const STORAGE = [storageZoneOf({ id: '7', name: 'files', region: 'DE', replicationRegions: ['NY'] })];
const told = (n: number) => `told-${n}`;
const start = played(listedState(ZONES), { type: 'shieldMapped', pairs: PAIRS }).state;

/** Sequences of keys, answers, failures, sizes and time: nothing throws, nothing is lost, nothing odd is asked. */
export function fuzzKeys(seed: number, count: number): KeyFigures {
  const random = randomOf(seed);
  const strings = stringsOf(seed + 2, Number.POSITIVE_INFINITY);
  const figures: KeyFigures = { tried: 0, keys: 0, answers: 0, requests: 0, views: 0 };
  const kinds = new Set<string>();
  for (; figures.tried < count; figures.tried += 1) {
    let state: State = { ...start, mayWrite: random() < 0.3 };
    const told: string[] = [];
    try {
      for (let n = Math.floor(random() * MOST_KEYS); n >= 0 && !state.leaving; n -= 1) {
        const isKey = random() < 0.7;
        const actions = isKey
          ? pressed(state, random, () => String(strings.next().value))
          : happened(state, random);
        figures[isKey ? 'keys' : 'answers'] += 1;
        for (const action of actions) {
          told.push(
            JSON.stringify(action, (_name, value) =>
              typeof value === 'bigint' ? String(value) : value,
            ).slice(0, 120),
          );
          const now = action.type === 'ticked' ? action.now : state.now;
          const [next, effects] = update(state, action, now);
          state = next;
          figures.requests += checkOrders(state, effects);
        }
        checkState(state);
        kinds.add(state.overlay?.kind ?? topView(state).kind);
      }
    } catch (error) {
      throw new Error(`sequence ${figures.tried} of seed ${seed}, after\n  ${told.slice(-12).join('\n  ')}`, {
        cause: error,
      });
    }
  }
  return { ...figures, views: kinds.size };
}

function pressed(state: State, random: Random, text: () => string): Action[] {
  const draw = random();
  const press: Press =
    draw < 0.25
      ? pick(NAMED, random)
      : draw < 0.75
        ? { input: pick(draw < 0.6 ? LETTERS : WORDS, random), key: {} }
        : draw < 0.85
          ? { input: pick(LETTERS, random).toLowerCase(), key: { ctrl: true } }
          : draw < 0.95
            ? { input: pick(TYPED, random), key: {} }
            : { input: text(), key: {} };
  if (draw > 0.985) return [{ type: 'pasted', text: press.input }];
  let now = state;
  return chords(press.input, press.key as Key).map((chord) => {
    const action = resolve(now, chord);
    [now] = update(now, action, now.now);
    return action;
  });
}

/** Something from outside: an answer to what is waited for, a failure, time, another size. */
function happened(state: State, random: Random): Action[] {
  const draw = random();
  if (draw < 0.15)
    return [{ type: 'ticked', now: state.now + pick([100, 1_000, 60_000, 4 * 86_400_000], random) }];
  if (draw < 0.25) {
    const [columns, rows] = pick(SIZES, random);
    return [{ type: 'resized', columns, rows }];
  }
  const waiting = subscriptions(state).filter(({ kind }) => kind !== 'clock');
  const one = waiting.length === 0 ? null : pick(waiting, random);
  const failure = failureOf(
    pick(['timeout', 'refusedKey', 'rateLimited', 'wrongShape', 'windowRefused'], random),
  );
  switch (one?.kind) {
    case 'tail': {
      const from = Math.floor(random() * 50);
      const rows = rowsOf(from, from + pick([0, 1, 30, 200], random));
      const gaps = random() < 0.3 ? [gapOf(from, from + 5)] : [];
      const isFailing = random() < 0.2;
      const report = reportOf({
        gaps,
        ...(isFailing ? { status: 'offline', failure, retryAt: state.now + 9_000 } : {}),
      });
      return [{ type: 'tailRead', zone: '1', generation: one.generation, event: { rows, report } }];
    }
    case 'shieldZone':
      return [
        { type: 'shieldZoneFound', pullZoneId: one.pullZoneId, shieldZoneId: random() < 0.5 ? '9' : null },
      ];
    case 'shieldSearch': {
      if (random() < 0.2) return [{ type: 'shieldFailed', request: one.request, failure }];
      const { groupBy, page, pageSize } = one.ask;
      const lines = Math.min(pick([0, 1, 40, 500], random), pageSize);
      const from = page * pageSize;
      const shape = {
        page,
        total: from + lines + pick([0, 300], random),
        totalPages: page + pick([1, 2], random),
      };
      const answer =
        groupBy.length === 0
          ? answerOf({ ...shape, kind: 'rows', events: eventsOf(from, from + lines) })
          : answerOf({
              ...shape,
              groups: Array.from({ length: lines }, (_, i) =>
                groupOf(Object.fromEntries(groupBy.map((name) => [name, `192.0.2.${from + i}`])), 900 - i),
              ),
            });
      return [{ type: 'shieldAnswered', request: one.request, answer }];
    }
    case 'shieldDay': {
      if (random() < 0.3) return [{ type: 'shieldFailed', request: one.request, failure }];
      const page = { events: eventsOf(0, 30), next: random() < 0.5 ? 'next' : null, bad: 0 };
      return [{ type: 'shieldDayRead', request: one.request, page }];
    }
    case 'shieldRules':
      return [{ type: 'shieldRulesArrived', shieldZoneId: one.shieldZoneId, rules: [] }];
    case 'shieldDue':
      return [{ type: 'shieldDue' }];
    case 'list': {
      const { list, request } = one;
      if (list === 'zones' || random() < 0.3) return [{ type: 'listFailed', list, request, failure }];
      const items = list === 'storage' ? STORAGE : [0, 1].map((n) => LIST_ITEMS[list](told, n));
      const page = { items, page: 1, total: items.length, hasMore: false };
      return [{ type: 'listArrived', list, request, page } as Message<'listArrived'>];
    }
    case 'storageZone': {
      const zone = STORAGE.find(({ id }) => id === one.id);
      return zone === undefined || random() < 0.3
        ? [{ type: 'storageZoneFailed', request: one.request, failure }]
        : [{ type: 'storageZoneRead', request: one.request, zone }];
    }
    case 'storageUndo':
      return [{ type: 'undoFound', request: one.request, found: { ok: true, value: null } }];
    case 'storageChange':
      return random() < 0.5
        ? [{ type: 'changeStepped', request: one.request, step: 'posting' }]
        : [{ type: 'changeEnded', request: one.request, end: { kind: 'unread', failure } }];
    case 'keyReveal':
      return [{ type: 'revealRecorded', request: one.request, recorded: { ok: true, value: null } }];
    case 'inquiry': {
      const need = pick(one.needs, random);
      return [{ type: 'needMet', inquiry: one.inquiry, need, met: metBy(need, random) }];
    }
    default:
      return [{ type: 'listFailed', list: 'zones', request: state.zones.request, failure }];
  }
}

function metBy(need: Need, random: Random): Met {
  if (random() < 0.2) return { kind: 'failed', failure: failureOf('timeout') };
  const count = pick([0, 1, 50], random);
  if (need.kind === 'shield') {
    const { groupBy, page } = need.ask;
    const groups = Array.from({ length: count }, (_, i) =>
      groupOf(Object.fromEntries(groupBy.map((name) => [name, `192.0.2.${i}`])), 90 - i),
    );
    const rows = { kind: 'rows' as const, events: eventsOf(0, count) };
    const what = groupBy.length === 0 ? rows : { groups };
    return { kind: 'shield', answer: answerOf({ ...what, page, total: count, totalPages: 1 }) };
  }
  if (need.kind === 'originErrors') return { kind: need.kind, value: { errors: [], unread: 0 } } as const;
  if (need.kind === 'changes')
    return { kind: need.kind, value: { changes: [], next: null, unread: 0 } } as const;
  if (need.kind === 'statistics') return { kind: need.kind, value: [] } as const;
  const { from, to } = need.range;
  const records = rowsOf(0, count).map(({ record }, i) => ({
    ...record,
    timestamp: Math.min(to - 1, from + i * 100),
  }));
  return { kind: 'logs', records, hasMore: random() < 0.2 };
}

/** What is ordered is of the contract; the number of requests. */
function checkOrders(state: State, effects: readonly Effect[]): number {
  let requests = 0;
  for (const each of subscriptions(state)) {
    if (each.kind !== 'shieldSearch') continue;
    const { from, to, page, pageSize, groupBy, filters } = each.ask;
    assert.ok(to > from && page >= 0 && pageSize >= 1 && pageSize <= 500);
    assert.equal(new Set(groupBy).size, groupBy.length);
    for (const name of [...groupBy, ...filters.map(({ field }) => field)])
      assert.ok(SHIELD_DIMENSIONS.includes(name));
  }
  for (const tail of subscriptions(state)) {
    if (tail.kind !== 'tail') continue;
    assert.ok(
      tail.from === null || tail.to === null || tail.from < tail.to,
      'a window that ends before it starts',
    );
  }
  const keys = subscriptions(state).map(({ key }) => key);
  assert.equal(new Set(keys).size, keys.length, 'two orders of one name');
  for (const effect of effects) {
    if (effect.type === 'backfill' || effect.type === 'refreshTails') requests += 1;
    if (effect.type === 'backfill') assert.ok(effect.range.from < effect.range.to);
  }
  return requests;
}

/** Views keep their cursors, and every line of the screen can be drawn. */
function checkState(state: State): void {
  assert.ok(state.views.length > 0);
  for (const view of [...state.views, ...state.parked]) {
    if ('cursor' in view && typeof view.cursor === 'number') {
      assert.ok(Number.isInteger(view.cursor) && view.cursor >= 0, `${view.kind}: cursor ${view.cursor}`);
    }
    if ('top' in view)
      assert.ok(Number.isInteger(view.top) && view.top >= 0, `${view.kind}: top ${view.top}`);
  }
  const { height } = layoutOf(state).body;
  const lines = bodyLines(state, look);
  if (lines !== null) assert.ok(lines.length <= height, `${lines.length} lines of ${height}`);
  const chrome = [
    ...[titleLine, queryLine, headLine, footLine].map((line) => line(state, look)),
    ...bottomLines(state, look),
  ];
  for (const line of [...(lines ?? []), ...chrome]) {
    assert.doesNotMatch(line.replace(/\x1b\[[0-9;]*m/g, ''), /[\x00-\x1f\x7f-\x9f]/);
  }
  assert.ok(state.now >= NOON);
}

function pick<T>(list: readonly T[], random: Random): T {
  return list[Math.floor(random() * list.length)] as T;
}
