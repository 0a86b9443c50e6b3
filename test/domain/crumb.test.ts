import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { test } from 'node:test';
import { readCommandLine } from '../../src/config/command-line.ts';
import { type Crumb, commandOf, shellWord } from '../../src/domain/handover/crumb.ts';
import { curlOf } from '../../src/domain/handover/curl.ts';
import type { Query } from '../../src/domain/query/query.ts';
import { parseQuery } from '../../src/domain/query/query-text.ts';
import { HOSTILE } from '../session/rewriting.ts';
import { fc } from '../support/properties.ts';
import { canonicalQuery, NOW, oddText, queryArb, RUNS } from './query-cases.ts';

const PACKAGE = { name: 'edgescope', version: '0.0.0', description: 'test' };

const WINDOW = { kind: 'absolute', from: NOW - 60_000, to: NOW } as const;

/** Each line of shell as the words that a shell makes of it; one shell for all of them. */
function shellWords(lines: readonly string[]): string[][] {
  const script = lines.map((line) => `set -- ${line}\nprintf '%s\\037' "$@"\nprintf '\\036'`).join('\n');
  const output = execFileSync('sh', ['-s'], { input: script, maxBuffer: 64 * 1024 * 1024 }).toString();
  return output
    .split('\x1e')
    .slice(0, -1)
    .map((part) => part.split('\x1f').slice(0, -1));
}

/** What the program reads from the words that a shell makes of a command. */
function readBack(
  words: readonly string[],
  now: number,
): { zone: string | null; query: Query; rows: boolean } {
  const [program, ...argv] = words;
  assert.equal(program, 'edgescope');
  const usage = readCommandLine(argv, import.meta, PACKAGE);
  assert.ok(usage.ok, usage.ok ? '' : usage.message);
  const { command, zone, query, rows } = usage.value;
  const parsed = parseQuery(query, command === 'shield' ? 'shield' : 'logs', now);
  assert.ok(parsed.ok, parsed.ok ? '' : `${parsed.error.message} in ${query}`);
  return { zone, query: parsed.query, rows };
}

for (const screen of ['logs', 'shield'] as const) {
  test(`the command of any ${screen} view is one line that a shell and the program read back as the same view`, () => {
    const queries = fc
      .sample(queryArb(screen), { numRuns: RUNS, seed: 11 })
      .map((query) => canonicalQuery(screen, { ...query, window: WINDOW }));
    const lines = queries.map((query) => commandOf({ screen, zone: 'shop-eu', query }, ['--profile', 'a b']));
    for (const line of lines) assert.match(line, /^[^\p{Cc}\p{Cf}]*$/u);
    shellWords(lines).forEach((words, i) => {
      assert.deepEqual(words.slice(-2), ['--profile', 'a b'], lines[i]);
      assert.deepEqual(readBack(words, NOW + 3_600_000).query, queries[i], lines[i]);
    });
  });
}

test('no text acts in the shell that a command is pasted into', () => {
  const texts = [
    '$(touch x)',
    '`id`',
    "';id;'",
    '"; id; "',
    '\\',
    "\\'",
    '!!',
    '~root',
    '*',
    '-rf',
    '#',
    'a=b;c',
    '&& id',
    '\u2019',
    ...fc
      .sample(oddText, { numRuns: RUNS, seed: 3 })
      .filter((text) => !/[\0\x1e\x1f\r]/.test(text) && text.isWellFormed()),
  ];
  assert.deepEqual(
    shellWords(texts.map(shellWord)).map(([word = '']) => word),
    texts,
  );
});

test('no text acts on the terminal that a command is pasted into', () => {
  const texts = HOSTILE.map(({ input }) => input).filter(
    (text) => !text.includes('\0') && text.isWellFormed(),
  );
  assert.ok(texts.length > 80);
  // Line breaks at the end stand between quotes, where they end no command.
  for (const word of texts.map(shellWord)) assert.match(word, /^[^\p{C}\p{M}]*(?:'\n+')?$/u);
  const readable = texts.filter((text) => !/[\x1e\x1f]/.test(text) && text.length < 10_000);
  assert.deepEqual(
    shellWords(readable.map(shellWord)).map(([word = '']) => word),
    readable,
  );
});

test('a Shield view of single events says so, because a bare window would open the usual groups', () => {
  const crumb = (query: Partial<Query>): Crumb => ({
    screen: 'shield',
    zone: 'shop',
    query: { terms: [], groupBy: [], window: WINDOW, ...query },
  });
  const [words = []] = shellWords([commandOf(crumb({}), [])]);
  assert.equal(readBack(words, NOW).rows, true);
  assert.doesNotMatch(commandOf(crumb({ groupBy: ['ip'] }), []), /--rows/);
  assert.equal(commandOf({ screen: 'zones' }, ['--demo', '--seed', '7']), 'edgescope zones --demo --seed 7');
});

test('a request as curl takes the key from the environment and is one line, whatever it asks for', () => {
  const line = curlOf({
    method: 'POST',
    url: 'https://api.example.com/shield/event-logs/9/search',
    body: { query: "it's \u202e $(id) \n" },
  });
  assert.match(line, /^[ -~]+$/);
  const [words = []] = shellWords([line]);
  assert.equal(words.filter((word) => word.startsWith('AccessKey: ')).length, 1);
  assert.deepEqual(JSON.parse(words[words.indexOf('--data-raw') + 1] ?? ''), {
    query: "it's \u202e $(id) \n",
  });
  assert.match(line, /"AccessKey: \$EDGESCOPE_ACCESS_KEY"/);
});
