import assert from 'node:assert/strict';
import { test } from 'node:test';
import { LogBook } from '../../src/domain/logs/log-book.ts';
import { type GroupTags, tagGroups, tagsOf } from '../../src/state/group-tags.ts';
import { sceneOf } from '../domain/scene.ts';

const shop = sceneOf('shop-frontend', 4);
const scan = shop.incident('scanner');
const rows = shop.records(scan.from, scan.to).map((record) => ({ record, late: false }));

function bookOf(): LogBook {
  const book = new LogBook({ capacity: 200_000 });
  book.append(rows);
  return book;
}

function tagsOfGroups(...of: Parameters<typeof tagGroups>): GroupTags {
  const work = tagGroups(...of);
  while (!work.step());
  return work.result ?? assert.fail();
}

test('of the groups of addresses the planted scanners and no others are tagged so', () => {
  const book = bookOf();
  const { groups } = book.groupBy(['ip'], 1000);
  const tags = tagsOfGroups(book, ['ip'], groups, 'none');
  const tagged = groups.filter((group) => tagsOf({ by: ['ip'], tags }, group).includes('scanner'));
  assert.deepEqual(new Set(tagged.map(({ key }) => key['ip'])), new Set(scan.cause['ip']));
});

test('a sample is of the group alone, as large as asked at most, and from all over it', () => {
  const book = bookOf();
  const { groups } = book.groupBy(['asn'], 5);
  const work = book.sample(['asn'], groups, 100);
  while (!work.step());
  const samples = (work.result ?? []).map((ids) => ids.map((id) => book.record(id)));
  samples.forEach((sample, index) => {
    const group = groups[index];
    assert.ok(group);
    assert.ok(sample.every(({ asn }) => asn === group.key['asn']));
    assert.ok(sample.length <= 100 && sample.length >= Math.min(group.count, 51));
    const middle = (group.firstSeen + group.lastSeen) / 2;
    const early = sample.filter(({ timestamp }) => timestamp < middle).length;
    const all = rows.filter(({ record }) => record.asn === group.key['asn']);
    const share = all.filter(({ record }) => record.timestamp < middle).length / all.length;
    assert.ok(Math.abs(early / sample.length - share) < 0.1);
  });
});
