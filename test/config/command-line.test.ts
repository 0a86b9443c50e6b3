import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type CommandLine, readCommandLine } from '../../src/config/command-line.ts';
import { helpText, OPTIONS, PROGRAM_COMMANDS } from '../../src/config/program.ts';

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

test('without a command it is the picker', () => {
  const line = lineOf();
  assert.equal(line.command, 'zones');
  assert.equal(line.implicit, true);
  assert.equal(lineOf('zones').implicit, false);
});

test('an excluding term is a term and never a flag, with or without --', () => {
  assert.equal(lineOf('logs', 'shop', 'status:5xx', '-ip:192.0.2.7').query, 'status:5xx -ip:192.0.2.7');
  assert.equal(lineOf('logs', 'shop', '-ua~curl', '-f').query, '-ua~curl');
  assert.equal(lineOf('logs', 'shop', '-ua~curl', '-f').follow, true);
  assert.equal(lineOf('logs', 'shop', '--', '-ip:192.0.2.7', '-f').query, '-ip:192.0.2.7 -f');
});

test('what the shell took the quotes from is one term again', () => {
  assert.equal(lineOf('logs', 'shop', 'union select').query, '"union select"');
});

test('--since, --from and --to are the window of the query', () => {
  assert.equal(lineOf('logs', 'shop', '--since', '15m').query, 'last:15m');
  assert.equal(lineOf('logs', 'shop', '--from', '02:00', '--to', '02:30').query, 'from:02:00 to:02:30');
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
  assert.match(messageOf('zones', '--limit', '3'), /--limit goes with logs and shield/);
});

test('the help names every command and every option', () => {
  const help = helpText();
  for (const name of Object.keys(PROGRAM_COMMANDS)) assert.match(help, new RegExp(`\\b${name}\\b`));
  for (const name of Object.keys(OPTIONS)) assert.match(help, new RegExp(`--${name}\\b`));
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
  assert.match(helpText(), /^ +edgescope --resume +open the view/m);
});

test('--until follows, and takes nothing that ends', () => {
  const line = lineOf('logs', 'shop', '--until', 'hit<60%');
  assert.deepEqual([line.follow, line.until], [true, 'hit<60%']);
  assert.match(messageOf('logs', 'shop', '--until', 'hit<60%', '--limit', '5'), /--until waits/);
});
