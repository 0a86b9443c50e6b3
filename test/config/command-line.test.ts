import assert from 'node:assert/strict';
import { test } from 'node:test';
import {
  answerOf,
  type CommandLine,
  isAlwaysPrinted,
  readCommandLine,
} from '../../src/config/command/command-line.ts';
import { OPTIONS } from '../../src/config/command/options.ts';
import { type CommandName, PROGRAM_COMMANDS } from '../../src/config/command/program.ts';
import { commandHelp, helpText } from '../../src/config/command/usage.ts';
import { fieldIds } from '../../src/domain/query/fields.ts';
import { parseQuery } from '../../src/domain/query/query-text.ts';
import { parseShieldQuery } from '../../src/domain/shield/shield-window.ts';

const PACKAGE = { name: 'edgescope', version: '0.0.0', description: 'test' };

function lineOf(...argv: string[]): CommandLine {
  const usage = readCommandLine(argv, import.meta, PACKAGE);
  assert.ok(usage.ok, usage.ok ? '' : usage.message);
  return usage.value;
}

function messageOf(...argv: string[]): string {
  const usage = readCommandLine(argv, import.meta, PACKAGE);
  assert.ok(!usage.ok);
  return usage.message;
}

test('the words of health are zones, and nothing but all zones without a condition opens the screen', () => {
  assert.equal(lineOf('health', 'shop-*', 'api,4711').zone, 'shop-*,api,4711');
  assert.deepEqual(
    [lineOf('health').zone, lineOf('health').query, lineOf('health', 'shop').query],
    [null, '', ''],
  );
  assert.match(messageOf('health', 'shop', ''), /empty word where a zone stands/);
  assert.match(messageOf('health', 'shop', '-ip:192.0.2.7'), /takes zones alone, but got '-ip:192.0.2.7'/);
  assert.match(messageOf('health', '--', 'shop'), /takes zones alone, but got 'shop'/);
  assert.match(messageOf('health', '--limit', '3'), /--limit goes with/);
  assert.equal(
    lineOf('logs', 'shop', '--status', '404,5xx', 'ip:192.0.2.7').query,
    'ip:192.0.2.7 status:404,5xx',
  );
  for (const wrong of ['5z', '4xx,', '4xx, 5xx', '404 ip:1'])
    assert.match(messageOf('logs', 'shop', '--status', wrong), /--status takes codes and classes/);
  for (const words of [['-f'], ['--until', 'hit<60%'], ['--resume', 'place']])
    assert.match(messageOf('logs', 'shop', '--order', 'desc', ...words), /--order takes no --follow/);
  assert.equal(isAlwaysPrinted(lineOf('health')), false);
  for (const words of [['shop'], ['--until', 'any 5xx>5%'], ['--format', 'csv']])
    assert.equal(isAlwaysPrinted(lineOf('health', ...words)), true, words.join(' '));
  assert.equal(isAlwaysPrinted(lineOf('logs', 'shop', '--until', 'hit<60%', '--exec', 'true')), false);
});

test('an excluding term is a term and never a flag, with or without --', () => {
  assert.equal(lineOf('logs', 'shop', 'status:5xx', '-ip:192.0.2.7').query, 'status:5xx -ip:192.0.2.7');
  assert.equal(lineOf('logs', 'shop', '-ua~curl', '-f').query, '-ua~curl');
  assert.equal(lineOf('logs', 'shop', '-ua~curl', '-f').follow, true);
  assert.equal(lineOf('logs', 'shop', '--', '-ip:192.0.2.7', '-f').query, '-ip:192.0.2.7 -f');
  // As they come when the shell took the quotes, or begin with what no flag begins with.
  assert.equal(lineOf('logs', 'shop', '-union select').query, '-"union select"');
  assert.equal(lineOf('logs', 'shop', '-“union select”').query, '-“union select”');
  for (const term of ['-/wp-login*', '-404', '-*.php', '-日本', '-"a"'])
    assert.equal(lineOf('logs', 'shop', term, '-f').query, term);
});

test('what the shell took the quotes from is one term again', () => {
  assert.equal(lineOf('logs', 'shop', 'union select').query, '"union select"');
});

test('--since, --from and --to are the window of the query', () => {
  assert.equal(lineOf('logs', 'shop', '--since', '15m').query, 'last:15m');
  assert.equal(lineOf('logs', 'shop', '--from', '02:00', '--to', '02:30').query, 'from:02:00 to:02:30');
  assert.equal(lineOf('logs', 'shop', '--since', 'yesterday').query, 'from:yesterday');
  assert.equal(lineOf('logs', 'shop', '--since', '-15m').query, 'from:-15m');
  assert.equal(lineOf('shield', 'shop', '--from', '11-21 03:00').query, 'from:"11-21 03:00"');
  assert.equal(lineOf('logs', 'shop', '--day', 'yesterday').query, 'from:yesterday last:1d');
  assert.match(messageOf('logs', 'shop', '--day', '02-30'), /there is no day 02-30/);
});

