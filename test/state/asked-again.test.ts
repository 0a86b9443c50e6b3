import assert from 'node:assert/strict';
import { test } from 'node:test';
import { failureOf } from '../../src/domain/failure.ts';
import type { AnswerTable } from '../../src/domain/inquiry/answer-table.ts';
import type { Inquiry, Met, Need } from '../../src/domain/inquiry/inquiry.ts';
import type { LogRecord } from '../../src/domain/log.ts';
import type { TimeRange } from '../../src/domain/tail/coverage.ts';
import type { CommandId } from '../../src/keys/bindings.ts';
import { subscriptions } from '../../src/loop/subscriptions.ts';
import { update } from '../../src/loop/update.ts';
import { type AnswerView, leftOf } from '../../src/state/answer-model.ts';
import type { Action } from '../../src/state/messages.ts';
import type { State } from '../../src/state/model.ts';
import { topView } from '../../src/state/view-stack.ts';
import { metBy } from '../domain/questions/ask-scene.ts';
import { MINUTE, NOON, type Scene, sceneOf } from '../domain/scene.ts';
import { fc, runs } from '../support/properties.ts';
import { originErrorWith } from '../support/rows.ts';
import { answered, answerOf, groupOf } from '../support/shield.ts';
import { listedState, played, reportOf, workedOff } from '../support/state.ts';

const shop = byMinute(sceneOf('shop-frontend', 2));
const { zone } = shop;
const attack = shop.incident('layer7Attack');
/** Ten minutes, of which some are of an attack. */
const WINDOW: TimeRange = { from: attack.from - 4 * MINUTE, to: attack.from + 6 * MINUTE };

/** Rows of one answer here, so that some are cut and leave a rest. */
const MOST = 150;

/** Each answer of a scene is kept by the scene: only whole minutes are asked of it. */
function byMinute(scene: Scene): Scene {
  const within =
    <T extends { timestamp: number }>(of: (from: number, to: number) => T[]) =>
    (from: number, to: number): T[] => {
      const first = Math.floor(from / MINUTE);
      return Array.from({ length: Math.max(0, Math.ceil(to / MINUTE) - first) }, (_, n) =>
        of((first + n) * MINUTE, (first + n + 1) * MINUTE),
      )
        .flat()
        .filter(({ timestamp }) => timestamp >= from && timestamp < to);
    };
  return { ...scene, records: within(scene.records), events: within(scene.events) };
}

/** From where a question is asked. */
const PLACES = { log: onLog, shield: onGroup, events: onEvents } as const;
type Place = keyof typeof PLACES;

/** Every question, wherever a key asks it; `incidents`, whose samples are alike, has its own test of what is held. */
const ASKED: readonly (readonly [Place, CommandId])[] = [
  ...(['compare', 'missLens', 'bypassCheck', 'pivot', 'blastRadius', 'wrong'] as const).map(
    (command) => ['log', command] as const,
  ),
  ...(['causes', 'changes'] as const).map((command) => ['log', command] as const),
  ...(['compare', 'bypassCheck', 'wrong', 'suspectRules', 'blastRadius'] as const).map(
    (command) => ['shield', command] as const,
  ),
  ...(['bypassCheck', 'pivot'] as const).map((command) => ['events', command] as const),
];

const at = (time: number) => new Date(time).toISOString();

const OVER_WINDOW: Action = {
  ...{ type: 'ordered', command: 'chooseWindow', line: 'time' },
  argument: { text: `from:${at(WINDOW.from)} to:${at(WINDOW.to)}`, at: 5 },
};

/** Its log with all rows of the window in memory, of which those of some times are all that there are; paused on an address. */
function onLog(held: readonly TimeRange[]): State {
  const start = listedState([zone], { now: NOON });
  const pairs = [{ shieldZoneId: zone.shieldZoneId ?? '', pullZoneId: zone.id }];
  const opened = played(start, { type: 'shieldMapped', pairs }, 'open', OVER_WINDOW).state;
  const rows = shop.records(WINDOW.from, WINDOW.to).map((record) => ({ record, late: false }));
  const report = reportOf({ read: [...held], completeTo: WINDOW.to });
  const generation = opened.session?.generation ?? 0;
  const told: Action = { type: 'tailRead', zone: zone.id, generation, event: { rows, report } };
  return played(opened, told, 'pause', ...Array.from({ length: 5 }, () => 'right' as const)).state;
}

