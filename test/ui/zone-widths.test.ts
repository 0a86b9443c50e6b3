import assert from 'node:assert/strict';
import { test } from 'node:test';
import { stripped } from '../../src/paint/row.ts';
import { createLook } from '../../src/paint/theme.ts';
import { nameCells, placedZones } from '../../src/screens/zones/painting/zone-widths.ts';
import { width } from '../../src/text/fit.ts';
import { bodyLines } from '../../src/ui/body.ts';
import { listedState, zoneOf } from '../support/state.ts';

const look = createLook('mono', false, true);

function titlesOf(columns: number, needed: number, sort: 'hit' | 'worst' = 'worst'): string {
  const { columns: shown } = placedZones(columns, needed, sort);
  return shown.map(({ title }) => title).join(' ');
}

test('what tells less gives way to names that would be cut, the id first', () => {
  const table: [columns: number, needed: number, titles: string][] = [
    [40, 60, 'REQ/S HIT 4XX 5XX'],
    [60, 22, 'REQ/S HIT 4XX 5XX OF ROWS AGE'],
    [60, 60, 'REQ/S HIT 4XX 5XX AGE'],
    [80, 26, 'REQ/S HIT 4XX 5XX OF ROWS BLOCKED HOUR AGE'],
    [80, 27, 'REQ/S HIT 4XX 5XX OF ROWS BLOCKED AGE'],
    [80, 60, 'REQ/S HIT 4XX 5XX BLOCKED AGE'],
    [90, 26, 'ID REQ/S HIT 4XX 5XX OF ROWS BLOCKED HOUR AGE'],
    [90, 27, 'REQ/S HIT 4XX 5XX OF ROWS BLOCKED HOUR AGE'],
    [200, 60, 'ID REQ/S HIT 4XX 5XX OF ROWS BLOCKED HOUR AGE'],
  ];
  for (const [columns, needed, titles] of table)
    assert.equal(titlesOf(columns, needed), titles, `${needed} at ${columns}`);
});

test('what the list is sorted by stays', () => {
  assert.equal(titlesOf(36, 20), 'REQ/S 4XX 5XX');
  assert.equal(titlesOf(36, 20, 'hit'), 'REQ/S HIT 4XX 5XX');
});

test('names get what they need before anything else does, up to half of the window, and less of a narrow one', () => {
  for (let columns = 40; columns <= 220; columns++) {
    for (const needed of [4, 20, 33, 60]) {
      const { columns: shown, name, hosts } = placedZones(columns, needed, null);
      const figures = shown.reduce((sum, { cells }) => sum + cells + 1, 0);
      assert.equal(1 + name + figures + (hosts > 0 ? hosts + 1 : 0), columns);
      const most = Math.min(needed, Math.floor(columns * (columns < 60 ? 3 / 8 : 1 / 2)), 48);
      assert.ok(name >= Math.min(most, columns - 25), `${needed} at ${columns}: ${name}`);
    }
  }
});

test('a name that is longer than its column was is whole at 60 columns, and its id stands under the list', () => {
  const name = 'customer-media-library-eu-west';
  const state = listedState([zoneOf('7', name), zoneOf('8', 'shop')], { size: { columns: 60, rows: 24 } });
  const lines = (bodyLines(state, look) ?? []).map(stripped);
  assert.match(lines[0] ?? '', /AGE$/);
  assert.match(lines[1] ?? '', new RegExp(`^.${name} `));
  assert.match(lines.join('\n'), /id 7, logging/);
  for (const line of lines) assert.ok(width(line) <= 60);
});

test('a name is looked at as far as it can be shown', () => {
  assert.equal(nameCells([zoneOf('1', 'shop'), zoneOf('2', 'x'.repeat(60_000))]), 48);
  assert.equal(nameCells([]), 0);
});
