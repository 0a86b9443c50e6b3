import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import {
  codeSpan,
  csvLine,
  fenced,
  ndjsonLine,
  proseLine,
  tableLine,
  tableLines,
} from '../../../src/domain/handover/line-formats.ts';
import { Digits, gapLine } from '../../../src/domain/handover/shapes.ts';
import { unsanitise } from '../../../src/text/sanitise.ts';
import { fc } from '../../support/properties.ts';
import { oddText } from '../query-cases.ts';

test('an NDJSON line is ASCII and reads back as the same text', () => {
  const text = 'naïve \u{1f600} \u202e \x1b[2J \u2028';
  const line = ndjsonLine({ text });
  assert.match(line, /^[\x20-\x7e]*$/);
  assert.equal(JSON.parse(line).text, text);
});

test('ids beyond 2^53 print as exact JSON numbers', () => {
  assert.equal(ndjsonLine({ id: new Digits('9223372036854775807') }), '{"id":9223372036854775807}');
});

test('a gap of one of several zones names it as rows do', () => {
  const gap = { id: 'g1', from: 0, to: 1000, reason: 'offline', rows: null } as const;
  const times = '"from":"1970-01-01T00:00:00.000Z","to":"1970-01-01T00:00:01.000Z"';
  const line = (zone: string) => ndjsonLine(gapLine({ ...gap, zone }));
  assert.equal(ndjsonLine(gapLine(gap)), `{"_gap":{${times},"reason":"offline","rows":null}}`);
  assert.equal(line('4711'), `{"_gap":{${times},"reason":"offline","rows":null,"zone":4711}}`);
  assert.match(line('9223372036854775807'), /"zone":9223372036854775807\}\}$/);
});

test('an object of a server with a member called digits prints as it came', () => {
  const log = { match: { digits: 'x' }, other: { digits: 7 } };
  assert.deepEqual(JSON.parse(ndjsonLine({ log })), { log });
});

test('a string that looks like a marked number stays a string', () => {
  assert.equal(ndjsonLine({ a: '\u000012\u0000' }), '{"a":"\\u000012\\u0000"}');
});

test('CSV quotes every field and disarms what a spreadsheet would run', () => {
  assert.equal(csvLine(['=1+1', 'a"b', null, 3]), '"\'=1+1","a""b","","3"');
});

test('a table is as wide as its cells and holds no control characters', () => {
  const lines = tableLines(
    [
      { name: 'a\x1b[2J', n: 1 },
      { name: 'bb', n: 20 },
    ],
    40,
  );
  assert.deepEqual(lines, ['NAME      N', 'a\\x1b[2J  1', 'bb        20']);
});

const HOSTILE = (
  JSON.parse(readFileSync(join(import.meta.dirname, '../..', 'data', 'hostile-strings.json'), 'utf8')) as {
    input?: string;
  }[]
).flatMap(({ input }) => (input === undefined ? [] : [input]));

const MARKUP = [
  '<script>alert(1)</script>',
  '[click](https://evil.example)',
  '![x](https://evil.example/x.png)',
  '| a | b |',
  '`` ` ``',
  '```\n# title',
  'https://evil.example www.evil.example a@evil.example',
  '&lt;b&gt;',
  '\\`',
  '\\|',
];

test('a code span holds any text whole, and nothing in it ends the span, the cell or the line', () => {
  for (const text of [...HOSTILE, ...MARKUP, ...fc.sample(oddText, { numRuns: 300, seed: 5 })]) {
    const span = codeSpan(text, Number.POSITIVE_INFINITY);
    if (text === '') continue;
    assert.match(span, /^`[^`|]+`$/);
    assert.match(span, /^[ -~]+$/);
    assert.equal(unsanitise(span.slice(1, -1)), text);
  }
  assert.equal(codeSpan(null), '-');
  assert.equal(codeSpan('x'.repeat(400)), `\`${'x'.repeat(300)}...(+100)\``);
  assert.equal(tableLine([codeSpan('a|b'), codeSpan('c')]).split('|').length, 4);
});

test('prose is no markup and no link, and stays one line', () => {
  for (const text of [...HOSTILE, ...MARKUP]) {
    const line = proseLine(text);
    assert.doesNotMatch(line, /[\n\r]/);
    // Every character that could begin markup stands behind an odd number of backslashes.
    for (const match of line.matchAll(/(\\*)([`*_{}[\]<>()#+!|~&@])/g)) {
      assert.equal((match[1]?.length ?? 0) % 2, 1, `${match[0]} in ${line}`);
    }
    assert.doesNotMatch(line, /(?<!\\):\/\/|www\.\w/);
  }
  assert.equal(proseLine('cache misses doubled at 02:14'), 'cache misses doubled at 02:14');
});

test('a fence is longer than any run of backticks in it', () => {
  assert.deepEqual(fenced('edgescope zones', 'sh'), ['```sh', 'edgescope zones', '```']);
  assert.deepEqual(fenced('a ```` b', ''), ['`````', 'a ```` b', '`````']);
});
