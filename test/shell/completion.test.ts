import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { delimiter, dirname, join } from 'node:path';

import { type TestContext, test } from 'node:test';
import { readCommandLine } from '../../src/config/command/command-line.ts';
import { choicesOf, OPTIONS, type OptionName, type OptionRow } from '../../src/config/command/options.ts';
import { type CommandName, type CommandRow, PROGRAM_COMMANDS } from '../../src/config/command/program.ts';
import { parseQuery } from '../../src/domain/query/query-text.ts';
import { parseShieldQuery } from '../../src/domain/shield/shield-window.ts';
import { readAssignments } from '../../src/domain/storage/storage-edit.ts';
import { COMPLETION_SCRIPTS } from '../../src/shell/completion.ts';
import { offersFor } from '../../src/shell/offers.ts';
import { KEPT_CODE } from '../support/environment.ts';
import { unlessInstalled } from '../support/installed.ts';
import { ownFolder } from '../support/own-folder.ts';
import { openTerminal } from '../support/terminal.ts';

/** A line up to the cursor, and what its last word can become. */
type Case = readonly [line: string, words: readonly string[]];

/** Each sign at which a shell breaks words, options, several offers and none: the scripts ask the program for the rest alike. */
const IN_SHELLS: readonly Case[] = [
  ['edgescope lo', ['logs']],
  ['edgescope --profile logs sh', ['shield']],
  ['edgescope logs --format ', ['ndjson', 'csv', 'table']],
  ['edgescope zones --format=t', ['--format=table']],
  ['edgescope logs ', []],
  ['edgescope logs shop -ca', ['-cache:', '-cause:']],
  ['edgescope logs shop cache:M', ['cache:MISS']],
  ['edgescope logs shop status:404,50', ['status:404,502', 'status:404,503', 'status:404,504']],
  ['edgescope storage press set ReplicationZones=NY,SY', ['ReplicationZones=NY,SYD']],
];

const CASES: readonly Case[] = [
  ...IN_SHELLS,
  ['edgescope --demo lo', ['logs']],
  ['edgescope config ', ['check', 'path']],
  ['edgescope help lo', ['logs']],
  ['edgescope config check ', []],
  ['edgescope config --', ['--profile', '--help', '--version']],
  ['edgescope completion z', ['zsh']],
  ['edgescope logs --form', ['--format']],
  ['edgescope zones --theme m', ['mono']],
  ['edgescope zones --lim', []],
  ['edgescope logs shop sta', ['status:']],
  ['edgescope logs shop -ip:192.0.2.7 -cache:ST', ['-cache:STALE']],
  ['edgescope shield shop action:b', ['action:blocked']],
  ['edgescope shield shop by:ip,as', ['by:ip,asn']],
  ['edgescope shield shop cache:', []],
  ['edgescope storage ', []],
  ['edgescope storage press ', ['set']],
  ['edgescope storage press get ', []],
  ['edgescope storage --format csv press se', ['set']],
  ['edgescope storage press set Re', ['ReplicationZones=', 'Rewrite404To200=']],
  ['edgescope storage press set Rewrite404To200=', ['Rewrite404To200=true', 'Rewrite404To200=false']],
  ['edgescope storage press set Rewrite404To200=t', ['Rewrite404To200=true']],
  ['edgescope storage press set Rewrite404To200=true Ori', ['OriginUrl=']],
  ['edgescope storage press set OriginUrl=https://o.example', []],
  ['edgescope storage press set --write Cu', ['Custom404FilePath=']],
];

const NOW = Date.parse('2026-03-04T05:06:07Z');
const PACKAGE = { name: 'edgescope', version: '0.0.0', description: 'test' };

/** The scripts ask the built program. */
const ENV = {
  ...process.env,
  ...KEPT_CODE,
  PATH: [join(import.meta.dirname, '../../dist'), dirname(process.execPath), process.env['PATH']].join(
    delimiter,
  ),
};

/** The script of a shell as a file, and a folder of its own. */
function scriptOf(t: TestContext, shell: string): { home: string; path: string } {
  const home = ownFolder(t);
  const path = join(home, `edgescope.${shell}`);
  writeFileSync(path, COMPLETION_SCRIPTS[shell] ?? '');
  return { home, path };
}

