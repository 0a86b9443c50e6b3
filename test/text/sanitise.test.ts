import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { glyphCells } from '../../src/terminal/styled-text.ts';
import { width } from '../../src/text/fit.ts';
import { inAscii, sanitise, unsanitise } from '../../src/text/sanitise.ts';
import { fc, runs, unicodeText } from '../support/properties.ts';

type Hostile = {
  what: string;
  input?: string;
  strict?: string;
  repeat?: { prefix: string; text: string; times: number };
};

const hostile: Hostile[] = JSON.parse(
  readFileSync(new URL('../data/hostile-strings.json', import.meta.url), 'utf8'),
);
const RUNS = runs(300);
const ASCII = /^[ -~]*$/;
const FORBIDDEN =
  /[\p{C}\p{M}\p{Zl}\p{Zp}\p{Emoji_Presentation}\p{Default_Ignorable_Code_Point}\p{Script=Hebrew}\p{Script=Arabic}]|(?! )\p{Zs}|\u2800/u;
const anyText = fc.oneof(
  unicodeText({ maxLength: 60 }),
  fc.string({ unit: 'grapheme', maxLength: 60 }),
  fc
    .array(fc.integer({ min: 0, max: 0xffff }), { maxLength: 60 })
    .map((units) => String.fromCharCode(...units)),
  fc.string({
    unit: fc.constantFrom('\\', 'u', 'x', 'n', '{', '}', '0', '1', 'b', '\x1b', '\n', '\ud83c', '\udde9'),
    maxLength: 60,
  }),
);

const inputOf = (h: Hostile) =>
  h.input ?? h.repeat?.prefix.concat(h.repeat.text.repeat(h.repeat.times)) ?? '';

test('each of the 98 hostile strings is rendered as its list says', () => {
  assert.equal(hostile.length, 98);
  for (const h of hostile) {
    const expected = h.strict ?? sanitiseOneByOne(inputOf(h));
    assert.equal(sanitise(inputOf(h), 'strict'), expected, h.what);
  }
});

test('no hostile string keeps a control, bidi, invisible, combining or emoji character in text mode', () => {
  for (const h of hostile) {
    const shown = sanitise(inputOf(h), 'text');
    assert.doesNotMatch(shown, FORBIDDEN, h.what);
    assert.equal(unsanitise(shown), inputOf(h), h.what);
  }
});

test('any text in strict mode is printable ASCII and comes back unchanged', () => {
  fc.assert(
    fc.property(anyText, (s) => {
      const shown = sanitise(s, 'strict');
      assert.match(shown, ASCII);
      assert.equal(unsanitise(shown), s);
    }),
    { numRuns: RUNS },
  );
});

test('any text in text mode comes back unchanged and holds nothing that acts', () => {
  fc.assert(
    fc.property(anyText, (s) => {
      const shown = sanitise(s, 'text');
      assert.doesNotMatch(shown, FORBIDDEN);
      assert.equal(unsanitise(shown), s);
    }),
    { numRuns: RUNS },
  );
});

test('two texts that differ never look the same', () => {
  fc.assert(
    fc.property(anyText, anyText, (a, b) => {
      assert.equal(sanitise(a, 'strict') === sanitise(b, 'strict'), a === b);
    }),
    { numRuns: RUNS },
  );
});

test('text mode keeps names in left-to-right scripts and escapes the rest visibly', () => {
  assert.equal(sanitise('Zürich-Ελλάδα_Москва', 'text'), 'Zürich-Ελλάδα_Москва');
  assert.equal(sanitise('東京データセンター 서울', 'text'), '東京データセンター 서울');
  assert.equal(sanitise('zone 🎉', 'text'), 'zone \\u{1f389}');
  assert.equal(sanitise('e\u0301', 'text'), 'e\\u0301');
  assert.equal(sanitise('a\u05d0\u061cb', 'text'), 'a\\u05d0\\u061cb');
  assert.equal(sanitise('\u115f\u1160\u3164\uffa0', 'text'), '\\u115f\\u1160\\u3164\\uffa0');
});

test('no letter that text mode keeps melts into its neighbours', () => {
  const segmenter = new Intl.Segmenter('en', { granularity: 'grapheme' });
  const melted: string[] = [];
  for (let code = 0x80; code <= 0x10ffff; code++) {
    if (code >= 0xd800 && code <= 0xdfff) continue;
    const letter = String.fromCodePoint(code);
    if (sanitise(letter, 'text') !== letter) continue;
    if ([...segmenter.segment(`a${letter}${letter}a`)].length !== 4) melted.push(code.toString(16));
  }
  assert.deepEqual(melted, []);
});

test('a long text is cut before it is looked at and says how much is missing', () => {
  assert.equal(sanitise('A'.repeat(65_536), 'strict', 4096), `${'A'.repeat(4096)}...(+61440)`);
  assert.equal(sanitise('\x1b'.repeat(5000), 'strict', 2), '\\x1b\\x1b...(+4998)');
  assert.equal(sanitise('abc', 'strict', 3), 'abc');
  assert.equal(sanitise('abc', 'text', 0), '...(+3)');
});

test('what is escaped already is made ASCII without being escaped twice', () => {
  fc.assert(
    fc.property(unicodeText(), (s) => {
      const shown = inAscii(sanitise(s, 'text'));
      assert.match(shown, /^[ -~]*$/);
      assert.equal(unsanitise(shown), s);
    }),
  );
  assert.equal(inAscii('ua:"\\x1b[2J" page:/größe'), 'ua:"\\x1b[2J" page:/gr\\xf6\\xdfe');
  assert.equal(inAscii('abcd', 2), 'ab...(+2)');
});

test('a cut never halves a pair of surrogates', () => {
  assert.equal(sanitise('a\u{1f389}b', 'strict', 2), 'a...(+3)');
  assert.equal(sanitise('a\u{1f389}b', 'strict', 3), 'a\\u{1f389}...(+1)');
});

test('what looks like an escape but is none stays as it is', () => {
  assert.equal(unsanitise('\\q \\x1 \\u12 \\u{110000} \\'), '\\q \\x1 \\u12 \\u{110000} \\');
});

function sanitiseOneByOne(s: string): string {
  return [...s].map((character) => sanitise(character, 'strict')).join('');
}

test('each sign that text mode keeps passes the filter of the terminal too, in the same width', () => {
  for (let code = 0; code <= 0x10ffff; code += 1) {
    const sign = String.fromCodePoint(code);
    if (code < 0x7f || sanitise(sign, 'text') !== sign) continue;
    assert.equal(glyphCells(code), width(sign), `U+${code.toString(16)}`);
  }
});
