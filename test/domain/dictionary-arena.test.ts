import assert from 'node:assert/strict';
import { test } from 'node:test';
import { ArenaDictionary } from '../../src/domain/logs/dictionary/arena-dictionary.ts';
import { Dictionary, Memo, NO, YES } from '../../src/domain/logs/dictionary/dictionary.ts';
import { fc } from '../support/properties.ts';
import { RUNS } from './log-rows.ts';

const anyText = fc.oneof(
  { weight: 4, arbitrary: fc.integer({ min: 0, max: 400 }).map((n) => `/item/${n}`) },
  fc.constantFrom(
    '',
    'a',
    'ab',
    'abc',
    'abcd',
    'Ünïcode',
    '日本',
    '\ud800',
    '\u0000',
    'x'.repeat(999),
    'y'.repeat(5_000),
  ),
);
const anyStep = fc.record({ isRelease: fc.boolean(), text: anyText, pick: fc.nat() });

for (const [name, create] of [
  ['heap', () => new Dictionary<string>()],
  ['arena', () => new ArenaDictionary()],
  ['arena where all texts crowd', () => new ArenaDictionary(() => 0xabcdef01)],
] as const) {
  test(`a dictionary on the ${name} counts the uses of each value and forgets it with the last`, () => {
    fc.assert(
      fc.property(fc.array(anyStep, { maxLength: 300, size: 'max' }), (steps) => {
        const dictionary = create();
        const held: { text: string; code: number }[] = [];
        for (const { isRelease, text, pick } of steps) {
          if (isRelease && held.length > 0) {
            const [gone] = held.splice(pick % held.length, 1);
            dictionary.release((gone as { code: number }).code);
          } else {
            held.push({ text, code: dictionary.intern(text) });
          }
        }
        const uses = Map.groupBy(held, ({ text }) => text);
        assert.equal(dictionary.size, uses.size);
        for (const [text, users] of uses) {
          const code = (users[0] as { code: number }).code;
          assert.ok(code > 0 && code < dictionary.limit);
          assert.deepEqual(new Set(users.map((user) => user.code)), new Set([code]));
          assert.equal(dictionary.value(code), text);
          assert.equal(dictionary.uses(code), users.length);
        }
        const seen = new Map<string, number>();
        dictionary.each((code, value) => seen.set(value, code));
        assert.deepEqual([...seen.keys()].sort(), [...uses.keys()].sort());
      }),
      { numRuns: RUNS },
    );
  });

  test(`a dictionary on the ${name} finds the values that hold a needle, in any case`, () => {
    const texts = fc.array(fc.oneof(anyText, fc.string({ unit: fc.constantFrom('a', 'B', '\u0002', 'é') })));
    fc.assert(
      fc.property(texts, fc.constantFrom('a', 'ab', 'BA', 'item/1', '.', 'xxx'), (values, needle) => {
        const dictionary = create();
        for (const value of values) dictionary.intern(value);
        for (const value of values.filter((_, i) => i % 3 === 0))
          dictionary.release(dictionary.intern(value));
        const found = new Set<string>();
        dictionary.eachContaining(needle, (code) => found.add(dictionary.value(code)));
        const expected = values.filter((value) => value.toLowerCase().includes(needle.toLowerCase()));
        assert.deepEqual(found, new Set(expected));
      }),
      { numRuns: RUNS },
    );
  });

  test(`a code of the ${name} that is given to another value is asked about again`, () => {
    const dictionary = create();
    const memo = new Memo((code) => (dictionary.value(code).includes('login') ? YES : NO));
    dictionary.watch(memo);
    const first = dictionary.intern('/login');
    assert.equal(memo.of(first), YES);
    dictionary.release(first);
    const second = dictionary.intern('/other');
    assert.equal(second, first);
    assert.equal(memo.of(second), NO);
  });
}

test('room follows the values that are alive while millions of bytes of others come and go', () => {
  const dictionary = new ArenaDictionary();
  const pinned = Array.from({ length: 50 }, (_, i) => dictionary.intern(`pinned ${i}`));
  const live: number[] = [];
  const before = process.memoryUsage().arrayBuffers;
  for (let i = 0; i < 120_000; i++) {
    live.push(dictionary.intern(`/products/${i}/image.jpg?signature=${i * 7_919}`));
    // Now and then a value that stays keeps a page from dying as a whole.
    if (i % 1_000 === 0) pinned.push(dictionary.intern(`stays ${i}`));
    if (live.length > 1_000) dictionary.release(live[i - 1_000] as number);
  }
  const grown = process.memoryUsage().arrayBuffers - before;
  assert.equal(dictionary.size, 1_000 + pinned.length);
  assert.ok(grown < 2_000_000, `${grown} bytes for a thousand values`);
  assert.equal(dictionary.value(pinned[0] as number), 'pinned 0');
  assert.equal(dictionary.value(pinned.at(-1) as number), 'stays 119000');
});
