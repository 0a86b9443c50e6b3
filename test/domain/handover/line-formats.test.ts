import assert from 'node:assert/strict';
import { test } from 'node:test';
import { csvLine, ndjsonLine, tableLines } from '../../../src/domain/handover/line-formats.ts';
import { Digits } from '../../../src/domain/handover/shapes.ts';

test('an NDJSON line is ASCII and reads back as the same text', () => {
  const text = 'naïve \u{1f600} \u202e \x1b[2J \u2028';
  const line = ndjsonLine({ text });
  assert.match(line, /^[\x20-\x7e]*$/);
  assert.equal(JSON.parse(line).text, text);
});

test('ids beyond 2^53 print as exact JSON numbers', () => {
  assert.equal(ndjsonLine({ id: new Digits('9223372036854775807') }), '{"id":9223372036854775807}');
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
