import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { LogRecord } from '../../src/domain/log.ts';
import { parseQuery } from '../../src/domain/query/query-text.ts';
import { stripped } from '../../src/paint/row.ts';
import { createLook } from '../../src/paint/theme.ts';
import type { LogView, State } from '../../src/state/model.ts';
import { width } from '../../src/text/fit.ts';
import { bodyLines } from '../../src/ui/body.ts';
import { followedState, NOON, recordOf } from '../support/state.ts';

const look = createLook('mono', false, true);
const UPLOADS = '/wp-content/uploads/2026/11/';
const CHROME =
  'Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/142.0.0.0 Safari/537.36';

function shownLog(
  records: readonly Partial<LogRecord>[],
  columns: number,
  more: Partial<LogView> = {},
): State {
  const rows = records.map((record, n) => ({ record: recordOf(n, record), late: false }));
  const state = followedState(rows);
  const views = state.views.map((view) => (view.kind === 'log' ? { ...view, ...more } : view));
  return { ...state, views, size: { columns, rows: 24 } };
}

function painted(state: State): string[] {
  const lines = bodyLines(state, look) ?? [];
  for (const line of lines) assert.ok(width(stripped(line)) <= state.size.columns);
  return lines;
}

const lines = (state: State) => painted(state).map((line) => stripped(line).trimEnd());

function asked(text: string): Pick<LogView, 'query'> {
  const parsed = parseQuery(text, 'logs', NOON);
  assert.ok(parsed.ok);
  return { query: parsed.query };
}

const sought = (needle: string): Partial<LogView> => ({ search: { needle, at: null } });

test('a row that is found by what the name of its client leaves out shows that', () => {
  const found = (needle: string) => painted(shownLog([{ userAgent: CHROME }], 120, sought(needle)))[1] ?? '';
  assert.match(stripped(found('khtml')), / …KHTML, like Gecko\) Chrome/);
  assert.match(found('khtml'), /…(?:\x1b\[[\d;]*m)+KHTML\x1b/);
  assert.match(stripped(found('mozilla')), / Mozilla\/5\.0 \(Win/);
  assert.match(found('chrome'), /\x1b\[[\d;]*mChrome\x1b\[[\d;]*m.*142 Win/);
  assert.match(stripped(found('other')), / Chrome 142 Win *$/);
  // A letter whose small form is longer moves every place behind it.
  const odd = shownLog([{ userAgent: CHROME.replace('Win64', 'İİİ') }], 120, sought('khtml'));
  assert.match(lines(odd)[1] ?? '', / Mozilla\/5\.0 \(W.*…$/);
});

test('a highlight is marked in the name of a client, or in its text', () => {
  const state = {
    ...shownLog([{ userAgent: CHROME }], 120),
    highlights: [{ text: 'x64', colour: 'red' as const }],
  };
  assert.match(lines(state)[1] ?? '', / …x64\) AppleWebKit/);
});

const NAMES = ['red-harbor-lantern-2400x1600.avif', 'blue-harbor-lantern-2400x1600.avif'];
const PHOTOS = NAMES.map((name) => ({ path: `${UPLOADS}${name}` }));

test('a path that fits, or lies elsewhere, or in other letters, or is found by the directory, stays whole', () => {
  const query = asked(`path:${UPLOADS}*`);
  const others = [...PHOTOS, { path: '/WP-Content/uploads/2026/11/a.jpg' }, { path: '/wp-content/uploads/' }];
  assert.match(lines(shownLog(others, 80, query))[3] ?? '', / \/WP-Content\/uploads\/2026\/1…$/);
  assert.match(
    lines(shownLog(others, 80, asked('path:/wp-content/*')))[4] ?? '',
    / \/wp-content\/uploads\/$/,
  );
  const found = shownLog(PHOTOS, 80, { ...query, ...sought('11/red') });
  assert.match(lines(found)[1] ?? '', / \/wp-content\/uploads\/2026\/1…$/);
  assert.match(lines(found)[2] ?? '', / …\/blue-harbor-lantern-2400…$/);
});

test('a cache status that a server makes up is a word of an unknown kind, even if every object has a member of its name', () => {
  const made = ['SURPRISE', '__proto__', 'constructor', 'toString'];
  const coloured = createLook('default', false, true);
  const rows = made.map((cacheStatus) => bodyLines(shownLog([{ cacheStatus }], 120), coloured)?.[1] ?? '');
  const slots = rows.map((row) => row.match(/\x1b\[[\d;]*m/g));
  assert.deepEqual(slots, Array(made.length).fill(slots[0]));
  for (const row of rows) assert.match(stripped(row), /^ \S+ \? \S+ +503 /);
});
