import assert from 'node:assert/strict';
import { test } from 'node:test';
import { mouseReport } from '../../src/keymap/chord.ts';
import { resolve } from '../../src/keymap/resolve.ts';
import { stripped } from '../../src/paint/row.ts';
import { createLook } from '../../src/paint/theme.ts';
import { layoutOf } from '../../src/state/list/screen-layout.ts';
import type { Action } from '../../src/state/messages.ts';
import type { State } from '../../src/state/model.ts';
import { bodyLines } from '../../src/ui/body.ts';
import { pointed } from '../../src/ui/pointer.ts';
import { SCENES } from '../support/scenes.ts';
import { played } from '../support/state.ts';

const LOOK = createLook('mono', false, true);
const SIZE = { columns: 100, rows: 30 };
const scene = (name: keyof typeof SCENES): State => {
  const state = SCENES[name]((n) => `text ${n}`, SIZE);
  return { ...state, hasMouse: true };
};
const press = (y: number, x = 4) => ({ does: 'press', x, y }) as const;
const after = (state: State, actions: readonly Action[]) => played(state, ...actions).state;
const underIn = (state: State) =>
  (bodyLines(state, LOOK) ?? []).findIndex((line) => stripped(line).startsWith('▌'));

test('a click on a line of any list puts the cursor there, and one on its line is Enter', () => {
  const seen: string[] = [];
  for (const name of Object.keys(SCENES) as (keyof typeof SCENES)[]) {
    const state = scene(name);
    const at = underIn(state);
    const { y } = layoutOf(state).body;
    if (at < 1 || state.prompt !== null) continue;
    for (const way of ['Down', 'Up']) {
      const moved = played(state, resolve(state, way)).state;
      const wanted = underIn(moved);
      if (wanted < 1 || wanted === at) continue;
      seen.push(name);
      assert.equal(underIn(after(state, pointed(state, LOOK, press(y + wanted)))), wanted, `${name} ${way}`);
    }
    assert.deepEqual(pointed(state, LOOK, press(y + at)), [resolve(state, 'Enter')], name);
  }
  assert.ok(new Set(seen).size > 14, seen.join(', '));
});

test('no click answers a dialog or an edited line, and none acts on bare text or while the mouse is off', () => {
  for (const name of Object.keys(SCENES) as (keyof typeof SCENES)[]) {
    const state = scene(name);
    const isOpen = state.prompt !== null && !['palette', 'help', 'listFind'].includes(state.prompt.kind);
    const still = isOpen || state.overlay?.kind === 'plain' ? state : { ...state, hasMouse: false };
    for (let y = 0; y < SIZE.rows; y++)
      for (const does of ['press', 'wheelUp', 'wheelDown'] as const)
        assert.deepEqual(pointed(still, LOOK, { does, x: 4, y }), [], `${name} ${y}`);
  }
});

test('a report is read as the terminal sends it', () => {
  assert.deepEqual(mouseReport('\x1b[<0;12;5M'), { does: 'press', x: 11, y: 4 });
  assert.equal(mouseReport('\x1b[<65;1;1M')?.does, 'wheelDown');
});
