import assert from 'node:assert/strict';
import { test } from 'node:test';
import { LogBook } from '../../src/domain/logs/log-book.ts';
import { EMPTY_QUERY, type Term } from '../../src/domain/query/query.ts';
import { subscriptions } from '../../src/loop/subscriptions.ts';
import { update } from '../../src/loop/update.ts';
import { workOf } from '../../src/loop/work.ts';
import { stripped } from '../../src/paint/row.ts';
import { createLook } from '../../src/paint/theme.ts';
import { openGroups } from '../../src/screens/log/group-commands.ts';
import type { State } from '../../src/state/model.ts';
import { queried } from '../../src/state/sessions/session.ts';
import { topView } from '../../src/state/view-stack.ts';
import { queryLine } from '../../src/ui/chrome.ts';
import { plainBody } from '../support/plain-body.ts';
import { followedState, rowsOf, workedOff } from '../support/state.ts';

const look = createLook('mono', false, true);
const MISS: Term = { kind: 'field', field: 'cache', op: 'eq', values: ['MISS'], negated: false };

/** A log of 6,000 rows of which a filter decides 600 at a time. */
function largeLog(): State {
  const state = followedState([]);
  const book = new LogBook({ capacity: 10_000, rowsAtOnce: 600 });
  book.append(rowsOf(0, 6_000));
  const session = state.session ?? assert.fail();
  return { ...state, session: { ...session, book } };
}

const isWorking = (state: State) => subscriptions(state).some(({ kind }) => kind === 'work');
const worked = (state: State) => update(state, { type: 'worked' }, state.now)[0];
const commanded = (state: State, command: 'filterIn' | 'pause' | 'up' | 'first' | 'dropFilters') =>
  update(state, { type: 'commanded', command }, state.now)[0];
const bookOf = ({ session }: State) => session?.book ?? assert.fail();
const query = (state: State) => stripped(queryLine(state, look));

/** With this filter just set, on rows that are read. */
function filtering(state: State, terms: readonly Term[]): State {
  bookOf(state).setFilter(terms);
  return state;
}

test('a filter over many rows is worked on until all were asked, says how far it is, and is not counted before', () => {
  let state = filtering(largeLog(), [MISS]);
  const seen: string[] = [];
  while (isWorking(state)) {
    assert.match(query(state), / filtering \d+(\.\d)?%$/);
    assert.doesNotMatch(query(state), /hidden/);
    seen.push(query(state));
    const version = state.session?.version;
    state = worked(state);
    assert.notEqual(state.session?.version, version);
  }
  assert.ok(seen.length >= 5 && new Set(seen).size === seen.length, seen.join('\n'));
  assert.match(query(state), / hidden here 4,000 of 6,000$/);
  assert.equal(worked(state), state);
});

test('a reader who stands at the first row sees the first rows that pass before the others were asked', () => {
  const first = commanded(commanded(largeLog(), 'pause'), 'first');
  const query = { ...EMPTY_QUERY, terms: [MISS] };
  const state = queried(first, query);
  assert.ok(isWorking(state));
  const numbers = Array.from({ length: 40 }, (_, i) => {
    const item = bookOf(state).at(i);
    return item?.kind === 'row' ? Number.parseInt(bookOf(state).record(item.id).requestId ?? '', 16) : -1;
  });
  assert.deepEqual(
    numbers,
    Array.from({ length: 40 }, (_, i) => i * 3),
  );
});

test('groups wait for the filter, and then are those of all rows that pass', () => {
  let state = openGroups(filtering(largeLog(), [MISS]), ['cache']);
  const body = () => plainBody(state, look).join('\n');
  const groups = () => {
    const view = topView(state);
    assert.ok(view.kind === 'groups');
    return view.groups;
  };
  while (workOf(state) === 'filter') {
    assert.equal(groups().length, 0);
    assert.match(body(), /^ {2}counting/m);
    state = worked(state);
  }
  state = workedOff(state);
  assert.deepEqual(
    groups().map(({ key, count }) => [key['cache'], count]),
    [['MISS', 2_000]],
  );
});

test('groups that take long are counted in turns, say how far they are, and stay what they were until then', () => {
  const large = largeLog();
  bookOf(large).settle();
  let state = openGroups(large, ['id']);
  // Of a book so small one step is enough: what is watched here is a work of many.
  const view = topView(state);
  assert.ok(view.kind === 'groups' && view.groups.length === 1_000 && view.work === null);
  const of = bookOf(state).countGroups(['cache'], 10);
  const step = of.step.bind(of);
  let steps = 0;
  of.step = () => {
    steps++;
    of.share = steps / 4;
    return steps < 4 ? false : step();
  };
  state = {
    ...state,
    views: [
      ...state.views.slice(0, -1),
      { ...view, by: ['cache'], work: { kind: 'count', of, book: bookOf(state) } },
    ],
  };
  for (let turn = 1; turn < 4; turn++) {
    assert.equal(workOf(state), 'count');
    assert.ok(isWorking(state));
    state = worked(state);
    assert.match(query(state), new RegExp(` counting ${turn * 25}\\.0%$`));
    const now = topView(state);
    assert.ok(now.kind === 'groups' && now.groups === view.groups);
  }
  state = workedOff(state);
  const done = topView(state);
  assert.ok(done.kind === 'groups' && done.work === null);
  assert.deepEqual(
    done.groups.map(({ key, count }) => [key['cache'], count]),
    [
      ['HIT', 4_000],
      ['MISS', 2_000],
    ],
  );
});
