import assert from 'node:assert/strict';
import { test } from 'node:test';
import { parseJson } from '../../src/api/http/json.ts';
import { savedRecordOf } from '../../src/api/schemas/saved-log.ts';
import { LinePacker } from '../../src/effects/saved/saved-packer.ts';
import { packedRecord } from '../support/coded.ts';
import { fc, runs } from '../support/properties.ts';
import { anyEntry } from './saved-rows.ts';

const RUNS = runs(400);
const OTHERWISE = 1_700_000_000_000;

const GOOD =
  '{"timestamp":"2026-08-01T10:00:00.001Z","pullZoneId":4711,"requestId":null,"cacheStatus":"HIT","statusCode":200,"bytesSent":12,"edgeLocation":"DE","scheme":"https","host":"a.example","path":"/p?v=1","url":"https://a.example/p?v=1"}';

test('keys in another order, unknown keys and spaces are learnt from the lines', () => {
  const packer = new LinePacker();
  const { timestamp, ...rest } = JSON.parse(GOOD);
  const lines = [
    JSON.stringify({ somethingNew: 'x', ...rest, timestamp }),
    JSON.stringify({ ...rest, timestamp, also: 7, none: null }),
    JSON.stringify({ timestamp, ...rest }, null, 1)
      .replaceAll('\n', '')
      .replaceAll('{ ', '{'),
  ];
  for (const line of [...lines, ...lines]) {
    assert.deepEqual(packedRecord(packer, line), savedRecordOf(JSON.parse(line), OTHERWISE), line);
  }
});

test('what has to be masked, escaped or thought about is left to the schema', () => {
  const packer = new LinePacker();
  const left = [
    GOOD.replaceAll('/p?v=1', '/p?token=secret'),
    GOOD.replace('DE', 'D\\u0045'),
    GOOD.replace('DE', 'Dü'),
    GOOD.replace('"DE"', 'null'),
    GOOD.replace('200', '0200'),
    GOOD.replace('200', '2e2'),
    GOOD.replace('"pullZoneId"', '"pullZoneId":1,"pullZoneId"'),
    GOOD.replace('"requestId":null', '"_raw":"x"'),
    GOOD.replace('"scheme":"https",', ''),
    GOOD.slice(0, -1),
    `${GOOD}}`,
    `${GOOD} x`,
  ];
  for (const line of left) assert.equal(packedRecord(packer, line), null, line);
  assert.notEqual(packedRecord(packer, GOOD), null, 'the reader has not lost its way');
});

test('the fast way reads every entry as the schema does, or not at all', () => {
  const packer = new LinePacker();
  let fast = 0;
  fc.assert(
    fc.property(anyEntry, (entry) => {
      const line = JSON.stringify(entry);
      const record = packedRecord(packer, line);
      if (record === null) return;
      fast++;
      assert.deepEqual(record, savedRecordOf(parseJson(line) as object, OTHERWISE));
    }),
    { numRuns: RUNS },
  );
  assert.ok(fast > RUNS / 5, `only ${fast} of ${RUNS} entries went the fast way`);
});

test('any change of one byte in a good line gives what the schema gives, or nothing', () => {
  const packer = new LinePacker();
  fc.assert(
    fc.property(fc.nat(GOOD.length - 1), fc.integer({ min: 0, max: 255 }), (at, byte) => {
      const bytes = Buffer.from(GOOD);
      bytes[at] = byte;
      const record = bytes.includes(10) ? null : packedRecord(packer, bytes);
      if (record !== null)
        assert.deepEqual(record, savedRecordOf(parseJson(bytes.toString()) as object, OTHERWISE));
    }),
    { numRuns: RUNS * 2 },
  );
});
