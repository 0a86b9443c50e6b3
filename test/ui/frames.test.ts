import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Action } from '../../src/state/messages.ts';
import type { State } from '../../src/state/model.ts';
import { NOTHING_TOLD } from '../../src/state/model.ts';
import { createFrames } from '../../src/ui/frames.ts';
import { followedState, played, rowsOf, startState } from '../support/state.ts';
import { VirtualClock } from '../support/virtual-clock.ts';

const REQUEST = { type: 'requestSeen' } as Action;
const BUDGET = { type: 'budgetSeen' } as Action;
const ZONES = { type: 'listArrived', list: 'zones' } as Action;

test('a request alone writes nothing: its numbers come with what it brought', () => {
  const asked = [REQUEST, BUDGET, read(1), REQUEST, BUDGET, read(1)];
  assert.deepEqual(causes(asked), [null, null, 'key', null, null, 'data']);
});

test('where requests are what is looked at, they are painted at the pace of data', () => {
  assert.deepEqual(causes([REQUEST, BUDGET], { kind: 'requests' }), ['data', 'data']);
});

test('the first answer to a question and the list of zones are painted as fast as a key', () => {
  assert.deepEqual(causes([read(1), read(1), read(2), ZONES]), ['key', 'data', 'key', 'key']);
});

test('that saved logs have been read is painted as fast as a key, and what is added to them is not', () => {
  for (const status of ['read', 'following']) {
    const said = [saved('reading', true), saved('reading', true), saved(status, false), saved(status, true)];
    assert.deepEqual(causes(said), ['key', 'data', 'key', 'data']);
  }
});

test('what work was done for is painted as fast as a key, and the way there at the pace of data', () => {
  const kinds = ['filter', 'filter', 'count', 'count', 'tags', 'tags', null] as const;
  let at = -1;
  const asked: string[] = [];
  const frames = createFrames({
    current: () => workingState(kinds[at] ?? null),
    sink: { invalidate: (cause) => void asked.push(cause), onBeforeFrame: () => {} },
    paintChrome: () => {},
    paintBody: () => {},
    placeCursor: () => {},
    clock: new VirtualClock(),
  });
  for (at = 0; at < kinds.length; at++) frames.changed({ type: 'worked' });
  assert.deepEqual(asked, ['data', 'data', 'key', 'data', 'key', 'data', 'key']);
  // A key begins a count whose first turn is its last.
  for (const [kind, action] of [
    ['count', { type: 'commanded', command: 'enter' }],
    ['tags', { type: 'worked' }],
  ] as const) {
    at = kinds.indexOf(kind);
    frames.changed(action as Action);
  }
  assert.deepEqual(asked.slice(kinds.length), ['key', 'key']);
});

test('the first screen stands with the answer about the view on top, whatever else has come', async () => {
  for (const [kind, answer] of [
    ['zones', ZONES],
    ['log', read(1)],
    ['storage', { type: 'listArrived', list: 'storage' } as Action],
  ] as const) {
    const frames = createFrames({
      current: () => ({ ...startState(), views: [{ kind }] }) as unknown as State,
      sink: { invalidate: () => {}, onBeforeFrame: () => {} },
      paintChrome: () => {},
      paintBody: () => {},
      placeCursor: () => {},
      clock: new VirtualClock(),
    });
    let stands = false;
    void frames.answered.then(() => {
      stands = true;
    });
    const besides = ['resized', 'intentsFound', 'requestSeen', 'shieldMapped'] as const;
    for (const type of besides) frames.changed({ type } as Action);
    if (kind !== 'zones') frames.changed(ZONES);
    await null;
    assert.equal(stands, false, kind);
    frames.changed(answer);
    await null;
    assert.equal(stands, true, kind);
  }
});

test('nothing that arrives is painted while text is selected with the mouse', () => {
  assert.deepEqual(causes([read(1), read(1), ZONES], { kind: 'plain' }), [null, null, null]);
});

