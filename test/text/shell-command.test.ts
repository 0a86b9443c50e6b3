import assert from 'node:assert/strict';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { inScreenText } from '../../src/text/sanitise.ts';
import { shellCommand } from '../../src/text/shell-command.ts';
import { oddText, RUNS } from '../domain/query-cases.ts';
import { HOSTILE } from '../session/rewriting.ts';
import { unlessInstalled } from '../support/installed.ts';
import { ownFolder } from '../support/own-folder.ts';
import { fc } from '../support/properties.ts';
import { SHELLS, wordsIn } from '../support/shells.ts';

const INJECTIONS = [
  '$(touch ran)',
  '`touch ran`',
  "';touch ran;'",
  "'$(touch ran)'",
  '"; touch ran; "',
  "\\';touch ran;\\'",
  "\\'",
  '\\',
  '\\\\',
  'C:\\new\\table',
  "it's",
  "'",
  "''",
  '"',
  '',
  ' ',
  '!!',
  '!touch',
  '~root',
  '*',
  '?',
  '[a-z]*',
  '{a,b}',
  '-rf',
  '--',
  '#',
  'a=b;touch ran',
  '=ls',
  '%self',
  '%1',
  '&& touch ran',
  '| touch ran',
  '> ran',
  '(touch ran)',
  '\n touch ran',
  'a\ntouch ran\nb',
  '\u2019;touch ran;\u2019',
  '\x1b]0;title\x07',
  '\u202egnp.exe',
  '%s%n%d',
];
const SEEDED = { numRuns: RUNS, seed: 11 };

/** No argument can hold a NUL or half a character; the separators of the test stay out of it, too. */
const isWord = (text: string) => text.isWellFormed() && !/[\0\x1e\x1f]|\n$/.test(text);
const words = [...INJECTIONS, ...HOSTILE.map(({ input }) => input), ...fc.sample(oddText, SEEDED)]
  .filter(isWord)
  .filter((text) => text.length < 10_000);
const lists = fc.sample(fc.array(fc.constantFrom(...words), { minLength: 1, maxLength: 5 }), SEEDED);

for (const shell of SHELLS) {
  test(`${shell} reads back every word of a printed command, and runs none of them`, {
    skip: unlessInstalled(shell, ['-c', 'true']),
  }, (t) => {
    const directory = ownFolder(t);
    const expected = [...words.map((word) => [word]), ...lists];
    const lines = expected.map((each) => shellCommand(each) ?? '');
    assert.deepEqual(wordsIn(shell, lines, directory), expected);
    assert.equal(existsSync(join(directory, 'ran')), false);
  });
}

test('a printed command acts on no terminal, and the door of standard error changes nothing in it', () => {
  for (const word of words) {
    const line = shellCommand(['edgescope', word]) ?? '';
    assert.match(line, /^edgescope [^\p{C}\p{M}]*$/u);
    assert.equal(inScreenText(line), line);
  }
});

test('there is no command for what no argument and no line can hold', () => {
  for (const word of ['a\0b', '\ud800', 'a\n', '\n', 'a\n\n'])
    assert.equal(shellCommand(['edgescope', word]), null);
});