/** Its explorer over the log, on the address with most events. */
function onGroup(held: readonly TimeRange[]): State {
  const by: Action = {
    ...{ type: 'ordered', command: 'chooseGroups', line: 'by ip' },
    argument: { text: 'ip', at: 3 },
  };
  const asked = played(onLog(held), 'shieldScreen', by, OVER_WINDOW).state;
  const byIp = [...Map.groupBy(events(), ({ fields }) => fields['ip'] ?? '')].toSorted(
    ([, a], [, b]) => b.length - a.length,
  );
  const groups = byIp.map(([ip, own]) => {
    const seen = { firstSeen: own.at(0)?.timestamp ?? null, lastSeen: own.at(-1)?.timestamp ?? null };
    return groupOf({ ip }, own.length, seen);
  });
  return answered(asked, answerOf({ groups, total: groups.length }));
}

/** On one event of that address. */
function onEvents(held: readonly TimeRange[]): State {
  const asked = played(onGroup(held), 'open').state;
  const [first] = events();
  const own = events().filter(({ fields }) => fields['ip'] === first?.fields['ip']);
  const listed = answered(asked, answerOf({ kind: 'rows', events: own, total: own.length }));
  return played(listed, ...Array.from({ length: 3 }, () => 'right' as const)).state;
}

function events() {
  return shop.events(WINDOW.from, WINDOW.to);
}

/** What the platform answers: the rows and events of the scene, and of evidence always the same. */
function metOf(need: Need): Met {
  switch (need.kind) {
    case 'originErrors': {
      const errors = [1, 2, 3, 4, 5, 6].map((n) =>
        originErrorWith({
          timestamp: WINDOW.from + n * MINUTE,
          url: '/checkout',
          code: n % 3 === 0 ? 'dns_lookup' : 'http_timeout',
          status: 502,
        }),
      );
      return { kind: need.kind, value: { errors, unread: 0 } };
    }
    case 'changes':
      return { kind: need.kind, value: { changes: [], next: null, unread: 0 } };
    case 'statistics':
      return { kind: need.kind, value: [] };
    case 'shield':
      return metBy(shop, need);
    case 'logs': {
      const met = metBy(shop, need);
      assert.equal(met.kind, 'logs');
      const { remoteIp } = need.filter as { remoteIp?: string };
      const passes = (record: LogRecord) => remoteIp === undefined || record.remoteIp === remoteIp;
      const records = met.kind === 'logs' ? met.records.filter(passes) : [];
      // A sample is whole in one answer.
      const most = need.rows ?? MOST;
      return { kind: 'logs', records: records.slice(0, most), hasMore: records.length > most };
    }
  }
}

/** Asked once, in order, of nobody's memory, until nothing is left. */
function plainly(inquiry: Inquiry): AnswerTable {
  const next = () => {
    const named = inquiry.follow?.next() ?? [];
    return named.length > 0 ? named : inquiry.rest();
  };
  for (let needs = inquiry.needs; needs.length > 0; needs = next())
    for (const need of needs) inquiry.add(need, metOf(need));
  return inquiry.table();
}

function answer(state: State): AnswerView {
  const view = topView(state);
  assert.equal(view.kind, 'answer', state.notice?.text);
  return view as AnswerView;
}

const asked = (state: State): readonly Need[] =>
  subscriptions(state).flatMap((each) => (each.kind === 'inquiry' ? each.needs : []));

function told(state: State, need: Need | undefined, met?: Met): State {
  if (need === undefined) return state;
  const action = { type: 'needMet', inquiry: answer(state).number, need, met: met ?? metOf(need) } as const;
  return workedOff(update(state, action, state.now)[0]);
}

type Deed = { kind: 'answer' | 'fail' | 'refresh' | 'open' | 'down' | 'leave' | 'turn'; at: number };

