import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { LogRecord } from '../../src/domain/log.ts';
import { LogColumns } from '../../src/domain/logs/columns/log-columns.ts';
import { fc, unicodeText } from '../support/properties.ts';
import { anyRecord, RUNS, row } from './log-rows.ts';

// Minus zero is taken for zero: no log means the difference.
const anyNumber = fc
  .oneof(fc.integer(), fc.maxSafeInteger(), fc.double({ noNaN: true }), fc.constant(2 ** 32 - 1))
  .map((n) => n + 0);
const anyText = fc.oneof(fc.string(), unicodeText(), fc.constantFrom('', '\udfff', 'x'.repeat(3_000)));
const anyOdd: fc.Arbitrary<LogRecord> = fc.record(
  {
    timestamp: anyNumber,
    pullZoneId: anyText,
    requestId: fc.option(
      fc.oneof(
        anyText,
        fc.string({ unit: fc.constantFrom(...'0123456789abcdefAF'), minLength: 32, maxLength: 32 }),
      ),
    ),
    cacheStatus: anyText,
    statusCode: anyNumber,
    bytesSent: anyNumber,
    edgeLocation: anyText,
    scheme: anyText,
    host: anyText,
    path: anyText,
    url: anyText,
    remoteIp: fc.option(anyText),
    countryCode: fc.option(anyText),
    userAgent: fc.option(anyText),
    referer: fc.option(anyText),
    ja4Fingerprint: fc.option(anyText),
    asn: fc.option(anyText),
    asnOrganization: fc.option(anyText),
    bodyBytesSent: fc.option(anyNumber),
    contentRange: fc.option(anyText),
    authorizationHeader: fc.option(anyText),
    raw: fc.option(anyText),
  },
  { noNullPrototype: true },
);

test('a record comes back as it went in, however odd', () => {
  fc.assert(
    fc.property(fc.array(fc.oneof(anyRecord, anyOdd), { maxLength: 20 }), (records) => {
      const columns = new LogColumns();
      const slots = records.map((record) => columns.add(record, false));
      slots.forEach((slot, i) => {
        assert.deepEqual(columns.record(slot), records[i]);
      });
    }),
    { numRuns: RUNS },
  );
});

test('a url is kept only where scheme, host and path do not make it', () => {
  const columns = new LogColumns();
  columns.add(row(), false);
  assert.equal(columns.coded.url.dictionary.size, 0);
  columns.add(row({ url: 'https://www.example.com/elsewhere' }), false);
  assert.equal(columns.coded.url.dictionary.size, 1);
});

test('rows that are gone leave nothing behind in any dictionary, and their ids never come back', () => {
  const columns = new LogColumns();
  const ids = new Set<number>();
  for (let round = 0; round < 50; round++) {
    const slots = [1, 2, 3].map((n) =>
      columns.add(row({ path: `/${round}/${n}`, requestId: `odd ${round}` }), true),
    );
    for (const slot of slots) {
      const id = columns.idOf(slot);
      assert.ok(!ids.has(id) && Number.isSafeInteger(id));
      ids.add(id);
      assert.equal(columns.slotOf(id), slot);
      columns.remove(slot);
      assert.equal(columns.slotOf(id), -1);
    }
  }
  assert.equal(columns.limit, 3);
  for (const column of Object.values(columns.coded)) assert.equal(column.dictionary.size, 0);
  assert.equal(columns.requestId.odd.dictionary.size, 0);
});

test('a column of more than 65,536 different values keeps them apart', () => {
  const columns = new LogColumns();
  const slots = Array.from({ length: 70_000 }, (_, i) => columns.add(row({ path: `/${i}` }), false));
  for (const i of [0, 1, 254, 255, 256, 65_534, 65_535, 65_536, 69_999]) {
    assert.equal(columns.record(slots[i] as number).path, `/${i}`);
  }
});

test('a timestamp that is no number counts as 0', () => {
  const columns = new LogColumns();
  assert.equal(columns.time(columns.add(row({ timestamp: Number.NaN }), false)), 0);
});
