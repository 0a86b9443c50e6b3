import assert from 'node:assert/strict';
import { test } from 'node:test';
import { exportOffer } from '../../src/across/handover/export-menu.ts';
import { type Mark, MOST_MARKS, markOfRecord } from '../../src/domain/handover/marks.ts';
import { stripped } from '../../src/paint/row.ts';
import { createLook } from '../../src/paint/theme.ts';
import type { State } from '../../src/state/model.ts';
import { shownLog } from '../../src/state/sessions/session.ts';
import { bodyLines } from '../../src/ui/body.ts';
import { pressed } from '../support/pressed.ts';
import { inRows, PAIRS } from '../support/shield.ts';
import {
  followedState,
  listedState,
  NOON,
  played,
  recordOf,
  reportOf,
  rowsOf,
  zoneOf,
} from '../support/state.ts';

const mono = createLook('mono', false, true);
const ascii = createLook('mono', true, true);

/** The log with so many rows, paused on its first. */
const paused = (rows = 10) => pressed(followedState(rowsOf(0, rows)), 'g');

function read(state: State, rows: ReturnType<typeof rowsOf>): State {
  const generation = state.session?.generation ?? 0;
  return played(state, { type: 'tailRead', zone: '1', generation, event: { rows, report: reportOf() } })
    .state;
}

const seen = (state: State, look = mono) => (bodyLines(state, look) ?? []).map(stripped);
const signed = (state: State, sign = '●') =>
  seen(state)
    .filter((line) => line.startsWith(sign))
    .map((line) => /\/p\/\d+/.exec(line)?.[0] ?? '');
const said = (state: State) => state.notice?.text ?? '';
const underCursor = (state: State) => {
  const cursor = shownLog(state)?.cursor;
  return cursor?.kind === 'row' ? state.session?.book.record(cursor.id).path : null;
};

test('M marks the row under the cursor and unmarks it, and the sign takes no cell of another column', () => {
  const before = paused();
  const marked = pressed(before, 'j<:mark>j');
  assert.deepEqual(signed(marked), ['/p/1']);
  assert.deepEqual(
    seen(marked).map((line) => line.slice(1)),
    seen(pressed(before, 'jj')).map((line) => line.slice(1)),
  );
  assert.match(seen(marked, ascii)[2] ?? '', /^\*12:00:01 /);
  assert.deepEqual(signed(pressed(marked, 'k<:mark>j')), []);
  assert.equal(said(pressed(marked, 'k<:mark>')), 'unmarked; 0 still marked');
});

test('a mark stays on its row when older rows come, and when the log is asked again', () => {
  const marked = pressed(paused(), 'jj<:mark>g');
  assert.deepEqual(signed(read(pressed(marked, 'G'), rowsOf(-5, 0))), ['/p/2']);
  const typed = { type: 'typed', text: 'cache:HIT' } as const;
  const asked = played(pressed(marked, 'Gi'), typed, { type: 'submitted' }).state;
  assert.equal(asked.session?.replacing, true);
  const again = read(asked, rowsOf(0, 10));
  assert.notEqual(again.session?.book, marked.session?.book);
  assert.deepEqual(signed(again), ['/p/2']);
});

test('a row that left the memory stays in the list as a copy, which is told and can be written', () => {
  const marked = pressed(paused(), '<:mark>j<:mark>');
  marked.session?.book.evictDownTo(0);
  const list = pressed(marked, '<:marks>');
  assert.match(seen(list)[1] ?? '', /^ 12:00:00 shop 503 MISS 192\.0\.2\.0 \/p\/0 Mozilla/);
  const gone = pressed(list, '<Enter>');
  assert.equal(said(gone), 'this row is no longer held; e writes its copy');
  assert.equal(gone.overlay?.kind, 'marks');
  assert.match(exportOffer(list, 'marks').words, /^the 2 rows that are marked$/);
});

test('of rows of one moment the one that was marked is gone to', () => {
  const rows = [0, 1, 2].map((n) => ({ record: recordOf(n, { timestamp: NOON }), late: false }));
  const list = pressed(followedState(rows), 'gj<:mark>g<:marks>');
  assert.equal(underCursor(pressed(list, '<Enter>')), '/p/1');
});

test('a row that the filter hides is not gone to, and that is said without calling it lost', () => {
  const marked = pressed(paused(), 'j<:mark>k<:only><:marks><Enter>');
  assert.equal(
    said(marked),
    'this row is hidden by the filter or the pause, or no longer held; e writes its copy',
  );
});

test('what is not on show any more is refused in one sentence that names its zone', () => {
  const marked = pressed(inRows(5), '<:mark>1');
  assert.match(
    said(pressed({ ...marked, shield: null }, '<:marks><Enter>')),
    /^Shield of shop is not open; e writes/,
  );
  const row = pressed(paused(), '<:mark>1<:marks><Enter>');
  assert.equal(said(row), 'the log of shop is not open: :logs opens it');
});

test('a thousand marks are kept, and the next is refused', () => {
  const marks = new Map(
    Array.from({ length: MOST_MARKS }, (_, at): [number, Mark] => {
      const mark = markOfRecord(recordOf(1000 + at), 'shop');
      return [Number(mark.key), mark];
    }),
  );
  const log = paused();
  const full = pressed({ ...log, handover: { ...log.handover, marks } }, '<:mark>');
  assert.equal(full.handover.marks.size, MOST_MARKS);
  assert.match(said(full), /^not marked: 1,000 rows are/);
});

test('what a hostile row says is escaped in the list', () => {
  const record = recordOf(1, { path: '/a\x1b[2J', userAgent: '\u202eevil' });
  const zone = zoneOf('1', 'sh\x1b[31mop');
  const picker = played(listedState([zone]), { type: 'shieldMapped', pairs: PAIRS }).state;
  const list = pressed(read(pressed(picker, '<Enter>'), [{ record, late: false }]), 'g<:mark><:marks>');
  const text = (bodyLines(list, mono) ?? []).join('\n');
  assert.match(text, /\/a\\x1b\[2J/);
  assert.ok(!text.includes('\x1b[2J') && !text.includes('\x1b[31m') && !text.includes('\u202e'));
});