function lines(text: string): string[] {
  return text.split('\n').filter((line) => line !== '');
}

test('bash completes commands, options, choices, fields and values', {
  skip: unlessInstalled('bash'),
}, (t) => {
  const { path } = scriptOf(t, 'bash');
  // What bash replaces is the part behind the last sign at which it breaks words.
  const ask = `source "$1"
    COMP_WORDBREAKS=$' \\t\\n"\\'@><=;|&(:'; COMP_LINE="$2"; COMP_POINT=\${#2}
    _edgescope; for word in "\${COMPREPLY[@]}"; do echo "$word"; done`;
  for (const [line, words] of IN_SHELLS) {
    const answer = lines(
      execFileSync('bash', ['--norc', '-c', ask, 'bash', path, line], { encoding: 'utf8', env: ENV }),
    );
    const typed = /[^\s]*$/.exec(line)?.[0] ?? '';
    const kept = /^.*:|^[^=]*=/.exec(typed)?.[0] ?? '';
    assert.deepEqual(answer.map((word) => kept + word).sort(), [...words].sort(), line);
  }
});

test('bash on a terminal puts the completion into the line', { skip: unlessInstalled('bash') }, async (t) => {
  const { path, home } = scriptOf(t, 'bash');
  const terminal = await openTerminal({
    t,
    home,
    command: 'bash',
    args: ['--rcfile', path, '-i'],
    env: { PATH: ENV.PATH },
  });
  // As a start-up file the script is there before the first prompt.
  await terminal.waitFor(/[$#] *\n/);
  await terminal.type('edgescope logs shop status:404 cac<Tab>MI<Tab>-ip:1 act');
  await terminal.waitFor(/[$#] edgescope logs shop status:404 cache:MISS -ip:1 act/);
});

test('fish completes the same, with the meaning beside it', { skip: unlessInstalled('fish') }, (t) => {
  const { path, home } = scriptOf(t, 'fish');
  const env = { ...ENV, HOME: home, XDG_CONFIG_HOME: home, XDG_DATA_HOME: home };
  const ask = (line: string) =>
    lines(
      execFileSync('fish', ['--no-config', '-c', 'source $argv[1]; complete -C $argv[2]', path, line], {
        encoding: 'utf8',
        env,
      }),
    );
  for (const [line, words] of IN_SHELLS) {
    const prefix = /[^\s]*$/.exec(line)?.[0] ?? '';
    // fish also offers what has the typed text anywhere in it.
    const offers = ask(line).map((each) => each.split('\t')[0] ?? '');
    assert.deepEqual(offers.filter((each) => each.startsWith(prefix)).sort(), [...words].sort(), line);
  }
  assert.match(ask('edgescope logs shop cache:MI').join(), /^cache:MISS\tfetched from the origin$/);
});

test('zsh completes the same in its line', { skip: unlessInstalled('zsh') }, async (t) => {
  const { path, home } = scriptOf(t, 'zsh');
  const terminal = await openTerminal({
    t,
    home,
    command: 'zsh',
    args: ['-f', '-i'],
    env: { PATH: ENV.PATH },
    columns: 100,
    rows: 40,
  });
  terminal.write(`PS1='> '; autoload -Uz compinit; compinit -u -D; source ${path}; clear\r`);
  await terminal.waitFor(/^> *\n/);
  for (const [line, words] of IN_SHELLS) {
    const [only] = words;
    if (words.length !== 1 || only === undefined) continue;
    terminal.write(`${line}\t`);
    await terminal.waitFor((screen) =>
      screen.some((each) => each === `> ${line.replace(/\S*$/, '')}${only}`),
    );
    terminal.write('\x15\x0c');
    await terminal.waitFor((screen) => screen.join('').trim() === '>');
  }
  terminal.write('edgescope logs --format \t');
  await terminal.waitFor(/^csv {5}-- ndjson, csv or table; ask: markdown, too$/m);
});

const DAY = '2026-11-19';

test('offers begin with what is settled, and say where names of files fit', () => {
  const offered = (...typed: string[]) => offersFor(typed).words.map(({ word }) => word);
  for (const [line, words] of CASES) {
    const typed = line.split(' ').slice(1);
    const current = typed.at(-1) ?? '';
    const fitting = offered(...typed).filter((word) => word.startsWith(current));
    assert.deepEqual(fitting.sort(), [...words].sort(), line);
  }
  assert.deepEqual(offered(''), Object.keys(PROGRAM_COMMANDS));
  assert.ok(offered('logs', 'shop', '-').every((word) => word.startsWith('-')));
  for (const typed of [
    ['open', ''],
    ['open', 'a.log', 'b'],
    ['logs', 'shop', '--debug', ''],
  ])
    assert.ok(offersFor(typed).files, typed.join(' '));
  for (const typed of [[''], ['logs', 'shop', ''], ['logs', '--format', ''], ['storage', '']])
    assert.ok(!offersFor(typed).files, typed.join(' '));
});

test('every word that is offered is one that the program takes', () => {
  const operands: Record<string, string[]> = {
    logs: ['shop'],
    shield: ['shop'],
    open: ['day.log'],
    ask: ['compare', 'shop'],
    keep: ['--import', 'day.log'],
    config: ['check'],
    completion: ['zsh'],
    store: ['check'],
  };
  const ofOption: Record<string, Record<string, string[]>> = {
    store: { '--dry-run': ['init'], '--confirm': ['drop-before', '2026-08-01'] },
    keep: {
      '--stored': ['shop', '--from', DAY],
      '--metrics': ['shop'],
      '--shared': ['shop'],
      '--since': ['--stored', 'shop'],
      '--from': ['--stored', 'shop'],
      '--to': ['--stored', 'shop', '--from', DAY],
    },
  };
  const taken = (words: string[]) => {
    const usage = readCommandLine(words, import.meta, PACKAGE);
    assert.ok(usage.ok, usage.ok ? '' : usage.message);
  };
  const offered = (...typed: string[]) => {
    const { words } = offersFor(typed);
    assert.ok(words.length > 0, typed.join(' '));
    assert.ok(
      words.every(({ help }) => help !== ''),
      typed.join(' '),
    );
    return words.map(({ word }) => word);
  };
  for (const command of offered('')) {
    const row: CommandRow = PROGRAM_COMMANDS[command as CommandName];
    for (const option of offered(command, '--')) {
      if (option === '--help' || option === '--version') continue;
      const row: OptionRow = OPTIONS[option.slice(2) as OptionName];
      const { type } = row;
      const choices = choicesOf(row, command);
      const samples: Record<string, string> = { '--metrics': '1', '--day': DAY, '--status': '4xx,503' };
      const value = samples[option] ?? (type === 'count' ? '1' : 'x');
      const values = choices ? offered(command, option, '') : type === 'boolean' ? [] : [value];
      assert.deepEqual(choices ? values : [], [...(choices ?? [])]);
      const needed: Record<string, string[]> = { '--v1': ['--day', DAY], '--exec': ['--until', 'x'] };
      const own = ofOption[command]?.[option] ?? operands[command] ?? [];
      taken([command, ...own, option, ...values.slice(0, 1), ...(needed[option] ?? [])]);
    }
    if (row.words)
      for (const word of offered(command, ''))
        taken([command, word, ...(word === 'drop-before' ? [DAY] : (operands[command] ?? []).slice(1))]);
  }
  assert.deepEqual(offered('help', ''), offered(''));
  for (const field of offered('storage', 'press', 'set', '')) {
    const values = offersFor(['storage', 'press', 'set', field]).words.map(({ word }) => word);
    for (const word of values.length > 0 ? values : [`${field}x`])
      assert.ok(readAssignments([word]).ok, word);
  }
  for (const subject of ['logs', 'shield'] as const) {
    for (const term of offered(subject, 'shop', '')) {
      for (const { word } of offersFor([subject, 'shop', term]).words) {
        // The end of a window alone is none.
        const text = `${term === 'to:' ? 'from:-48h ' : ''}${word}`;
        const read = subject === 'shield' ? parseShieldQuery(text, NOW) : parseQuery(text, 'logs', NOW);
        assert.ok(read.ok, text);
      }
    }
  }
});
