import assert from 'node:assert/strict';
import { test } from 'node:test';
import { readCommandLine } from '../../src/config/command/command-line.ts';
import { type CommandSource, commandOf } from '../../src/domain/handover/place.ts';
import { curlOf } from '../../src/domain/handover/wire-request.ts';
import type { Query } from '../../src/domain/query/query.ts';
import { parseQuery } from '../../src/domain/query/query-text.ts';
import { fc } from '../support/properties.ts';
import { wordsIn } from '../support/shells.ts';
import { canonicalQuery, NOW, queryArb, RUNS } from './query-cases.ts';

const PACKAGE = { name: 'edgescope', version: '0.0.0', description: 'test' };

const WINDOW = { kind: 'absolute', from: NOW - 60_000, to: NOW } as const;

function command(crumb: CommandSource, flags: readonly string[] = []): string {
  const line = commandOf(crumb, flags);
  assert.ok(line !== null);
  return line;
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
    const lines = queries.map((query) => command({ screen, zone: 'shop-eu', query }, ['--profile', 'a b']));
    for (const line of lines) assert.match(line, /^[^\p{Cc}\p{Cf}]*$/u);
    wordsIn('sh', lines).forEach((words, i) => {
      assert.deepEqual(words.slice(-2), ['--profile', 'a b'], lines[i]);
      assert.deepEqual(readBack(words, NOW + 3_600_000).query, queries[i], lines[i]);
    });
  });
}

test('a Shield view of single events says so, because a bare window would open the usual groups', () => {
  const crumb = (query: Partial<Query>): CommandSource => ({
    screen: 'shield',
    zone: 'shop',
    query: { terms: [], groupBy: [], window: WINDOW, ...query },
  });
  const [words = []] = wordsIn('sh', [command(crumb({}))]);
  assert.equal(readBack(words, NOW).rows, true);
  assert.doesNotMatch(command(crumb({ groupBy: ['ip'] })), /--rows/);
  assert.equal(command({ screen: 'zones' }, ['--demo', '--seed', '7']), 'edgescope zones --demo --seed 7');
});

test('a request as curl takes the key from the environment, on the standard input of curl, and is one line', () => {
  const line = curlOf({
    method: 'POST',
    url: 'https://api.example.com/shield/event-logs/9/search',
    body: { query: "it's \u202e $(id) \n" },
  });
  assert.ok(line !== null);
  assert.match(line, /^[ -~]+$/);
  const [header = '', curl = ''] = line.split(' | curl ');
  assert.equal(header, `printf 'AccessKey: %s\\n' "$EDGESCOPE_ACCESS_KEY"`);
  const [words = []] = wordsIn('sh', [curl]);
  assert.doesNotMatch(curl, /AccessKey|\$EDGESCOPE/);
  assert.equal(words[words.indexOf('-H') + 1], '@-');
  assert.deepEqual(JSON.parse(words[words.indexOf('--data-raw') + 1] ?? ''), {
    query: "it's \u202e $(id) \n",
  });
});