/** What a hurried person and a slow network do to an answer. */
function done(state: State, { kind, at }: Deed): State {
  const needs = asked(state);
  const need = needs[at % Math.max(1, needs.length)];
  const isPriced = answer(state).stage.kind === 'priced';
  switch (kind) {
    case 'answer':
      return told(state, need);
    case 'fail':
      return need?.kind === 'logs' || need?.kind === 'shield'
        ? told(state, need, { kind: 'failed', failure: failureOf('serverError', {}) })
        : state;
    case 'turn':
      return update(state, { type: 'worked' }, state.now)[0];
    case 'refresh':
      return update(state, { type: 'commanded', command: 'refresh' }, state.now)[0];
    case 'open':
      return isPriced ? played(state, 'open').state : state;
    case 'down':
      return update(state, { type: 'commanded', command: 'down' }, state.now)[0];
    case 'leave': {
      const [left] = update(state, { type: 'commanded', command: 'leave' }, state.now + 1000);
      const top = topView(left);
      return top.kind === 'answer' && top.number === answer(state).number ? left : state;
    }
  }
}

/** Until nothing is left of the way on screen. */
function completed(start: State): State {
  let state = workedOff(start);
  for (let turn = 0; turn < 3000; turn++) {
    const view = answer(state);
    const { stage } = view;
    if (stage.kind === 'asking') state = told(state, asked(state)[0]);
    else if (stage.kind === 'priced')
      state = played(state, ...(view.choices[view.cursor]?.inquiry ? [] : ['first' as const]), 'open').state;
    else if (leftOf(view).length === 0) return state;
    else state = played(state, 'refresh').state;
  }
  throw new Error(`never read: ${answer(state).stage.kind}, ${leftOf(answer(state)).length} left`);
}

/** What an answer says; what was read, and how it was come by, may differ. */
function said({ headline, tone, sections }: AnswerTable) {
  return { headline, tone, sections: sections.filter(({ title }) => !title.startsWith('rows in memory')) };
}

const truths = new Map<string, ReturnType<typeof said>>();

/** What a way to ask comes to when it is asked of nobody's memory. */
function truthOf(place: Place, command: CommandId, title: string, start: State): ReturnType<typeof said> {
  const key = `${place} ${command} ${title}`;
  const of = (state: State) =>
    answer(played(state, command).state).choices.find((choice) => choice.title === title)?.inquiry;
  const inquiry = of(PLACES[place]([])) ?? of(start);
  assert.ok(inquiry, key);
  const known = truths.get(key) ?? said(plainly(inquiry));
  truths.set(key, known);
  return known;
}

const times = fc.array(fc.integer({ min: 0, max: 600 }), { maxLength: 6 }).map((all) => {
  const sorted = [...new Set(all)].toSorted((a, b) => a - b);
  return sorted.flatMap((from, at): TimeRange[] => {
    const to = sorted[at + 1];
    return at % 2 === 1 || to === undefined
      ? []
      : [{ from: WINDOW.from + from * 1000, to: WINDOW.from + to * 1000 }];
  });
});

const deeds = fc.array(
  fc.record({
    kind: fc.constantFrom<Deed['kind'][]>('answer', 'answer', 'answer', 'fail', 'refresh', 'open', 'down', 'leave', 'turn'), // biome-ignore format: one line
    at: fc.nat(20),
  }),
  { maxLength: 40 },
);

/** Those that take longest are tried less often. */
const RUNS: Partial<Record<CommandId, number>> = { compare: 1, missLens: 1, wrong: 1, suspectRules: 1 };

for (const [place, command] of ASKED) {
  test(`${command} asked of ${place}: the answer is the same whatever is in memory, in whatever order it comes, however often it is asked`, () => {
    fc.assert(
      fc.property(times, deeds, (held, some) => {
        // Where a sample fails, what is wrong is looked for in others, so that another answer may come of it.
        const all = some.filter(({ kind }) => command !== 'wrong' || kind !== 'fail');
        const start = PLACES[place](held);
        const opened = played(start, command).state;
        const read = completed(all.reduce(done, opened));
        const view = answer(read);
        const way = view.choices.find(({ inquiry }) => inquiry === view.inquiry);
        const truth = truthOf(place, command, way?.title ?? '', start);
        assert.deepEqual(said(view.table), truth);
        const again = completed(played(read, 'refresh', 'refresh').state);
        assert.deepEqual(said(answer(again).table), truth);
        assert.equal(answer(again).spent, view.spent);
      }),
      { numRuns: runs(RUNS[command] ?? 2) },
    );
  });
}
