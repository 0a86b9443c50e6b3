import assert from 'node:assert/strict';
import { test } from 'node:test';
import { failureOf } from '../../src/domain/failure.ts';
import { SHIELD_DIMENSIONS } from '../../src/domain/shield/shield.ts';
import type { CommandId } from '../../src/keys/bindings.ts';
import { update } from '../../src/loop/update.ts';
import { lineCount } from '../../src/screens/shield/shield-find.ts';
import type { Action } from '../../src/state/messages.ts';
import type { State } from '../../src/state/model.ts';
import { isShieldView, type ShieldView } from '../../src/state/shield-model.ts';
import { topView } from '../../src/state/view-stack.ts';
import { fc, runs } from '../support/properties.ts';
import { answerOf, eventsOf, groupOf, opened, searches } from '../support/shield.ts';

const RUNS = runs(150);
const KEPT = 72 * 3_600_000;

const COMMANDS = [
  'down',
  'up',
  'pageDown',
  'first',
  'last',
  'right',
  'open',
  'open',
  'leave',
  'historyBack',
  'historyForward',
  'filterIn',
  'filterOut',
  'filterOnly',
  'dropFilter',
  'dropFilters',
  'refresh',
  'earlier',
  'later',
  'zoomIn',
  'zoomOut',
  'sort',
  'reverse',
  'unfold',
  'findNext',
  'logsScreen',
  'shieldScreen',
] as const satisfies readonly CommandId[];

type Move =
  | { kind: 'command'; command: (typeof COMMANDS)[number] }
  | { kind: 'query'; text: string }
  | { kind: 'answer'; lines: number; more: boolean }
  | { kind: 'fail' }
  | { kind: 'wait'; ms: number };

const moves = fc.array(
  fc.oneof(
    {
      weight: 8,
      arbitrary: fc.constantFrom(...COMMANDS).map((command): Move => ({ kind: 'command', command })),
    },
    {
      weight: 5,
      arbitrary: fc
        .tuple(fc.constantFrom(0, 1, 40, 500), fc.boolean())
        .map(([lines, more]): Move => ({ kind: 'answer', lines, more })),
    },
    {
      weight: 1,
      arbitrary: fc
        .constantFrom(
          'last:72h',
          '"a" -"b" by:ip',
          '-ip:192.0.2.1 by:rule',
          'from:-3h to:-1h',
          'ip:10.0.0.0/8 by:asn,ip',
        )
        .map((text): Move => ({ kind: 'query', text })),
    },
    { weight: 1, arbitrary: fc.constant<Move>({ kind: 'fail' }) },
    {
      weight: 1,
      arbitrary: fc.constantFrom(100, 500, 60_000, KEPT).map((ms): Move => ({ kind: 'wait', ms })),
    },
  ),
  { minLength: 1, maxLength: 40 },
);

