import assert from 'node:assert/strict';
import { test } from 'node:test';
import { spanOf } from '../../src/across/timeline/brush.ts';
import { resolve, scopeOf } from '../../src/keymap/resolve.ts';
import type { Brush, State } from '../../src/state/model.ts';
import { topView } from '../../src/state/view-stack.ts';
import { NOON, played, rowsOf } from '../support/state.ts';
import { liveLog, seconds, timeline, told } from '../support/timeline.ts';

function brush({ overlay }: State): Brush {
  assert.equal(overlay?.kind, 'timeline');
  return overlay as Brush;
}

/** What is selected, in seconds after noon. */
function selected(state: State): number[] {
  const { from, to } = spanOf(brush(state), timeline(state));
  return [(from - NOON) / 1000, (to - NOON) / 1000];
}

/** A minute of a log, its cursor on the timeline: on the newest of steps of two seconds. */
const brushed = played(liveLog(60), 'timeline').state;

test('arrows move by a step, and neither past the ends nor into what has not come', () => {
  assert.deepEqual(selected(played(brushed, 'left').state), [56, 58]);
  assert.deepEqual(selected(played(brushed, 'pageUp').state), [38, 40]);
  assert.deepEqual(selected(played(brushed, 'first').state), [0, 2]);
  assert.deepEqual(selected(played(brushed, 'first', 'left').state), [0, 2]);
  assert.deepEqual(selected(played(brushed, 'first', 'pageDown', 'right').state), [22, 24]);
  assert.deepEqual(selected(played(brushed, 'right').state), [58, 60]);
  assert.deepEqual(selected(played(brushed, 'first', 'last').state), [58, 60]);
});

test('Esc drops the selection, and then leaves', () => {
  const dropped = played(brushed, 'selectLeft', 'leave').state;
  assert.equal(brush(dropped).anchor, null);
  assert.equal(played(dropped, 'leave').state.overlay, null);
});

test('what is selected stays the same time while the log goes on and its steps grow', () => {
  const before = played(brushed, 'left', 'left', 'selectLeft', 'selectLeft').state;
  const after = told({ ...before, now: NOON + 600_000 }, rowsOf(60, 600), 600);
  assert.equal(timeline(after).steps.step, 10_000);
  assert.deepEqual(selected(after), [50, 60]);
});

test('Enter makes what is selected the window, and no moment that has not come', () => {
  const { state } = played(brushed, 'left', 'selectLeft', 'open');
  const view = topView(state);
  assert.ok(view.kind === 'log' && state.overlay === null);
  assert.deepEqual(view.query.window, { kind: 'absolute', ...seconds(54, 58) });
  assert.deepEqual([state.session?.from, state.session?.to], [NOON + 54_000, NOON + 58_000]);
  const odd = played(liveLog(59), 'timeline', 'open').state;
  assert.deepEqual(odd.session?.to, NOON + 59_000);
});

test('the window of a group is that of the log below it', () => {
  const drilled = played(liveLog(60), 'chooseGroups', 'open', 'open').state;
  assert.equal(drilled.views.filter(({ kind }) => kind === 'log').length, 2);
  const { state } = played(drilled, 'timeline', 'first', 'open');
  assert.match(state.notice?.text ?? '', /rows of the log below/);
  assert.equal(state.session?.to, null);
  const picking = played(drilled, 'timeline', 'first', 'chooseGroups').state;
  assert.match(picking.notice?.text ?? '', /rows of the log below/);
  assert.equal(picking.overlay, null);
});

test('d compares what is selected with the rest, then with the time before it and after it, the longer one first', () => {
  const { state } = played(brushed, 'pageUp', 'selectLeft', 'compare');
  const view = topView(state);
  assert.ok(view.kind === 'answer');
  assert.deepEqual(view.query.window, { kind: 'absolute', ...seconds(36, 40) });
  const titles = view.choices.map(({ title }) => title);
  assert.deepEqual(titles.slice(0, 3), [
    'the rest of what is on screen',
    'the time before it',
    'the time after it',
  ]);
  assert.equal(view.stage.kind, 'read', 'of rows in memory it costs nothing');
  assert.match(view.table.headline, /against the rest of what is on screen/);
  const early = topView(played(brushed, 'first', 'compare').state);
  assert.ok(early.kind === 'answer');
  assert.equal(early.choices[0]?.title, 'the time after it');
});

test('the rest that times are compared with is what was drawn and has come', () => {
  const { state } = played(brushed, 'pageUp', 'compare');
  const view = topView(state);
  assert.ok(view.kind === 'answer');
  assert.equal(view.choices[2]?.title, 'the time after it');
  const needs = JSON.stringify(view.choices[2]?.inquiry?.rest() ?? []);
  assert.doesNotMatch(needs, new RegExp(String(NOON + 120_000)), 'not the two minutes that it has room for');
  assert.deepEqual(timeline(brushed).range, seconds(0, 60));
});

test('a screen that becomes too low for it, and its last size, leave no cursor behind', () => {
  const low = played(brushed, { type: 'resized', columns: 80, rows: 10 }).state;
  assert.deepEqual([low.overlay, scopeOf(low)], [null, 'log']);
  const wide = played(brushed, { type: 'resized', columns: 200, rows: 60 }).state;
  assert.deepEqual(selected(wide), [58, 59]);
  const off = played(brushed, 'timelineSize', 'timelineSize').state;
  assert.equal(off.overlay, null);
});

test('an arrow with Shift selects on the timeline and is the arrow elsewhere', () => {
  assert.deepEqual(resolve(brushed, 'Shift-Left'), { type: 'commanded', command: 'selectLeft' });
  assert.deepEqual(resolve(liveLog(5), 'Shift-Left'), resolve(liveLog(5), 'Left'));
  const typing = played(liveLog(5), 'editQuery').state;
  assert.deepEqual(resolve(typing, 'Shift-Left'), { type: 'edited', edit: 'left' });
});
