import assert from 'node:assert/strict';
import { test } from 'node:test';
import { resolve } from '../../src/keymap/resolve.ts';
import { findsOf, marked, stripped } from '../../src/paint/row.ts';
import { createLook } from '../../src/paint/theme.ts';
import { openGroups } from '../../src/screens/log/group-commands.ts';
import type { State } from '../../src/state/model.ts';
import { MASK } from '../../src/text/mask.ts';
import { bodyLines } from '../../src/ui/body.ts';
import { inRows, rules } from '../support/shield.ts';
import { followedState, played, recordOf, rowsOf } from '../support/state.ts';

const mono = createLook('mono', false, true);
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
