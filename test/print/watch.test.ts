import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import { programOf, ZONE } from './support.ts';

const ran = (t: TestContext, words: string[]) => programOf(t).call(words);

test('a log is printed until the condition holds of a minute: exit code 10 and one line that says why', async (t) => {
  const { code, stdout, stderr } = await ran(t, [
    'logs',
    ZONE,
    'status:200',
    '--since',
    '4m',
    '--until',
    'rate>1/h',
  ]);
  assert.equal(code, 10);
  assert.match(
    stderr,
    /^edgescope: requests [\d,]+\/h, [\d,]+ requests in \d\d:\d\d–\d\d:\d\dZ, is above 1\/h\n$/,
  );
  const rows = stdout
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line));
  assert.ok(rows.length > 20 && rows.every((row) => row.statusCode === 200));
});

test('Shield is asked a minute at a time, with the price said first', async (t) => {
  const { code, stdout, stderr } = await ran(t, ['shield', ZONE, '--since', '5m', '--until', 'events>1/h']);
  assert.equal(code, 10);
  assert.match(
    stderr,
    /^edgescope: watching events>1\/h: a search a minute, one more for every 500 events, and first the \d minutes gone by\nedgescope: events [\d,]+\/h, .* is above 1\/h\n$/,
  );
  const events = stdout
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line));
  const minutes = new Set(events.map(({ timestamp }) => Math.floor(timestamp / 60_000)));
  assert.deepEqual([events.length > 0, minutes.size], [true, 1]);
});

test('what cannot be waited for is wrong usage, marked at its column', async (t) => {
  const misspelt = await ran(t, ['logs', ZONE, '--until', 'hit<sixty%']);
  assert.equal(misspelt.code, 2);
  assert.match(misspelt.stderr, /\n {2}hit<sixty%\n {6}\^{6}\n/);
  for (const args of [
    ['logs', ZONE, '--until', 'hit<60%', '--limit', '3'],
    ['logs', ZONE, '--until', 'hit<60%', '--to', '-1m'],
    ['logs', ZONE, 'by:ip', '--until', 'hit<60%'],
    ['shield', ZONE, 'from:-1h', 'to:-1m', '--until', 'events>1/h'],
    ['zones', '--until', 'hit<60%'],
  ]) {
    const { code, stderr } = await ran(t, args);
    assert.equal(code, 2, args.join(' '));
    assert.match(stderr, /until/);
  }
});