test('logs needs a zone, other commands take no words', () => {
  assert.match(messageOf('logs'), /needs a zone/);
  assert.match(messageOf('zones', 'shop'), /takes no further words/);
  assert.match(messageOf('lgos'), /no command 'lgos'/);
});

test('values of flags are checked, and the message says what they may be', () => {
  assert.match(messageOf('zones', '--format', 'xml'), /ndjson, csv or table/);
  assert.match(messageOf('logs', 'shop', '--limit', 'many'), /--limit takes a whole number/);
  assert.match(messageOf('--utc', '--local'), /exclude each other/);
});

test('an option that is not in the table, or acts on another command, is refused by name', () => {
  assert.match(messageOf('logs', 'shop', '--lmt', '3'), /no option '--lmt'/);
  assert.match(messageOf('logs', 'shop', '-x'), /no option '-x'/);
  assert.match(messageOf('--no-such-flag=1'), /no option '--no-such-flag'$/);
  assert.match(messageOf('zones', '--limit', '3'), /--limit goes with logs, shield, open and ask$/);
});

const COMMANDS = Object.keys(PROGRAM_COMMANDS) as CommandName[];

/** The text that a line is answered with. */
function toldBy(...argv: string[]): string {
  const answer = answerOf(argv, PACKAGE);
  assert.ok(answer?.ok, argv.join(' '));
  return answer.text;
}

test('--help and --version are answered wherever they stand before --, and nothing else is looked at', () => {
  for (const argv of [['--help'], ['-h'], ['help'], ['--demo', '-h'], ['--profile', 'logs', '--help']])
    assert.equal(toldBy(...argv), helpText('test'), argv.join(' '));
  for (const argv of [['--version'], ['-V'], ['logs', '--version', '--help']])
    assert.equal(toldBy(...argv), `edgescope 0.0.0 (from the source) on Node ${process.versions.node}\n`);
  for (const argv of [['logs', 'shop', '--', '--help'], ['logs', 'help'], ['logs', 'shop'], []])
    assert.equal(answerOf(argv, PACKAGE), null, argv.join(' '));
  assert.match(messageOf('zones', '--help=me'), /--help takes no value/);
});

test('the help of a command is about it: its options, its fields, examples', () => {
  for (const argv of [
    ['help', 'logs'],
    ['logs', '--help'],
    ['logs', '-h', '--lmt'],
    ['--seed', '7', 'logs', 'shop', 'status:5xx', '--help'],
    ['--help', 'logs'],
    ['help', '--demo', 'logs'],
  ])
    assert.equal(toldBy(...argv), commandHelp('logs'), argv.join(' '));
  const [logs, shield] = [commandHelp('logs'), commandHelp('shield')];
  for (const id of fieldIds('logs')) assert.match(logs, new RegExp(`^ {4}${id}[:~]`, 'm'));
  for (const id of fieldIds('shield')) assert.match(shield, new RegExp(`^ {4}${id}[:~]`, 'm'));
  assert.match(logs, /Options of logs\n[\s\S]*--until EXPR[\s\S]*Options of other commands/);
  assert.doesNotMatch(shield, /--resume|cache:/);
  assert.doesNotMatch(commandHelp('keys'), /Query|--limit/);
  assert.match(commandHelp('storage'), /Settings that set changes\n[\s\S]* OriginUrl /);
  assert.doesNotMatch(commandHelp('man'), /--format/);
});

test('the help of what is no command says which there are', () => {
  for (const argv of [
    ['help', 'log'],
    ['log', '--help'],
    ['help', 'constructor'],
  ]) {
    const answer = answerOf(argv, PACKAGE);
    assert.ok(answer?.ok === false, argv.join(' '));
    assert.match(answer.message, /there is no command '\w+'; the commands are zones, logs, .*help$/);
  }
});

