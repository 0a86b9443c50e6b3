import assert from 'node:assert/strict';
import { test } from 'node:test';
import { aboutLine, blocksOf, type Notebook, withEntry } from '../../src/domain/handover/notebook.ts';
import { KEPT } from '../../src/domain/kept.ts';
import { resolve, scopeOf } from '../../src/keymap/resolve.ts';
import type { CommandId } from '../../src/keys/bindings.ts';
import type { NotebookView } from '../../src/state/handover/handover-model.ts';
import type { Action, Effect } from '../../src/state/messages.ts';
import type { State } from '../../src/state/model.ts';
import { update } from '../../src/state/update.ts';
import { topView } from '../../src/state/view-stack.ts';
import { bodyLines } from '../../src/ui/body.ts';
import { chromeLines } from '../../src/ui/chrome.ts';
import { stripped } from '../../src/ui/row.ts';
import { createLook } from '../../src/ui/theme.ts';
import { followedState, listedState, NOON, played, rowsOf, zoneOf } from '../support/state.ts';

const DAY = '2026-11-20';
const HOUR = 3_600_000;
const LOOK = createLook('mono', true, true);

type Made = { note?: string; command?: string | null; title?: string; more?: string; about?: number };

function entryOf(
  n: number,
  { note = `note ${n}`, command, title, more = '', about = NOON }: Made = {},
): string {
  const line = command === undefined ? COMMAND : command;
  return [
    `## 12:00:0${n}Z \`${title ?? `logs shop ${n}`}\``,
    '',
    aboutLine({ from: about, to: null }),
    '',
    ...(note === '' ? [] : [note, '']),
    '| `ip` |',
    '| --- |',
    '| `192.0.2.1` |',
    '',
    `From the cursor on 1 of ${n} rows.${more}`,
    '',
    ...(line === null ? [] : ['```sh', line, '```']),
    '',
    '',
  ].join('\n');
}

const COMMAND = "edgescope logs shop 'from:2026-11-20T11:00:00Z to:2026-11-20T11:30:00Z status:5xx'";

function notebookOf(entries: readonly string[], near: Partial<Notebook> = {}, after = ''): Notebook {
  const text = entries.reduce((notebook, entry) => withEntry(notebook, entry, DAY), '');
  return {
    blocks: blocksOf(Buffer.from(text + after).toString('latin1'), DAY),
    before: null,
    after: null,
    ...near,
  };
}

function read(
  notebook: Notebook | null,
  more: Partial<Extract<Action, { type: 'notebookRead' }>> = {},
): Action {
  return { type: 'notebookRead', day: DAY, notebook, trouble: null, done: null, failed: null, ...more };
}

function opened(notebook: Notebook, start = followedState(rowsOf(0, 5))): State {
  return played(start, 'notebook', read(notebook)).state;
}

/** A key that somebody typed, a second after the one before. */
function typed(state: State, ...commands: (CommandId | Action)[]): { state: State; effects: Effect[] } {
  const effects: Effect[] = [];
  let next = state;
  for (const each of commands) {
    const action: Action = typeof each === 'string' ? { type: 'commanded', command: each } : each;
    const [after, more] = update(next, action, next.now + 1000);
    next = after;
    effects.push(...more);
  }
  return { state: next, effects };
}

function viewOf(state: State): NotebookView {
  const view = topView(state);
  assert.ok(view.kind === 'notebook', view.kind);
  return view;
}

const screenOf = (state: State) => (bodyLines(state, LOOK) ?? []).map((line) => stripped(line).trimEnd());

test('O reads the notebook of the day over any view and stands on its newest entry', () => {
  for (const start of [listedState([zoneOf('1', 'shop')]), followedState(rowsOf(0, 5))]) {
    const { state, effects } = played(start, 'notebook');
    assert.deepEqual(effects, [{ type: 'readNotebook', day: DAY }]);
    assert.match(screenOf(state).join('\n'), /reading/);
    const shown = played(state, read(notebookOf([1, 2, 3].map((n) => entryOf(n))))).state;
    assert.equal(viewOf(shown).cursor, 2);
    assert.equal(topView(played(shown, 'leave').state).kind, topView(start).kind);
  }
});

