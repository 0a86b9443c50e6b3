import assert from 'node:assert/strict';
import { test } from 'node:test';
import { exportOffer } from '../../src/across/handover/export-menu.ts';
import { type Mark, MOST_MARKS, markOfRecord, markSheet } from '../../src/domain/handover/marks.ts';
import { resolve } from '../../src/keymap/resolve.ts';
import { findsOf, marked, stripped } from '../../src/paint/row.ts';
import { createLook } from '../../src/paint/theme.ts';
import { openGroups } from '../../src/screens/log/group-commands.ts';
import type { State } from '../../src/state/model.ts';
import { shownLog } from '../../src/state/sessions/session.ts';
import { MASK } from '../../src/text/mask.ts';
import { bodyLines } from '../../src/ui/body.ts';
import { plainBody } from '../support/plain-body.ts';
import { pressed } from '../support/pressed.ts';
import { inRows, PAIRS, rules } from '../support/shield.ts';
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

const seen = (state: State, look = mono) => plainBody(state, look);
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

test('marked rows of both logs are listed and written by their time, each as its own view has it', () => {
  const marked = pressed(inRows(5), '<:mark>');
  const row = markOfRecord(recordOf(-3600), 'shop');
  const marks = new Map([...marked.handover.marks, [row.key, row]]);
  const list = pressed({ ...marked, handover: { ...marked.handover, marks } }, '<:marks>');
  const [first = '', second = ''] = seen(list).slice(1);
  assert.match(first, /^ 11:00:00 shop 503 MISS /);
  assert.match(second, /^▌12:00:00 shop blocked 192\.0\.2\.0 *$/);
  const shapes = [...markSheet(marks).lines(0, 2)].map((line) => line.kind === 'row' && line.shape());
  assert.deepEqual(
    shapes.map((shape) => Object.keys(shape || {}).includes('requestId')),
    [true, false],
  );
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

const coloured = createLook('default', false, true);
const log = followedState(rowsOf(0, 30));

/** A line of the command line, typed and run. */
function ordered(state: State, text: string): State {
  const typing = played(state, resolve(state, ':'), { type: 'typed', text }).state;
  return played(typing, resolve(typing, 'Enter')).state;
}

const coloursOf = ({ highlights }: State) => highlights.map(({ text, colour }) => `${text} ${colour}`);
const painted = (state: State, look = mono) => (bodyLines(state, look) ?? []).join('\n');
const inColour = (text: string, look = mono) => look.paint('red', text);

test('a highlight ends by its text, and a text that is none says which there are', () => {
  const state = ordered(ordered(log, 'mark curl'), 'mark wget');
  assert.deepEqual(coloursOf(ordered(state, 'unmark CURL')), ['wget yellow']);
  assert.match(ordered(state, 'unmark sqlmap').prompt?.error?.hint ?? '', /curl, wget/);
});

test('it stands out in every list, in colours and without, and moves no letter', () => {
  const lists = {
    'the log': [ordered(log, 'mark /P/29 red'), '/p/29'],
    'groups of the log': [ordered(played(openGroups(log, ['page'])).state, 'mark /p/29 red'), '/p/29'],
    'Shield groups': [ordered(rules, 'mark a red'), 'A'],
    'Shield events': [ordered(inRows(5), 'mark 192.0 red'), '192.0'],
  } as const;
  for (const [name, [state, text]] of Object.entries(lists)) {
    for (const look of [mono, coloured]) assert.ok(painted(state, look).includes(inColour(text, look)), name);
    assert.equal(stripped(painted(state)), stripped(painted({ ...state, highlights: [] })), name);
  }
});

test('what is searched for is painted as found where a highlight has the same letters', () => {
  const finds = findsOf({ needle: 'url' }, [
    { text: 'curl', colour: 'red' },
    { text: '8.5', colour: 'blue' },
  ]);
  assert.equal(
    marked('curl/8.5', 'text', finds, mono),
    `c${mono.paint('match', 'url')}/${mono.paint('blue', '8.5')}`,
  );
  const both = findsOf(null, [
    { text: 'curl', colour: 'red' },
    { text: 'curl/8', colour: 'blue' },
  ]);
  assert.equal(marked('Curl/8', 'text', both, coloured), `${coloured.paint('red', 'Curl')}/8`);
});

test('a hostile text is found as the list shows it, and brings nothing else to the screen', () => {
  const record = recordOf(1, { userAgent: 'x\x1b[2Jy', path: '/a\x1b[2Jb' });
  const state = ordered(followedState([{ record, late: false }]), 'mark a\x1b[2Jb red');
  assert.ok(painted(state).includes(inColour('a\\x1b[2Jb')));
  assert.ok(!painted(state).includes('\x1b[2J'));
});

test('a secret in a pasted text is masked as it is in the rows, and kept nowhere', () => {
  const path = `/feed?token=${MASK}`;
  const state = ordered(
    followedState([{ record: recordOf(1, { path }), late: false }]),
    'mark /feed?token=abc123def456 red',
  );
  assert.equal(state.highlights[0]?.text, path);
  assert.ok(painted(state).includes(inColour(path)));
  assert.ok(!JSON.stringify([state.highlights, state.notice]).includes('abc123'));
});