function actionsOf(state: State, move: Move): Action[] {
  const [want] = searches(state);
  switch (move.kind) {
    case 'command':
      return [{ type: 'commanded', command: move.command }];
    case 'query':
      return [
        { type: 'commanded', command: 'editQuery' },
        { type: 'edited', edit: 'killLeft' },
        { type: 'typed', text: move.text },
        { type: 'submitted' },
      ];
    case 'fail':
      return want ? [{ type: 'shieldFailed', request: want.request, failure: failureOf('timeout') }] : [];
    case 'wait':
      return [{ type: 'ticked', now: state.now + move.ms }];
    case 'answer': {
      if (!want) return [];
      const { groupBy, page, pageSize } = want.ask;
      const lines = Math.min(move.lines, pageSize);
      const from = page * pageSize;
      const shape = {
        total: from + lines + (move.more ? pageSize : 0),
        totalPages: page + (move.more ? 2 : 1),
        page,
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
      return [{ type: 'shieldAnswered', request: want.request, answer }];
    }
  }
}

function told(state: State, move: Move): State {
  return actionsOf(state, move).reduce(
    (now, action) => update(now, action, action.type === 'ticked' ? action.now : now.now)[0],
    state,
  );
}

/** A window that is gone as a whole is left to the server, whose refusal is told as what it is. */
function isKept({ from, to }: { from: number; to: number }, now: number): boolean {
  return from >= now - KEPT || to <= now - KEPT + 60_000;
}

/** Every search holds what the contract allows and nothing else. */
function assertContract(state: State): void {
  for (const { ask } of searches(state)) {
    // Groups are told over time, as long as the server takes it.
    const { sparks, ...others } = ask;
    if (sparks !== undefined) assert.ok(sparks === 8 && ask.groupBy.length > 0);
    assert.deepEqual(Object.keys(others).sort(), [
      'filters',
      'from',
      'groupBy',
      'page',
      'pageSize',
      'query',
      'to',
    ]);
    assert.ok(ask.to > ask.from && ask.page >= 0 && ask.pageSize >= 1 && ask.pageSize <= 500);
    assert.equal(new Set(ask.groupBy).size, ask.groupBy.length);
    for (const name of [...ask.groupBy, ...ask.filters.map(({ field }) => field)]) {
      assert.ok(SHIELD_DIMENSIONS.includes(name));
    }
    for (const { op, value } of ask.filters) {
      assert.ok(['eq', 'in', 'contains', 'cidr', 'wildcard'].includes(op) && value.length > 0);
    }
  }
}

function assertPlaces(state: State): void {
  for (const view of [...state.views, ...state.parked].filter(isShieldView)) {
    const length = lineCount(state, view);
    assert.ok(
      view.cursor >= 0 && view.cursor <= Math.max(0, length - 1),
      `${view.kind} ${view.cursor}/${length}`,
    );
  }
}

test('whatever is pressed and answered, a search is one of the contract, a key asks for one at most, and no cursor is lost', () => {
  fc.assert(
    fc.property(moves, (walk) => {
      let state = opened;
      for (const move of walk) {
        const before = new Set(searches(state).map(({ request }) => request));
        state = told(state, move);
        assertContract(state);
        assertPlaces(state);
        for (const { ask, request } of searches(state)) {
          if (!before.has(request)) assert.ok(isKept(ask, state.now), 'asked for what is gone');
        }
        const isTravel =
          move.kind === 'command' &&
          ['historyBack', 'historyForward', 'shieldScreen', 'leave'].includes(move.command);
        const fresh = searches(state).filter(({ request }) => !before.has(request));
        // What a view that comes back still waited for is asked again.
        if (!isTravel) assert.ok(fresh.length <= 1, `${fresh.length} searches`);
      }
    }),
    { numRuns: RUNS },
  );
});

test('wherever a walk has led, Enter and Esc are the same view again, and no request is left of it', () => {
  fc.assert(
    fc.property(moves, (walk) => {
      const state = walk.reduce(told, opened);
      const at = topView(state);
      const isSettled =
        isShieldView(at) && (at.kind === 'shieldEvent' || at.reading.loading.kind !== 'asking');
      const inside = told(state, { kind: 'command', command: 'open' });
      if (!isSettled || state.overlay || state.prompt || inside.views.length === state.views.length) return;
      const back = told(inside, { kind: 'command', command: 'leave' });
      assert.equal(topView(back), at);
      assert.deepEqual(searches(back), searches(state));
    }),
    { numRuns: RUNS },
  );
});

test('to the logs and back again is the same explorer wherever a walk has led', () => {
  const settled = (views: readonly { kind: string }[]) =>
    views.filter((view): view is ShieldView => isShieldView(view) && view.kind !== 'shieldEvent');
  fc.assert(
    fc.property(moves, (walk) => {
      const state = walk.reduce(told, opened);
      if (!isShieldView(topView(state)) || state.overlay || state.prompt) return;
      const away = told(state, { kind: 'command', command: 'logsScreen' });
      assert.deepEqual(searches(away), []);
      const back = told({ ...away, notice: state.notice }, { kind: 'command', command: 'shieldScreen' });
      assert.deepEqual(
        settled(back.views).map((view) => view.query),
        settled(state.views).map((view) => view.query),
      );
      assert.deepEqual(
        searches(back).map(({ request, ask }) => [request, ask.page]),
        searches(state).map(({ request, ask }) => [request, ask.page]),
      );
    }),
    { numRuns: RUNS },
  );
});
