import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { test } from 'node:test';
import { EXIT_CODES } from '../../src/config/command/exit-codes.ts';
import { ANSWERED_OPTIONS, OPTIONS, type OptionRow } from '../../src/config/command/options.ts';
import { type CommandName, type CommandRow, PROGRAM_COMMANDS } from '../../src/config/command/program.ts';
import { commandHelp, commandText, helpText, optionText } from '../../src/config/command/usage.ts';
import { VARIABLES } from '../../src/config/settings/variables.ts';
import { LOG_FIELDS, SHIELD_FIELDS } from '../../src/domain/query/fields.ts';
import { usageOf } from '../../src/keymap/line-words.ts';
import { BINDINGS, type Binding, COMMANDS } from '../../src/keys/bindings.ts';
import { manualPage, paragraph } from '../../src/shell/manual.ts';
import { unlessInstalled } from '../support/installed.ts';

const PAGE = manualPage('1.2.3');

/** What a reader sees, as one line of words. */
function read(page: string): string {
  const { stdout, stderr, status } = spawnSync(
    'groff',
    ['-man', '-ww', '-Tutf8', '-P-cbou', '-rLL=100n', '-rHY=0'],
    {
      input: page,
      encoding: 'utf8',
    },
  );
  assert.deepEqual([status, stderr], [0, '']);
  return stdout.replace(/\s+/g, ' ');
}

test('the page is ASCII, and no text of it is a request of roff', () => {
  assert.match(PAGE, /^[\n\x20-\x7e]*$/);
  const requests = PAGE.split('\n').filter((line) => /^[.']/.test(line));
  assert.deepEqual(
    requests.filter((line) => !/^\.(TH|SH|SS|PP|TP)\b/.test(line)),
    [],
  );
  assert.equal(paragraph(".so '\\f~…"), '\\&.so \\(aq\\ef\\(ti\\[u2026]\n');
});

test('groff sets the page without a warning', { skip: unlessInstalled('groff') }, () => {
  assert.match(read(PAGE), /^EDGESCOPE\(1\) User commands EDGESCOPE\(1\) NAME edgescope - explore/);
});

test('the page says what --help says, and more', { skip: unlessInstalled('groff') }, () => {
  const page = read(PAGE);
  const pages = Object.keys(PROGRAM_COMMANDS).map((name) => commandHelp(name as CommandName));
  const help = [helpText(''), ...pages].join(' ').replace(/\s+/g, ' ');
  const rows = [
    ...Object.entries<CommandRow>(PROGRAM_COMMANDS).map(([name, row]) => [commandText(name, row), row.does]),
    ...Object.entries<OptionRow>({ ...OPTIONS, ...ANSWERED_OPTIONS }).map(([name, row]) => [
      optionText(name, row),
      row.does,
    ]),
  ];
  for (const row of rows) {
    assert.ok(help.includes(row.join(' ')), row.join(' '));
    for (const part of row) assert.ok(page.includes(part), part);
  }
  for (const [name, { help }] of [...Object.entries(LOG_FIELDS), ...Object.entries(SHIELD_FIELDS)]) {
    assert.ok(page.includes(`${name}: ${help}`), name);
  }
  for (const id of COMMANDS) {
    const { keys, does }: Binding = BINDINGS[id];
    assert.ok(page.includes([...keys, usageOf(id) ?? [], does].flat().join(' ')), does);
  }
  for (const [name, meaning] of [...Object.entries(VARIABLES), ...Object.entries(EXIT_CODES)]) {
    assert.ok(page.includes(`${name} ${meaning}`), name);
  }
});
