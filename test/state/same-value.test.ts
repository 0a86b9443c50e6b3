import assert from 'node:assert/strict';
import { test } from 'node:test';
import { stripped } from '../../src/paint/row.ts';
import { createLook } from '../../src/paint/theme.ts';
import type { State } from '../../src/state/model.ts';
import { topView } from '../../src/state/view-stack.ts';
import { bottomLines } from '../../src/ui/chrome.ts';
import { inRows, rows } from '../support/shield.ts';
import { followedState, played, recordOf } from '../support/state.ts';

/** Each third row missed, each tenth failed; paths hold the words of values. */
const log = () =>
  played(
    followedState(
      Array.from({ length: 30 }, (_, n) => ({
        record: recordOf(n, { path: `/hit/de/503/${n}` }),
        late: false,
      })),
    ),
    'first',
  ).state;

function search(state: State) {
  const view = topView(state);
  assert.equal(view.kind, 'log');
  return view.kind === 'log' ? view.search : null;
}

test('* goes to the next row with the value in its column, # to the one before, and n and N go on', () => {
  // On MISS of row 0.
  const next = played(log(), 'findSame').state;
  assert.deepEqual(search(next), { needle: 'MISS', field: 'cache', at: { index: 2, total: 10 } });
  assert.deepEqual(search(played(next, 'findNext').state)?.at, { index: 3, total: 10 });
  assert.deepEqual(search(played(next, 'findPrevious').state)?.at, { index: 1, total: 10 });
  const before = played(log(), 'findSameBefore').state;
  assert.deepEqual(search(before)?.at, { index: 10, total: 10 });
  assert.match(before.notice?.text ?? '', /round the end/);
  const status = played(log(), 'right', 'findSame').state;
  assert.deepEqual(search(status), { needle: '503', field: 'status', at: { index: 2, total: 3 } });
});

test('& keeps the rows with the value, and the last line says of which field it is', () => {
  const { state } = played(log(), 'right', 'findSame', 'findToFilter');
  const view = topView(state);
  assert.deepEqual('query' in view && view.query.terms, [
    { kind: 'field', field: 'status', op: 'eq', values: ['503'], negated: false },
  ]);
  const line = stripped(
    bottomLines(played(log(), 'right', 'findSame').state, createLook('default', false, true)).join(''),
  );
  assert.match(line, /^ status:503 2\/3 /);
});

test('in Shield lists and events it is the dimension that has the value', () => {
  // Each fifth address is the same.
  const onAddress = played(inRows(200), 'right', 'right').state;
  const next = played(onAddress, 'findSame').state;
  assert.deepEqual([rows(next).needle, rows(next).field, rows(next).cursor], ['192.0.2.0', 'ip', 5]);
  assert.equal(rows(played(next, 'findNext').state).cursor, 10);
  assert.equal(rows(played(onAddress, 'findSameBefore').state).cursor, 195);
});