test('an entry is read with its time, title, note, figures and command, its table as the number of its rows', () => {
  const state = opened(notebookOf([entryOf(1, { note: 'it is \\*over\\*', title: 'logs shop status:5xx' })]));
  assert.deepEqual(screenOf(state).slice(1, 9), [
    '>12:00:01Z logs shop status:5xx',
    '   it is *over*',
    '   About 2026-11-20 12:00:00Z.',
    '   [1 row: L]',
    '   From the cursor on 1 of 1 rows.',
    "   edgescope logs shop 'from:2026-11-20T11:00:00Z to:2026-11-20T11:30:00Z",
    "   status:5xx'",
  ]);
  const whole = screenOf(played(state, 'plainText').state).join('\n');
  assert.match(whole, /\| `192\.0\.2\.1` \|/);
});

test('keys go from entry to entry, and the one under the cursor stands whole where there is room', () => {
  const state = opened(notebookOf([1, 2, 3, 4, 5, 6, 7, 8].map((n) => entryOf(n))));
  const walk: CommandId[] = [
    'first',
    'down',
    'down',
    'down',
    'up',
    'pageDown',
    'last',
    'pageUp',
    'up',
    'first',
  ];
  const cursors: number[] = [];
  let at = state;
  for (const command of walk) {
    at = typed(at, command).state;
    cursors.push(viewOf(at).cursor);
    const lines = screenOf(at);
    const head = lines.findIndex((line) => line.startsWith('>'));
    assert.match(lines[head] ?? '', new RegExp(`logs shop ${viewOf(at).cursor + 1}$`));
    assert.match(lines[head + 6] ?? '', /status:5xx'$/);
  }
  assert.deepEqual(cursors.slice(0, 5), [0, 1, 2, 3, 2]);
  assert.equal(cursors[6], 7);
  assert.deepEqual([cursors.at(-1), (cursors[5] ?? 0) > 3, (cursors[7] ?? 9) < 6], [0, true, true]);
});

test('where there is no notebook of today it says what adds one, and [ goes to the day before', () => {
  const state = opened({ blocks: null, before: '2026-11-18', after: null });
  assert.match(screenOf(state).join('\n'), /no notebook of today yet: o adds the first entry/);
  assert.match(typed(state, 'historyForward').state.notice?.text ?? '', /no notebook of a day after/);
  const { state: before, effects } = typed(state, 'historyBack');
  assert.deepEqual(effects, [{ type: 'readNotebook', day: '2026-11-18' }]);
  // What comes late of the day that was left is not shown for the other.
  assert.equal(viewOf(played(before, read(notebookOf([entryOf(1)]))).state).notebook, null);
  for (const command of ['strike', 'editNote', 'open'] as const)
    assert.match(typed(state, command).state.notice?.text ?? '', /no entry here/);
});

test('a notebook that cannot be read says why, where its entries would stand', () => {
  const state = played(
    followedState(rowsOf(0, 5)),
    'notebook',
    read(null, { trouble: 'the disk fails (EIO)' }),
  );
  assert.match(screenOf(state.state).join('\n'), /the disk fails \(EIO\)/);
  assert.match(chromeLines(state.state, LOOK).head.lines.map(stripped).join('\n'), /NOT READ/);
});

test('x orders a strike of the entry as it was read, and what came of it is told', () => {
  const state = opened(notebookOf([1, 2].map((n) => entryOf(n))));
  const { state: asked, effects } = typed(state, 'first', 'strike');
  const [order] = effects;
  assert.ok(order?.type === 'changeEntry');
  assert.deepEqual(
    [order.block.index, order.change, order.at, order.day],
    [1, { kind: 'strike' }, asked.now, DAY],
  );
  const struck = notebookOf([
    entryOf(1)
      .replace(/## (.*)\n/, '## ~~$1~~ struck 2026-11-20 12:00:02Z\n')
      .replace(/(About.*\.)/, '~~$1~~')
      .replace(/(note 1)/, '~~$1~~'),
    entryOf(2),
  ]);
  const told = typed(asked, read(struck, { done: order.done })).state;
  assert.equal(told.notice?.text, 'struck; x takes it back');
  assert.deepEqual(screenOf(told).slice(1, 5), [
    '>STRUCK 12:00:01Z logs shop 1',
    '   note 1',
    '   Struck 2026-11-20 12:00:02Z.',
    '   About 2026-11-20 12:00:00Z.',
  ]);
  assert.match(chromeLines(told, LOOK).head.lines.map(stripped).join('\n'), /1 of 2, 1 struck/);
  const back = typed(told, 'strike').effects[0];
  assert.ok(back?.type === 'changeEntry' && back.done === 'the strike is taken back');
  const failed = typed(asked, read(struck, { failed: 'it was changed since it was read' })).state;
  assert.equal(failed.notice?.text, 'notebook not changed: it was changed since it was read');
});

test('a strike in a burst of keys asks once, and the next x is meant', () => {
  const state = opened(notebookOf([entryOf(1)]));
  const burst = (start: State, ...keys: string[]) =>
    keys.reduce<{ state: State; effects: Effect[] }>(
      (done, key) => {
        const [next, more] = update(done.state, resolve(done.state, key), done.state.now);
        return { state: next, effects: [...done.effects, ...more] };
      },
      { state: { ...start, now: start.now + 1000 }, effects: [] },
    );
  for (const keys of [
    ['j', 'x'],
    ['f', 'i', 'x'],
    ['g', 'G', 'x'],
  ]) {
    const { state: asked, effects } = burst(state, ...keys);
    assert.deepEqual(effects, [], keys.join(''));
    assert.match(asked.notice?.text ?? '', /too fast to be typed: nothing is written; x strikes it/);
    assert.equal(typed(asked, 'strike').effects.length, 1);
  }
  assert.equal(typed(state, 'down', 'strike').effects.length, 1);
});

test('E edits the note of an entry and nothing else, from the text that was typed', () => {
  const state = opened(notebookOf([entryOf(1, { note: 'a \\*b\\*' })]));
  const editing = typed(state, 'editNote').state;
  assert.equal(editing.prompt?.field.text, 'a *b*');
  const { state: done, effects } = typed(editing, { type: 'typed', text: ' `c`' }, { type: 'submitted' });
  const [order] = effects;
  assert.ok(order?.type === 'changeEntry');
  assert.deepEqual(order.change, { kind: 'note', note: 'a \\*b\\* \\`c\\`' });
  assert.equal(done.prompt, null);
  assert.deepEqual(typed(editing, { type: 'submitted' }).effects, []);
  // Read anew while the line is edited: the note is still that of the entry that it was opened on.
  const other = typed(
    editing,
    read(notebookOf([entryOf(2)])),
    { type: 'typed', text: '!' },
    { type: 'submitted' },
  );
  const late = other.effects[0];
  assert.ok(late?.type === 'changeEntry' && late.block.text.includes('shop 1'));
});

test('a note that was pasted is asked for before it is written', () => {
  const state = opened(notebookOf([entryOf(1)]));
  const at = (action: Action, from: State) => update(from, action, state.now)[0];
  const keys = [...'more and more'].map((text): Action => ({ type: 'typed', text }));
  const pasted = [...keys, { type: 'submitted' } as const].reduce(
    (next, action) => at(action, next),
    typed(state, 'editNote').state,
  );
  assert.match(pasted.prompt?.error?.message ?? '', /too fast/);
});

test('what is no entry of edgescope is shown as it is, masked and inert, and neither struck nor edited', () => {
  const foreign = '\n\x1b]0;x\x07call https://a.example/?token=abcdef \u202e\n';
  const state = opened(notebookOf([entryOf(1)], {}, foreign));
  const shown = screenOf(state).join('\n');
  assert.match(shown, />\\x1b\]0;x\\x07call https:\/\/a\.example\/\?token=\[masked\] \\u202e/);
  for (const command of ['strike', 'editNote', 'open'] as const) {
    const { state: told, effects } = typed(state, command);
    assert.deepEqual(
      [effects, told.notice?.text],
      [[], 'this is no entry of edgescope: an editor changes it'],
    );
  }
  assert.doesNotMatch(screenOf(played(state, 'plainText').state).join('\n'), /abcdef|[^ -~\n]/);
  const masked = opened(notebookOf([entryOf(1, { note: 'see https://a.example/?token=abcdef' })]));
  assert.doesNotMatch(screenOf(masked).join('\n'), /abcdef/);
});

test('Enter opens the view that an entry was taken from, in its zone and its time', () => {
  const start = played(listedState([zoneOf('1', 'shop'), zoneOf('2', 'api')]), 'open').state;
  const { state } = typed(opened(notebookOf([entryOf(1)]), start), 'open');
  const view = topView(state);
  assert.ok(view.kind === 'log' && view.query.window?.kind === 'absolute');
  assert.equal(view.query.window.to, NOON - HOUR / 2);
  assert.equal(view.query.terms.length, 1);
  assert.equal(state.notice, null);
  const other = entryOf(1, { command: COMMAND.replace('shop', 'api') });
  const led = typed(opened(notebookOf([other]), start), 'open').state;
  assert.equal(led.session?.source.kind === 'zones' && led.session.source.zones[0].name, 'api');
  assert.equal(led.notice?.text, 'the entry is of another zone: api, not shop');
});

test('Enter on an entry that cannot be opened says why in one sentence', () => {
  const start = followedState(rowsOf(0, 5));
  const why = (entry: string) => {
    const { state, effects } = typed(opened(notebookOf([entry]), start), 'open');
    assert.deepEqual([topView(state).kind, effects], ['notebook', []]);
    return state.notice?.text ?? '';
  };
  const old = COMMAND.replaceAll('2026-11-20', '2026-11-17');
  assert.equal(
    why(entryOf(1, { command: old })),
    'its time ended 2026-11-17 11:30:00Z and is gone: CDN logs are kept for 3 days',
  );
  assert.match(
    why(entryOf(1, { command: `${COMMAND} --demo --seed 7` })),
    /another session: --demo --seed 7;/,
  );
  assert.match(why(entryOf(1, { command: "edgescope open a.log ''" })), /taken from saved files/);
  assert.match(why(entryOf(1, { command: `${COMMAND}; rm -rf x` })), /not written by edgescope/);
  assert.match(why(entryOf(1, { command: null })), /no command opens/);
  const masked = `\n\nAddresses are pseudonyms here: the command does not run as it stands.`;
  assert.match(why(entryOf(1, { more: masked })), /pseudonyms/);
  assert.ok(KEPT.logs <= 72 * HOUR);
});

test('/ finds an entry by any of its text, and n and N go on round the end', () => {
  const state = opened(
    notebookOf(
      ['down *here*', 'up', 'down again'].map((note, n) => entryOf(n, { note: note.replaceAll('*', '\\*') })),
    ),
  );
  const find = (text: string) =>
    typed(state, 'first', 'find', { type: 'pasted', text }, { type: 'submitted' }).state;
  const found = find('DOWN');
  assert.deepEqual([viewOf(found).cursor, found.notice?.text], [0, "1 of 2 with 'DOWN'"]);
  const next = typed(found, 'findNext').state;
  assert.equal(viewOf(next).cursor, 2);
  assert.equal(viewOf(typed(next, 'findNext').state).cursor, 0);
  assert.equal(viewOf(typed(found, 'findPrevious').state).cursor, 2);
  assert.equal(viewOf(find('*here*')).cursor, 0);
  assert.match(find('nowhere').notice?.text ?? '', /'nowhere' is not in this notebook/);
  const again = typed(next, 'first', 'find', { type: 'submitted' }).state;
  assert.equal(viewOf(again).cursor, 0);
});

test('a block that is longer than the screen is cut and says so, pages go on in it, and the rest of a huge one is left to an editor', () => {
  const state = opened(notebookOf([entryOf(1)], {}, `\ntheirs\n${'line\n'.repeat(50)}`));
  const lines = screenOf(state);
  assert.equal(lines.length, 21);
  assert.match(lines.at(-1) ?? '', /^ {3}more lines follow$/);
  assert.equal(scopeOf(state), 'notebook');
  const pages = [state];
  for (let n = 0; n < 4; n++) pages.push(typed(pages.at(-1) ?? state, 'pageDown').state);
  assert.deepEqual(
    pages.map((page) => screenOf(page).filter((line) => line === '   line').length),
    [18, 19, 13, 13, 13],
  );
  const back = typed(pages[2] ?? state, 'pageUp', 'pageUp').state;
  assert.deepEqual(screenOf(back), lines);
  const huge = opened(notebookOf([entryOf(1)], {}, `\n${'x'.repeat(16_384)}\nlast\n`));
  const tall = { ...huge, size: { columns: 200, rows: 120 } };
  assert.match(screenOf(tall).join('\n'), /x\n {3}\[the rest of this text is in the file\]/);
  assert.doesNotMatch(screenOf(tall).join('\n'), /last/);
});
