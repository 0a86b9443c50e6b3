import assert from 'node:assert/strict';
import { test } from 'node:test';
import {
  partFolders,
  partsWithin,
  type StoredFile,
  storedCommand,
} from '../../src/domain/storage/log-parts.ts';
import { unlistedZone } from '../../src/domain/zone.ts';

const at = (text: string) => Date.parse(`${text}Z`);
const FOLDER = ['pullzone-logs', 'shop', '2026', '11'];
const file = (name: string, uploaded: string | null, more: Partial<StoredFile> = {}): StoredFile => {
  const time = uploaded === null ? null : at(uploaded);
  return { name, length: 1, isFolder: false, createdAt: time, changedAt: time, ...more };
};
const chosen = (files: readonly StoredFile[], from: string, to: string) =>
  partsWithin(FOLDER, files, { from: at(from), to: at(to) }).map(({ name }) => name);

test('the folders of a time are its months, with the next one where lines may have come late', () => {
  const of = (from: string, to: string) =>
    partFolders('shop', { from: at(from), to: at(to) }).map((names) => names.slice(2).join('-'));
  assert.deepEqual(of('2026-11-14T00:00', '2026-11-14T01:00'), ['2026-11']);
  assert.deepEqual(of('2026-11-30T20:00', '2026-11-30T23:58'), ['2026-11', '2026-12']);
  assert.deepEqual(of('2026-11-30T20:00', '2026-11-30T23:50'), ['2026-11']);
  assert.deepEqual(of('2025-12-31T20:00', '2026-01-02T00:00'), ['2025-12', '2026-01']);
  assert.deepEqual(partFolders('a b/ü', { from: 0, to: 1 })[0]?.slice(0, 2), ['pullzone-logs', 'a b/ü']);
});

test('a part is read where its day, its upload and the two hours that it is open leave room for the time', () => {
  const parts = [
    file('14_104-4-0a1b2c3d.gzip', '2026-11-14T10:00:20'),
    file('14_104-5-0a1b2c3d.gzip', '2026-11-14T12:00:20'),
    file('14_104-6-0a1b2c3d.gzip', '2026-11-14T14:00:20'),
    file('14_104-7-0a1b2c3d.gzip', '2026-11-14T16:00:20'),
    file('15_104-0-0a1b2c3d.gzip', '2026-11-15T02:00:20'),
  ];
  const names = (...numbers: number[]) => numbers.map((n) => `14_104-${n}-0a1b2c3d.gzip`);
  assert.deepEqual(chosen(parts, '2026-11-14T11:00', '2026-11-14T11:10'), names(5, 6));
  // It may have been closed an hour before it was uploaded, and opened two before.
  assert.deepEqual(chosen(parts, '2026-11-14T10:50', '2026-11-14T10:58'), names(5, 6));
  assert.deepEqual(chosen(parts, '2026-11-14T10:40', '2026-11-14T10:50'), names(5));
  // A line is in the part that was open when it came, six minutes late at most; of the next day too.
  assert.deepEqual(chosen(parts, '2026-11-14T23:50', '2026-11-14T23:57'), ['15_104-0-0a1b2c3d.gzip']);
  assert.deepEqual(chosen(parts, '2026-11-14T23:40', '2026-11-14T23:50'), []);
  // Clocks of workers differ a little, but nothing is written after the upload.
  assert.deepEqual(chosen(parts, '2026-11-14T16:01', '2026-11-14T16:30'), names(7));
  assert.deepEqual(chosen(parts, '2026-11-14T16:02', '2026-11-14T16:30'), []);
});

test('what the rules do not say of a file is left open: an older name, no time, one that was copied later', () => {
  const day = ['2026-11-14T03:00', '2026-11-14T03:01'] as const;
  for (const each of [
    file('14_3.gzip', '2026-11-14T22:00:00'),
    file('14_104-5-0a1b2c3d.gzip', null),
    file('14_104-5-0a1b2c3d.gzip', '2026-11-13T02:00:00'),
    file('14_a-b-5-0a1b2c3d.gzip', '2026-11-14T22:00:00'),
    file('14_104-1-0a1b2c3d.gzip', '2026-11-20T02:00:00', { createdAt: at('2026-11-14T04:00:00') }),
  ])
    assert.deepEqual(chosen([each], ...day), [each.name], each.name);
  const copied = file('14_104-5-0a1b2c3d.gzip', '2026-11-20T02:00:00');
  assert.deepEqual(chosen([copied], ...day), [copied.name]);
  assert.deepEqual(chosen([copied], '2026-11-15T03:00', '2026-11-15T03:01'), []);
});

test('what is no part is left out', () => {
  const files = [
    file('readme.txt', null),
    file('14_104-5-0a1b2c3d.gzip', null, { isFolder: true }),
    file('00_1.gzip', null),
    file('14', null),
  ];
  assert.deepEqual(chosen(files, '2026-11-01T00:00', '2026-11-30T00:00'), []);
});

test('the command that loads what the platform stores names the zones that have it, and whole days', () => {
  const range = { from: at('2026-11-12T06:00'), to: at('2026-11-14T00:00') };
  const shop = { ...unlistedZone({ id: '1', name: 'shop' }), isStored: true };
  const odd = { ...unlistedZone({ id: '2', name: "o'dd" }), isStored: true };
  const none = unlistedZone({ id: '3', name: 'docs' });
  assert.equal(
    storedCommand([shop, none], range),
    'edgescope keep --stored shop --from 2026-11-12 --to 2026-11-14',
  );
  assert.equal(
    storedCommand([shop, odd], { ...range, to: range.to + 1 }),
    "edgescope keep --stored 'shop,o'\\''dd' --from 2026-11-12 --to 2026-11-15",
  );
  assert.equal(storedCommand([none], range), null);
});
