import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { parseConfig } from '../../src/config/settings/config-file.ts';
import { settingsOf } from '../../src/config/settings/settings.ts';
import { helpRows } from '../../src/keymap/help.ts';
import { hints, resolve } from '../../src/keymap/resolve.ts';
import { ownKeysOf } from '../../src/keys/own-keys.ts';
import { createLook } from '../../src/paint/theme.ts';
import { pressed } from '../support/pressed.ts';
import { ROOT } from '../support/source.ts';
import { followedState, listedState, rowsOf, zoneOf } from '../support/state.ts';

const OWN = ownKeysOf({
  everywhere: { 'ctrl-g': 'wrong', d: 'compare' },
  log: { s: ':timeline-by', i: 'by' },
});
const log = { ...followedState(rowsOf(0, 20)), ownKeys: OWN };
const picker = { ...listedState([zoneOf('1', 'shop')]), ownKeys: OWN };
const commandOf = (state: typeof log, chord: string) => {
  const action = resolve(state, chord);
  return action.type === 'commanded' ? action.command : null;
};

test('a key of one’s own acts in its place, everywhere where its command does, and never in a line', () => {
  assert.deepEqual([commandOf(log, 'Ctrl-g'), commandOf(picker, 'Ctrl-g')], ['wrong', 'wrong']);
  assert.deepEqual(
    [commandOf(log, 'i'), commandOf(log, 's'), commandOf(picker, 's')],
    ['chooseGroups', 'timelineSeries', 'sort'],
  );
  assert.equal(commandOf(log, 'd'), 'compare');
  assert.equal(commandOf(picker, 'd'), null);
  assert.equal(commandOf(log, '!'), 'wrong');
  assert.equal(pressed(log, '/di<Ctrl-g>').prompt?.field.text, 'di');
  for (const fixed of ['Esc', 'Ctrl-c', ':'])
    assert.deepEqual(ownKeysOf({ everywhere: { [fixed]: 'wrong' } }), [], fixed);
});

test('help and hints show them, and no key that does something else now', () => {
  const rows = helpRows('log', OWN);
  const keysOf = (command: string) => rows.find((row) => row.command === command)?.keys;
  assert.deepEqual([keysOf('wrong'), keysOf('chooseGroups'), keysOf('editQuery')], ['Ctrl-g !', 'i b', '']);
  const shown = (command: string) => hints(log).find((hint) => hint.command === command)?.key;
  assert.deepEqual([shown('wrong'), shown('editQuery')], ['Ctrl-g', ':query']);
});

test('a mistake in keys or colours is told at its place', () => {
  for (const [settings, told] of [
    ['"keys": { "logs": {} }', /:2:11: .*keys\.logs" is not a setting; did you mean "log"/],
    ['"keys": { "log": { "ctrl-1": "wrong" } }', /:2:20: .*log\.ctrl-1" is not a setting/],
    ['"keys": { "log": { "esc": "wrong" } }', /:2:27: .*keys\.log\.esc" has the wrong form/],
    ['"keys": { "everywhere": { "ctrl-c": "wrong" } }', /:2:37: .*ctrl-c" has the wrong form/],
    ['"keys": { "log": { "g": "reveal" } }', /:2:25: .*keys\.log\.g" has the wrong form/],
    ['"keys": { "log": { "g": "zone" } }', /:2:25: .*keys\.log\.g" has the wrong form/],
    ['"theme": { "from": "dark" }', /:2:20: .*theme\.from" has the wrong form/],
    ['"theme": { "eror": "red" }', /:2:12: .*theme\.eror" is not a setting; did you mean "error"/],
    ['"theme": { "error": "#12345" }', /:2:21: .*theme\.error" has the wrong form/],
    ['"theme": { "error": 256 }', /:2:21: /],
  ] as const) {
    const text = `{ "profiles": { "default": {\n${settings} } } }`;
    const read = parseConfig(text, 'config.json');
    assert.match(read.ok ? 'accepted' : read.error.message, told, settings);
  }
});

test('the example of the documents is right, and a colour of one’s own keeps what says the same without it', () => {
  const page = readFileSync(join(ROOT, 'docs/configuration.md'), 'utf8');
  const examples = [...page.matchAll(/```json\n([\s\S]*?)```/g)].map(([, text = '']) => text);
  for (const text of examples) {
    const read = parseConfig(text, 'config.json');
    assert.ok(read.ok, read.ok ? '' : read.error.message);
  }
  const own = JSON.parse(examples.find((text) => text.includes('"keys"')) ?? '').profiles.default;
  const settings = settingsOf({}, own);
  assert.ok(settings.ok);
  const { theme, colours, keys } = settings.value;
  assert.deepEqual([theme, ownKeysOf(keys).length], ['safe', 2]);
  const painted = (name: 'safe' | 'mono', slot: 'error' | 'hit' | 'late') =>
    JSON.stringify(createLook(name, false, true, colours).paint(slot, 'x'));
  assert.equal(painted('safe', 'error'), JSON.stringify('\x1b[1;38;2;255;0;85mx\x1b[0m'));
  assert.equal(painted('safe', 'hit'), JSON.stringify('\x1b[92mx\x1b[0m'));
  assert.equal(painted('mono', 'error'), JSON.stringify('\x1b[1;4mx\x1b[0m'));
});
