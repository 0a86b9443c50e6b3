import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import {
  codeSpan,
  fenced,
  proseLine,
  tableLine,
  textOfProse,
} from '../../../src/domain/handover/line-formats.ts';
import { unsanitise } from '../../../src/text/sanitise.ts';
import { fc } from '../../support/properties.ts';
import { oddText } from '../query-cases.ts';

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

test('the text of a note is read back from its prose', () => {
  for (const text of [...HOSTILE, ...MARKUP, '1. a\\*b', ...fc.sample(oddText, { numRuns: 300, seed: 6 })])
    assert.equal(textOfProse(proseLine(text)), text);
});

test('a fence is longer than any run of backticks in it', () => {
  assert.deepEqual(fenced('edgescope zones', 'sh'), ['```sh', 'edgescope zones', '```']);
  assert.deepEqual(fenced('a ```` b', ''), ['`````', 'a ```` b', '`````']);
});