test('every example is a line that the program takes', () => {
  for (const [name, row] of Object.entries(PROGRAM_COMMANDS)) {
    const examples = Object.keys(row.examples);
    assert.ok(examples.length > 0, name);
    for (const line of examples) {
      const typed = line.replace(/^.*\| (?=edgescope)/, '').replace(/ >.*$/, '');
      const [, ...argv] = (typed.match(/(?:'[^']*'|\S)+/g) ?? []).map((word) => word.replaceAll("'", ''));
      if (name === 'help') {
        assert.ok(answerOf(argv, PACKAGE)?.ok, line);
        continue;
      }
      const { query, command } = lineOf(...argv);
      const now = Date.UTC(2026, 10, 22, 14);
      const read = command === 'shield' ? parseShieldQuery(query, now) : parseQuery(query, 'logs', now);
      assert.ok(read.ok, `${line}: ${query}`);
      assert.equal(command, name, line);
    }
  }
});

test('a flag that is given twice, or a switch with a value, is wrong usage and no crash', () => {
  assert.match(messageOf('logs', 'shop', '--limit', '1', '--limit=2'), /--limit is given twice/);
  assert.equal(lineOf('logs', 'shop', '-f', '--follow', '--utc', '--utc').follow, true);
  assert.match(messageOf('zones', '--demo=false'), /--demo takes no value/);
  assert.match(messageOf('zones', '--no-demo'), /no option '--no-demo'/);
  assert.equal(lineOf('logs', '-f', 'true').zone, 'true');
  assert.match(messageOf('sim', '--port', '65536'), /--port goes up to 65535/);
});

test('a word with a minus that is no flag says how a text is excluded', () => {
  assert.match(messageOf('logs', 'shop', '-union'), /no option '-union'; to exclude a text write -- -union$/);
  assert.equal(lineOf('logs', 'shop', '--', '-union').query, '-union');
});

test('a time that is written with a space or a comma is one time', () => {
  const spaced = lineOf('logs', 'shop', '--from', '2026-08-01 02:10', '--to', '2026-08-01T02:30:00,5');
  assert.equal(spaced.query, 'from:"2026-08-01 02:10" to:"2026-08-01T02:30:00,5"');
  const read = parseQuery(spaced.query, 'logs', Date.parse('2026-08-02'));
  assert.deepEqual(read.ok && read.query, {
    terms: [],
    window: {
      kind: 'absolute',
      from: Date.parse('2026-08-01T02:10Z'),
      to: Date.parse('2026-08-01T02:30:00.5Z'),
    },
    groupBy: [],
  });
  assert.equal(lineOf('logs', 'shop', 'from:2026-08-01 02:10').query, 'from:"2026-08-01 02:10"');
  assert.equal(lineOf('logs', 'shop', 'from:02:10 login').query, 'from:02:10 login');
});

test('a value of a flag smuggles no term into the query', () => {
  assert.equal(parseQuery(lineOf('logs', 'shop', '--since', '5m status:404').query, 'logs', 0).ok, false);
});

test('the help names every command, and that of the commands every option', () => {
  const help = helpText('test');
  for (const name of COMMANDS) assert.match(help, new RegExp(`\\b${name}\\b`));
  const all = COMMANDS.map(commandHelp).join('\n');
  for (const name of Object.keys(OPTIONS)) assert.match(all, new RegExp(`--${name}\\b`));
});

test('config and completion take one of their words and no option of another command', () => {
  assert.deepEqual([lineOf('config', 'check').word, lineOf('completion', 'zsh').word], ['check', 'zsh']);
  assert.equal(lineOf('config', 'check', '--profile', 'work').profile, 'work');
  assert.match(messageOf('config'), /config takes check or path$/);
  assert.match(messageOf('completion', 'tcsh'), /bash, zsh or fish, not 'tcsh'/);
  assert.match(messageOf('config', 'check', 'more'), /takes no further words/);
  assert.match(messageOf('config', 'check', '--demo'), /config takes no --demo/);
  assert.match(messageOf('man', '--format', 'csv'), /man takes no --format/);
});

test('--resume alone goes on with a lost session; with logs it takes a file', () => {
  const alone = lineOf('--resume');
  assert.deepEqual([alone.implicit, alone.resume], [true, '']);
  assert.equal(lineOf('--resume', '--demo').resume, '');
  assert.equal(lineOf('logs', 'shop', '--resume', 'state.json').resume, 'state.json');
  assert.match(messageOf('logs', 'shop', '--resume'), /--resume needs its FILE/);
  assert.match(messageOf('keys', '--resume'), /--resume needs its FILE/);
  assert.match(messageOf('--resume', 'state.json'), /--resume goes with logs/);
  assert.match(helpText('test'), /^ +edgescope --resume +reopen the view/m);
});

test('--until follows, and takes nothing that ends', () => {
  const line = lineOf('logs', 'shop', '--until', 'hit<60%');
  assert.deepEqual([line.follow, line.until], [true, 'hit<60%']);
  assert.match(messageOf('logs', 'shop', '--until', 'hit<60%', '--limit', '5'), /--until waits/);
});
