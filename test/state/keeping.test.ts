import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { SavedView } from '../../src/domain/handover/place.ts';
import { subscriptions } from '../../src/loop/subscriptions.ts';
import { update } from '../../src/loop/update.ts';
import type { ExportJob, ExportOutcome } from '../../src/state/handover-model.ts';
import type { Action, Effect } from '../../src/state/messages.ts';
import type { State } from '../../src/state/model.ts';
import { inGroups, inRows } from '../support/shield.ts';
import { followedState, gapOf, NOON, played, rowsOf } from '../support/state.ts';

const VIEW: SavedView = {
  name: 'night 5xx',
  screen: 'logs',
  zone: '1',
  zoneName: 'shop',
  query: 'status:5xx last:15m',
  rows: false,
  savedAt: NOON,
};

function typed(state: State, text: string): State {
  return played(state, { type: 'edited', edit: 'killLeft' }, { type: 'typed', text }).state;
}

function submitted(state: State): { state: State; effects: Effect[] } {
  return played(state, { type: 'submitted' });
}

/** The export of the view ordered to a file of this name. */
function exporting(state: State, name: string): State {
  return submitted(typed(played(state, 'export', 'open').state, name)).state;
}

function jobOf(state: State): ExportJob {
  const [want] = subscriptions(state).filter((each) => each.kind === 'export');
  return want?.job ?? assert.fail('nothing is being written');
}

const WRITTEN: ExportOutcome = { kind: 'written', path: 'a.ndjson', rows: 100, gaps: 2, bytes: 12_000 };

test('the end of an export says how many of how many rows, the gaps, and where', () => {
  const state = exporting(followedState(rowsOf(0, 100)), 'a.ndjson');
  const ended = played(state, { type: 'exportEnded', id: jobOf(state).id, outcome: WRITTEN }).state;
  assert.deepEqual(ended.notice, {
    tone: 'info',
    text: 'wrote 100 of 100 rows, 2 gaps stated, 12K to a.ndjson',
  });
  const lost = played(state, {
    type: 'exportEnded',
    id: jobOf(state).id,
    outcome: { ...WRITTEN, rows: 98 },
  }).state;
  assert.equal(lost.notice?.tone, 'warning');
  assert.match(lost.notice?.text ?? '', /wrote 98 of 100 rows/);
});

test('a file that exists was left alone: the name is asked for again, with one that is free', () => {
  const state = exporting(followedState(rowsOf(0, 3)), 'a.csv');
  const outcome: ExportOutcome = { kind: 'exists', path: 'a.csv', free: 'a-2.csv' };
  const asked = played(state, { type: 'exportEnded', id: jobOf(state).id, outcome }).state;
  assert.equal(asked.prompt?.kind, 'exportPath');
  assert.equal(asked.prompt?.field.text, 'a-2.csv');
  assert.equal(jobOf(submitted(asked).state).path, 'a-2.csv');
  // Whoever is typing something else meanwhile is not interrupted.
  const busy = played(state, 'editQuery').state;
  const told = played(busy, { type: 'exportEnded', id: jobOf(state).id, outcome }).state;
  assert.equal(told.prompt?.kind, 'query');
});

test('of a Shield view that was read in part, the part is exported and said to be one', () => {
  const job = jobOf(exporting(inGroups(1, 826), 'a.csv'));
  assert.deepEqual(
    [job.sheet.rows, job.sheet.of, job.sheet.missing],
    [500, 826, ['500 of 826 groups were read']],
  );
  const state = exporting(inGroups(1, 826), 'a.csv');
  const outcome = { ...WRITTEN, rows: 500, gaps: 0 };
  const ended = played(state, { type: 'exportEnded', id: jobOf(state).id, outcome }).state;
  assert.equal(ended.notice?.tone, 'warning');
  assert.match(ended.notice?.text ?? '', /wrote 500 of 500 groups, of 826 that the server counts/);
  assert.deepEqual(jobOf(exporting(inRows(3), 'a')).sheet.missing, []);
});

test('groups of a log state the gaps in the rows that were counted', () => {
  const grouped = played(followedState(rowsOf(0, 100), [gapOf(10, 20)]), 'chooseGroups', 'open').state;
  const { sheet } = jobOf(exporting(grouped, 'a.md'));
  assert.deepEqual(sheet.missing, ['gap 2026-11-20 12:00:10.000 to 12:00:20.000: failed']);
});

/** The list with these views in it, as read from the file. */
function withViews(state: State, views: readonly SavedView[], trouble: string | null = null): State {
  return played(state, 'savedViews', { type: 'viewsRead', views, trouble, done: null, failed: null }).state;
}

test('a view is deleted by a second x after it could be read, and by nothing typed ahead', () => {
  const list = withViews(followedState([]), [VIEW]);
  const at = (state: State, action: Action, now: number) => update(state, action, now);
  const x: Action = { type: 'commanded', command: 'dropFilter' };
  const [asked] = at(list, x, NOON);
  assert.match(asked.notice?.text ?? '', /x again deletes night 5xx/);
  assert.deepEqual(at(asked, x, NOON + 100)[1], []);
  assert.deepEqual(at(asked, x, NOON + 600)[1], [{ type: 'deleteView', name: 'night 5xx' }]);
  assert.deepEqual(at(asked, x, NOON + 60_000)[1], []);
  const [kept] = at(asked, { type: 'commanded', command: 'down' }, NOON + 200);
  assert.deepEqual(at(kept, x, NOON + 600)[1], []);
});

test('a file that cannot be read is said to be left alone, and nothing is ordered against it', () => {
  const list = withViews(followedState(rowsOf(0, 3)), [], 'views.json is not valid JSON');
  assert.match(list.notice?.text ?? '', /not valid JSON/);
  const save = played(list, 'saveView');
  assert.deepEqual(save.effects, []);
  assert.equal(save.state.prompt, null);
  assert.match(save.state.notice?.text ?? '', /nothing can be saved: views\.json/);
});

test('a finding holds the view as it stood when it was opened, the note, and the command', () => {
  const state = followedState(rowsOf(0, 100), [gapOf(10, 20)]);
  const opened = played(state, 'note').state;
  assert.equal(opened.prompt?.kind, 'note');
  const generation = opened.session?.generation ?? 0;
  const report = opened.session?.report ?? assert.fail();
  const later = played(opened, {
    type: 'tailRead',
    zone: '1',
    generation,
    event: { rows: rowsOf(100, 200), report },
  }).state;
  const { effects } = submitted(typed(later, 'errors | began <here>'));
  const [order] = effects;
  assert.ok(order?.type === 'addFinding');
  const { lines } = order.entry;
  assert.equal(lines[0], '## 12:00:00Z errors \\| began \\<here\\>');
  assert.match(
    lines[2] ?? '',
    /^`logs shop`, 2026-11-20 12:00:00 to 2026-11-20 12:01:39 UTC\. 10 of 100 rows, the newest\. /,
  );
  assert.ok(lines[2]?.includes(' Gap 2026-11-20 12:00:10.000 to 12:00:20.000: failed.'));
  assert.ok(lines.some((line) => line.includes('`https://shop.example.com/p/99`')));
  assert.ok(!lines.some((line) => line.includes('/p/100`')));
  assert.ok(lines.includes("edgescope logs shop 'from:2026-11-20T12:00Z to:2026-11-20T12:01:39.001Z'"));
  assert.match(lines.join('\n'), /```sh\nedgescope logs shop '.*'\n```\n/);
});
