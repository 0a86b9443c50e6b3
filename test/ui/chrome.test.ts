import assert from 'node:assert/strict';
import { test } from 'node:test';
import { layoutOf } from '../../src/state/layout.ts';
import { width } from '../../src/text/fit.ts';
import { chromeLines } from '../../src/ui/chrome.ts';
import { cutLine, stripped } from '../../src/ui/row.ts';
import { createLook } from '../../src/ui/theme.ts';
import { SCENES } from '../support/scenes.ts';

const LOOK = createLook('default', false, true);
const told = (n: number) => `値-${n}`;

test('the lines around the body fill the rows that the layout leaves them, and none is wider than the screen', () => {
  for (const size of [
    { columns: 40, rows: 10 },
    { columns: 60, rows: 15 },
    { columns: 120, rows: 40 },
  ]) {
    for (const [name, scene] of Object.entries(SCENES)) {
      const state = scene(told, size);
      const { head, foot } = chromeLines(state, LOOK);
      const layout = layoutOf(state);
      // The last row is Ink's where a line is edited in it, and the body's where that fills the screen.
      const isFree = state.prompt === null && layout.body.height < size.rows;
      assert.equal(head.lines.length, layout.head, name);
      assert.equal(foot.y + foot.lines.length, isFree ? size.rows : size.rows - 1, name);
      for (const line of [...head.lines, ...foot.lines])
        assert.ok(width(stripped(line)) <= size.columns, `${name}: ${stripped(line)}`);
    }
  }
});

test('a painted line that is too long is cut between letters, the cut shows, and its colours end', () => {
  const line = `${LOOK.paint('error', 'five+')}${LOOK.paint('dim', 'more')}`;
  assert.equal(stripped(cutLine(line, 9, LOOK)), 'five+more');
  assert.equal(stripped(cutLine(line, 8, LOOK)), 'five+mo…');
  assert.equal(stripped(cutLine(line, 5, LOOK)), 'five…');
  assert.equal(stripped(cutLine(LOOK.paint('dim', '値値値'), 4, LOOK)), '値 …');
  const escapes = (text: string) => text.match(/\x1b\[[\d;]*m/g);
  assert.deepEqual(escapes(cutLine(line, 3, LOOK)), escapes(line));
});
