import assert from 'node:assert/strict';
import { test } from 'node:test';
import { LazySegmenter } from '../../src/build/lazy-segmenter.ts';
import { fc } from '../support/properties.ts';

const parts = fc.constantFrom(
  ...[' ', 'a', '~', '\x1b', '[0m', '·', '…', '─', '█', '○', '●', '\r', '\n', '\t', 'é', 'e\u0301'],
  ...['\u200d', '\ufe0f', '👩‍🚀', '🇩🇪', '中', '한', '\u1100', '\u0600', '\ud800', '\x7f', '\u00a9'],
);

test('the segmenter of the bundle finds the graphemes that Intl.Segmenter finds', () => {
  const real = new Intl.Segmenter('en', { granularity: 'grapheme' });
  const lazy = new LazySegmenter('en', { granularity: 'grapheme' });
  fc.assert(
    fc.property(fc.array(parts, { maxLength: 8 }), fc.integer({ min: -2, max: 30 }), (some, at) => {
      const text = some.join('');
      assert.deepEqual([...lazy.segment(text)], [...real.segment(text)]);
      assert.deepEqual(lazy.segment(text).containing(at), real.segment(text).containing(at));
    }),
  );
});

test('words of ASCII are not taken for letters', () => {
  const words = new LazySegmenter('en', { granularity: 'word' });
  assert.deepEqual(
    [...words.segment('two words')].map(({ segment }) => segment),
    ['two', ' ', 'words'],
  );
});
