import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createLook } from '../../src/paint/theme.ts';
import type { Prompt } from '../../src/state/model.ts';
import { width } from '../../src/text/fit.ts';
import { markLine, PROMPT_LABELS, promptWindow } from '../../src/ui/components/prompt-window.ts';
import { followedState, played, rowsOf } from '../support/state.ts';

const look = createLook('mono', true, true);
const WRONG = 'status:zzz';
const SGR = /\x1b\[[\d;]*m/g;

/** Texts before a mistake whose letters are wide, joined, escaped or beyond one unit. */
const BEFORE = [
  '',
  'a ',
  '日本語 ',
  '日本 語 "한국" ',
  'été ',
  '👍 ',
  '\u202e\x1b ',
  '𠀀 ',
  'x'.repeat(120),
  '日'.repeat(60),
].map((text) => (text === '' || text.endsWith(' ') ? text : `${text} `));

/** The prompt of a query after it was refused. */
function refused(text: string): Prompt {
  const { state } = played(
    followedState(rowsOf(0, 3)),
    'editQuery',
    { type: 'typed', text },
    { type: 'submitted' },
  );
  assert.ok(state.prompt?.error, text);
  return state.prompt;
}

/** What stands in the cells of a text from one on. */
function cellsOf(text: string, from: number, count: number): string {
  let at = 0;
  let seen = '';
  for (const letter of text) {
    if (at >= from && at < from + count) seen += letter;
    at += width(letter);
  }
  return seen;
}

test('the mark over the query line stands over the cells of the mistake, also where the line is cut', () => {
  for (const columns of [60, 80, 120]) {
    for (const before of BEFORE) {
      const prompt = refused(before + WRONG);
      const { text, cursor } = promptWindow(prompt, columns);
      const line = ` ${PROMPT_LABELS.query.label}${text}`;
      const marks = markLine(prompt, { columns, look }).replace(SGR, '');
      assert.equal(cellsOf(line, marks.indexOf('vvv'), 3), 'zzz', before);
      assert.equal(cursor, width(line), before);
    }
  }
});
