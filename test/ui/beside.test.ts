import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createLook } from '../../src/paint/theme.ts';
import type { State } from '../../src/state/model.ts';
import { width } from '../../src/text/fit.ts';
import { plainBody } from '../support/plain-body.ts';
import { pressed } from '../support/pressed.ts';
import { followedState, played, recordOf, rowsOf } from '../support/state.ts';

const look = createLook('mono', false, true);

function sized(state: State, columns: number, rows: number): State {
  return played(state, { type: 'resized', columns, rows }).state;
}

function linesOf(state: State): string[] {
  return plainBody(state, look);
}

/** What stands right of the list. */
function panelOf(state: State): string[] {
  return linesOf(state).map((line) => line.split('│')[1] ?? '');
}

test('no line is wider than the screen, with and without a panel', () => {
  const log = followedState(rowsOf(0, 100));
  for (const [columns, rows] of [
    [139, 44],
    [140, 24],
    [160, 30],
    [120, 45],
    [200, 60],
    [300, 80],
  ] as const) {
    for (const keys of ['', 'k', '<:values>', 'b<Enter>']) {
      const state = played(pressed(sized(log, columns, rows), keys), { type: 'ticked', now: 0 }).state;
      for (const line of linesOf(state)) assert.ok(width(line) <= columns, `${columns}x${rows} ${keys}`);
    }
  }
});

test('values stand under their field, most frequent first, with their share and how many there are', () => {
  const [title, ...lines] = panelOf(sized(followedState(rowsOf(0, 100)), 150, 40));
  assert.match(title ?? '', /TOP VALUES of 100 rows/);
  assert.match(
    lines.join('\n'),
    /^ status\s+\n {2}200 +90\.0% \n {2}503 +10\.0% \n cache status\s+\n {2}HIT +66\.0% \n {2}MISS +34\.0% /,
  );
  assert.match(lines.join('\n'), /\n page +100 values \n {2}\/p\/99 +1\.0% /);
});

test('what a value lacks is said, and what others wrote is no control sequence', () => {
  const rows = rowsOf(0, 4).map(({ record }, at) => ({
    record: recordOf(at, { ...record, userAgent: at === 0 ? 'a\x1b[2Jb' : null }),
    late: false,
  }));
  const panel = panelOf(sized(followedState(rows), 150, 40)).join('\n');
  assert.match(panel, / user agent\s+\n {2}\(none\) +75\.0% /);
  assert.doesNotMatch(panel, /\x1b/);
});

test('on a narrow screen the values are a view of their own, whose cursor stays in sight', () => {
  const values = pressed(sized(followedState(rowsOf(0, 100)), 80, 16), '<:values>');
  assert.match(linesOf(values)[0] ?? '', /TOP VALUES of 100 rows/);
  assert.match(linesOf(values).join('\n'), /▌ 200 +90\.0%/);
  const last = pressed(values, 'G');
  assert.match(linesOf(last).at(-1) ?? '', /^▌ Mozilla\/5.0 +100% $/);
});
