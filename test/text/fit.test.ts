import assert from 'node:assert/strict';
import { test } from 'node:test';
import stringWidth from 'string-width';
import { fit, fromCell, width, wrapText } from '../../src/text/fit.ts';
import { sanitise } from '../../src/text/sanitise.ts';
import { fc, runs } from '../support/properties.ts';

const RUNS = runs(300);
const names = fc
  .array(
    fc.oneof(fc.string({ maxLength: 8 }), fc.constantFrom('漢', 'データ', '서울', 'é', 'Ж', '…', '█', '│')),
    {
      maxLength: 8,
    },
  )
  .map((parts) => parts.join(''));

test('a text from a cell on takes the cells that are left, its mark among them, and keeps its letters whole', () => {
  fc.assert(
    fc.property(names, fc.integer({ min: 1, max: 40 }), (s, cell) => {
      const text = sanitise(s, 'text');
      const rest = fromCell(text, cell);
      assert.equal(width(rest), text === '' ? 0 : Math.max(1, width(text) - cell));
      assert.ok(text.endsWith(rest.replace(/^… ?/, '')));
    }),
    { numRuns: RUNS },
  );
  assert.equal(fromCell('漢字漢字', 2), '… 漢字');
});

test('a fitted text takes exactly the columns it was given', () => {
  fc.assert(
    fc.property(
      names,
      fc.integer({ min: 0, max: 40 }),
      fc.constantFrom('left', 'right'),
      (s, columns, align) => {
        const fitted = fit(sanitise(s, 'text'), columns, align);
        assert.equal(stringWidth(fitted), columns);
      },
    ),
    { numRuns: RUNS },
  );
});

test('the short way to a width agrees with the long one for every sign it covers', () => {
  const covered = [...range(0x20, 0x7e), 0xb7, 0x2026, ...range(0x2500, 0x259f)];
  for (const code of covered) {
    const sign = String.fromCodePoint(code);
    assert.equal(width(`${sign}${sign}`), 2, code.toString(16));
    assert.equal(stringWidth(`${sign}${sign}`), 2, code.toString(16));
  }
  assert.equal(width('東京x'), 5);
});

test('every letter that sanitised text can hold has the width that the string-width package says', () => {
  const wrong: string[] = [];
  for (let code = 0x80; code <= 0x3ffff; code++) {
    const letter = String.fromCodePoint(code);
    if (sanitise(letter, 'text') === letter && width(letter) !== stringWidth(letter)) wrong.push(letter);
  }
  assert.deepEqual(wrong, []);
});

function range(from: number, to: number): number[] {
  return Array.from({ length: to - from + 1 }, (_, n) => from + n);
}

test('a wrapped text loses no letter, and no line of it is wider than it may be', () => {
  fc.assert(
    fc.property(names, fc.integer({ min: 2, max: 40 }), (s, columns) => {
      const text = sanitise(s, 'text');
      const lines = wrapText(text, columns);
      assert.ok(lines.every((line) => width(line) <= columns));
      assert.equal(lines.join('').replaceAll(' ', ''), text.replaceAll(' ', ''));
    }),
    { numRuns: RUNS },
  );
});
