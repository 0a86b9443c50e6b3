import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { watchLine } from '../../src/domain/handover/watch-line.ts';
import { parseWatch } from '../../src/domain/watch/watch.ts';
import { handFinding } from '../../src/effects/hand-finding.ts';
import { isRunning } from '../../src/files/processes.ts';
import hostile from '../data/hostile-strings.json' with { type: 'json' };
import { ownFolder } from '../support/own-folder.ts';
import { until } from '../support/until.ts';
import { VirtualClock } from '../support/virtual-clock.ts';

const HOSTILE = [
  ...hostile.map(({ input, repeat }) => input ?? repeat?.text ?? ''),
  "'; touch owned; '",
  '$(id)`id`\n$HOME && id',
];

function lineWith(texts: readonly string[]): string {
  const read = parseWatch('5xx>2%', 'logs');
  assert.ok(read.ok);
  const verdict = {
    kind: 'met',
    from: 0,
    to: 60_000,
    measured: 41,
    of: 100,
    reason: texts.join(' '),
  } as const;
  const terms = texts.map((text) => ({ kind: 'text', value: text, negated: false }) as const);
  const query = { terms, window: null, groupBy: [] };
  return watchLine({ condition: '5xx>2%', zones: texts, query }, read.watch, verdict);
}

function handed(t: TestContext, command: string, line: string, clock = new VirtualClock()) {
  const folder = ownFolder(t);
  const said: string[] = [];
  const { signal } = new AbortController();
  const trouble = handFinding(`cd ${folder}; ${command}`, line, {
    clock,
    signal,
    said: (text) => void said.push(text),
  });
  const file = (name: string) => readFileSync(join(folder, name), 'utf8');
  return { trouble, said, file, clock };
}

test('a command has what others wrote on its input, as one line of ASCII, and nowhere else', async (t) => {
  const line = lineWith(HOSTILE);
  assert.match(line, /^[ -~]+\n$/);
  assert.deepEqual(JSON.parse(line).zones, HOSTILE);
  const { trouble, file } = handed(t, 'cat >in; env >env; cat /proc/$$/cmdline >argv', line);
  assert.equal(await trouble, null);
  assert.equal(file('in'), line);
  for (const text of HOSTILE.filter((each) => each.length > 8))
    for (const name of ['env', 'argv']) assert.ok(!file(name).includes(text), `${name}: ${text}`);
});

test('a command that fails says how, and so does what it printed; one that reads nothing is no failure', async (t) => {
  const failing = handed(t, 'echo one; printf two >&2; exit 3', lineWith(['shop']));
  assert.equal(await failing.trouble, 'failed with exit code 3');
  assert.deepEqual(failing.said.toSorted(), ['one', 'two']);
  const deaf = handed(t, 'exec <&-; exit 0', lineWith(['x'.repeat(1_000_000)]));
  assert.equal(await deaf.trouble, null);
  const loud = handed(t, 'yes | head -c 1000000', lineWith([]));
  assert.equal(await loud.trouble, null);
  assert.ok(loud.said.join('\n').length < 20_000);
});

test('a command that does not end is ended after half a minute, with all that it started', async (t) => {
  const { trouble, file, clock } = handed(t, "trap '' TERM; sleep 1000 & echo $! >child; wait; wait", '');
  const child = () => {
    try {
      return Number(file('child'));
    } catch {
      return 0;
    }
  };
  await until(() => child() > 0, 'the command to begin');
  clock.pass(30_000);
  assert.equal(await trouble, 'took longer than 30 s');
  await until(() => !isRunning(child()), 'what it started to end');
});
