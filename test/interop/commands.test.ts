import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { chmodSync, mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { callingShell } from '../support/called-program.ts';
import { startClickhouse } from '../support/clickhouse.ts';
import { DOCUMENTS, type Fenced, fenced, textOf } from '../support/documents.ts';
import { unlessInstalled } from '../support/installed.ts';
import { openPlatform } from '../support/platform.ts';
import { ACCOUNT, withOutputs } from '../support/shown-output.ts';
import { ROOT } from '../support/source.ts';
import { checkedElsewhere, ELSEWHERE } from './elsewhere.ts';

const HAS_DUCKDB_PYTHON = spawnSync('python3', ['-c', 'import duckdb'], { stdio: 'ignore' }).status === 0;
/** The engine behind the command that the documents name, for machines that have it as a Python package alone. */
const DUCKDB = `#!/bin/sh
exec python3 -c 'import duckdb, sys; duckdb.sql(sys.argv[2]).show()' "$@"
`;
/** What the profiles of the documents name. */
const PASS = `#!/bin/sh
echo 0123abcd-key-of-nobody
`;

/** What may be said beside the data, by the first words of a line. */
const NOTICES: readonly RegExp[] = [
  // What was cut, hidden, or may still come.
  /^edgescope: (?:stopped after|read [\d,]+ of|hidden here|rows of the time since) /,
  // What origin errors cost, and what of them was told.
  /^edgescope: (?:cause: is found by|by time and path:) /,
  /^ {2}a row has no cause where /,
  // What a watch costs, leaves out, and saw.
  /^edgescope: (?:watching|not watched,) /,
  /^edgescope: (?:\S+ \(\d+\): )?(?:hit ratio|5xx) [\d.]+ % of [\d,]+ requests in .* is (?:above|below) /,
  // What a question costs.
  /^edgescope: [a-z-]+ of .* UTC(?:, against [a-z ]+)?: (?:[\d,]+ rows, no request|[\d,]+ requests?)$/,
  // A change of a zone, step by step.
  /^edgescope: (?:note: |to undo: |APPLIED: |\w+: \S+ -> )/,
  /^✔ installed /,
];

/** Programs that a block may need, by the words that start them. */
const NEEDED: readonly (readonly [words: RegExp, program: string])[] = [
  [/\bjq\b/, 'jq'],
  [/^lnav\b/m, 'lnav'],
  [/^duckdb\b/m, 'duckdb'],
  [/\bcurl\b/, 'curl'],
  [/CLICKHOUSE/, 'clickhouse-server'],
];

const home = mkdtempSync(join(tmpdir(), 'edgescope-documents-'));
const from = process.cwd();
process.chdir(home);
after(() => {
  process.chdir(from);
  rmSync(home, { recursive: true, force: true });
});
symlinkSync(join(ROOT, 'dist'), join(home, 'dist'));
const platform = openPlatform(ACCOUNT);
const { run } = callingShell(platform, home);
program('pass', PASS);
if (HAS_DUCKDB_PYTHON) program('duckdb', DUCKDB);
writeFileSync(join(home, '.edge-lab-key'), 'a-key-of-nobody\n', { mode: 0o600 });
mkdirSync(join(home, '.config', 'edgescope'), { recursive: true });
const [profiles] = fenced('json', ['docs/configuration.md']);
writeFileSync(join(home, '.config', 'edgescope', 'config.json'), profiles?.script ?? '', { mode: 0o600 });

function program(name: string, text: string): void {
  writeFileSync(join(home, '.bin', name), text);
  chmodSync(join(home, '.bin', name), 0o755);
}

function missing(script: string): string | false {
  for (const [words, name] of NEEDED) {
    if (!words.test(script) || (name === 'duckdb' && HAS_DUCKDB_PYTHON)) continue;
    const skip = unlessInstalled(name);
    if (skip) return skip;
  }
  return false;
}

/** The exit codes with which a command does what its document says: what follows is interrupted here. */
function endsOf(words: readonly string[]): readonly number[] {
  if (words.includes('--until')) return [10, 130];
  if (words.includes('--fail-if-found')) return [0, 10];
  return words.includes('-f') ? [130] : [0];
}

/** The lines of a block that are run, without those that are looked at in another way. */
function runIn({ script }: Fenced): string {
  return script
    .split('\n')
    .filter((line) => line !== '' && !line.startsWith('#') && checkedElsewhere(line) === null)
    .join('\n');
}

test('every reason not to run a command is still one of some command', () => {
  const lines = fenced('sh').flatMap(({ script }) => script.split('\n'));
  for (const row of ELSEWHERE)
    assert.ok(
      lines.some((line) => checkedElsewhere(line) === row),
      row.why,
    );
});

for (const block of fenced('sh')) {
  const script = runIn(block);
  test(`${block.document}, line ${block.line}: the commands run, and say nothing but data`, {
    skip: missing(script),
  }, async (t) => {
    if (script === '') return;
    const more = script.includes('CLICKHOUSE') ? { CLICKHOUSE: await startClickhouse(t) } : {};
    const { code, stdout, stderr, calls } = await run(script, more);
    const told = `${script}\n${stdout}\n${stderr}`;
    for (const { words, code: own } of calls) {
      assert.ok(endsOf(words).includes(own), `${words.join(' ')} ended with ${own}\n${told}`);
    }
    assert.ok(code === 0 || code === calls.at(-1)?.code, told);
    const said = stderr.split('\n').filter((line) => line !== '' && !NOTICES.some((each) => each.test(line)));
    assert.deepEqual(said, [], told);
    if (!/ >>? /.test(script)) assert.ok(stdout.trim() !== '', told);
  });
}

for (const document of DOCUMENTS.filter((each) => fenced('console', [each]).length > 0)) {
  test(`${document}: what its commands print is what it shows (npm run readme renews it)`, async () => {
    assert.equal(await withOutputs(textOf(document)), textOf(document));
  });
}