test('a letter leaves the rows to the pace of data; the line itself opens over the body that belongs to it', async () => {
  const log = followedState(rowsOf(0, 3));
  let state = { ...log, overlay: { kind: 'plain' } } as State;
  const painted: State[] = [];
  const placed: State[] = [];
  const framed: State[] = [];
  const asked: string[] = [];
  let frame: (cause: 'key' | 'data') => void = () => {};
  createFrames({
    current: () => state,
    sink: { invalidate: (cause) => void asked.push(cause), onBeforeFrame: (callback) => (frame = callback) },
    paintChrome: (each) => void framed.push(each),
    paintBody: (each) => void painted.push(each),
    placeCursor: (each) => void placed.push(each),
    clock: new VirtualClock(),
  });
  frame('key');
  state = played(log, 'editQuery').state;
  frame('key');
  assert.equal(painted.at(-1), state, 'the overlay is gone with the frame that opens the line');
  state = { ...state, now: 1 };
  frame('key');
  assert.equal(painted.length, 2);
  assert.equal(placed.at(-1), state, 'the cursor moves on with the letter');
  assert.equal(framed.at(-1), state, 'and so does what is said around the body');
  await null;
  assert.deepEqual(asked, ['data']);
  frame('data');
  assert.equal(painted.at(-1), state);
  state = played(state, { type: 'typed', text: 'status:zzz' }, { type: 'submitted' }).state;
  frame('key');
  assert.equal(painted.at(-1), state, 'what is said of a mistake takes rows from the body');
  state = played(state, { type: 'edited', edit: 'backspace' }).state;
  frame('key');
  assert.equal(painted.at(-1), state, 'and gives them back with the next letter');
});

test('rows paint the figures around them twice a second at most, and the last of them without another row', async () => {
  const log = followedState(rowsOf(0, 3));
  let state = log;
  const clock = new VirtualClock();
  const framed: State[] = [];
  const asked: string[] = [];
  let frame: (cause: 'key' | 'data') => void = () => {};
  const frames = createFrames({
    current: () => state,
    sink: { invalidate: (cause) => void asked.push(cause), onBeforeFrame: (callback) => (frame = callback) },
    paintChrome: (each) => void framed.push(each),
    paintBody: () => {},
    placeCursor: () => {},
    clock,
  });
  const arrived = (action: Action) => {
    state = { ...state };
    frames.changed(action);
    frame('data');
    return framed.at(-1) === state;
  };
  frame('key');
  const seen: boolean[] = [];
  for (let n = 0; n < 8; n++) {
    await clock.advance(150);
    seen.push(arrived(read(1)));
  }
  assert.deepEqual(seen, [false, false, false, true, false, false, false, true]);
  assert.equal(arrived({ type: 'ticked', now: 0 }), true, 'what else is told comes at once');
  assert.equal(arrived(read(1)), false);
  asked.length = 0;
  await clock.advance(750);
  assert.deepEqual(asked, ['data']);
  frame('data');
  assert.equal(framed.at(-1), state);
  assert.equal(arrived(read(1)), false);
  frame('key');
  assert.equal(framed.at(-1), state, 'a key shows what is');
  state = { ...state, size: { columns: 80, rows: 12 } };
  frames.changed(read(1));
  frame('data');
  assert.equal(framed.at(-1), state, 'and so does whatever takes rows from the body');
  frames.end();
});

function workingState(kind: 'filter' | 'count' | 'tags' | null): State {
  const session = { book: { filtering: kind === 'filter' ? 0.5 : null } };
  const view = { kind: 'groups', by: ['page'], work: kind === null || kind === 'filter' ? null : { kind } };
  return { overlay: null, views: [view], session, evidence: NOTHING_TOLD } as unknown as State;
}

/** What is asked of the screen after each action: the cause of a frame, or null for none. */
function causes(actions: readonly Action[], overlay: unknown = null): (string | null)[] {
  const asked: string[] = [];
  const frames = createFrames({
    current: () => ({ overlay, views: [{ kind: 'zones' }] }) as unknown as State,
    sink: { invalidate: (cause) => void asked.push(cause), onBeforeFrame: () => {} },
    paintChrome: () => {},
    paintBody: () => {},
    placeCursor: () => {},
    clock: new VirtualClock(),
  });
  return actions.map((action) => {
    frames.changed(action);
    return asked.shift() ?? null;
  });
}

function read(generation: number): Action {
  return { type: 'tailRead', zone: '1', generation } as Action;
}

function saved(status: string, hasRows: boolean): Action {
  const event = { rows: hasRows ? {} : null, report: { status } };
  return { type: 'savedRead', generation: 1, event } as unknown as Action;
}
