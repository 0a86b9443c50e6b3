import assert from 'node:assert/strict';
import { test } from 'node:test';
import { logCoverage } from '../../src/state/logs/log-coverage.ts';
import { openLog } from '../../src/state/logs/session.ts';
import type { State } from '../../src/state/model.ts';
import { subscriptions } from '../../src/state/subscriptions.ts';
import { listedState, NOON, played, reportOf, zoneOf } from '../support/state.ts';

const DAY = 86_400_000;

/** A log of a week ago, of which nothing was read. */
function opened(): State {
  const zone = zoneOf('1', 'shop');
  const state = { ...listedState([zone]), history: { engine: '', name: '', files: null } };
  const from = state.now - 8 * DAY;
  const window = { kind: 'absolute', from, to: from + DAY } as const;
  return openLog(state, [zone], { terms: [], window, groupBy: [] });
}

const isPaging = (state: State) => subscriptions(state).some(({ kind }) => kind === 'page');
const seen = (state: State, ofBytes: number) =>
  played(state, { type: 'filesSeen', read: { parts: 0, of: 37, bytes: 0, ofBytes } }).state;

test('many stored files are read when their price was seen, and a key said so; few at once', () => {
  const state = opened();
  assert.ok(isPaging(state));
  assert.ok(isPaging(seen(state, 1e6)));
  const asked = seen(state, 1.2e9);
  assert.ok(!isPaging(asked));
  assert.match(asked.notice?.text ?? '', /^37 stored files, 1\.2G: Enter reads them/);
  const going = played(asked, 'open').state;
  assert.ok(isPaging(going));
  // What comes while they are read asks no second time.
  assert.ok(isPaging(seen(going, 1.2e9)));
});

test('that nobody promises stored files to be complete is said once', () => {
  const first = seen(opened(), 1e6);
  assert.deepEqual(
    first.remarks.map(({ remark }) => remark),
    ['STORED FILES: completeness is not promised by the platform'],
  );
  assert.equal(seen({ ...first, remarks: [] }, 1e6).remarks.length, 0);
});

test('what is copied of imported time is never said to be complete', () => {
  const state = opened();
  const generation = state.session?.generation ?? 0;
  const coverage = (reason: 'imported' | 'overload') => {
    const gaps = [{ id: 'g', from: NOON - DAY, to: NOON, reason, rows: null }];
    const event = { rows: [], report: reportOf({ watermark: NOON, gaps }) };
    return logCoverage(played(state, { type: 'tailRead', zone: '1', generation, event }).state, true).join(
      '; ',
    );
  };
  assert.match(coverage('overload'), /complete to /);
  const imported = coverage('imported');
  assert.ok(!imported.includes('complete'), imported);
  assert.match(imported, /a part was imported from files, which may not have all rows.*gap .*: imported/);
});
