import assert from 'node:assert/strict';
import { test } from 'node:test';
import { placedZones } from '../../src/screens/zones/painting/zones-painting.ts';

function titlesOf(columns: number, needed: number, sort: 'hit' | 'worst' = 'worst'): string {
  const { columns: shown } = placedZones(columns, needed, sort);
  return shown.map(({ title }) => title).join(' ');
}

test('what the list is sorted by stays', () => {
  assert.equal(titlesOf(36, 20), 'REQ/S 4XX 5XX');
  assert.equal(titlesOf(36, 20, 'hit'), 'REQ/S HIT 4XX 5XX');
});
