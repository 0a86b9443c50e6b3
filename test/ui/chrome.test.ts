import assert from 'node:assert/strict';
import { test } from 'node:test';
import { resolve } from '../../src/keymap/resolve.ts';
import { layoutOf } from '../../src/state/layout.ts';
import type { State } from '../../src/state/model.ts';
import { update } from '../../src/state/update.ts';
import { width } from '../../src/text/fit.ts';
import { chromeLines } from '../../src/ui/chrome.ts';
import { cutLine, stripped } from '../../src/ui/row.ts';
import { createLook } from '../../src/ui/theme.ts';
import { SCENES } from '../support/scenes.ts';
import { listedState, played, zoneOf } from '../support/state.ts';

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

test('a key that does nothing in a line that is edited says so over it, until the next key', () => {
  const typing = played(listedState([zoneOf('1', 'shop')]), 'find').state;
  const press = (state: State, chord: string) => update(state, resolve(state, chord), state.now)[0];
  const over = (state: State) => stripped(chromeLines(state, LOOK).foot.lines[0] ?? '');
  const refused = press(typing, 'PgDn');
  assert.match(over(refused), /^ PgDn does nothing while text is typed; Esc leaves the line/);
  assert.equal(over(press(refused, 's')), over(press(typing, 's')));
  assert.match(over(press(refused, 'PgUp')), /^ PgUp does nothing/);
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
