import assert from 'node:assert/strict';
import { test } from 'node:test';
import { ANSWER_FIGURES, VIEW_FIGURES } from '../../src/loop/figures.ts';
import { createLook } from '../../src/paint/theme.ts';
import { plainBody } from '../support/plain-body.ts';
import { pressed } from '../support/pressed.ts';
import { SCENES, type SceneName } from '../support/scenes.ts';

const LOOK = createLook('mono', false, true);

function bodyOf(name: SceneName, keys: string, size = { columns: 80, rows: 100 }): string[] {
  const state = pressed(
    SCENES[name]((n) => `text${n}`, size),
    keys,
  );
  return plainBody(state, LOOK);
}

const words = (lines: readonly string[]) => lines.join(' ').replaceAll(/\s+/g, ' ');

test('? pressed twice says how each figure of a view comes about, and Esc leaves it', () => {
  for (const [scene, figures] of [
    ['log paused', [...VIEW_FIGURES.log, ...VIEW_FIGURES.timeline]],
    ['zones', VIEW_FIGURES.zones],
    ['groups', VIEW_FIGURES.groups],
    ['shield groups', VIEW_FIGURES.shieldGroups],
    ['comparison', ANSWER_FIGURES.compare],
    ['suspect rules', ANSWER_FIGURES['false-positives']],
  ] as const) {
    const said = words(bodyOf(scene, '??'));
    for (const [name, how] of figures)
      assert.ok(said.includes(`${name} ${how.slice(0, 20)}`), `${scene}: ${name}`);
    assert.deepEqual(bodyOf(scene, '??<Esc>'), bodyOf(scene, ''));
  }
});

test('what is explained has the name that the screen has for it', () => {
  for (const [scene, figures] of [
    ['zones', VIEW_FIGURES.zones],
    ['groups', VIEW_FIGURES.groups],
    ['shield groups', VIEW_FIGURES.shieldGroups],
  ] as const) {
    const heads = bodyOf(scene, scene === 'shield groups' ? '<:columns><Space><Enter>' : '')[0] ?? '';
    const titles = figures
      .flatMap(([name]) => (/^[A-Z0-9 /]+$/.test(name) ? [name] : []))
      .filter((name) => name !== 'PARTIAL');
    assert.ok(titles.length > 1);
    for (const name of titles.flatMap((each) =>
      each === 'OF ROWS' || each === 'WORST FIRST' ? [each] : each.split(' '),
    ))
      assert.ok(heads.includes(name), `${scene}: ${name} in ${heads}`);
  }
});
