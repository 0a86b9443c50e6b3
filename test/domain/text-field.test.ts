import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { editField, type FieldEdit, fieldOf, type TextField } from '../../src/domain/query/text-field.ts';
import { fc } from '../support/properties.ts';
import { RUNS } from './query-cases.ts';

/** The text with `|` where the cursor is. */
const shown = ({ text, cursor }: TextField) => `${text.slice(0, cursor)}|${text.slice(cursor)}`;

function edited(marked: string, ...edits: FieldEdit[]): string {
  const cursor = marked.indexOf('|');
  return shown(edits.reduce(editField, fieldOf(marked.replace('|', ''), cursor)));
}

const FAMILY = '👩‍👩‍👧';
const ACCENTED = 'e\u0301';

describe('the text field', () => {
  test('moves and deletes by what the eye sees as one character', () => {
    assert.equal(edited(`a${FAMILY}|b`, 'left'), `a|${FAMILY}b`);
    assert.equal(edited(`a|${FAMILY}b`, 'right'), `a${FAMILY}|b`);
    assert.equal(edited(`a${FAMILY}|b`, 'backspace'), 'a|b');
    assert.equal(edited(`|${ACCENTED}b`, 'delete'), '|b');
    assert.equal(edited('|ab', 'left'), '|ab');
    assert.equal(edited('ab|', 'delete'), 'ab|');
  });

  test('walks the history and comes back to the line that was being written', () => {
    const field = fieldOf('half', undefined, ['older', 'newer']);
    const walk = (...edits: FieldEdit[]) => shown(edits.reduce(editField, field));
    assert.equal(walk('older'), 'newer|');
    assert.equal(walk('older', 'older', 'older'), 'older|');
    assert.equal(walk('older', 'older', 'newer', 'newer'), 'half|');
    assert.equal(walk('newer'), 'half|');
  });

  test('whatever is typed, the cursor stands between two graphemes and the text is one line', () => {
    const segmenter = new Intl.Segmenter('en', { granularity: 'grapheme' });
    const edit: fc.Arbitrary<FieldEdit> = fc.oneof(
      fc.constantFrom(
        'left',
        'right',
        'wordLeft',
        'wordRight',
        'home',
        'end',
        'backspace',
        'delete',
        'killWordLeft',
        'killLeft',
        'killRight',
        'yank',
        'older',
        'newer',
      ),
      fc.record({
        insert: fc.constantFrom('a', ' ', '\n', FAMILY, '👩', '\u200d', '\u0301', '🇩', '🇪', '\r', ':'),
      }),
      fc.record({ insert: fc.string({ unit: 'grapheme', maxLength: 4 }) }),
    );
    fc.assert(
      fc.property(fc.array(edit, { maxLength: 30 }), (edits) => {
        let field = fieldOf('', 0, ['a\nb', `x${FAMILY}`]);
        for (const each of edits) {
          field = editField(field, each);
          const borders = [...segmenter.segment(field.text)].map(({ index }) => index);
          assert.ok([...borders, field.text.length].includes(field.cursor), JSON.stringify(field));
          assert.ok(!/[\n\r\t]/.test(field.text));
        }
      }),
      { numRuns: RUNS },
    );
  });
});
