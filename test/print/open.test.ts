import assert from 'node:assert/strict';
import { Readable } from 'node:stream';
import { type TestContext, test } from 'node:test';
import { gzipSync } from 'node:zlib';
import { lineV1, printedRow, printedRows, savedFile } from '../effects/support/saved.ts';
import { HOSTILE } from '../session/rewriting.ts';
import type { Ran } from '../support/called-program.ts';
import { objectsOf, programOf } from './support.ts';

function open(t: TestContext, args: string[], input = ''): Promise<Ran> {
  return programOf(t).call(['open', ...args], Readable.from([Buffer.from(input)]));
}

const rowsOf = ({ stdout }: Ran): Record<string, unknown>[] => objectsOf(stdout);

test('what logs printed is printed again byte for byte, without any key', async (t) => {
  const text = printedRows(0, 3000);
  const ended = await open(t, [savedFile(t, text)]);
  assert.deepEqual([ended.code, ended.stderr, ended.stdout === text], [0, '', true]);
});

test('terms, times and the limit choose among the rows', async (t) => {
  const file = savedFile(t, printedRows(0, 100));
  const failed = await open(t, [file, 'status:5xx', '-ip:192.0.2.2']);
  assert.deepEqual(
    rowsOf(failed).map((row) => row.path),
    ['/p/0', '/p/20', '/p/40', '/p/60', '/p/80'],
  );
  const window = await open(t, [file, 'from:2026-11-20T12:00:10', 'to:2026-11-20T12:00:12']);
  assert.deepEqual(
    rowsOf(window).map((row) => row.path),
    ['/p/10', '/p/11'],
  );
  const limited = await open(t, [file, '--limit', '3']);
  assert.equal(rowsOf(limited).length, 3);
  assert.match(limited.stderr, /stopped after 3 rows/);
});

test('last: counts from the newest row of all files; a stream cannot tell that before its end', async (t) => {
  const files = [savedFile(t, printedRows(0, 50)), savedFile(t, printedRows(50, 100))];
  const ended = await open(t, [...files, 'last:5s']);
  assert.deepEqual(
    rowsOf(ended).map((row) => row.path),
    ['/p/94', '/p/95', '/p/96', '/p/97', '/p/98', '/p/99'],
  );
  const piped = await open(t, ['-', 'last:5s'], printedRows(0, 10));
  assert.deepEqual([piped.code, piped.stdout], [2, '']);
  assert.match(piped.stderr, /use from: and to:/);
});

test('a gap and a row that is not understood are printed as what they are', async (t) => {
  const gap =
    '{"_gap":{"from":"2026-11-20T12:00:01.000Z","to":"2026-11-20T12:00:02.000Z","reason":"offline","rows":null,"zone":4711}}';
  const ended = await open(t, [savedFile(t, `${printedRow(0)}${gap}\nnonsense\n${printedRow(3)}`)]);
  assert.equal(ended.stdout.split('\n')[1], gap);
  assert.equal(rowsOf(ended)[2]?.['_raw'], 'nonsense');
  assert.match(ended.stderr, /1 of 3 rows were not understood/);
  assert.equal(ended.code, 0);
});

test('a gzip file that is cut off is printed as far as it goes, and ends with 1', async (t) => {
  const packed = gzipSync(printedRows(0, 3000));
  const ended = await open(t, [savedFile(t, packed.subarray(0, packed.length - 20))]);
  assert.ok(rowsOf(ended).length > 1000);
  assert.match(ended.stderr, /cut off/);
  assert.equal(ended.code, 1);
});

test('what cannot be opened is wrong usage, in words', async (t) => {
  const none = await open(t, ['/nonexistent/day.log']);
  assert.deepEqual([none.code, none.stdout], [2, '']);
  assert.match(none.stderr, /there is no file '\/nonexistent\/day.log'/);
  const text = await open(t, [savedFile(t, ''), 'union']);
  assert.match(text.stderr, /free text goes after --/);
  assert.equal((await open(t, [])).code, 2);
  assert.match((await open(t, [savedFile(t, printedRow(0)), '--', 'P/0'])).stdout, /"\/p\/0"/);
});

test('hostile text of a file reaches no pipe unescaped, and no secret at all', async (t) => {
  const canary = 'canary-77aa';
  const rows = HOSTILE.map(({ input }, n) =>
    JSON.stringify({
      ...JSON.parse(printedRow(n)),
      userAgent: input,
      referer: `https://a.example/?token=${canary}`,
      authorizationHeader: canary,
    }),
  );
  const lines = HOSTILE.map(({ input }, n) =>
    lineV1(n).replace('curl/8.5.0', () => input.replaceAll('\n', ' ')),
  );
  const broken = HOSTILE.map(({ input }) => `{"timestamp":"${canary.length}","Authorization":"x"${input}`);
  const file = savedFile(t, `${[...rows, ...lines, ...broken].join('\n')}\n`);
  for (const format of ['ndjson', 'csv', 'table']) {
    const ended = await open(t, [file, '--format', format]);
    // The mark of a cut cell is ours.
    assert.match(ended.stdout, /^[\n -~…]*$/, format);
    assert.doesNotMatch(ended.stdout + ended.stderr, new RegExp(canary), format);
  }
});
